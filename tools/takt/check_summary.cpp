// Counts that text, JSON and graph share.

#include <algorithm>
#include <string_view>
#include <unordered_map>

#include "tools/takt/check_report.hpp"

namespace takt::tools {

using namespace takt::codegen;

std::vector<CircuitSummary> summarise(const Checked& checked) {
  std::unordered_map<std::string_view, const Surrogate*> surrogate_of;
  for (const Surrogate& surrogate : checked.circuits().subsystems) surrogate_of.emplace(surrogate.name, &surrogate);
  std::vector<CircuitSummary> result;
  for (const CircuitTopology& circuit : checked.topology.circuits) {
    const auto found = surrogate_of.find(circuit.name);
    result.push_back({&circuit, found == surrogate_of.end() ? nullptr : found->second, circuit.name, circuit.domain,
                      circuit.elements.size()});
  }
  for (const Surrogate& surrogate : checked.circuits().subsystems) {
    const auto period_ns = sampling_period_ns(surrogate.kind);
    if (!period_ns) continue;
    const auto blocks = std::count_if(checked.network.blocks.begin(), checked.network.blocks.end(),
                                      [&](const ControlBlock& block) { return block.period_ns == *period_ns; });
    result.push_back({nullptr, &surrogate, surrogate.name, surrogate.domain, static_cast<std::size_t>(blocks)});
  }
  return result;
}

std::vector<DomainTotal> totals_by_domain(const std::vector<CircuitSummary>& circuits) {
  std::vector<DomainTotal> totals;
  for (const CircuitSummary& each : circuits) {
    auto place = std::find_if(totals.begin(), totals.end(),
                              [&](const DomainTotal& total) { return total.domain == each.domain; });
    if (place == totals.end()) place = totals.insert(totals.end(), DomainTotal{.domain = each.domain});
    ++place->circuits;
    place->elements += each.elements;
    if (each.surrogate == nullptr) continue;
    place->equations += each.surrogate->equations;
    place->differential += each.surrogate->differential;
    place->algebraic += each.surrogate->algebraic;
  }
  return totals;
}

std::size_t network_equations(const std::vector<DomainTotal>& totals) {
  std::size_t equations = 0;
  for (const DomainTotal& total : totals)
    if (total.domain != CircuitDomain::control) equations += total.equations;
  return equations;
}

}  // namespace takt::tools
