#pragma once
// Expressions and statements of a Base Modelica text, by recursive descent.
// Grammar: Modelica Language Specification 3.6, appendix A.2.6 and A.2.7, without what MCP-0031
// leaves out.

#include <set>

#include "codegen/modelica/base_modelica_lexer.hpp"

namespace takt::codegen::modelica {

class TextParser {
 public:
  explicit TextParser(std::vector<Token> tokens) : tokens_(std::move(tokens)) {}

 protected:
  // --- tokens
  [[nodiscard]] const Token& peek(std::size_t ahead = 0) const;
  const Token& take();
  [[nodiscard]] bool sees(std::string_view text,
                          std::size_t ahead = 0) const;  ///< a keyword or sign
  bool accept(std::string_view text);
  void expect(std::string_view text, std::string_view after);
  [[noreturn]] void refuse(std::string what, std::string hint = "") const;
  [[nodiscard]] std::string one_name(std::string_view of);
  /// 'a'.'b': as one name.
  [[nodiscard]] std::string dotted_name(std::string_view of);
  void skip_text_and_annotation();
  virtual void annotation(std::size_t from, std::size_t to) { (void)from, (void)to; }

  // --- expressions
  [[nodiscard]] FlatRef expression();
  [[nodiscard]] std::vector<FlatRef> subscripts();
  [[nodiscard]] FlatRef make(FlatExpression::Kind kind, std::string text,
                             std::vector<FlatRef> parts, const Location& where) const;
  [[nodiscard]] FlatRef whole_number(double value, const Location& where) const;
  std::set<std::string, std::less<>> record_names_;

  // --- statements
  [[nodiscard]] FlatStatements statements();
  std::vector<FlatWhen> whens_;

  std::vector<Token> tokens_;
  std::size_t at_ = 0;

 private:
  /// One level of nesting more, while it lives.
  struct Level {
    explicit Level(TextParser& parser);
    ~Level() { --depth; }
    Level(const Level&) = delete;
    Level& operator=(const Level&) = delete;
    int& depth;
  };
  using Part = FlatRef (TextParser::*)();
  [[nodiscard]] FlatRef chain(std::initializer_list<std::string_view> operators, Part part,
                              FlatRef made);
  [[nodiscard]] FlatRef choice();
  [[nodiscard]] FlatRef range();
  [[nodiscard]] FlatRef disjunction();
  [[nodiscard]] FlatRef conjunction();
  [[nodiscard]] FlatRef negation();
  [[nodiscard]] FlatRef relation();
  [[nodiscard]] FlatRef sum();
  [[nodiscard]] FlatRef term();
  [[nodiscard]] FlatRef factor();
  [[nodiscard]] FlatRef primary();
  [[nodiscard]] FlatRef component();
  [[nodiscard]] FlatRef call(std::string name, const Location& where);
  [[nodiscard]] FlatRef bracketed();
  [[nodiscard]] FlatRef braced();
  [[nodiscard]] FlatRef matrix();
  [[nodiscard]] FlatRef comprehension(FlatRef value);
  [[nodiscard]] FlatStatement statement();
  [[nodiscard]] FlatStatement assignment();
  [[nodiscard]] FlatStatement choose();
  [[nodiscard]] FlatStatement repeat();
  [[nodiscard]] FlatStatement repeat_while();
  void skip_when();

  int depth_ = 0;
};

}  // namespace takt::codegen::modelica
