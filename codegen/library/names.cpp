#include "codegen/library/names.hpp"

#include <algorithm>

#include "codegen/text/nearest.hpp"

namespace takt::codegen {

bool is_name(std::string_view text) {
  const auto lower = [](char c) { return c >= 'a' && c <= 'z'; };
  const auto rest = [&](char c) { return lower(c) || (c >= '0' && c <= '9') || c == '_'; };
  return !text.empty() && lower(text.front()) && std::all_of(text.begin(), text.end(), rest);
}

bool is_free(const std::string& name, NamePlace place, const Location& where,
             Diagnostics& diagnostics) {
  const std::string meaning(predefined_meaning(name, place));
  if (meaning.empty()) return true;
  diagnostics.error("M050", where, "'" + name + "' is predefined: " + meaning,
                    "give it another name");
  return false;
}

std::string place_text(const Location& where) {
  return where.file.text() + ", line " + std::to_string(where.line);
}

std::string join_names(const std::vector<std::string>& names) {
  std::string text;
  for (const std::string& name : names) text += (text.empty() ? "" : ", ") + name;
  return text;
}

std::string name_hint(std::string_view name, const std::vector<std::string>& known) {
  constexpr std::size_t longest = 100;  // the distance costs the product of the lengths
  if (name.size() <= longest) {
    std::string nearest = did_you_mean(name, known);
    if (!nearest.empty()) return nearest;
  }
  constexpr std::size_t short_list = 24;
  if (known.empty() || known.size() > short_list) return {};
  return "known: " + join_names(known);
}

}  // namespace takt::codegen
