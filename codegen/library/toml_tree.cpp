#include "codegen/library/toml_tree.hpp"

#include <algorithm>
#include <fstream>
#include <iterator>
#include <limits>
#include <sstream>

#define TOML_EXCEPTIONS 0
#include <toml++/toml.h>

namespace takt::codegen {
namespace {

/// Start offsets of the lines of a text, to look at the quotes of a string.
class Lines {
 public:
  explicit Lines(std::string_view text) : text_(text) {
    starts_.push_back(0);
    for (std::size_t at = 0; at < text.size(); ++at) {
      if (text[at] == '\n') starts_.push_back(at + 1);
    }
  }
  /// Text from a place on; columns count code points.
  [[nodiscard]] std::string_view from(const Location& where) const {
    if (where.line == 0 || where.line > starts_.size()) return {};
    std::size_t at = starts_[where.line - 1];
    for (std::uint32_t column = 1; column < where.column && at < text_.size(); ++column) {
      ++at;
      while (at < text_.size() && (static_cast<unsigned char>(text_[at]) & 0xc0u) == 0x80u) ++at;
    }
    return text_.substr(std::min(at, text_.size()));
  }

 private:
  std::string_view text_;
  std::vector<std::size_t> starts_;
};

class Converter {
 public:
  Converter(std::string_view text, const std::string& file) : lines_(text), file_(file) {}

  [[nodiscard]] TomlValue convert(const toml::node& node) const {
    TomlValue value;
    value.where = place(node.source());
    if (const auto* table = node.as_table()) {
      value.kind = TomlValue::Kind::table;
      convert_table(*table, value);
    } else if (const auto* array = node.as_array()) {
      value.kind = TomlValue::Kind::array;
      for (const auto& item : *array) value.items.push_back(convert(item));
    } else {
      convert_scalar(node, value);
    }
    return value;
  }

 private:
  [[nodiscard]] Location place(const toml::source_region& region) const {
    return {file_, static_cast<std::uint32_t>(region.begin.line), static_cast<std::uint32_t>(region.begin.column)};
  }

  void convert_table(const toml::table& table, TomlValue& value) const {
    for (const auto& [key, node] : table) {
      TomlEntry entry{std::string(key.str()), place(key.source()), convert(node)};
      if (entry.where.line == 0) entry.where = entry.value.where;
      value.entries.push_back(std::move(entry));
    }
    // toml++ sorts keys; declaration order is what people see in reports and generated code.
    std::stable_sort(value.entries.begin(), value.entries.end(), [](const TomlEntry& a, const TomlEntry& b) {
      return std::pair(a.where.line, a.where.column) < std::pair(b.where.line, b.where.column);
    });
  }

  void convert_scalar(const toml::node& node, TomlValue& value) const {
    if (const auto* text = node.as_string()) {
      value.kind = TomlValue::Kind::string;
      value.text = text->get();
      value.text_where = inside_quotes(value.where);
    } else if (const auto* integer = node.as_integer()) {
      value.kind = TomlValue::Kind::integer;
      value.number = static_cast<double>(integer->get());
    } else if (const auto* real = node.as_floating_point()) {
      value.kind = TomlValue::Kind::real;
      value.number = real->get();
    } else if (const auto* boolean = node.as_boolean()) {
      value.kind = TomlValue::Kind::boolean;
      value.flag = boolean->get();
    }
  }

  [[nodiscard]] Location inside_quotes(Location where) const {
    const std::string_view text = lines_.from(where);
    const bool triple = text.starts_with(R"(""")") || text.starts_with("'''");
    if (!triple) {
      where.column += 1;
    } else if (text.size() > 3 && text[3] == '\n') {
      where.line += 1;
      where.column = 1;
    } else {
      where.column += 3;
    }
    return where;
  }

  Lines lines_;
  const std::string& file_;
};

}  // namespace

const TomlEntry* TomlValue::find(std::string_view key) const {
  const auto found = std::find_if(entries.begin(), entries.end(), [&](const TomlEntry& e) { return e.key == key; });
  return found == entries.end() ? nullptr : &*found;
}

const TomlValue* TomlValue::get(std::string_view key) const {
  const TomlEntry* entry = find(key);
  return entry == nullptr ? nullptr : &entry->value;
}

std::string_view kind_text(TomlValue::Kind kind) {
  switch (kind) {
    case TomlValue::Kind::string: return "a string";
    case TomlValue::Kind::integer: return "a whole number";
    case TomlValue::Kind::real: return "a number";
    case TomlValue::Kind::boolean: return "a switch (true or false)";
    case TomlValue::Kind::array: return "an array";
    case TomlValue::Kind::table: return "a table";
    case TomlValue::Kind::other: return "a date or time";
  }
  return "a value";
}

std::optional<TomlValue> parse_toml(std::string_view text, const std::string& file, Diagnostics& diagnostics) {
  const toml::parse_result result = toml::parse(text, file);
  if (!result) {
    const auto& begin = result.error().source().begin;
    std::string message(result.error().description());
    constexpr std::string_view opening = "Error while parsing ";
    if (const std::size_t colon = message.find(": "); message.starts_with(opening) && colon != std::string::npos) message.erase(0, colon + 2);
    // Parsers of duplicate keys quote the key; keep the message to one line whatever they quote.
    for (char& character : message) {
      if (static_cast<unsigned char>(character) < 0x20) character = ' ';
    }
    diagnostics.error("M001", {file, static_cast<std::uint32_t>(begin.line), static_cast<std::uint32_t>(begin.column)}, message,
                      "mend the TOML syntax; text values need quotes, inline tables stand on one line");
    return std::nullopt;
  }
  return Converter(text, file).convert(result.table());
}

std::optional<std::string> read_text_file(const std::filesystem::path& file) {
  std::error_code ignored;
  if (std::filesystem::is_directory(file, ignored)) return std::nullopt;
  std::ifstream stream(file, std::ios::binary);
  if (!stream) return std::nullopt;
  std::ostringstream content;
  content << stream.rdbuf();
  return std::move(content).str();
}

std::optional<TomlValue> read_toml(const std::filesystem::path& file, Diagnostics& diagnostics) {
  const auto text = read_text_file(file);
  if (!text) {
    diagnostics.error("M002", {file.string(), 0, 0}, "cannot read '" + file.string() + "'", "check the path and the permissions");
    return std::nullopt;
  }
  return parse_toml(*text, file.string(), diagnostics);
}

}  // namespace takt::codegen
