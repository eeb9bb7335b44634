#include <fmt/format.h>

#include <iterator>

#include "tools/check_report.hpp"
#include "tools/show.hpp"

namespace takt::tools {

using namespace takt::codegen;

namespace {

const CircuitTopology* circuit_of(const Checked& checked, const std::string& name) {
  for (const CircuitTopology& circuit : checked.topology.circuits) {
    if (circuit.name == name) return &circuit;
  }
  return nullptr;
}

}  // namespace

std::string check_text(const Checked& checked) {
  std::string out;
  const auto print = [&out]<class... A>(fmt::format_string<A...> format, A&&... arguments) {
    fmt::format_to(std::back_inserter(out), format, std::forward<A>(arguments)...);
  };
  std::size_t equations = 0;
  for (const Surrogate& subsystem : checked.dae.subsystems) equations += subsystem.equations;
  print("{}: {}\n{} equations, {} elements, {} circuits, {} subsystems\n\n", checked.network.name, checked.network.title,
        equations, checked.network.elements.size(), checked.topology.circuits.size(), checked.dae.subsystems.size());
  print("{:<24} {:<12} {:>9} {:>12} {:>9}  {}\n", "subsystem", "domain", "equations", "differential", "algebraic", "d-index");
  for (const Surrogate& subsystem : checked.dae.subsystems) {
    const CircuitTopology* circuit = circuit_of(checked, subsystem.name);
    const std::string cause = circuit != nullptr ? index_cause(checked.network, *circuit) : "";
    print("{:<24} {:<12} {:>9} {:>12} {:>9}  ", subsystem.name, subsystem.domain, subsystem.equations,
          subsystem.differential, subsystem.algebraic);
    if (circuit == nullptr) print("-\n");
    else if (cause.empty()) print("{}\n", circuit->index);
    else print("{} -> 1 ({})\n", circuit->index, cause);
  }
  return out + "\n" + text(checked.plan, checked.network);
}

}  // namespace takt::tools
