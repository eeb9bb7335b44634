#include "codegen/dae/foreign_models.hpp"

namespace takt::codegen {
namespace {

/// What a circuit gave through a port and what the FMU took of it. What the FMU has with it nobody knows, so its energy
/// is never complete.
void add_account(Graph& graph, const ForeignPort& port, Surrogate& to) {
  to.states.push_back({port.sent, graph.use(port.power), graph.zero()});
  to.states.push_back({port.taken, graph.zero(), graph.zero()});
  AlgebraicStep step;
  step.assignment = {port.unclosed, graph.sub(graph.use(port.sent), graph.use(port.taken))};
  to.algebra.push_back(std::move(step));
  to.algebra_outputs.push_back(port.unclosed);
}

}  // namespace

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
    for (const ForeignModel::Port& output : model.outputs) made.states.push_back({output.symbol, zero, zero});
    for (const ForeignPort& port : model.ports) add_account(network.graph(), port, made);
    for (const ForeignModel::Fed& parameter : model.parameters) task.given.push_back(parameter.value);
    made.kind = std::move(task);
    made.algebraic = model.inputs.size();
    made.equations = model.inputs.size() + model.outputs.size();
    made.energy = {zero, zero, zero, zero, model.ports.empty(), zero};
  }
  return all;
}

}  // namespace takt::codegen
