#pragma once
// Tokens of the DBC text format, with their places. Line ends and blanks separate; nothing else has
// meaning, except that a statement's keyword stands first on its line (used to find the next
// statement after a mistake).

#include <cstdint>
#include <string>
#include <string_view>

namespace takt::codegen {

struct DbcToken {
  enum class Kind : std::uint8_t { end, word, number, text, mark } kind = Kind::end;
  std::string_view raw;  ///< as written; of a text: without the quotes
  std::uint32_t line = 1, column = 1;
  bool first_on_line = false;
  bool broken = false;  ///< a text without its closing quote
};

class DbcLexer {
 public:
  explicit DbcLexer(std::string_view text);
  [[nodiscard]] const DbcToken& peek() const { return token_; }
  DbcToken take();

 private:
  void advance();
  void skip_blanks();
  void lex_text();
  std::string_view text_;
  std::size_t at_ = 0;
  std::size_t line_start_ = 0;
  std::uint32_t line_ = 1;
  bool first_on_line_ = true;
  DbcToken token_;
};

/// UTF-8 of DBC text: taken as it is if valid UTF-8, else read as cp1252.
[[nodiscard]] std::string dbc_utf8(std::string_view raw);

}  // namespace takt::codegen
