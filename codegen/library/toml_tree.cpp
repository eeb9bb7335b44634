#include "codegen/library/toml_tree.hpp"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <iterator>

#include "runtime/toml/document.hpp"

namespace takt::codegen {
namespace {

Location place(FileName file, TomlPlace where) { return {file, where.line, where.column}; }

TomlValue::Kind kind_of(TomlNode::Kind kind) {
  switch (kind) {
    case TomlNode::Kind::string:
      return TomlValue::Kind::string;
    case TomlNode::Kind::integer:
      return TomlValue::Kind::integer;
    case TomlNode::Kind::real:
      return TomlValue::Kind::real;
    case TomlNode::Kind::boolean:
      return TomlValue::Kind::boolean;
    case TomlNode::Kind::array:
      return TomlValue::Kind::array;
    case TomlNode::Kind::table:
      return TomlValue::Kind::table;
    case TomlNode::Kind::other:
      break;
  }
  return TomlValue::Kind::other;
}

TomlValue convert(TomlNode&& node, FileName file) {
  TomlValue value;
  value.kind = kind_of(node.kind);
  value.text = std::move(node.text);
  value.number = node.number;
  value.flag = node.flag;
  value.where = place(file, node.where);
  if (value.is_string()) value.text_where = place(file, node.text_where);
  for (TomlNode& item : node.items) value.items.push_back(convert(std::move(item), file));
  for (TomlMember& member : node.members)
    value.entries.push_back(
        {std::move(member.key), place(file, member.where), convert(std::move(member.value), file)});
  return value;
}

}  // namespace

const TomlEntry* TomlValue::find(std::string_view key) const {
  const auto found = std::find_if(entries.begin(), entries.end(),
                                  [&](const TomlEntry& e) { return e.key == key; });
  return found == entries.end() ? nullptr : &*found;
}

const TomlValue* TomlValue::get(std::string_view key) const {
  const TomlEntry* entry = find(key);
  return entry == nullptr ? nullptr : &entry->value;
}

std::string_view kind_text(TomlValue::Kind kind) {
  switch (kind) {
    case TomlValue::Kind::string:
      return "a string";
    case TomlValue::Kind::integer:
      return "a whole number";
    case TomlValue::Kind::real:
      return "a number";
    case TomlValue::Kind::boolean:
      return "a switch (true or false)";
    case TomlValue::Kind::array:
      return "an array";
    case TomlValue::Kind::table:
      return "a table";
    case TomlValue::Kind::other:
      return "a date or time";
  }
  return "a value";
}

std::optional<TomlValue> parse_toml(std::string_view text, const std::string& file,
                                    Diagnostics& diagnostics) {
  try {
    return convert(parse_toml_text(text, file), file);
  } catch (const TomlError& error) {
    diagnostics.error("M001", {file, error.where.line, error.where.column}, error.what(),
                      error.remedy);
    return std::nullopt;
  }
}

tl::expected<std::string, std::string> read_text_file(const std::filesystem::path& file) {
  constexpr std::uintmax_t largest = std::uintmax_t{1} << 30U;
  std::error_code error;
  const bool regular = std::filesystem::is_regular_file(file, error);
  if (error) return tl::make_unexpected(error.message());
  if (!regular) return tl::make_unexpected("it is not a regular file");
  if (std::filesystem::file_size(file, error) > largest)
    return tl::make_unexpected(error ? error.message() : "it has more than 1 GiB");
  errno = 0;
  std::ifstream stream(file, std::ios::binary);
  std::string text{std::istreambuf_iterator<char>(stream), {}};
  if (!stream.is_open() || stream.bad())
    return tl::make_unexpected(errno != 0 ? std::strerror(errno) : "reading fails");
  return text;
}

std::optional<TomlValue> read_toml(const std::filesystem::path& file, Diagnostics& diagnostics) {
  const auto text = read_text_file(file);
  if (!text) {
    diagnostics.error("M002", {file.string(), 0, 0},
                      "cannot read '" + file.string() + "': " + text.error(),
                      "check the path and the permissions");
    return std::nullopt;
  }
  return parse_toml(*text, file.string(), diagnostics);
}

}  // namespace takt::codegen
