#include "codegen/partition/patterns.hpp"

#include <algorithm>
#include <set>

#include "codegen/model/pattern.hpp"

namespace takt::codegen {
namespace {

/// An element counts where it is at home: a machine in [electric] is not part of what "electric" means for the shaft.
bool at_home(Domain home, const Surrogate& surrogate) {
  for (const DomainWords& words : domain_words) {
    if (words.domain == home && words.name == surrogate.domain) return true;
  }
  return surrogate.domain == "mechanical" && (home == Domain::rotational || home == Domain::translational);
}

}  // namespace

bool pattern_matches(std::string_view pattern, std::string_view path) {
  if (pattern.find('*') != std::string_view::npos) return matches_pattern(pattern, path);
  return path == pattern || (path.size() > pattern.size() && path.starts_with(pattern) && path[pattern.size()] == '.');
}

std::vector<std::string> names_of(const Network& network, const Surrogate& surrogate) {
  std::vector<std::string> names{surrogate.name, surrogate.domain};
  for (const ElementId id : surrogate.elements) {
    const Element& element = network.elements[static_cast<std::size_t>(id)];
    if (at_home(element.home, surrogate)) names.push_back(element.path);
  }
  if (!surrogate.discrete) return names;
  const std::set<SymbolId> defined(surrogate.algebra_outputs.begin(), surrogate.algebra_outputs.end());
  for (const ControlBlock& block : network.blocks) {
    const bool here = std::any_of(block.outputs.begin(), block.outputs.end(),
                                  [&](const ControlBlock::Output& output) { return defined.contains(output.symbol); });
    if (here) names.push_back(block.path);
  }
  return names;
}

}  // namespace takt::codegen
