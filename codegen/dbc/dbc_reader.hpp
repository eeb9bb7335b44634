#pragma once
// Inside of parse_dbc: taking tokens, saying what was expected, finding the next statement after a
// mistake.

#include <cstdint>
#include <string>
#include <string_view>

#include "codegen/dbc/dbc_lexer.hpp"
#include "codegen/text/diagnostics.hpp"

namespace takt::codegen {

class DbcReader {
 public:
  /// Thrown inside a statement after its mistake was reported; the statement loop goes on with the
  /// next one.
  struct Broken {};

  DbcReader(std::string_view text, std::string file, Diagnostics& diagnostics)
      : lexer_(text), file_(std::move(file)), diagnostics_(diagnostics) {}

 protected:
  static constexpr int max_told = 50;  ///< of mistakes; more are counted
  Location at(const DbcToken& token) const;
  [[noreturn]] void fail(const DbcToken& token, const std::string& wanted, std::string hint = {});
  [[noreturn]] void broken(const DbcToken& token, const std::string& what, std::string hint = {});

  // --- tokens: the next one of a kind, else fail(what)
  bool is_keyword(const DbcToken& token) const;
  void recover();
  bool is_mark(char c) const;
  bool accept(char c);
  void expect(char c, const char* where);
  std::string word(const char* what);
  std::string text(const char* what);
  double number(const char* what);
  std::uint64_t natural(const char* what, std::uint64_t largest);
  void skip_to_semicolon();
  [[nodiscard]] static bool known_keyword(std::string_view word);

  DbcLexer lexer_;
  std::string file_;
  Diagnostics& diagnostics_;
  int mistakes_ = 0;
  struct Mistake {
    std::string what;
    Location where;
  } first_, last_;  ///< of the mistakes
};

}  // namespace takt::codegen
