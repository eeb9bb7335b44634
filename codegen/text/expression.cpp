#include "codegen/text/expression.hpp"

#include <algorithm>
#include <utility>

#include "codegen/text/lexer.hpp"

namespace takt::codegen {
namespace {

// Bounds that keep the parser, and every recursive walk over its tree, within the stack on any
// input.
constexpr std::size_t longest_text = 65536;
constexpr int deepest_nesting = 200;
constexpr int deepest_tree = 2000;

// Binding powers; a higher one binds tighter.
constexpr int bind_or = 1, bind_and = 2, bind_not = 3, bind_compare = 4, bind_sum = 5,
              bind_product = 6, bind_sign = 7, bind_power = 8;

int binding(const Token& token) {
  if (token.kind == Token::Kind::name)
    return token.text == "or" ? bind_or : token.text == "and" ? bind_and : 0;
  if (token.kind != Token::Kind::symbol) return 0;
  const std::string_view text = token.text;
  if (text == "<" || text == "<=" || text == ">" || text == ">=" || text == "==" || text == "!=")
    return bind_compare;
  if (text == "+" || text == "-") return bind_sum;
  if (text == "*" || text == "/") return bind_product;
  return text == "^" ? bind_power : 0;
}

struct Tree {
  std::unique_ptr<Ast> ast;  ///< nullptr after an error
  int depth = 1;
};

class Parser {
 public:
  Parser(std::string_view text, const Location& where, Diagnostics& diagnostics)
      : lexer_(text, where, diagnostics), diagnostics_(diagnostics) {
    advance();
  }

  std::unique_ptr<Ast> whole() {
    if (token_.kind == Token::Kind::end) {
      report("E001", token_.offset, "expression expected, but the text is empty");
      return nullptr;
    }
    Tree tree = expression(0, 0);
    if (tree.ast && token_.kind == Token::Kind::bad) return nullptr;
    if (tree.ast && token_.kind != Token::Kind::end) {
      report("E005", token_.offset,
             "text after the end of the expression: \"" + std::string(token_.text) + "\"",
             token_.text == ")" ? "there is no '(' to this ')'"
             : lexer_.is_decimal_comma(token_.offset)
                 ? "decimals are written with a point, as in 1.5"
                 : "products are written with *");
      return nullptr;
    }
    return std::move(tree.ast);
  }

 private:
  void advance() { token_ = lexer_.next(); }
  [[nodiscard]] bool at_symbol(std::string_view text) const {
    return token_.kind == Token::Kind::symbol && token_.text == text;
  }
  void report(std::string_view code, std::uint32_t offset, std::string message,
              std::string hint = {}) {
    diagnostics_.error(code, lexer_.location(offset), std::move(message), std::move(hint));
  }

  Tree expression(int least, int nesting) {
    if (nesting > deepest_nesting) {
      report("E006", token_.offset, "expression is nested deeper than 200 levels",
             "name intermediate quantities");
      return {};
    }
    Tree left = prefix(nesting);
    while (left.ast) {
      const int power = binding(token_);
      if (power == 0 || power < least) break;
      left = infix(std::move(left), power, nesting);
    }
    return left;
  }

  Tree infix(Tree left, int power, int nesting) {
    const Token sign = token_;
    advance();
    // ^ groups to the right and takes a signed exponent; all others group to the left.
    Tree right = expression(power == bind_power ? bind_power : power + 1, nesting + 1);
    if (!right.ast) return {};
    if (power == bind_compare && binding(token_) == bind_compare) {
      report("E007", token_.offset, "comparisons do not chain", "write a < b and b < c");
      return {};
    }
    Tree tree = node(Ast::Kind::binary, std::string(sign.text), sign.offset);
    tree.depth = 1 + std::max(left.depth, right.depth);
    if (tree.depth > deepest_tree) {
      report("E006", sign.offset, "expression has more than 2000 operators in a chain",
             "name intermediate quantities");
      return {};
    }
    tree.ast->args.push_back(std::move(left.ast));
    tree.ast->args.push_back(std::move(right.ast));
    return tree;
  }

  Tree prefix(int nesting) {
    if (token_.kind == Token::Kind::bad) return {};
    if (token_.kind == Token::Kind::number) return number();
    if (at_symbol("-")) return sign(nesting);
    if (at_symbol("+")) {
      advance();
      return expression(bind_sign, nesting + 1);
    }
    if (at_symbol("(")) return parenthesis(nesting);
    const bool keyword = token_.text == "and" || token_.text == "or";
    if (token_.kind == Token::Kind::name && !keyword) return named(nesting);
    const bool ends = token_.kind == Token::Kind::end;
    report("E003", token_.offset,
           ends ? "the expression ends where an operand is expected"
                : "operand expected before \"" + std::string(token_.text) + "\"");
    return {};
  }

  Tree number() {
    Tree tree = node(Ast::Kind::number, std::string(token_.unit_text), token_.offset);
    tree.ast->value = token_.unit ? to_si(token_.value, *token_.unit) : token_.value;
    tree.ast->unit = token_.unit;
    advance();
    return tree;
  }

  /// A minus before a literal with an offset belongs to the number: -10 degC is 263.15 K.
  Tree sign(int nesting) {
    const std::uint32_t offset = token_.offset;
    advance();
    if (token_.kind == Token::Kind::number && token_.unit && token_.unit->offset != 0.0) {
      token_.value = -token_.value;
      return number();
    }
    return wrap(expression(bind_sign, nesting + 1), "-", offset);
  }

  Tree parenthesis(int nesting) {
    const std::uint32_t offset = token_.offset;
    advance();
    Tree inner = expression(0, nesting + 1);
    if (!inner.ast || !close(offset)) return {};
    return inner;
  }

  bool close(std::uint32_t opened) {
    if (at_symbol(")")) {
      advance();
      return true;
    }
    if (token_.kind != Token::Kind::bad) report("E004", opened, "this '(' is not closed");
    return false;
  }

  Tree named(int nesting) {
    const Token word = token_;
    advance();
    if (word.text == "not") return wrap(expression(bind_not, nesting + 1), "not", word.offset);
    if (at_symbol("(")) return call(word, nesting);
    if (word.text == "true" || word.text == "false") {
      Tree literal = node(Ast::Kind::number, {}, word.offset);
      literal.ast->value = word.text == "true" ? 1.0 : 0.0;
      return literal;
    }
    return node(Ast::Kind::name, std::string(word.text), word.offset);
  }

  Tree call(const Token& function, int nesting) {
    const std::uint32_t opened = token_.offset;
    Tree tree = node(Ast::Kind::call, std::string(function.text), function.offset);
    advance();
    if (at_symbol(")")) {
      advance();
      return tree;
    }
    while (true) {
      Tree argument = expression(0, nesting + 1);
      if (!argument.ast) return {};
      tree.depth = std::max(tree.depth, 1 + argument.depth);
      tree.ast->args.push_back(std::move(argument.ast));
      if (!at_symbol(",")) break;
      advance();
    }
    if (!close(opened)) return {};
    return tree;
  }

  static Tree node(Ast::Kind kind, std::string name, std::uint32_t offset) {
    Tree tree{std::make_unique<Ast>(), 1};
    tree.ast->kind = kind;
    tree.ast->name = std::move(name);
    tree.ast->offset = offset;
    return tree;
  }

  static Tree wrap(Tree operand, std::string name, std::uint32_t offset) {
    if (!operand.ast) return {};
    Tree tree = node(Ast::Kind::unary, std::move(name), offset);
    tree.depth = 1 + operand.depth;
    tree.ast->args.push_back(std::move(operand.ast));
    return tree;
  }

  Lexer lexer_;
  Diagnostics& diagnostics_;
  Token token_;
};

}  // namespace

std::unique_ptr<Ast> parse_expression(std::string_view text, const Location& where,
                                      Diagnostics& diagnostics) {
  if (text.size() > longest_text) {
    diagnostics.error("E006", where, "expression is longer than 65536 characters",
                      "name intermediate quantities");
    return nullptr;
  }
  return Parser(text, where, diagnostics).whole();
}

}  // namespace takt::codegen
