#include "codegen/emit/names.hpp"

#include <algorithm>
#include <cctype>

#include "codegen/source/cpp_words.hpp"

namespace takt::codegen {
namespace {

bool is_reserved(const std::string& name) {
  static const WordList parameters_members_and_functions(
      "t s z dz dq x q k w inputs outputs sent received energy newton signals warm parameters "
      "window iteration residual plant prepare initialize run evaluate inside next_instant "
      "next_turn next_source_turn next finish still unsolved turned inaccurate unchecked equations "
      "alert damping here move settled left running unseen end_s length_s start tick advance l "
      "step main gh lu slopes quadrature_entries linearise factor solve quadrature_slopes f g v e "
      "r b y map maps work points middle step_s held modes gates slot factors scale half half_step "
      "u last sum sums from earlier before count done factorised moving armed watched occurred "
      "crowded restless event_count set_count most_events event_sets follows indicators effects "
      "contents to stored");
  if (is_cpp_word(name) || parameters_members_and_functions.contains(name)) return true;
  const bool temporary = name.size() > 1 && (name[0] == 't' || name[0] == 'd') &&
                         std::all_of(name.begin() + 1, name.end(),
                                     [](unsigned char c) { return std::isdigit(c) != 0; });
  return temporary;
}

}  // namespace

std::string identifier_of(std::string_view path) {
  std::string name;
  for (const char raw : path) {
    const auto c = static_cast<unsigned char>(raw);
    if (c < 128 && std::isalnum(c) != 0) {
      name += raw;
    } else if (!name.empty() &&
               name.back() != '_') {  // no double underscore: those are the compiler's
      name += '_';
    }
  }
  while (!name.empty() && name.back() == '_') name.pop_back();
  if (name.empty() || std::isdigit(static_cast<unsigned char>(name[0])) != 0) name.insert(0, "n");
  return is_reserved(name) ? name + "_" : name;
}

std::string type_name_of(std::string_view path) {
  std::string name;
  bool capital = true;
  for (const char raw : identifier_of(path)) {
    if (raw == '_') {
      capital = true;
      continue;
    }
    name += capital ? static_cast<char>(std::toupper(static_cast<unsigned char>(raw))) : raw;
    capital = false;
  }
  return name;
}

std::string UniqueNames::make(const std::string& wished) {
  std::string name = wished;
  for (int suffix = 2; !taken_.insert(name).second; ++suffix)
    name = wished + "_" + std::to_string(suffix);
  return name;
}

}  // namespace takt::codegen
