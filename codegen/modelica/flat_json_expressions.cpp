#include "codegen/modelica/flat_json_expressions.hpp"

#include <array>
#include <utility>

namespace takt::codegen::modelica {
namespace {

using Kind = FlatExpression::Kind;
using Translation = std::pair<std::string_view, std::string_view>;

constexpr auto operators = std::to_array<Translation>({{"Add", "+"},
                                                       {"Sub", "-"},
                                                       {"Mul", "*"},
                                                       {"Div", "/"},
                                                       {"Exp", "^"},
                                                       {"AddElem", ".+"},
                                                       {"SubElem", ".-"},
                                                       {"MulElem", ".*"},
                                                       {"DivElem", "./"},
                                                       {"ExpElem", ".^"}});
constexpr auto relations = std::to_array<Translation>(
    {{"Lt", "<"}, {"Le", "<="}, {"Gt", ">"}, {"Ge", ">="}, {"Eq", "=="}, {"Neq", "<>"}});

/// Built-in functions whose word in Modelica is not theirs in lower case.
constexpr auto builtins =
    std::to_array<Translation>({{"NoEvent", "noEvent"},
                                {"SemiLinear", "semiLinear"},
                                {"OuterProduct", "outerProduct"},
                                {"Ndims", "ndims"},
                                {"InStream", "inStream"},
                                {"ActualStream", "actualStream"},
                                {"SpatialDistribution", "spatialDistribution"}});

template <std::size_t size>
std::string_view word_of(const std::array<Translation, size>& words, std::string_view name) {
  for (const auto& [from, to] : words)
    if (from == name) return to;
  return {};
}

std::string lower_case(std::string_view text) {
  std::string made(text);
  for (char& c : made)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  return made;
}

struct Tagged {
  const std::string& kind;
  const Json& content;
};

/// { "Binary": { ... } }: kind and content.
Tagged tagged(const Json& json) {
  static const Json none;
  static const std::string no_kind;
  if (json.is_string()) return {json.get_ref<const std::string&>(), none};
  if (!json.is_object() || json.size() != 1) return {no_kind, json};
  return {json.begin().key(), json.begin().value()};
}

}  // namespace

Refusal JsonExpressions::refuse(std::string what) const {
  return {"D002",
          std::move(what),
          "take the version of rumoca that the manual names; tell what it wrote here",
          {file_}};
}

std::string JsonExpressions::name_of(const Json& json) {
  if (json.is_string()) return json.get<std::string>();
  return json.at("name").get<std::string>();
}

FlatRef JsonExpressions::make(Kind kind, std::string text, std::vector<FlatRef> parts) const {
  auto made = std::make_shared<FlatExpression>();
  made->kind = kind;
  made->text = std::move(text);
  made->parts = std::move(parts);
  made->where = {file_};
  return made;
}

std::vector<FlatRef> JsonExpressions::all_of(const Json& json) const {
  std::vector<FlatRef> made;
  for (const Json& each : json) made.push_back(expression(each));
  return made;
}

FlatRef JsonExpressions::literal(const Json& json) const {
  const auto& [type, value] = tagged(json);
  if (type == "String") return make(Kind::text, value.get<std::string>(), {});
  auto made = std::make_shared<FlatExpression>();
  made->where = {file_};
  made->whole = type == "Integer";
  if (type == "Boolean") made->kind = Kind::boolean;
  if (type != "Boolean" && type != "Integer" && type != "Real")
    throw refuse("a literal of type '" + type + "'");
  made->number = type == "Boolean" ? (value.get<bool>() ? 1.0 : 0.0) : value.get<double>();
  return made;
}

FlatRef JsonExpressions::binary(const Json& json) const {
  const std::string op = tagged(json.at("op")).kind;
  std::vector<FlatRef> sides{expression(json.at("lhs")), expression(json.at("rhs"))};
  if (const auto word = word_of(operators, op); !word.empty())
    return make(Kind::binary, std::string(word), std::move(sides));
  if (const auto word = word_of(relations, op); !word.empty())
    return make(Kind::relation, std::string(word), std::move(sides));
  if (op == "And" || op == "Or") return make(Kind::logic, lower_case(op), std::move(sides));
  throw refuse("an operator '" + op + "'");
}

FlatRef JsonExpressions::choice(const Json& json) const {
  std::vector<FlatRef> parts;
  for (const Json& branch : json.at("branches")) {
    parts.push_back(expression(branch.at(0)));
    parts.push_back(expression(branch.at(1)));
  }
  parts.push_back(expression(json.at("else_branch")));
  return make(Kind::choice, "", std::move(parts));
}

FlatRef JsonExpressions::array(const Json& json) const {
  std::vector<FlatRef> parts = all_of(json.at("elements"));
  const std::string kind = json.value("kind", "Array");
  if (kind == "Array") return make(Kind::array, "", std::move(parts));
  // [a, b; c]: Vertical of Horizontal ones; a Horizontal one alone is one row.
  if (kind == "Horizontal") return make(Kind::rows, "horizontal", std::move(parts));
  if (kind == "Vertical") return make(Kind::rows, "vertical", std::move(parts));
  throw refuse("an array of kind '" + kind + "'");
}

FlatRef JsonExpressions::comprehension(const Json& json) const {
  FlatRef made = expression(json.at("expr"));
  if (json.contains("filter") && !json.at("filter").is_null())
    throw refuse("a comprehension with a filter");
  const Json& indices = json.at("indices");
  for (auto each = indices.rbegin(); each != indices.rend(); ++each)
    made = make(Kind::comprehension, each->at("name").get<std::string>(),
                {made, expression(each->at("range"))});
  return made;
}

FlatRef JsonExpressions::reference(const Json& json) const {
  FlatRef name = make(Kind::name, name_of(json.at("name")), {});
  std::vector<FlatRef> parts = subscripts(json.at("subscripts"));
  if (parts.empty()) return name;
  parts.insert(parts.begin(), name);
  return make(Kind::index, "", std::move(parts));
}

std::vector<FlatRef> JsonExpressions::subscripts(const Json& json) const {
  std::vector<FlatRef> made;
  if (json.is_null()) return made;
  for (const Json& each : json) {
    const auto& [kind, content] = tagged(each);
    if (kind == "Index") {
      auto number = std::make_shared<FlatExpression>();
      number->number = content.at("value").get<double>();
      number->whole = true;
      number->where = {file_};
      made.push_back(number);
    } else if (kind == "Expr") {
      made.push_back(expression(content.contains("expr") ? content.at("expr") : content));
    } else if (kind == "Colon") {
      made.push_back(make(Kind::all, "", {}));
    } else {
      throw refuse("a subscript '" + kind + "'");
    }
  }
  return made;
}

FlatRef JsonExpressions::expression(const Json& json) const {
  const auto& [kind, content] = tagged(json);
  if (kind == "VarRef") return reference(content);
  if (kind == "Literal") return literal(content.at("value"));
  if (kind == "Binary") return binary(content);
  if (kind == "Unary") {
    const std::string op = tagged(content.at("op")).kind;
    FlatRef operand = expression(content.at("rhs"));
    if (op == "Plus" || op == "DotPlus") return operand;
    if (op == "Not") return make(Kind::invert, "", {operand});
    if (op == "Minus" || op == "DotMinus") return make(Kind::negate, "", {operand});
    throw refuse("an operator '" + op + "'");
  }
  if (kind == "BuiltinCall") {
    const std::string name = tagged(content.at("function")).kind;
    const std::string_view word = word_of(builtins, name);
    return make(Kind::call, word.empty() ? lower_case(name) : std::string(word),
                all_of(content.at("args")));
  }
  if (kind == "FunctionCall") {
    const bool record = content.value("is_constructor", false);
    return make(record ? Kind::constructor : Kind::call, name_of(content.at("name")),
                all_of(content.at("args")));
  }
  if (kind == "If") return choice(content);
  if (kind == "Array") return array(content);
  if (kind == "Tuple") return make(Kind::tuple, "", all_of(content.at("elements")));
  if (kind == "Range") {
    FlatRef step = optional(content.at("step"));
    if (step == nullptr) {
      auto one = std::make_shared<FlatExpression>();
      one->number = 1.0;
      one->whole = true;
      one->where = {file_};
      step = one;
    }
    return make(Kind::range, "",
                {expression(content.at("start")), step, expression(content.at("end"))});
  }
  if (kind == "Index") {
    std::vector<FlatRef> parts = subscripts(content.at("subscripts"));
    parts.insert(parts.begin(), expression(content.at("base")));
    return make(Kind::index, "", std::move(parts));
  }
  if (kind == "FieldAccess")
    return make(Kind::field, content.at("field").get<std::string>(),
                {expression(content.at("base"))});
  if (kind == "ArrayComprehension") return comprehension(content);
  if (kind == "StringConversion") return make(Kind::text, "", {});  // of messages
  throw refuse("an expression '" + kind + "'");
}

namespace {

/// Dotted name of a target, and the subscripts of its last part.
std::pair<std::string, Json> target_of(const Json& json) {
  std::string name;
  Json subscripts;
  for (const Json& part : json.at("parts")) {
    // a[1].b := is no target that functions of flat models have; it would lose the subscript.
    if (!subscripts.is_null() && !subscripts.empty()) return {"", Json()};
    name += (name.empty() ? "" : ".") + part.at("ident").get<std::string>();
    subscripts = part.at("subs");
  }
  return {name, subscripts};
}

}  // namespace

FlatStatement JsonExpressions::choose(const Json& json) const {
  FlatStatement made{.kind = FlatStatement::Kind::choose};
  for (const Json& block : json.at("cond_blocks")) {
    made.conditions.push_back(expression(block.at("cond")));
    made.bodies.push_back(statements(block.at("stmts")));
  }
  const Json otherwise = json.value("else_block", Json::array());
  made.bodies.push_back(otherwise.is_null() ? FlatStatements{} : statements(otherwise));
  return made;
}

FlatStatement JsonExpressions::repeat(const Json& json) const {
  FlatStatements body = statements(json.at("equations"));
  const Json& indices = json.at("indices");
  if (indices.empty()) throw refuse("a loop without an iterator");
  for (auto each = indices.rbegin(); each != indices.rend(); ++each) {
    FlatStatement made{.kind = FlatStatement::Kind::repeat};
    const Json& ident = each->at("ident");
    made.name = ident.is_string() ? ident.get<std::string>() : ident.at("text").get<std::string>();
    made.value = expression(each->at("range"));
    made.bodies.push_back(std::move(body));
    made.where = {file_};
    body.assign(1, std::move(made));
  }
  return std::move(body.front());
}

FlatStatement JsonExpressions::call(const Json& json) const {
  FlatStatement made{.kind = FlatStatement::Kind::assign_many};
  const std::string name = json.at("comp").contains("parts") ? target_of(json.at("comp")).first
                                                             : name_of(json.at("comp"));
  if (name == "terminate" || name == "reinit")
    return {.kind = FlatStatement::Kind::other, .name = "call of '" + name + "'"};
  // What gives nothing checks or prints.
  if (json.at("outputs").empty()) return {.kind = FlatStatement::Kind::check};
  made.value = make(Kind::call, name, all_of(json.at("args")));
  for (const Json& output : json.at("outputs")) {
    if (output.is_null()) {
      made.targets.emplace_back();
      continue;
    }
    const auto [target, subscripts] = target_of(output);
    if (target.empty() || (!subscripts.is_null() && !subscripts.empty()))
      throw refuse("a call of '" + name + "' into a part of an array");
    made.targets.push_back(target);
  }
  return made;
}

FlatStatement JsonExpressions::statement(const std::string& kind, const Json& json) const {
  if (kind == "Assignment") {
    FlatStatement made{.kind = FlatStatement::Kind::assign};
    Json parts;
    std::tie(made.name, parts) = target_of(json.at("comp"));
    if (made.name.empty()) throw refuse("an assignment to a part of an element of an array");
    made.subscripts = subscripts(parts);
    made.value = expression(json.at("value"));
    return made;
  }
  if (kind == "If") return choose(json);
  if (kind == "For") return repeat(json);
  if (kind == "FunctionCall") return call(json);
  if (kind == "While") return {.kind = FlatStatement::Kind::repeat_while};
  if (kind == "Assert") return {.kind = FlatStatement::Kind::check};
  if (kind == "Return") return {.kind = FlatStatement::Kind::leave};
  if (kind == "Break") return {.kind = FlatStatement::Kind::quit};
  if (kind == "Empty") return {};
  return {.kind = FlatStatement::Kind::other, .name = kind};
}

FlatStatements JsonExpressions::statements(const Json& json) const {
  FlatStatements made;
  for (const Json& each : json) {
    const auto& [kind, content] = tagged(each);
    made.push_back(statement(kind, content));
    made.back().where = {file_};
  }
  return made;
}

}  // namespace takt::codegen::modelica
