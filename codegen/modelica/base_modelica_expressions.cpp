#include "codegen/modelica/base_modelica_expressions.hpp"

#include <algorithm>
#include <array>

namespace takt::codegen::modelica {
namespace {

using Kind = FlatExpression::Kind;

constexpr int deepest = 250, longest = 2000;
constexpr std::size_t most_branches = 1000;  // condition and value

constexpr auto keywords = std::to_array<std::string_view>(
    {"algorithm", "and",    "annotation", "break",  "constant", "discrete", "each",
     "else",      "elseif", "elsewhen",   "end",    "equation", "external", "final",
     "flow",      "for",    "function",   "if",     "in",       "initial",  "input",
     "loop",      "model",  "not",        "or",     "output",   "package",  "parameter",
     "protected", "public", "record",     "return", "stream",   "then",     "type",
     "when",      "while"});

bool is_keyword(std::string_view word) {
  return std::find(keywords.begin(), keywords.end(), word) != keywords.end();
}

}  // namespace

TextParser::Level::Level(TextParser& parser) : depth(parser.depth_) {
  if (depth >= deepest)
    parser.refuse("brackets, signs or branches nest deeper than 250", "give parts of it a name");
  ++depth;
}

const Token& TextParser::peek(std::size_t ahead) const {
  return tokens_[std::min(at_ + ahead, tokens_.size() - 1)];
}

const Token& TextParser::take() {
  const Token& token = peek();
  if (at_ + 1 < tokens_.size()) ++at_;
  return token;
}

bool TextParser::sees(std::string_view text, std::size_t ahead) const {
  const Token& token = peek(ahead);
  return (token.kind == Token::Kind::word || token.kind == Token::Kind::sign) && token.text == text;
}

bool TextParser::accept(std::string_view text) {
  if (!sees(text)) return false;
  take();
  return true;
}

void TextParser::refuse(std::string what, std::string hint) const {
  throw Refusal{"D001", std::move(what), std::move(hint), peek().where};
}

void TextParser::expect(std::string_view text, std::string_view after) {
  if (accept(text)) return;
  refuse("'" + std::string(text) + "' is missing " + std::string(after) + ", there is '" +
         peek().text.substr(0, 60) + "'");
}

std::string TextParser::one_name(std::string_view of) {
  const Token& token = peek();
  const bool plain = token.kind == Token::Kind::word && !is_keyword(token.text);
  if (!plain && token.kind != Token::Kind::quoted)
    refuse("the name of " + std::string(of) + " is missing, there is '" + token.text.substr(0, 60) +
           "'");
  if (token.text.empty()) refuse("the name of " + std::string(of) + " is empty");
  if (token.kind == Token::Kind::quoted && token.text == "time")
    throw Refusal{"D002", "'time' as the name of " + std::string(of), "give it another name",
                  token.where};
  return take().text;
}

std::string TextParser::dotted_name(std::string_view of) {
  std::string made = one_name(of);
  while (sees(".")) {
    take();
    made += "." + one_name(of);
  }
  return made;
}

/// "what it is" annotation(...): both may be missing.
void TextParser::skip_text_and_annotation() {
  if (peek().kind == Token::Kind::text) {
    take();
    while (accept("+")) take();
  }
  if (!sees("annotation")) return;
  const std::size_t from = at_;
  take();
  expect("(", "after 'annotation'");
  for (int open = 1; open > 0;) {
    if (peek().kind == Token::Kind::end)
      refuse("an annotation that does not end", "close it with )");
    if (sees("(")) ++open;
    if (sees(")")) --open;
    take();
  }
  annotation(from, at_);
}

FlatRef TextParser::make(Kind kind, std::string text, std::vector<FlatRef> parts,
                         const Location& where) const {
  auto made = std::make_shared<FlatExpression>();
  made->kind = kind;
  made->text = std::move(text);
  made->parts = std::move(parts);
  made->where = where;
  return made;
}

FlatRef TextParser::whole_number(double value, const Location& where) const {
  auto made = std::make_shared<FlatExpression>();
  made->number = value;
  made->whole = true;
  made->where = where;
  return made;
}

FlatRef TextParser::expression() {
  const Level level(*this);
  return sees("if") ? choice() : range();
}

FlatRef TextParser::choice() {
  const Location where = take().where;
  std::vector<FlatRef> parts;
  do {
    if (parts.size() > most_branches) refuse("an 'if' of more than 500 branches", "take a table");
    parts.push_back(expression());
    expect("then", "after the condition of 'if'");
    parts.push_back(expression());
  } while (accept("elseif"));
  expect("else", "in an expression with 'if'");
  parts.push_back(expression());
  return make(Kind::choice, "", std::move(parts), where);
}

FlatRef TextParser::range() {
  const Location where = peek().where;
  FlatRef first = disjunction();
  if (!accept(":")) return first;
  FlatRef second = disjunction();
  if (!accept(":")) return make(Kind::range, "", {first, whole_number(1.0, where), second}, where);
  return make(Kind::range, "", {first, second, disjunction()}, where);
}

/// a op b op c, from the left.
FlatRef TextParser::chain(std::initializer_list<std::string_view> operators, Part part,
                          FlatRef made) {
  const bool logic = *operators.begin() == "and" || *operators.begin() == "or";
  const auto ahead = [&] {
    return std::any_of(operators.begin(), operators.end(),
                       [&](std::string_view op) { return sees(op); });
  };
  for (int count = 0; ahead(); ++count) {
    if (count == longest) refuse("a chain of more than 2000 operators", "give parts of it a name");
    const Location where = peek().where;
    std::string op = take().text;
    FlatRef next = (this->*part)();
    made = make(logic ? Kind::logic : Kind::binary, std::move(op),
                {std::move(made), std::move(next)}, where);
  }
  return made;
}

FlatRef TextParser::disjunction() { return chain({"or"}, &TextParser::conjunction, conjunction()); }

FlatRef TextParser::conjunction() { return chain({"and"}, &TextParser::negation, negation()); }

FlatRef TextParser::negation() {
  if (!sees("not")) return relation();
  const Location where = take().where;
  return make(Kind::invert, "", {relation()}, where);
}

FlatRef TextParser::relation() {
  FlatRef left = sum();
  for (const std::string_view op : {"<=", ">=", "==", "<>", "<", ">"}) {
    if (!sees(op)) continue;
    const Location where = take().where;
    return make(Kind::relation, std::string(op), {left, sum()}, where);
  }
  return left;
}

FlatRef TextParser::sum() {
  const Location begin = peek().where;
  const bool negative = sees("-") || sees(".-");
  if (negative || sees("+") || sees(".+")) take();
  FlatRef made = term();
  if (negative) made = make(Kind::negate, "", {made}, begin);
  return chain({"+", "-", ".+", ".-"}, &TextParser::term, made);
}

FlatRef TextParser::term() { return chain({"*", "/", ".*", "./"}, &TextParser::factor, factor()); }

FlatRef TextParser::factor() {
  FlatRef base = primary();
  if (!sees("^") && !sees(".^")) return base;
  const Token& op = take();
  const Location where = op.where;
  std::string text = op.text;
  return make(Kind::binary, std::move(text), {base, primary()}, where);
}

FlatRef TextParser::primary() {
  const Level level(*this);
  const Token& token = peek();
  const Location where = token.where;
  if (token.kind == Token::Kind::whole || token.kind == Token::Kind::real) {
    auto made = std::make_shared<FlatExpression>();
    made->number = token.number;
    made->whole = token.kind == Token::Kind::whole;
    made->where = where;
    take();
    return made;
  }
  if (token.kind == Token::Kind::text) return make(Kind::text, take().text, {}, where);
  if (sees("true") || sees("false")) {
    auto made = std::make_shared<FlatExpression>();
    made->kind = Kind::boolean;
    made->number = take().text == "true" ? 1.0 : 0.0;
    made->where = where;
    return made;
  }
  if (sees("(")) return bracketed();
  if (sees("{")) return braced();
  if (sees("[")) return matrix();
  if (accept("end")) return make(Kind::last, "", {}, where);
  if (sees("initial")) {
    take();
    return call("initial", where);
  }
  return component();
}

FlatRef TextParser::bracketed() {
  const Location where = take().where;
  std::vector<FlatRef> parts;
  do {
    if (sees(",") || sees(")"))
      throw Refusal{"D002", "a value that is left out, (a, , b)", "give every value a variable",
                    peek().where};
    parts.push_back(expression());
  } while (accept(","));
  expect(")", "to close '('");
  return parts.size() == 1 ? parts.front() : make(Kind::tuple, "", std::move(parts), where);
}

FlatRef TextParser::braced() {
  const Location where = take().where;
  std::vector<FlatRef> parts;
  if (!sees("}")) {
    parts.push_back(expression());
    if (sees("for")) {
      FlatRef made = comprehension(parts.front());
      expect("}", "to close '{'");
      return made;
    }
    while (accept(",")) parts.push_back(expression());
  }
  expect("}", "to close '{'");
  return make(Kind::array, "", std::move(parts), where);
}

/// value for i in range, j in range
FlatRef TextParser::comprehension(FlatRef value) {
  const Location where = take().where;
  std::vector<std::pair<std::string, FlatRef>> iterators;
  do {
    std::string name = one_name("an iterator");
    expect("in", "after the iterator of a loop");
    iterators.emplace_back(std::move(name), expression());
  } while (accept(","));
  for (auto each = iterators.rbegin(); each != iterators.rend(); ++each)
    value = make(Kind::comprehension, each->first, {value, each->second}, where);
  return value;
}

FlatRef TextParser::matrix() {
  const Location where = take().where;
  std::vector<FlatRef> rows;
  do {
    std::vector<FlatRef> row{expression()};
    while (accept(",")) row.push_back(expression());
    rows.push_back(make(Kind::rows, "horizontal", std::move(row), where));
  } while (accept(";"));
  expect("]", "to close '['");
  return rows.size() == 1 ? rows.front() : make(Kind::rows, "vertical", std::move(rows), where);
}

std::vector<FlatRef> TextParser::subscripts() {
  std::vector<FlatRef> made;
  if (!accept("[")) return made;
  do {
    const Location where = peek().where;
    if (sees(":") && (sees(",", 1) || sees("]", 1))) {
      take();
      made.push_back(make(Kind::all, "", {}, where));
    } else {
      made.push_back(expression());
    }
  } while (accept(","));
  expect("]", "to close '['");
  return made;
}

FlatRef TextParser::call(std::string name, const Location& where) {
  expect("(", "after the name of a function");
  std::vector<FlatRef> arguments;
  while (!sees(")")) {
    const Token& first = peek();
    const bool named =
        (first.kind == Token::Kind::word || first.kind == Token::Kind::quoted) && sees("=", 1);
    if (named) {
      const Location at = first.where;
      std::string argument = take().text;
      take();
      arguments.push_back(make(Kind::named, std::move(argument), {expression()}, at));
    } else {
      arguments.push_back(expression());
      if (sees("for")) arguments.back() = comprehension(arguments.back());
    }
    if (!accept(",")) break;
  }
  expect(")", "to close '('");
  const bool record = record_names_.contains(name);
  return make(record ? Kind::constructor : Kind::call, std::move(name), std::move(arguments),
              where);
}

/// 'a'.'b'[2].'c', f(x), time.
FlatRef TextParser::component() {
  const Location where = peek().where;
  FlatRef made = make(Kind::name, dotted_name("a variable or function"), {}, where);
  if (sees("(")) return call(made->text, where);
  while (sees("[")) {
    std::vector<FlatRef> parts = subscripts();
    parts.insert(parts.begin(), made);
    made = make(Kind::index, "", std::move(parts), where);
    while (accept(".")) made = make(Kind::field, one_name("a field"), {made}, where);
  }
  return made;
}

}  // namespace takt::codegen::modelica
