#include "codegen/partition/plan.hpp"

namespace takt::codegen {

void add_jacobians(Plan& plan, Network& network, const DaeResult& dae) {
  for (std::size_t index = 0; index < plan.subsystems.size(); ++index) {
    PlanSubsystem& subsystem = plan.subsystems[index];
    if (!is_linearly_implicit(subsystem.method)) continue;
    const Surrogate& surrogate = dae.subsystems[index];
    std::vector<Expr> quadratures;
    for (const SymbolId symbol : subsystem.sent) quadratures.push_back(network.graph.use(symbol));
    quadratures.resize(quadratures.size() + subsystem.received.size(), network.graph.zero());
    for (const Expr power : {surrogate.energy.supplied, surrogate.energy.dissipated, surrogate.energy.exchanged}) quadratures.push_back(power);
    subsystem.jacobian = derive_jacobian(network.graph, surrogate, quadratures);
  }
}

}  // namespace takt::codegen
