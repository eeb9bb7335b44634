// Statements of a Base Modelica text.

#include "codegen/modelica/base_modelica_expressions.hpp"

namespace takt::codegen::modelica {

using Kind = FlatExpression::Kind;

FlatStatements TextParser::statements() {
  FlatStatements made;
  for (;;) {
    for (const std::string_view stop : {"end", "else", "elseif", "elsewhen", "equation", "initial",
                                        "algorithm", "annotation", "external", "protected"})
      if (sees(stop)) return made;
    if (peek().kind == Token::Kind::end) return made;
    made.push_back(statement());
    skip_text_and_annotation();
    expect(";", "after a statement");
  }
}

FlatStatement TextParser::statement() {
  const Level level(*this);
  const Location where = peek().where;
  FlatStatement made;
  if (sees("if")) {
    made = choose();
  } else if (sees("for")) {
    made = repeat();
  } else if (sees("while")) {
    made = repeat_while();
  } else if (sees("when")) {
    skip_when();
    made = {.kind = FlatStatement::Kind::other, .name = "a when-statement"};
  } else if (accept("return")) {
    made.kind = FlatStatement::Kind::leave;
  } else if (accept("break")) {
    made.kind = FlatStatement::Kind::quit;
  } else {
    made = assignment();
  }
  made.where = where;
  return made;
}

FlatStatement TextParser::assignment() {
  const Location where = peek().where;
  const FlatRef target = primary();
  if (!accept(":=")) {
    if (target->kind != Kind::call)
      refuse("':=' is missing in an assignment, there is '" + peek().text.substr(0, 60) + "'");
    if (target->text == "terminate" || target->text == "reinit")
      return {.kind = FlatStatement::Kind::other, .name = "call of '" + target->text + "'"};
    return {.kind = FlatStatement::Kind::check};  // what gives nothing checks or prints
  }
  FlatStatement made{.kind = FlatStatement::Kind::assign};
  made.value = expression();
  const auto name_of = [&](const FlatRef& part) {
    if (part->kind != Kind::name)
      throw Refusal{"D002", "an assignment to what is no variable, or to a part of an element", "",
                    where};
    return part->text;
  };
  if (target->kind == Kind::tuple) {
    made.kind = FlatStatement::Kind::assign_many;
    for (const FlatRef& part : target->parts) made.targets.push_back(name_of(part));
  } else if (target->kind == Kind::index) {
    made.name = name_of(target->parts.front());
    made.subscripts.assign(target->parts.begin() + 1, target->parts.end());
  } else {
    made.name = name_of(target);
  }
  return made;
}

FlatStatement TextParser::choose() {
  FlatStatement made{.kind = FlatStatement::Kind::choose};
  do {
    take();
    made.conditions.push_back(expression());
    expect("then", "after the condition of 'if'");
    made.bodies.push_back(statements());
  } while (sees("elseif"));
  made.bodies.push_back(accept("else") ? statements() : FlatStatements{});
  expect("end", "to close 'if'");
  expect("if", "after 'end', which closes 'if'");
  return made;
}

FlatStatement TextParser::repeat() {
  take();
  std::vector<std::pair<std::string, FlatRef>> iterators;
  do {
    std::string name = one_name("an iterator");
    expect("in", "after the iterator of a loop");
    iterators.emplace_back(std::move(name), expression());
  } while (accept(","));
  expect("loop", "after the range of a loop");
  FlatStatements body = statements();
  expect("end", "to close 'for'");
  expect("for", "after 'end', which closes 'for'");
  for (auto each = iterators.rbegin(); each != iterators.rend(); ++each) {
    FlatStatement made{.kind = FlatStatement::Kind::repeat};
    made.name = each->first;
    made.value = each->second;
    made.bodies.push_back(std::move(body));
    body.assign(1, std::move(made));
  }
  return std::move(body.front());
}

FlatStatement TextParser::repeat_while() {
  take();
  (void)expression();
  expect("loop", "after the condition of 'while'");
  (void)statements();
  expect("end", "to close 'while'");
  expect("while", "after 'end', which closes 'while'");
  return {.kind = FlatStatement::Kind::repeat_while};
}

void TextParser::skip_when() {
  whens_.push_back({.sets = "", .where = peek().where, .schedule = {}, .branches = {}});
  do {
    take();
    (void)expression();
    expect("then", "after the condition of 'when'");
    (void)statements();
  } while (sees("elsewhen"));
  expect("end", "to close 'when'");
  expect("when", "after 'end', which closes 'when'");
}

}  // namespace takt::codegen::modelica
