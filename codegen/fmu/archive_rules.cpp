#include "codegen/fmu/archive_rules.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

namespace takt::codegen {
namespace {

constexpr std::size_t longest_name = 1024, longest_part = 255;

bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

std::string lower(std::string_view text) {
  std::string result(text);
  for (char& c : result) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  return result;
}

/// Length of the UTF-8 sequence at the begin of text, 0 where it is none.
std::size_t sequence_length(std::string_view text) {
  const auto first = static_cast<unsigned char>(text[0]);
  const std::size_t length = first < 0x80   ? 1
                             : first < 0xC2 ? 0
                             : first < 0xE0 ? 2
                             : first < 0xF0 ? 3
                             : first < 0xF5 ? 4
                                            : 0;
  if (length > text.size()) return 0;
  for (std::size_t k = 1; k < length; ++k)
    if ((static_cast<unsigned char>(text[k]) & 0xC0U) != 0x80U) return 0;
  return length;
}

}  // namespace

std::string printable(std::string_view text) {
  constexpr std::size_t most = 120;
  std::string result;
  for (std::size_t at = 0; at < text.size();) {
    if (result.size() >= most) return result + "...";
    const std::size_t length = sequence_length(text.substr(at));
    const auto first = static_cast<unsigned char>(text[at]);
    if (length == 0 || first < 0x20 || first == 0x7F) {
      result += fmt::format("\\x{:02x}", first);
      ++at;
    } else {
      result += text.substr(at, length);
      at += length;
    }
  }
  return result;
}

std::string without_dots(std::string_view name) {
  std::string result;
  while (!name.empty()) {
    const std::size_t end = std::min(name.find('/'), name.size() - 1) + 1;
    if (name.substr(0, end) != "./") result += name.substr(0, end);
    name.remove_prefix(end);
  }
  return result;
}

std::string wrong_entry_name(std::string_view name) {
  if (name.empty()) return "it is empty";
  if (name.size() > longest_name) return fmt::format("it is longer than {} bytes", longest_name);
  if (name.front() == '/') return "it begins with '/'";
  if (name.find('\\') != std::string_view::npos)
    return "it has a backslash; FMI has '/' between folders";
  if (name.size() > 1 && is_letter(name[0]) && name[1] == ':')
    return "it begins with a drive letter";
  if (std::any_of(name.begin(), name.end(),
                  [](char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7F; }))
    return "it has control characters";
  const std::string_view path = name.substr(0, name.size() - (name.back() == '/' ? 1 : 0));
  for (std::size_t begin = 0; begin <= path.size();) {
    const std::size_t end = std::min(path.find('/', begin), path.size());
    const std::string_view part = path.substr(begin, end - begin);
    if (part == "..") return "'..' leads out of the folder that it is unpacked to";
    if (part == "." || part.empty()) return "a part of it is empty or '.'";
    if (part.size() > longest_part)
      return fmt::format("a part of it is longer than {} bytes", longest_part);
    begin = end + 1;
  }
  return "";
}

void check_duplicates(std::span<const FmuEntry> sorted, const Location& where,
                      Diagnostics& diagnostics) {
  std::map<std::string, const FmuEntry*> folded;
  std::set<std::string_view> files;
  for (const FmuEntry& entry : sorted) {
    const auto [other, is_new] = folded.try_emplace(lower(entry.name), &entry);
    if (!is_new && other->second->name == entry.name)
      diagnostics.error("Y004", where,
                        fmt::format("the archive has '{}' twice", printable(entry.name)),
                        "which of them is meant is not known: pack the FMU again");
    else if (!is_new)
      diagnostics.warning("Y004", where,
                          fmt::format("'{}' and '{}' differ in case only",
                                      printable(other->second->name), printable(entry.name)),
                          "on other systems one of them is lost when the FMU is unpacked");
    if (!entry.is_folder()) files.insert(entry.name);
  }
  for (const FmuEntry& entry : sorted)
    for (std::size_t slash = entry.name.find('/'); slash != std::string::npos;
         slash = entry.name.find('/', slash + 1))
      if (files.contains(std::string_view(entry.name).substr(0, slash))) {
        diagnostics.error(
            "Y004", where,
            fmt::format("'{}' is a file, and a folder of '{}'",
                        printable(entry.name.substr(0, slash)), printable(entry.name)),
            "pack the FMU again");
        return;
      }
}

bool check_limits(std::span<const FmuEntry> entries, const Location& where,
                  Diagnostics& diagnostics) {
  const FmuLimits limits;
  std::uint64_t bytes = 0, packed = 0;
  for (const FmuEntry& entry : entries) {
    bytes = entry.size > limits.bytes - std::min(bytes, limits.bytes) ? limits.bytes + 1
                                                                      : bytes + entry.size;
    packed += std::min(entry.packed, limits.bytes);
    if (bytes > limits.bytes) break;
  }
  if (bytes > limits.bytes)
    return diagnostics.error(
               "Y006", where,
               fmt::format("its files have more than {} bytes together", limits.bytes),
               "an FMU of this size is taken for a bomb: leave out what it does not need"),
           false;
  if (bytes > limits.unjudged_bytes && bytes / limits.ratio > packed)
    return diagnostics.error("Y006", where,
                             fmt::format("its files have {} bytes, packed {}: more than {} to 1",
                                         bytes, packed, limits.ratio),
                             "this is taken for a bomb: pack files of one repeated byte otherwise"),
           false;
  return true;
}

}  // namespace takt::codegen
