#include "codegen/modelica/base_modelica_parser.hpp"

#include <algorithm>

#include "codegen/modelica/external_functions.hpp"

namespace takt::codegen::modelica {

FlatModel ModelParser::run() {
  out_.where = peek().where;
  find_records();
  if (sees("package"))
    package();
  else
    class_definition();
  if (peek().kind != Token::Kind::end)
    refuse("'" + peek().text.substr(0, 60) + "' stands behind the end of the package");
  finish();
  return std::move(out_);
}

/// A call of a record's name makes one: names are known before what stands ahead of them is read.
void ModelParser::find_records() {
  for (std::size_t k = 0; k + 1 < tokens_.size(); ++k)
    if (tokens_[k].kind == Token::Kind::word && tokens_[k].text == "record") {
      std::string name = tokens_[k + 1].text;
      for (std::size_t at = k + 2; at + 1 < tokens_.size() && tokens_[at].text == "."; at += 2)
        name += "." + tokens_[at + 1].text;
      record_names_.insert(name);
    }
}

void ModelParser::end_of(const std::string& name) {
  expect("end", "to close '" + name + "'");
  const Location where = peek().where;
  const std::string closed = dotted_name("what 'end' closes");
  if (closed != name)
    throw Refusal{"D001", "'end " + closed + "' closes '" + name + "'", "", where};
  expect(";", "after 'end " + name + "'");
}

void ModelParser::package() {
  take();
  const std::string name = dotted_name("a package");
  skip_text_and_annotation();
  while (!sees("end")) {
    if (peek().kind == Token::Kind::end) refuse("'end " + name + "' is missing");
    skip_text_and_annotation();
    if (accept(";")) continue;
    class_definition();
  }
  end_of(name);
}

void ModelParser::class_definition() {
  while (sees("encapsulated") || sees("pure") || sees("impure") || sees("final")) {
    if (sees("impure"))
      throw Refusal{"D002", "an impure function",
                    "what a function gives must depend on its inputs alone", peek().where};
    take();
  }
  if (sees("partial")) refuse("the class is partial: it has no complete set of equations");
  if (sees("operator")) take();
  if (sees("record")) return record();
  if (sees("function")) return function();
  if (sees("type")) return type_definition();
  if (sees("model") || sees("class") || sees("block")) return model();
  if (sees("constant") || sees("parameter")) {
    for (FlatVariable& each : components()) add_variable(std::move(each));
    return;
  }
  refuse("'" + peek().text.substr(0, 60) + "' begins no class",
         "a Base Modelica text has a package of types, records, functions and a model");
}

/// type 'E' = enumeration('a' "text", 'b'); type 'Angle' = Real(unit = "rad");
void ModelParser::type_definition() {
  take();
  const std::string name = dotted_name("a type");
  expect("=", "after the name of a type");
  if (accept("enumeration")) {
    expect("(", "after 'enumeration'");
    int ordinal = 0;
    do {
      out_.literals[name + "." + one_name("a literal")] = ++ordinal;
      skip_text_and_annotation();
    } while (accept(","));
    expect(")", "to close '('");
    enumerations_.insert(name);
  } else {
    FlatVariable made = component(prefix());
    made.name = name;
    types_[name] = std::move(made);
  }
  skip_text_and_annotation();
  expect(";", "after a type");
}

void ModelParser::record() {
  take();
  const std::string name = dotted_name("a record");
  skip_text_and_annotation();
  Record made;
  FlatFunction constructor;
  constructor.name = name;
  constructor.is_constructor = true;
  while (!sees("end")) {
    if (peek().kind == Token::Kind::end) refuse("'end " + name + "' is missing");
    if (sees("annotation")) {
      skip_text_and_annotation();
      expect(";", "after an annotation");
      continue;
    }
    for (FlatVariable& each : components()) {
      constructor.inputs.push_back({.name = each.name,
                                    .type = each.type,
                                    .dims = each.dims,
                                    .is_record = false,
                                    .value = each.binding});
      made.fields.push_back(std::move(each));
    }
  }
  end_of(name);
  FlatRecordType type{.name = name, .fields = {}};
  for (const FlatVariable& each : made.fields) type.fields.push_back(each.name);
  out_.record_types[name] = std::move(type);
  out_.functions[name] = std::move(constructor);
  records_[name] = std::move(made);
}

void ModelParser::function() {
  FlatFunction made;
  made.where = take().where;
  made.name = dotted_name("a function");
  skip_text_and_annotation();
  bool is_protected = false;
  for (;;) {
    if (sees("algorithm") || sees("external") || sees("end") || peek().kind == Token::Kind::end)
      break;
    if (sees("annotation")) {
      skip_text_and_annotation();
      expect(";", "after an annotation");
    } else if (accept("protected")) {
      is_protected = true;
    } else if (accept("public")) {
      is_protected = false;
    } else {
      function_component(made, is_protected);
    }
  }
  if (accept("algorithm")) made.body = statements();
  if (accept("external")) {
    external(made);
    while (!sees(";") && peek().kind != Token::Kind::end) take();
    expect(";", "after 'external'");
  }
  while (sees("annotation")) {
    skip_text_and_annotation();
    expect(";", "after an annotation");
  }
  end_of(made.name);
  if (!out_.functions.emplace(made.name, made).second)
    throw Refusal{"D001", "function '" + made.name + "' is defined twice", "", made.where};
}

/// `"LANGUAGE" OUTPUT = CALL`, each of which may be left out.
void ModelParser::external(FlatFunction& into) {
  into.is_external = true;
  const auto is_name = [&] {
    return peek().kind == Token::Kind::word || peek().kind == Token::Kind::quoted;
  };
  const std::string language = peek().kind == Token::Kind::text ? take().text : std::string();
  std::string output;
  if (is_name() && sees("=", 1)) {
    output = take().text;
    take();
  }
  if (!is_name() || !sees("(", 1)) return;
  const FlatRef call = expression();
  into.external_name = call->text;
  take_mathematics(into, language, std::move(output), *call);
}

void ModelParser::function_component(FlatFunction& into, bool is_protected) {
  for (FlatVariable& each : components()) {
    FlatArgument made{.name = each.name,
                      .type = each.type,
                      .dims = std::move(each.dims),
                      .is_record = false,
                      .value = each.binding};
    made.is_record = record_names_.contains(made.type);
    auto& list = is_protected || each.causality == Causality::none ? into.locals
                 : each.causality == Causality::input              ? into.inputs
                                                                   : into.outputs;
    list.push_back(std::move(made));
  }
}

void ModelParser::model() {
  take();
  const Location where = peek().where;
  if (has_model_)
    throw Refusal{"D001", "a second model in one text", "give one model in a file", where};
  has_model_ = true;
  out_.name = dotted_name("a model");
  out_.where = where;
  if (peek().kind == Token::Kind::text) out_.description = peek().text;
  skip_text_and_annotation();
  model_sections();
  end_of(out_.name);
}

void ModelParser::model_sections() {
  while (!sees("end")) {
    if (peek().kind == Token::Kind::end) refuse("'end " + out_.name + "' is missing");
    if (sees("annotation")) {
      skip_text_and_annotation();
      expect(";", "after an annotation");
      continue;
    }
    if (accept("public") || accept("protected")) continue;
    const bool initial = sees("initial") && (sees("equation", 1) || sees("algorithm", 1));
    if (initial) take();
    if (accept("equation")) {
      auto& into = initial ? out_.initial_equations : out_.equations;
      for (FlatEquation& each : equations(initial ? "initial equation" : "equation"))
        into.push_back(std::move(each));
    } else if (sees("algorithm")) {
      take();
      (initial ? out_.initial_algorithms : out_.algorithms).push_back(statements());
      (initial ? out_.initial_algorithm_origins : out_.algorithm_origins).push_back("an algorithm");
    } else {
      for (FlatVariable& each : components()) add_variable(std::move(each));
    }
  }
}

void ModelParser::finish() {
  if (!has_model_) throw Refusal{"D001", "there is no model in the text", "", out_.where};
  out_.whens = std::move(whens_);
  // By name, as in JSON: the same model gives the same plant.
  std::sort(out_.variables.begin(), out_.variables.end(),
            [](const FlatVariable& a, const FlatVariable& b) { return a.name < b.name; });
}

// --- equations

std::vector<FlatEquation> ModelParser::equations(std::string_view origin) {
  std::vector<FlatEquation> made;
  for (;;) {
    for (const std::string_view stop : {"end", "else", "elseif", "elsewhen", "equation",
                                        "algorithm", "annotation", "public", "protected"})
      if (sees(stop)) return made;
    if (peek().kind == Token::Kind::end) return made;
    if (sees("initial") && (sees("equation", 1) || sees("algorithm", 1))) return made;
    if (sees("when"))
      when();
    else
      made.push_back(equation(origin));
    skip_text_and_annotation();
    expect(";", "after an equation");
  }
}

FlatEquation ModelParser::equation(std::string_view origin) {
  constexpr int deepest = 100;
  const Location where = peek().where;
  if (equation_depth_ >= deepest) refuse("equations nest deeper than 100");
  ++equation_depth_;
  FlatEquation made;
  if (sees("if")) {
    made = choose(origin);
  } else if (sees("for")) {
    made = repeat(origin);
  } else {
    made.left = expression();
    if (accept("=")) {
      made.right = expression();
    } else {
      if (made.left->kind != FlatExpression::Kind::call)
        refuse("'=' is missing in an equation, there is '" + peek().text.substr(0, 60) + "'");
      made.kind = FlatEquation::Kind::call;
    }
  }
  --equation_depth_;
  made.where = where;
  made.origin = std::string(origin) + " " + std::to_string(++equation_count_);
  return made;
}

FlatEquation ModelParser::choose(std::string_view origin) {
  FlatEquation made;
  made.kind = FlatEquation::Kind::choose;
  do {
    take();
    made.conditions.push_back(expression());
    expect("then", "after the condition of 'if'");
    made.bodies.push_back(equations(origin));
  } while (sees("elseif"));
  made.bodies.push_back(accept("else") ? equations(origin) : std::vector<FlatEquation>{});
  expect("end", "to close 'if'");
  expect("if", "after 'end', which closes 'if'");
  return made;
}

FlatEquation ModelParser::repeat(std::string_view origin) {
  take();
  std::vector<std::pair<std::string, FlatRef>> iterators;
  do {
    std::string name = one_name("an iterator");
    expect("in", "after the iterator of a loop");
    iterators.emplace_back(std::move(name), expression());
  } while (accept(","));
  expect("loop", "after the range of a loop");
  std::vector<FlatEquation> body = equations(origin);
  expect("end", "to close 'for'");
  expect("for", "after 'end', which closes 'for'");
  for (auto each = iterators.rbegin(); each != iterators.rend(); ++each) {
    FlatEquation made;
    made.kind = FlatEquation::Kind::repeat;
    made.iterator = each->first;
    made.range = each->second;
    made.origin = std::string(origin) + " of a loop";
    made.where = each->second->where;
    made.bodies.push_back(std::move(body));
    body.clear();
    body.push_back(std::move(made));
  }
  return std::move(body.front());
}

void ModelParser::when() {
  FlatWhen made{.sets = "", .where = peek().where, .schedule = {}, .branches = {}};
  const bool nested = equation_depth_ > 0;
  ++equation_depth_;
  do {
    FlatWhenBranch branch{.condition = {}, .actions = {}, .where = peek().where};
    take();
    branch.condition = expression();
    expect("then", "after the condition of 'when'");
    branch.actions = when_actions(equations("equation"));
    for (const FlatWhenAction& each : branch.actions)
      if (made.sets.empty() && each.value != nullptr) made.sets = "that sets '" + each.name + "'";
    made.branches.push_back(std::move(branch));
  } while (sees("elsewhen"));
  expect("end", "to close 'when'");
  expect("when", "after 'end', which closes 'when'");
  --equation_depth_;
  if (nested) made.branches.clear();  // it is refused: what it depends on is not known here
  whens_.push_back(std::move(made));
}

/// What stands in a when-equation has been read as equations.
std::vector<FlatWhenAction> ModelParser::when_actions(const std::vector<FlatEquation>& equations) {
  std::vector<FlatWhenAction> made;
  for (const FlatEquation& each : equations) {
    FlatWhenAction action{.name = "an equation", .where = each.where};
    const FlatRef& left = each.left;
    if (each.kind == FlatEquation::Kind::choose) {
      action.kind = FlatWhenAction::Kind::choose;
      action.conditions = each.conditions;
      for (const auto& body : each.bodies) action.bodies.push_back(when_actions(body));
    } else if (each.kind == FlatEquation::Kind::repeat) {
      action.name = "a loop";
    } else if (each.kind == FlatEquation::Kind::call) {
      action.name = "'" + left->text + "'";
      if (left->text == "assert" || left->text == "terminate")
        action.kind = FlatWhenAction::Kind::check;
      if (left->text == "reinit" && left->parts.size() == 2 &&
          left->parts[0]->kind == FlatExpression::Kind::name) {
        action.kind = FlatWhenAction::Kind::reinit;
        action.name = left->parts[0]->text;
        action.value = left->parts[1];
      }
    } else if (left->kind == FlatExpression::Kind::name) {
      action.kind = FlatWhenAction::Kind::assign;
      action.name = left->text;
      action.value = each.right;
    }
    made.push_back(std::move(action));
  }
  return made;
}

}  // namespace takt::codegen::modelica
