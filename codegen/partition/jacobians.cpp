#include <algorithm>

#include "codegen/partition/stable_steps.hpp"

namespace takt::codegen {
namespace {

/// Of the polynomial that stands for an input in a window; parameters have none.
int degree_of(const PlanSubsystem& subsystem, SymbolId symbol) {
  const auto input = std::lower_bound(subsystem.inputs.begin(), subsystem.inputs.end(), symbol);
  return input != subsystem.inputs.end() && *input == symbol
             ? subsystem.input_degree[static_cast<std::size_t>(input - subsystem.inputs.begin())]
             : 0;
}

}  // namespace

void add_jacobians(Plan& plan, const Network& network, const DaeResult& dae) {
  for (std::size_t index = 0; index < plan.subsystems.size(); ++index) {
    PlanSubsystem& subsystem = plan.subsystems[index];
    if (!subsystem.method->solves && !subsystem.method->needs_linear) continue;
    const Surrogate& surrogate = dae.subsystems[index];
    std::vector<Expr> quadratures;
    for (const SymbolId symbol : subsystem.sent) quadratures.push_back(network.graph().use(symbol));
    for (const SymbolId symbol : subsystem.received)
      quadratures.push_back(network.graph().use(symbol));
    for (const Expr power :
         {surrogate.energy.supplied, surrogate.energy.dissipated, surrogate.energy.exchanged})
      quadratures.push_back(power);
    if (subsystem.method->needs_linear)
      subsystem.linear = linear_form(network, surrogate, quadratures,
                                     shape_for_exact(network, dae, surrogate).held,
                                     [&](SymbolId symbol) { return degree_of(subsystem, symbol); });
    else
      subsystem.jacobian = derive_jacobian(network.graph(), surrogate, quadratures);
  }
}

}  // namespace takt::codegen
