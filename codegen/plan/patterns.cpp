#include "codegen/plan/patterns.hpp"

#include <algorithm>
#include <optional>
#include <set>

#include "codegen/model/pattern.hpp"

namespace takt::codegen {
namespace {

/// An element counts where it is at home: a machine in [electric] is not part of what "electric"
/// means for the shaft.
bool at_home(Domain home, const Surrogate& surrogate) {
  const bool flows =
      surrogate.domain == CircuitDomain::fluid || surrogate.domain == CircuitDomain::gas;
  if (flows && (home == Domain::solid || is_convective(home))) return true;  // solved as one
  return circuit_domain(home) == surrogate.domain;
}

/// Names of the domains a circuit belongs to: several where circuits are solved as one.
void name_domain(std::vector<std::string>& names, Domain home) {
  const auto words = std::find_if(domain_words.begin(), domain_words.end(),
                                  [&](const DomainWords& entry) { return entry.domain == home; });
  if (std::find(names.begin(), names.end(), words->name) == names.end())
    names.emplace_back(words->name);
}

}  // namespace

bool pattern_matches(std::string_view pattern, std::string_view path) {
  if (pattern.find('*') != std::string_view::npos) return matches_pattern(pattern, path);
  return path == pattern ||
         (path.size() > pattern.size() && path.starts_with(pattern) && path[pattern.size()] == '.');
}

std::vector<std::string> names_of(const Network& network, const Surrogate& surrogate) {
  std::vector<std::string> names{surrogate.name, text_of(surrogate.domain)};
  std::optional<Domain> last;
  std::vector<std::string> paths;
  for (const ElementId id : surrogate.elements) {
    const Element& element = network.elements[static_cast<std::size_t>(id)];
    if (!at_home(element.home, surrogate)) continue;
    if (surrogate.domain != CircuitDomain::mechanical && element.home != last)
      name_domain(names, element.home);
    last = element.home;
    paths.push_back(element.path);
  }
  names.insert(names.end(), paths.begin(), paths.end());
  if (const ForeignTask* foreign = foreign_task(surrogate.kind)) {
    for (const ForeignModel& member : network.foreign[foreign->model].members)
      names.push_back(member.path);
    for (const ForeignJoin& join : network.foreign[foreign->model].joins)
      names.push_back("join." + join.name);
    return names;
  }
  if (is_circuit(surrogate.kind)) return names;
  const std::set<SymbolId> defined(surrogate.algebra_outputs.begin(),
                                   surrogate.algebra_outputs.end());
  for (const ControlBlock& block : network.blocks) {
    const bool here = std::any_of(
        block.outputs.begin(), block.outputs.end(),
        [&](const ControlBlock::Output& output) { return defined.contains(output.symbol); });
    if (here) names.push_back(block.path);
  }
  return names;
}

}  // namespace takt::codegen
