#include "codegen/partition/patterns.hpp"

#include <algorithm>
#include <set>

namespace takt::codegen {
namespace {

bool glob(std::string_view pattern, std::string_view path) {
  // Greedy with one level of backtracking, which is enough for '*'.
  std::size_t p = 0, s = 0, star = std::string_view::npos, resume = 0;
  while (s < path.size()) {
    if (p < pattern.size() && pattern[p] == '*') {
      star = p++;
      resume = s;
    } else if (p < pattern.size() && pattern[p] == path[s]) {
      ++p;
      ++s;
    } else if (star != std::string_view::npos) {
      p = star + 1;
      s = ++resume;
    } else {
      return false;
    }
  }
  while (p < pattern.size() && pattern[p] == '*') ++p;
  return p == pattern.size();
}

/// An element counts where it is at home: a machine in [electric] is not part of what "electric" means for the shaft.
bool at_home(Domain home, const Surrogate& surrogate) {
  for (const DomainWords& words : domain_words) {
    if (words.domain == home && words.name == surrogate.domain) return true;
  }
  return surrogate.domain == "mechanical" && (home == Domain::rotational || home == Domain::translational);
}

}  // namespace

bool pattern_matches(std::string_view pattern, std::string_view path) {
  if (pattern.find('*') != std::string_view::npos) return glob(pattern, path);
  return path == pattern || (path.size() > pattern.size() && path.starts_with(pattern) && path[pattern.size()] == '.');
}

std::vector<std::string> names_of(const Network& network, const Surrogate& surrogate) {
  std::vector<std::string> names{surrogate.name, surrogate.domain};
  for (const ElementId id : surrogate.elements) {
    const Element& element = network.elements[static_cast<std::size_t>(id)];
    if (at_home(element.home, surrogate)) names.push_back(element.path);
  }
  const std::set<SymbolId> defined(surrogate.algebra_outputs.begin(), surrogate.algebra_outputs.end());
  for (const ControlBlock& block : network.blocks) {
    const bool here = std::any_of(block.outputs.begin(), block.outputs.end(),
                                  [&](const ControlBlock::Output& output) { return defined.contains(output.symbol); });
    if (here) names.push_back(block.path);
  }
  return names;
}

}  // namespace takt::codegen
