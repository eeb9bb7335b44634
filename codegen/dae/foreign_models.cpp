#include "codegen/dae/foreign_models.hpp"

#include <algorithm>
#include <optional>
#include <string>

namespace takt::codegen {
namespace {

/// What a circuit gave through a port and what the FMU took of it. What the FMU has with it nobody
/// knows, so its energy is never complete.
void add_account(Graph& graph, const ForeignPort& port, Surrogate& to) {
  to.states.push_back({port.sent, graph.use(port.power), graph.zero()});
  to.states.push_back({port.taken, graph.zero(), graph.zero()});
  AlgebraicStep step;
  step.assignment = {port.unclosed, graph.sub(graph.use(port.sent), graph.use(port.taken))};
  to.algebra.push_back(std::move(step));
  to.algebra_outputs.push_back(port.unclosed);
}

bool contains(const std::vector<BranchId>& branches, BranchId branch) {
  return std::find(branches.begin(), branches.end(), branch) != branches.end();
}

/// A storage whose variable follows from what the port gives: a dependent capacitor in a loop with
/// its source, a dependent inductor in a cutset with it.
std::optional<BranchId> held_by(const CircuitTopology& circuit, const ForeignPort& port) {
  for (const CotreeRow& row : circuit.cotree)
    for (const LinearTerm& term : row.terms) {
      if (!port.gives_through && term.branch == port.branch &&
          contains(circuit.dependent_across_storages, row.branch))
        return row.branch;
      if (port.gives_through && row.branch == port.branch &&
          contains(circuit.dependent_through_storages, term.branch))
        return term.branch;
    }
  return std::nullopt;
}

}  // namespace

void check_ports(const Network& network, const TopologyResult& topology, Diagnostics& diagnostics) {
  for (const ForeignModel& model : network.foreign)
    for (const ForeignPort& port : model.ports)
      for (const CircuitTopology& circuit : topology.circuits) {
        const auto storage = held_by(circuit, port);
        if (!storage) continue;
        const Branch& held = network.branches[static_cast<std::size_t>(*storage)];
        const std::string_view word =
            port.gives_through ? words_of(held.domain).through : words_of(held.domain).across;
        const std::string name = network.branches[static_cast<std::size_t>(port.branch)].path;
        diagnostics.error("Y134", port.where,
                          name + " gives the " + std::string(word) + " that the storage " +
                              held.path +
                              " holds: what this takes would be the derivative of a value that is "
                              "exchanged in steps",
                          "put a resistor, a spring or a damper between them; or join the storage "
                          "as an FMU of its own ([join])");
      }
}

std::vector<Surrogate> foreign_surrogates(const Network& network) {
  std::vector<Surrogate> all;
  const Expr zero = network.graph().zero();
  for (std::uint32_t index = 0; index < network.foreign.size(); ++index) {
    const ForeignModel& model = network.foreign[index];
    Surrogate& made = all.emplace_back();
    made.name = model.path;
    made.domain = CircuitDomain::fmu;
    made.index = 0;
    ForeignTask task{.model = index, .given = {}};
    for (const ForeignModel::Fed& input : model.inputs) {
      AlgebraicStep step;
      step.assignment = {input.port.symbol, input.value};
      made.algebra.push_back(std::move(step));
      made.algebra_outputs.push_back(input.port.symbol);
    }
    for (const ForeignModel::Port& output : model.outputs)
      made.states.push_back({output.symbol, zero, zero});
    for (const ForeignPort& port : model.ports) add_account(network.graph(), port, made);
    for (const ForeignModel::Fed& parameter : model.parameters)
      task.given.push_back(parameter.value);
    made.kind = std::move(task);
    made.algebraic = model.inputs.size();
    made.equations = model.inputs.size() + model.outputs.size();
    made.energy = {zero, zero, zero, zero, model.ports.empty(), zero};
  }
  return all;
}

}  // namespace takt::codegen
