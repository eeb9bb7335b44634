#include "codegen/text/lexer.hpp"

#include <algorithm>
#include <charconv>
#include <string>

#include "runtime/units/sign_hints.hpp"
#include "runtime/units/unit_table.hpp"

namespace takt::codegen {
namespace {

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_name_start(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
bool is_name_part(char c) { return is_name_start(c) || is_digit(c); }
bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }
bool is_high(char c) { return (static_cast<unsigned char>(c) & 0x80U) != 0; }

std::string printable(std::string_view text) {
  std::string out;
  for (char c : text) out += static_cast<unsigned char>(c) < 0x20 || c == 0x7F ? '?' : c;
  return '"' + out + '"';
}

std::string unit_hint(std::string_view word) {
  const auto is_word = [&](const Prefix& prefix) { return prefix.name == word; };
  if (std::any_of(prefixes().begin(), prefixes().end(), is_word))
    return "a prefix needs its unit behind it, as in " + std::string(word) + "Ohm or " +
           std::string(word) + "W";
  if (word == "pi" || word == "time") return "products are written *, as in 2*pi";
  const std::string near = nearest_unit(word);
  return near.empty() || near == word ? "put an operator between the number and a name"
                                      : "did you mean " + printable(near) + "?";
}

}  // namespace

Location Lexer::location(std::uint32_t offset) const {
  Location place = where_;
  if (place.column > 0) place.column += offset;
  return place;
}

Token Lexer::bad(std::string_view code, std::size_t offset, std::string message, std::string hint) {
  diagnostics_.error(code, location(static_cast<std::uint32_t>(offset)), std::move(message),
                     std::move(hint));
  Token token;
  token.kind = Token::Kind::bad;
  token.offset = static_cast<std::uint32_t>(offset);
  return token;
}

void Lexer::skip_blanks() {
  while (is_blank(at(position_))) ++position_;
}

Token Lexer::next() {
  skip_blanks();
  if (position_ >= text_.size()) {
    Token token;
    token.offset = static_cast<std::uint32_t>(text_.size());
    return token;
  }
  const char c = at(position_);
  if (is_digit(c) || (c == '.' && is_digit(at(position_ + 1)))) return number();
  if (is_name_start(c)) return name();
  return symbol();
}

Token Lexer::number() {
  Token token;
  token.kind = Token::Kind::number;
  token.offset = static_cast<std::uint32_t>(position_);
  const char* const first = text_.data() + position_;
  const auto [end, status] = std::from_chars(first, text_.data() + text_.size(), token.value);
  const auto length = static_cast<std::size_t>(end - first);
  if (status != std::errc{})
    return bad("E008", position_, printable({first, length}) + " does not fit a double");
  token.text = {first, length};
  position_ += length;
  if (!read_unit(token)) {
    token.kind = Token::Kind::bad;
    return token;
  }
  return token;
}

/// The unit literal behind a number, if any. False after reporting a word that is no unit.
bool Lexer::read_unit(Token& token) {
  const std::size_t behind_number = position_;
  skip_blanks();
  const char c = at(position_);
  const bool inverse = position_ > behind_number && c == '1' && at(position_ + 1) == '/';
  if (!is_name_start(c) && !is_high(c) && c != '%' && !inverse) return true;
  std::size_t word = position_;
  while (is_name_part(at(word)) || is_high(at(word))) ++word;
  const std::string_view first_word = text_.substr(position_, word - position_);
  if (first_word == "and" || first_word == "or") return true;
  std::size_t length = 0;
  token.unit = parse_unit_prefix(text_.substr(position_), length);
  if (token.unit) {
    token.unit_text = text_.substr(position_, length);
    position_ += length;
    return true;
  }
  bad("E009", position_, printable(inverse ? "1/" : first_word) + " behind a number is no unit",
      unit_hint(first_word));
  return false;
}

bool Lexer::is_decimal_comma(std::uint32_t offset) const {
  return at(offset) == ',' && offset > 0 && is_digit(at(offset - 1)) && is_digit(at(offset + 1));
}

/// One past the ']' of an index of letters, digits, + and -; 0 if it is none.
std::size_t Lexer::index_end(std::size_t bracket) const {
  std::size_t end = bracket + 1;
  while (is_name_part(at(end)) || at(end) == '+' || at(end) == '-') ++end;
  return at(end) == ']' && end > bracket + 1 ? end + 1 : 0;
}

Token Lexer::name() {
  Token token;
  token.kind = Token::Kind::name;
  token.offset = static_cast<std::uint32_t>(position_);
  std::size_t end = position_;
  while (true) {
    if (is_name_part(at(end))) {
      ++end;
    } else if (at(end) == '.' && is_name_start(at(end + 1))) {
      end += 2;
    } else if (at(end) == '[') {
      const std::size_t after = index_end(end);
      if (after == 0) return bad("E004", end, "index is not of the form [3] or [i+1]");
      end = after;
      if (at(end) != '.' && at(end) != '[') break;
    } else {
      break;
    }
  }
  token.text = text_.substr(position_, end - position_);
  position_ = end;
  return token;
}

Token Lexer::symbol() {
  static constexpr std::string_view pairs[] = {"<=", ">=", "==", "!="};
  Token token;
  token.kind = Token::Kind::symbol;
  token.offset = static_cast<std::uint32_t>(position_);
  const std::string_view rest = text_.substr(position_);
  if (rest.starts_with("**"))
    return bad("E002", position_, "\"**\" has no meaning in an expression", sign_hint(rest));
  for (const std::string_view pair : pairs) {
    if (rest.starts_with(pair)) token.text = rest.substr(0, 2);
  }
  constexpr std::string_view singles = "+-*/^<>(),";
  if (token.text.empty() && singles.find(rest[0]) != std::string_view::npos)
    token.text = rest.substr(0, 1);
  if (!token.text.empty()) {
    position_ += token.text.size();
    return token;
  }
  std::size_t length = 1;
  while (length < rest.size() && (static_cast<unsigned char>(rest[length]) & 0xC0U) == 0x80U)
    ++length;
  return bad("E002", position_,
             printable(rest.substr(0, length)) + " has no meaning in an expression",
             sign_hint(rest));
}

}  // namespace takt::codegen
