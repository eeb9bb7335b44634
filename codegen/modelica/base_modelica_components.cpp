// Components of a Base Modelica text: parameter Real[3] 'x'(start = 1.0, unit = "V") = 2.0 "what it
// is";

#include <algorithm>

#include "codegen/modelica/base_modelica_parser.hpp"

namespace takt::codegen::modelica {

ModelParser::Prefix ModelParser::prefix() {
  Prefix made;
  made.where = peek().where;
  for (;;) {
    if (accept("final"))
      made.is_final = true;
    else if (accept("parameter"))
      made.variability = Variability::parameter;
    else if (accept("constant"))
      made.variability = Variability::constant;
    else if (accept("discrete"))
      made.variability = Variability::discrete;
    else if (accept("input"))
      made.causality = Causality::input;
    else if (accept("output"))
      made.causality = Causality::output;
    else if (!accept("flow") && !accept("stream"))
      break;
  }
  for (const std::string_view other :
       {"replaceable", "redeclare", "inner", "outer", "extends", "connect", "import"})
    if (sees(other))
      refuse("'" + std::string(other) + "' is no word of Base Modelica", "give the flat model");
  made.type = dotted_name("a type");
  made.dims = subscripts();
  return made;
}

/// One type and several components of it.
std::vector<FlatVariable> ModelParser::components() {
  const Prefix of = prefix();
  std::vector<FlatVariable> made;
  do {
    evaluate_ = false;
    if (peek().kind == Token::Kind::sign)
      refuse("the name of a component is missing, there is '" + peek().text + "'");
    made.push_back(component(of));
    if (accept("if"))
      throw Refusal{"D002", "a component with a condition", "give the flat model", peek().where};
    if (peek().kind == Token::Kind::text) made.back().description = peek().text;
    skip_text_and_annotation();
    made.back().evaluate = evaluate_;
  } while (accept(","));
  expect(";", "after a declaration");
  return made;
}

FlatVariable ModelParser::component(const Prefix& of) {
  const bool is_type = peek().kind == Token::Kind::sign;  // type 'Angle' = Real(...)
  FlatVariable made;
  const auto alias = types_.find(of.type);
  if (alias != types_.end()) made = alias->second;
  made.where = is_type ? of.where : peek().where;
  made.name = is_type ? "" : dotted_name("a component");
  made.type = alias != types_.end() ? alias->second.type : of.type;
  made.variability = of.variability;
  made.causality = of.causality;
  made.is_final = of.is_final;
  made.is_discrete_type = made.type == "Integer" || made.type == "Boolean" ||
                          made.type == "String" || enumerations_.contains(made.type);
  const bool known = made.is_discrete_type || made.type == "Real" || made.type == "Clock" ||
                     record_names_.contains(made.type);
  if (!known) throw Refusal{"D003", "the type '" + of.type + "' is not declared", "", of.where};
  std::vector<FlatRef> dims = subscripts();
  dims.insert(dims.end(), of.dims.begin(), of.dims.end());
  if (!dims.empty()) made.dims.insert(made.dims.begin(), dims.begin(), dims.end());
  if (accept("(")) modification(made);
  if (accept("=") || accept(":=")) made.binding = expression();
  return made;
}

/// (start = 1.0, each fixed = true)
void ModelParser::modification(FlatVariable& into) {
  while (!sees(")")) {
    while (accept("each") || accept("final")) {
    }
    const Location where = peek().where;
    const std::string name = one_name("an attribute");
    expect("=", "after '" + name + "'");
    attribute(into, name, where);
    if (!accept(",")) break;
  }
  expect(")", "to close '('");
}

void ModelParser::attribute(FlatVariable& into, const std::string& name, const Location& where) {
  const FlatRef value = expression();
  const bool is_text = value->kind == FlatExpression::Kind::text;
  if (name == "start")
    into.start = value;
  else if (name == "fixed")
    into.fixed = value;
  else if (name == "min")
    into.min = value;
  else if (name == "max")
    into.max = value;
  else if (name == "nominal")
    into.nominal = value;
  else if (name == "unit" && is_text)
    into.unit = value->text;
  else if (name == "stateSelect" && value->kind == FlatExpression::Kind::name) {
    const std::string word = value->text.substr(value->text.rfind('.') + 1);
    into.state_select = word == "never"    ? StateSelect::never
                        : word == "avoid"  ? StateSelect::avoid
                        : word == "prefer" ? StateSelect::prefer
                        : word == "always" ? StateSelect::always
                                           : StateSelect::none;
  } else if (name != "quantity" && name != "displayUnit" && name != "unbounded") {
    throw Refusal{
        "D002",
        "'" + name + "' is no attribute that is known, or has another value than it may have", "",
        where};
  }
}

/// A component whose type is a record is its fields.
void ModelParser::add_variable(FlatVariable declared) {
  if (const auto type = records_.find(declared.type); type != records_.end()) {
    if (!declared.dims.empty())
      throw Refusal{"D002", "an array of records, '" + declared.name + "'",
                    "declare its elements one by one", declared.where};
    return add_record(declared, type->second);
  }
  if (!names_.insert(declared.name).second)
    throw Refusal{"D001", "'" + declared.name + "' is declared twice", "", declared.where};
  out_.variables.push_back(std::move(declared));
}

void ModelParser::add_record(const FlatVariable& declared, const Record& type) {
  for (FlatVariable field : type.fields) {
    const std::string name = field.name;
    field.name = declared.name + "." + name;
    field.where = declared.where;
    if (declared.variability != Variability::continuous) field.variability = declared.variability;
    if (declared.causality != Causality::none) field.causality = declared.causality;
    field.is_final = field.is_final || declared.is_final;
    if (declared.binding != nullptr)
      field.binding = make(FlatExpression::Kind::field, name, {declared.binding}, declared.where);
    add_variable(std::move(field));
  }
  out_.record_instances[declared.name] = declared.type;
}

/// annotation(Evaluate = true), annotation(experiment(StopTime = 1, Interval = 1e-3))
void ModelParser::annotation(std::size_t from, std::size_t to) {
  for (std::size_t k = from; k + 2 < to; ++k)
    if (tokens_[k].text == "Evaluate" && tokens_[k + 1].text == "=" &&
        tokens_[k + 2].text == "true")
      evaluate_ = true;
  if (const auto stop = annotated(from, to, "StopTime")) out_.stop_time = *stop;
  if (const auto interval = annotated(from, to, "Interval")) out_.interval = *interval;
}

std::optional<double> ModelParser::annotated(std::size_t from, std::size_t to,
                                             std::string_view name) const {
  for (std::size_t k = from; k + 2 < to; ++k) {
    const bool is_number =
        tokens_[k + 2].kind == Token::Kind::whole || tokens_[k + 2].kind == Token::Kind::real;
    if (tokens_[k].text == name && tokens_[k + 1].text == "=" && is_number)
      return tokens_[k + 2].number;
  }
  return std::nullopt;
}

}  // namespace takt::codegen::modelica
