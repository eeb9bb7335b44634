#include "codegen/text/escape.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdio>

namespace takt::codegen {
namespace {

constexpr std::size_t longest_comment = 300;

/// Line ends of Unicode and marks that turn the direction of writing: a reader would see other code
/// than the compiler.
bool misleads(std::string_view letter) {
  constexpr auto letters = std::to_array<std::string_view>(
      {"\xC2\x85", "\xE2\x80\xA8", "\xE2\x80\xA9", "\xE2\x80\x8E", "\xE2\x80\x8F", "\xE2\x80\xAA",
       "\xE2\x80\xAB", "\xE2\x80\xAC", "\xE2\x80\xAD", "\xE2\x80\xAE", "\xE2\x81\xA6",
       "\xE2\x81\xA7", "\xE2\x81\xA8", "\xE2\x81\xA9"});
  return std::find(letters.begin(), letters.end(), letter) != letters.end();
}

bool is_control(char letter) { return static_cast<unsigned char>(letter) < 0x20 || letter == 0x7F; }

std::string with_code(const char* format, char letter) {
  std::array<char, 8> code{};
  std::snprintf(code.data(), code.size(), format,
                static_cast<unsigned>(static_cast<unsigned char>(letter)));
  return code.data();
}

/// Calls visit(letter, valid) with every letter; a byte that is no UTF-8 is one, too, not valid.
template <class Visit>
void for_letters(std::string_view text, Visit&& visit) {
  while (!text.empty()) {
    const std::size_t length = utf8_length(text);
    const std::string_view letter = text.substr(0, std::max<std::size_t>(length, 1));
    text.remove_prefix(letter.size());
    visit(letter, length > 0);
  }
}

}  // namespace

std::size_t utf8_length(std::string_view text) {
  const auto byte = [&](std::size_t k) {
    return k < text.size() ? static_cast<unsigned char>(text[k]) : 0U;
  };
  const auto follows = [&](std::size_t k, unsigned low = 0x80, unsigned high = 0xBF) {
    return byte(k) >= low && byte(k) <= high;
  };
  const unsigned lead = byte(0);
  if (lead < 0x80) return text.empty() ? 0 : 1;
  if (lead >= 0xC2 && lead <= 0xDF) return follows(1) ? 2 : 0;
  if (lead >= 0xE0 && lead <= 0xEF)
    return follows(1, lead == 0xE0 ? 0xA0 : 0x80, lead == 0xED ? 0x9F : 0xBF) && follows(2) ? 3 : 0;
  if (lead >= 0xF0 && lead <= 0xF4)
    return follows(1, lead == 0xF0 ? 0x90 : 0x80, lead == 0xF4 ? 0x8F : 0xBF) && follows(2) &&
                   follows(3)
               ? 4
               : 0;
  return 0;
}

std::string comment_text(std::string_view text) {
  std::string out;
  bool cut = false;
  for_letters(text, [&](std::string_view letter, bool valid) {
    const char first = letter.front();
    const bool ends = first == '/' && out.ends_with('*');      // */
    const bool opens = first == '*' && out.ends_with('/');     // compilers warn of /* in a comment
    const bool trigraph = first == '?' && out.ends_with('?');  // ??/ is a backslash to some
    if (cut = out.size() >= longest_comment; cut) return;
    if (!valid || misleads(letter))
      out += '?';
    else if (is_control(first))
      out += ' ';
    else if (first == '\\')
      out += '|';  // at the end it would take in the next line
    else
      out.append(ends || opens || trigraph ? " " : "").append(letter);
  });
  return cut ? out + " ..." : out;
}

std::string string_literal(std::string_view text) {
  std::string out = "\"";
  for_letters(text, [&](std::string_view letter, bool valid) {
    const char first = letter.front();
    if (!valid || is_control(first) || misleads(letter)) {
      for (const char byte : letter) out += with_code("\\%03o", byte);
    } else {
      const bool trigraph = first == '?' && out.ends_with('?');
      out.append(first == '"' || first == '\\' || trigraph ? "\\" : "").append(letter);
    }
  });
  return out + "\"";
}

std::string dot_literal(std::string_view text) {
  std::string out = "\"";
  for_letters(text, [&](std::string_view letter, bool valid) {
    const char first = letter.front();
    if (!valid)
      out += '?';
    else if (first == '\n')
      out += "\\n";
    else if (first == '&')
      out += "&amp;";  // Graphviz reads entities
    else if (is_control(first))
      out += ' ';
    else
      out.append(first == '"' || first == '\\' ? "\\" : "").append(letter);
  });
  return out + "\"";
}

bool is_plain_file_name(std::string_view name) {
  const auto plain = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
           c == '.';
  };
  return !name.empty() && name.front() != '.' && std::all_of(name.begin(), name.end(), plain);
}

}  // namespace takt::codegen
