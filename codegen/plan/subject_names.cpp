#include "codegen/plan/subject_names.hpp"

#include <algorithm>

#include "codegen/plan/patterns.hpp"
#include "codegen/text/nearest.hpp"

namespace takt::codegen {

std::string subject_hint(std::string_view pattern, const std::vector<std::string>& names) {
  std::string hint = did_you_mean(pattern, names);
  return hint.empty() ? "`takt check` lists the circuits" : hint;
}

std::vector<std::string> all_subject_names(const Network& network, const DaeResult& dae) {
  std::vector<std::string> names;
  for (const Surrogate& surrogate : dae.subsystems) {
    for (std::string& name : names_of(network, surrogate)) names.push_back(std::move(name));
  }
  return names;
}

bool names_match(const std::string& pattern, const std::vector<std::string>& names) {
  return std::any_of(names.begin(), names.end(),
                     [&](const std::string& name) { return pattern_matches(pattern, name); });
}

}  // namespace takt::codegen
