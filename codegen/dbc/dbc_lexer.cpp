#include "codegen/dbc/dbc_lexer.hpp"

#include <algorithm>
#include <array>

#include "codegen/text/escape.hpp"

namespace takt::codegen {
namespace {

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_word_start(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' ||
         static_cast<unsigned char>(c) >= 0x80;
}
bool is_word(char c) { return is_word_start(c) || is_digit(c); }

/// Length of the number at the start of s; 0 if there is none. "1+" is the number 1 and a mark:
/// "@1+".
std::size_t number_length(std::string_view s) {
  std::size_t at = 0;
  const auto digits = [&] {
    const std::size_t from = at;
    while (at < s.size() && is_digit(s[at])) ++at;
    return at - from;
  };
  if (at < s.size() && (s[at] == '+' || s[at] == '-')) ++at;
  std::size_t count = digits();
  if (at < s.size() && s[at] == '.') {
    ++at;
    count += digits();
  }
  if (count == 0) return 0;
  const std::size_t mantissa = at;
  if (at < s.size() && (s[at] == 'e' || s[at] == 'E')) {
    ++at;
    if (at < s.size() && (s[at] == '+' || s[at] == '-')) ++at;
    if (digits() == 0) at = mantissa;
  }
  return at;
}

void append_utf8(std::string& out, std::uint32_t point) {
  const auto put = [&](std::uint32_t byte) {
    out += static_cast<char>(static_cast<unsigned char>(byte));
  };
  if (point < 0x80) {
    put(point);
  } else if (point < 0x800) {
    put(0xC0 | (point >> 6));
    put(0x80 | (point & 0x3F));
  } else {
    put(0xE0 | (point >> 12));
    put(0x80 | ((point >> 6) & 0x3F));
    put(0x80 | (point & 0x3F));
  }
}

/// Code points of the bytes 0x80..0x9F in cp1252; undefined ones become U+FFFD.
constexpr std::array<std::uint16_t, 32> cp1252_high{
    0x20AC, 0xFFFD, 0x201A, 0x0192, 0x201E, 0x2026, 0x2020, 0x2021, 0x02C6, 0x2030, 0x0160,
    0x2039, 0x0152, 0xFFFD, 0x017D, 0xFFFD, 0xFFFD, 0x2018, 0x2019, 0x201C, 0x201D, 0x2022,
    0x2013, 0x2014, 0x02DC, 0x2122, 0x0161, 0x203A, 0x0153, 0xFFFD, 0x017E, 0x0178};

}  // namespace

std::string dbc_utf8(std::string_view raw) {
  bool valid = true;
  for (std::size_t at = 0; at < raw.size() && valid;) {
    const std::size_t length = utf8_length(raw.substr(at));
    valid = length > 0;
    at += length;
  }
  if (valid) return std::string(raw);
  std::string out;
  for (const char c : raw) {
    const auto byte = static_cast<unsigned char>(c);
    append_utf8(out, byte >= 0x80 && byte < 0xA0 ? cp1252_high[byte - 0x80U] : byte);
  }
  return out;
}

DbcLexer::DbcLexer(std::string_view text) : text_(text) {
  constexpr std::string_view mark = "\xEF\xBB\xBF";
  if (text_.starts_with(mark)) at_ = line_start_ = mark.size();
  advance();
}

DbcToken DbcLexer::take() {
  const DbcToken token = token_;
  advance();
  return token;
}

void DbcLexer::skip_blanks() {
  for (; at_ < text_.size(); ++at_) {
    const char c = text_[at_];
    if (c == '\n' || (c == '\r' && (at_ + 1 >= text_.size() || text_[at_ + 1] != '\n'))) {
      ++line_;
      line_start_ = at_ + 1;
      first_on_line_ = true;
    } else if (c == '/' && text_.substr(at_).starts_with("//")) {
      // Not in the format, but hand-written files have it.
      while (at_ + 1 < text_.size() && text_[at_ + 1] != '\n') ++at_;
    } else if (c != ' ' && c != '\t' && c != '\r' && c != '\0') {
      return;
    }
  }
}

void DbcLexer::lex_text() {
  const std::size_t begin = at_ + 1;
  std::size_t end = begin;
  while (end < text_.size() && text_[end] != '"')
    end += text_[end] == '\\' && end + 1 < text_.size() && text_[end + 1] == '"' ? 2 : 1;
  if (end >=
      text_
          .size()) {  // no closing quote: the text ends with its line, so that the rest can be read
    end = std::min(text_.find('\n', begin), text_.size());
    token_.broken = true;
    token_.raw = text_.substr(begin, end - begin);
    at_ = end;
    return;
  }
  token_.raw = text_.substr(begin, end - begin);
  for (std::size_t k = begin; k < end; ++k) {
    if (text_[k] != '\n') continue;
    ++line_;
    line_start_ = k + 1;
  }
  at_ = end + 1;
}

void DbcLexer::advance() {
  skip_blanks();
  token_ = {};
  token_.line = line_;
  token_.column = static_cast<std::uint32_t>(at_ - line_start_ + 1);
  token_.first_on_line = first_on_line_;
  first_on_line_ = false;
  if (at_ >= text_.size()) return;
  const char c = text_[at_];
  if (c == '"') {
    token_.kind = DbcToken::Kind::text;
    lex_text();
    return;
  }
  std::size_t length = number_length(text_.substr(at_));
  if (length > 0 && is_digit(c) && at_ + length < text_.size() &&
      is_word_start(text_[at_ + length])) {
    length = 0;  // a name that starts with a digit, seen in hand-written files
    token_.kind = DbcToken::Kind::word;
    while (at_ + length < text_.size() && is_word(text_[at_ + length])) ++length;
  } else if (length > 0) {
    token_.kind = DbcToken::Kind::number;
  } else if (is_word_start(c)) {
    token_.kind = DbcToken::Kind::word;
    while (at_ + length < text_.size() && is_word(text_[at_ + length])) ++length;
  } else {
    token_.kind = DbcToken::Kind::mark;
    length = 1;
  }
  token_.raw = text_.substr(at_, length);
  at_ += length;
}

}  // namespace takt::codegen
