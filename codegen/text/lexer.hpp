#pragma once
// Tokens of the expression language. Internal to codegen/text.

#include <cstdint>
#include <optional>
#include <string_view>

#include "codegen/text/diagnostics.hpp"
#include "codegen/text/units.hpp"

namespace takt::codegen {

struct Token {
  enum class Kind : std::uint8_t { end, number, name, symbol, bad } kind = Kind::end;
  std::string_view text;       ///< name with dots and indices, or operator
  double value = 0.0;          ///< number as written, before its unit
  std::optional<Unit> unit;    ///< of a number
  std::string_view unit_text;  ///< as written
  std::uint32_t offset = 0;
};

/// Reads tokens one by one; reports a malformed one and returns Token::Kind::bad.
class Lexer {
 public:
  Lexer(std::string_view text, const Location& where, Diagnostics& diagnostics)
      : text_(text), where_(where), diagnostics_(diagnostics) {}
  Token next();
  [[nodiscard]] Location location(std::uint32_t offset) const;
  /// "1,5": a comma between digits.
  [[nodiscard]] bool is_decimal_comma(std::uint32_t offset) const;

 private:
  Token number();
  Token name();
  Token symbol();
  Token bad(std::string_view code, std::size_t offset, std::string message, std::string hint = {});
  void skip_blanks();
  bool read_unit(Token& token);
  [[nodiscard]] std::size_t index_end(std::size_t bracket) const;
  [[nodiscard]] char at(std::size_t offset) const {
    return offset < text_.size() ? text_[offset] : '\0';
  }

  std::string_view text_;
  const Location& where_;
  Diagnostics& diagnostics_;
  std::size_t position_ = 0;
};

}  // namespace takt::codegen
