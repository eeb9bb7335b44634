#include "runtime/io/record/html.hpp"

#include <algorithm>
#include <cstdint>

#include "runtime/stats/format.hpp"

namespace takt::html {
namespace {

constexpr std::string_view replacement = "\xef\xbf\xbd";  // U+FFFD
constexpr std::size_t columns_side_by_side = 6;           // that a narrow screen has room for
constexpr std::size_t texts_side_by_side = 2;             // that it can show without breaking their words

/// A character of UTF-8 at the front of the text: its length and code point; length 0 where there is none.
struct Character {
  std::size_t length = 0;
  std::uint32_t code = 0;
};

Character first_character(std::string_view text) {
  const auto byte = [&](std::size_t at) { return static_cast<std::uint8_t>(text[at]); };
  if (byte(0) < 0x80) return {1, byte(0)};
  const std::size_t length = byte(0) >= 0xf0 && byte(0) < 0xf5   ? 4
                             : byte(0) >= 0xe0 && byte(0) < 0xf0 ? 3
                             : byte(0) >= 0xc2 && byte(0) < 0xe0 ? 2
                                                                 : 0;
  if (length == 0 || text.size() < length) return {};
  std::uint32_t code = byte(0) & (0xffU >> (length + 1));
  for (std::size_t at = 1; at < length; ++at) {
    if ((byte(at) & 0xc0U) != 0x80U) return {};
    code = code << 6U | (byte(at) & 0x3fU);
  }
  constexpr std::uint32_t smallest[] = {0, 0, 0x80, 0x800, 0x10000};
  const bool surrogate = code >= 0xd800 && code < 0xe000;
  return code < smallest[length] || surrogate || code > 0x10ffff ? Character{} : Character{length, code};
}

bool has_no_place(std::uint32_t code) {
  const bool control = (code < 0x20 && code != '\t' && code != '\n') || (code >= 0x7f && code < 0xa0);
  const bool turns = (code >= 0x202a && code <= 0x202e) || (code >= 0x2066 && code <= 0x2069);
  return control || turns || code == 0xfffe || code == 0xffff;
}

bool stacks_on_narrow(const std::vector<Column>& columns) {
  const auto texts = std::count_if(columns.begin(), columns.end(), [](const Column& column) {
    return column.kind != Column::Kind::number && !column.spare;
  });
  return columns.size() > columns_side_by_side ||
         (columns.size() > 3 && static_cast<std::size_t>(texts) > texts_side_by_side);
}

std::string cell(const Column& column, const std::string& text, bool labelled) {
  std::string out = "<td";
  if (column.kind != Column::Kind::number) out += column.spare ? " class=\"t s\"" : " class=\"t\"";
  if (labelled && !column.head.empty()) out += " data-l=\"" + escaped(column.head) + "\"";
  return out + ">" + (column.kind == Column::Kind::markup ? text : escaped(text)) + "</td>";
}

}  // namespace

std::string cleaned(std::string_view text) {
  std::string out;
  while (!text.empty()) {
    const Character character = first_character(text);
    const std::size_t length = std::max<std::size_t>(1, character.length);
    out += character.length == 0 || has_no_place(character.code) ? replacement : text.substr(0, length);
    text.remove_prefix(length);
  }
  return out;
}

std::string escaped(std::string_view text) {
  std::string out;
  for (const char c : cleaned(text)) {
    if (c == '&')
      out += "&amp;";
    else if (c == '<')
      out += "&lt;";
    else if (c == '>')
      out += "&gt;";
    else if (c == '"')
      out += "&quot;";
    else if (c == '\'')
      out += "&#39;";
    else
      out += c;
  }
  return out;
}

std::string prose(std::string_view text) {
  std::string out = escaped(text);
  for (std::size_t begin = out.find('`'); begin != std::string::npos; begin = out.find('`', begin)) {
    const std::size_t end = out.find('`', begin + 1);
    if (end == std::string::npos) break;
    out = out.substr(0, begin) + "<code>" + out.substr(begin + 1, end - begin - 1) + "</code>" + out.substr(end + 1);
  }
  return out;
}

std::string breakable(std::string_view path) {
  std::string out;
  for (const char c : escaped(path)) {
    out += c;
    if (c == '.' || c == ']') out += "<wbr/>";
  }
  return out;
}

std::string table(const std::vector<Column>& columns, const std::vector<Row>& rows) {
  const bool stacks = stacks_on_narrow(columns);
  std::string out = stacks ? "<table class=\"stack\"><thead><tr>" : "<table><thead><tr>";
  for (const Column& column : columns) {
    out += column.kind == Column::Kind::number ? "<th>" : column.spare ? "<th class=\"t s\">" : "<th class=\"t\">";
    out += escaped(column.head) + "</th>";
  }
  out += "</tr></thead><tbody>\n";
  for (const Row& row : rows) {
    out += "<tr>";
    for (std::size_t i = 0; i < columns.size(); ++i)
      out += cell(columns[i], i < row.size() ? row[i] : std::string(), stacks && i > 0);
    out += "</tr>\n";
  }
  return out + "</tbody></table>\n";
}

std::string folded(const std::string& summary, const std::string& body) {
  return "<details><summary>" + escaped(summary) + "</summary>\n" + body + "</details>\n";
}

std::string section(const std::string& heading, const std::string& body) {
  return body.empty() ? "" : "<section><h2>" + escaped(heading) + "</h2>\n" + body + "</section>\n";
}

std::string bar(double share, const std::string& text) {
  const double width = 100.0 * std::clamp(share >= 0.0 ? share : 0.0, 0.0, 1.0);
  return "<span class=\"bar\"><i style=\"width:" + formatted("%.1f", width) + "%\"></i></span> " + escaped(text);
}

std::string data(const std::string& json, const std::string& id) {
  std::string text;
  for (const char c : json) {  // in strings alone
    if (c == '<' || c == '>' || c == '&')
      text += c == '<' ? "\\u003c" : c == '>' ? "\\u003e" : "\\u0026";
    else
      text += c;
  }
  return "<script type=\"application/json\"" + (id.empty() ? "" : " id=\"" + id + "\"") + ">" + text + "</script>\n";
}

std::string page(const std::string& title, const std::string& body) {
  const bool has_data = body.find("<script type=\"application/json\"") != std::string::npos;
  return "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"/><meta "
         "http-equiv=\"Content-Security-Policy\" "
         "content=\"default-src &#39;none&#39;; style-src &#39;unsafe-inline&#39;; script-src "
         "&#39;unsafe-inline&#39;\"/><meta name=\"viewport\" "
         "content=\"width=device-width,initial-scale=1\"/><title>" +
         escaped(title) + "</title><style>\n" + style() + "</style></head><body>\n" + body +
         (has_data ? "<script>//<![CDATA[\n" + script() + "//]]></script>" : "") + "</body></html>\n";
}

}  // namespace takt::html
