#include "codegen/dae/energy.hpp"

#include <algorithm>
#include <array>
#include <set>
#include <unordered_set>

#include "codegen/dae/circuit/branch_power.hpp"
#include "codegen/library/library.hpp"
#include "codegen/topology/circuits.hpp"

namespace takt::codegen {

namespace {

/// Integral of a law over its argument from 0, by Gauss and Legendre with 8 points: exact for
/// polynomials of degree 15.
Expr integral_of(Graph& graph, Expr law, SymbolId argument) {
  constexpr std::array<std::pair<double, double>, 4> points{
      {{0.1834346424956498, 0.3626837833783620},  // of [-1, 1], to both sides; weight
       {0.5255324099163290, 0.3137066458778873},
       {0.7966664774136267, 0.2223810344533745},
       {0.9602898564975363, 0.1012285362903763}}};
  Expr mean = graph.zero();
  for (const auto& [place, weight] : points)
    for (const double side : {-place, place}) {
      const Expr at = graph.mul(graph.constant(0.5 * (1.0 + side)), graph.use(argument));
      mean = graph.add(
          mean, graph.mul(graph.constant(0.5 * weight), graph.substitute(law, {{argument, at}})));
    }
  return graph.mul(graph.use(argument), mean);
}

/// Stored energy of a linear storage is half the product of its two variables; of a wall, the
/// conserved quantity itself; of another law that reads nothing but its argument and parameters,
/// its integral over what is stored.
std::optional<Expr> stored_in(const Network& network, const Branch& branch) {
  Graph& graph = network.graph();
  if (branch.energy) return branch.energy;
  const SymbolId stored = *branch.stored;
  if (words_of(branch.domain).through_is_power) return graph.use(stored);
  const SymbolId natural =
      branch.kind == BranchKind::across_storage ? branch.across : branch.through;
  const SymbolId argument = branch.form == LawForm::stored_of ? natural : stored;
  const Expr product = graph.mul(graph.use(natural), graph.use(stored));
  Expr coefficient{}, rest{};
  if (graph.split_linear(branch.law, argument, coefficient, rest))
    return graph.is_constant(rest, 0.0) ? std::optional(graph.mul(graph.constant(0.5), product))
                                        : std::nullopt;
  const auto is_parameter = [&](SymbolId symbol) {
    return std::any_of(network.parameters.begin(), network.parameters.end(),
                       [&](const Parameter& parameter) { return parameter.symbol == symbol; });
  };
  for (const SymbolId symbol : graph.symbols_of(branch.law))
    if (symbol != argument && !is_parameter(symbol)) return std::nullopt;
  const Expr integral = integral_of(graph, branch.law, argument);
  return argument == stored ? integral : graph.sub(product, integral);
}

/// Power that the consumer of a flux through a branch receives, over the producer's symbol. A flow
/// of a medium that is told elsewhere is none: the consumer counts enthalpy and heat, not the
/// pressure that a pump works against.
Expr power_sent(const Network& network, const FluxSource& flux) {
  Graph& graph = network.graph();
  if (!flux.branch) return graph.use(flux.sent);
  const Branch& branch = network.branches[static_cast<std::size_t>(*flux.branch)];
  if (is_convective(branch.domain)) return graph.zero();
  const std::unordered_map<SymbolId, Expr> seen_here{{branch.through, graph.use(flux.sent)}};
  return graph.substitute(graph.neg(power_into(network, branch)), seen_here);
}

/// Whether a law reads what its element's branches in this circuit do not have: a position, the
/// speed of a shaft.
bool reads_elsewhere(const CircuitScope& scope, const Branch& branch) {
  const Network& network = scope.network;
  const auto is_own = [&](SymbolId symbol) {
    if (symbol == network.time ||
        std::any_of(network.parameters.begin(), network.parameters.end(),
                    [&](const Parameter& each) { return each.symbol == symbol; }))
      return true;
    return std::any_of(scope.circuit.branches.begin(), scope.circuit.branches.end(),
                       [&](BranchId id) {
                         const Branch& own = network.branches[static_cast<std::size_t>(id)];
                         return symbol == own.across || symbol == own.through ||
                                (own.stored && symbol == *own.stored);
                       });
  };
  const std::vector<SymbolId> read = network.graph().symbols_of(branch.law);
  return !std::all_of(read.begin(), read.end(), is_own);
}

/// Whether the element turns into energy of another domain what it stores: by a linkage that
/// depends on a position. Then no source of this circuit takes up what it sends.
bool converts_what_it_stores(const CircuitScope& scope, ElementId element) {
  const std::vector<BranchId>&of =
            scope.network.elements[static_cast<std::size_t>(element)].branches,
        &here = scope.circuit.branches;
  return std::any_of(of.begin(), of.end(), [&](BranchId id) {
    const Branch& branch = scope.network.branches[static_cast<std::size_t>(id)];
    return branch.stored && std::find(here.begin(), here.end(), id) != here.end() &&
           reads_elsewhere(scope, branch);
  });
}

/// Heat of the walls that are solved with a fluid or gas circuit. What passes to its own media at
/// boundaries cancels; to others it is sent.
void add_walls(const CircuitScope& scope, EnergyBalance& balance) {
  const Network& network = scope.network;
  Graph& graph = network.graph();
  for (const BranchId id : scope.circuit.branches) {
    const Branch& branch = network.branches[static_cast<std::size_t>(id)];
    if (branch.domain != Domain::solid) continue;
    const auto of_branch = [&](const FluxSource& flux) {
      return flux.consumer == scope.index && flux.branch == id;
    };
    const bool received = std::any_of(scope.fluxes.begin(), scope.fluxes.end(), of_branch);
    if (branch.kind == BranchKind::across_storage) {
      balance.stored = graph.add(balance.stored, stored_in(network, branch).value_or(graph.zero()));
    } else if (branch.kind != BranchKind::dissipator) {
      Expr& sum = received ? balance.exchanged : balance.supplied;
      sum = graph.sub(sum, power_into(network, branch));
      const auto sent = [&](const FluxSource& flux) {
        return flux.producer == scope.index && branch.coupling &&
               graph.symbols_of(flux.value) == std::vector{branch.through};
      };
      const auto flux = std::find_if(scope.fluxes.begin(), scope.fluxes.end(), sent);
      if (flux != scope.fluxes.end())
        balance.supplied = graph.add(balance.supplied, power_sent(network, *flux));
    }
  }
}

/// What comes in at an end of a line that belongs to another circuit.
bool is_other_end(const CircuitScope& scope, const EnthalpySource& source) {
  if (scope.network.elements[static_cast<std::size_t>(source.element)].joins_circuit) return false;
  const std::vector<SymbolId> read = scope.network.graph().symbols_of(source.power);
  return std::any_of(read.begin(), read.end(), [&](SymbolId symbol) {
    const auto owner = scope.ownership.owner.find(symbol);
    return owner != scope.ownership.owner.end() && owner->second != scope.index;
  });
}

/// Into another medium, or into a wall where the medium's circuit computes it. Else a source
/// elsewhere reads the circuit (a cooler, a thermostat) or a piston moves with its pressure: what
/// it gives is not taken from enthalpy and heat.
bool is_heat_of_its_media(const Network& network, const FluxSource& flux) {
  return !flux.branch || std::any_of(network.heat_couplings.begin(), network.heat_couplings.end(),
                                     [&](const HeatCoupling& heat) {
                                       return heat.element == flux.element && heat.paradigm != 1;
                                     });
}

/// Of a fluid or gas circuit: enthalpy and heat; what pumps and friction turn into each other is
/// left out.
EnergyBalance convective_balance(const CircuitScope& scope) {
  const Network& network = scope.network;
  Graph& graph = network.graph();
  EnergyBalance balance{graph.zero(), graph.zero(), graph.zero(), graph.zero(), true, graph.zero()};
  const std::unordered_set<ElementId> own(scope.circuit.elements.begin(),
                                          scope.circuit.elements.end());
  for (const EnergyContent& content : network.contents)
    if (own.contains(content.element))
      balance.stored = graph.add(balance.stored, graph.use(content.energy));
  for (const EnthalpySource& source : network.enthalpy_sources)
    if (own.contains(source.element) && !is_other_end(scope, source))
      balance.supplied = graph.add(balance.supplied, source.power);
  for (const HeatInput& input : network.heat_inputs) {
    if (!own.contains(input.element)) continue;
    const bool crosses =
        std::any_of(scope.fluxes.begin(), scope.fluxes.end(),
                    [&](const FluxSource& flux) { return flux.received == input.received; });
    Expr& sum = crosses ? balance.exchanged : balance.supplied;
    sum = graph.add(sum, graph.use(input.received));
  }
  for (const SharedHeat& shared : network.shared_heats)
    if (own.contains(shared.element))
      balance.exchanged = graph.add(balance.exchanged, shared.power);
  add_walls(scope, balance);
  for (const FluxSource& flux : scope.fluxes) {
    if (flux.producer != scope.index) continue;
    const Expr power = power_sent(network, flux);
    balance.exchanged = graph.sub(balance.exchanged, power);
    if (!is_heat_of_its_media(network, flux)) balance.supplied = graph.add(balance.supplied, power);
  }
  return balance;
}

/// Power that dissipators of the element take, W; nothing where one of them belongs to another
/// circuit.
std::optional<Expr> taken_by_dissipators(const CircuitScope& scope,
                                         const std::unordered_set<BranchId>& own,
                                         const Element& element) {
  const Network& network = scope.network;
  Graph& graph = network.graph();
  Expr taken = graph.zero();
  for (const BranchId id : element.branches) {
    const Branch& branch = network.branches[static_cast<std::size_t>(id)];
    if (branch.kind != BranchKind::dissipator) continue;
    if (!own.contains(id)) return std::nullopt;
    taken = graph.add(taken, power_into(network, branch));
    if (branch.passes) taken = graph.sub(taken, *branch.passes);
  }
  return taken;
}

/// What sources inside elements turn into heat, as those of converters and machines do: what the
/// elements declare as their loss less what their dissipators take, W. It is no supply less, but
/// dissipated.
Expr heat_of_sources(const CircuitScope& scope) {
  const Network& network = scope.network;
  Graph& graph = network.graph();
  const std::unordered_set<BranchId> own(scope.circuit.branches.begin(),
                                         scope.circuit.branches.end());
  std::set<ElementId> with_sources;
  for (const BranchId id : scope.circuit.branches) {
    const Branch& branch = network.branches[static_cast<std::size_t>(id)];
    if (branch.kind == BranchKind::across_source || branch.kind == BranchKind::through_source)
      with_sources.insert(branch.element);
  }
  Expr heat = graph.zero();
  for (const ElementId id : with_sources) {
    const Element& element = network.elements[static_cast<std::size_t>(id)];
    const auto owner =
        element.loss ? scope.ownership.owner.find(*element.loss) : scope.ownership.owner.end();
    if (owner == scope.ownership.owner.end() || owner->second != scope.index) continue;
    if (const auto taken = taken_by_dissipators(scope, own, element))
      heat = graph.add(heat, graph.sub(graph.use(*element.loss), *taken));
  }
  return heat;
}

}  // namespace

EnergyBalance energy_balance(const CircuitScope& scope, bool by_tellegen) {
  if (scope.circuit.domain == CircuitDomain::fluid || scope.circuit.domain == CircuitDomain::gas)
    return convective_balance(scope);
  const Network& network = scope.network;
  Graph& graph = network.graph();
  EnergyBalance balance{graph.zero(), graph.zero(), graph.zero(), graph.zero(), true, graph.zero()};
  std::unordered_set<BranchId> received_here;
  for (const FluxSource& flux : scope.fluxes)
    if (flux.consumer == scope.index && flux.branch) received_here.insert(*flux.branch);
  for (const BranchId id : scope.circuit.branches) {
    const Branch& branch = network.branches[static_cast<std::size_t>(id)];
    const bool received = received_here.contains(id);
    if (branch.kind == BranchKind::across_storage || branch.kind == BranchKind::through_storage) {
      const auto stored = stored_in(network, branch);
      if (by_tellegen) balance.absorbed = graph.add(balance.absorbed, power_into(network, branch));
      if (stored)
        balance.stored = graph.add(balance.stored, *stored);
      else
        balance.complete = false, balance.incomplete_by = branch.path;
    } else if (received) {
      balance.exchanged = graph.sub(balance.exchanged, power_into(network, branch));
    } else if (branch.kind == BranchKind::dissipator) {
      Expr loss = power_into(network, branch);
      if (branch.passes) {
        balance.exchanged = graph.sub(balance.exchanged, *branch.passes);
        loss = graph.sub(loss, *branch.passes);
      }
      if (!by_tellegen) balance.dissipated = graph.add(balance.dissipated, loss);
    } else if (converts_what_it_stores(scope, branch.element) && reads_elsewhere(scope, branch)) {
      balance.absorbed = graph.add(balance.absorbed,
                                   power_into(network, branch));  // beside the storage: sent, too
    } else {
      const auto sent = [&](const FluxSource& flux) {
        return flux.producer == scope.index &&
               graph.symbols_of(flux.value) == std::vector{branch.through};
      };
      const bool shared =
          branch.coupling && std::none_of(scope.fluxes.begin(), scope.fluxes.end(),
                                          sent);  // paradigm 3: the other side computes it, too
      Expr& sum = shared ? balance.exchanged : balance.supplied;
      sum = graph.sub(sum, power_into(network, branch));
    }
  }
  if (!by_tellegen) {  // of switched circuits what is dissipated is what is missing
    const Expr heat = heat_of_sources(scope);
    balance.supplied = graph.add(balance.supplied, heat);
    balance.dissipated = graph.add(balance.dissipated, heat);
  }
  // What is sent was counted as loss (heat) or as absorbed by a source (shaft power): move it to
  // `exchanged`.
  for (const FluxSource& flux : scope.fluxes) {
    if (flux.producer != scope.index) continue;
    const bool heat =
        !flux.into_fmu &&
        (!flux.branch || words_of(network.branches[static_cast<std::size_t>(*flux.branch)].domain)
                             .through_is_power);
    if (by_tellegen && heat) {
      balance.heat_sent.push_back(flux.sent);
      continue;
    }
    const Expr power = power_sent(network, flux);
    balance.exchanged = graph.sub(balance.exchanged, power);
    // A solid circuit gives heat to a medium at a boundary, which counts as a source.
    if (heat && !(scope.circuit.domain == CircuitDomain::solid && !flux.branch))
      balance.dissipated = graph.sub(balance.dissipated, power);
    else if (converts_what_it_stores(scope, flux.element))
      balance.absorbed = graph.sub(balance.absorbed, power);
    else
      balance.supplied = graph.add(balance.supplied, power);
  }
  return balance;
}

}  // namespace takt::codegen
