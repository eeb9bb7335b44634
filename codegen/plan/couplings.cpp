#include "codegen/plan/couplings.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <string_view>
#include <unordered_map>

#include "codegen/dae/plant_equations.hpp"
#include "codegen/plan/evaluation_order.hpp"
#include "codegen/plan/symbol_origins.hpp"

namespace takt::codegen {
namespace {

constexpr int proposed_order =
    1;  // higher ones pay with smooth plants only, and amplify what is not smooth

void insert_sorted(std::vector<SymbolId>& symbols, SymbolId symbol) {
  const auto place = std::lower_bound(symbols.begin(), symbols.end(), symbol);
  if (place == symbols.end() || *place != symbol) symbols.insert(place, symbol);
}

/// What one subsystem gives another.
struct Crossing {
  CouplingKind kind;
  std::size_t producer, consumer;
  SymbolId from, to;
};

void add_coupling(Plan& plan, const Crossing& crossing) {
  const auto& [kind, producer, consumer, from, to] = crossing;
  insert_sorted(plan.subsystems[producer].outputs, from);
  if (kind == CouplingKind::flux) {
    insert_sorted(plan.subsystems[producer].sent, from);
    insert_sorted(plan.subsystems[consumer].received, to);
  }
  plan.couplings.push_back({.kind = kind,
                            .producer = producer,
                            .consumer = consumer,
                            .from = from,
                            .to = to,
                            .lag = 0,
                            .order = 0,
                            .group = 0,
                            .reason = {},
                            .paradigm = std::nullopt,
                            .paradigm_reason = {}});
}

/// Heat transfers that were cut, by path.
using HeatCouplings = std::unordered_map<std::string_view, const HeatCoupling*>;

HeatCouplings heat_couplings_of(const Network& network) {
  HeatCouplings by_path;
  for (const HeatCoupling& heat : network.heat_couplings)
    if (heat.paradigm != HeatCoupling::joint) by_path[heat.transfer] = &heat;
  return by_path;
}

/// Notes the paradigm where the flux is the heat of a transfer between a wall and a medium: the
/// path of the transfer begins its own.
void note_paradigm(PlanCoupling& coupling, const Network& network, const HeatCouplings& by_path) {
  const std::string_view path = network.graph().symbol(coupling.from).path;
  for (std::size_t dot = path.find('.'); dot != std::string_view::npos;
       dot = path.find('.', dot + 1)) {
    const auto heat = by_path.find(path.substr(0, dot));
    if (heat == by_path.end()) continue;
    coupling.paradigm = heat->second->paradigm;
    coupling.paradigm_reason = heat->second->reason;
  }
}

/// Connects the inputs of subsystems with what they read.
class InputConnector {
 public:
  InputConnector(Plan& plan, const PlantEquations& plant, const SymbolOrigins& origins,
                 Diagnostics& diagnostics)
      : plan_(plan),
        network_(plant.network),
        dae_(plant.dae),
        origins_(origins),
        heat_(heat_couplings_of(plant.network)),
        diagnostics_(diagnostics) {}

  void connect(std::size_t consumer, SymbolId symbol) {
    PlanSubsystem& subsystem = plan_.subsystems[consumer];
    const std::size_t input = subsystem.inputs.size();
    subsystem.inputs.push_back(symbol);
    if (const auto flux = origins_.flux(symbol)) {
      const SymbolId source = dae_.fluxes[*flux].source;
      if (const auto producer = origins_.owner(source)) {
        add_coupling(plan_, {CouplingKind::flux, *producer, consumer, source, symbol});
        note_paradigm(plan_.couplings.back(), network_, heat_);
        return;
      }
    } else if (const auto producer = origins_.owner(symbol)) {
      add_coupling(plan_, {CouplingKind::potential, *producer, consumer, symbol, symbol});
      return;
    } else if (const auto delay = origins_.delay(symbol)) {
      const SymbolId leaving = network_.delays[*delay].leaving;
      if (const auto sender = origins_.owner(leaving)) {
        add_coupling(plan_, {CouplingKind::potential, *sender, consumer, leaving, symbol});
        plan_.couplings.back().delay = delay;
        return;
      }
    } else if (const auto plant_input = origins_.plant_input(symbol)) {
      plan_.routes.push_back({.plant_input = *plant_input, .consumer = consumer, .input = input});
      return;
    }
    diagnostics_.error("S090", {},
                       subsystem.name + " reads " + network_.graph().symbol(symbol).path +
                           ", which nothing defines",
                       "this is a defect of the generator; please report it with the plant file");
  }

 private:
  Plan& plan_;
  const Network& network_;
  const DaeResult& dae_;
  const SymbolOrigins& origins_;
  HeatCouplings heat_;
  Diagnostics& diagnostics_;
};

Extrapolation cost_of(const Plan& plan, const PlanCoupling& coupling,
                      const std::vector<Feedthrough>& through) {
  if (coupling.delay) return {0.0, ""};  // what arrives has left before
  const PlanSubsystem& producer = plan.subsystems[coupling.producer];
  if (producer.method->is_sampled()) return {1000.0, "a control output, one period late"};
  if (plan.subsystems[coupling.consumer].method->is_sampled()) {
    return {0.0, ""};  // sampled at the window's start: nothing is extrapolated
  }
  if (coupling.kind == CouplingKind::flux)
    return {20.0, "a flux: what its extrapolation misses follows one exchange later"};
  if (!through[coupling.producer].of(coupling.from).empty()) {
    return {50.0, "an algebraic output; every other break costs more"};
  }
  if (producer.domain == CircuitDomain::solid)
    return {1.0, "a temperature of storages: slow and continuous"};
  if (producer.domain == CircuitDomain::mechanical) return {2.0, "a speed of inertias: continuous"};
  return {4.0, "a differential state: continuous"};
}

/// Inputs of all subsystems as nodes; an edge where one subsystem passes an input on to another's
/// input without a state.
std::vector<Dependency> algebraic_edges(
    const Plan& plan, const std::vector<Feedthrough>& through,
    const std::map<std::pair<std::size_t, SymbolId>, std::size_t>& node) {
  std::vector<Dependency> edges;
  for (const PlanCoupling& coupling : plan.couplings) {
    if (coupling.delay || plan.subsystems[coupling.producer].method->is_sampled())
      continue;  // a sample is a delay
    for (const SymbolId input : through[coupling.producer].of(coupling.from)) {
      const auto from = node.find({coupling.producer, input});
      if (from != node.end())
        edges.push_back({from->second, node.at({coupling.consumer, coupling.to}), 0.0});
    }
  }
  return edges;
}

/// A coupled quantity as people name it: without what the crossing adds.
std::string said(const Network& network, SymbolId symbol) {
  std::string path = network.graph().symbol(symbol).path;
  for (const std::string suffix : {".sent", ".received"})
    if (path.ends_with(suffix)) path.resize(path.size() - suffix.size());
  return path;
}

/// Of the element that gives one of these quantities, else of the first element of the subsystem.
Location place_of(const Network& network, const std::vector<std::string>& quantities,
                  const Surrogate& surrogate) {
  for (const std::string& quantity : quantities)
    for (const Element& element : network.elements)
      if (quantity.starts_with(element.path + ".")) return element.where;
  return surrogate.elements.empty()
             ? Location{}
             : network.elements[static_cast<std::size_t>(surrogate.elements.front())].where;
}

void check_algebraic_cycles(const Plan& plan, const PlantEquations& plant,
                            const std::vector<Feedthrough>& through, Diagnostics& diagnostics) {
  const Network& network = plant.network;
  const DaeResult& dae = plant.dae;
  std::map<std::pair<std::size_t, SymbolId>, std::size_t> node;
  std::vector<std::string> names, quantities;
  std::vector<std::size_t> consumers;
  for (const PlanCoupling& coupling : plan.couplings) {
    if (!node.emplace(std::pair{coupling.consumer, coupling.to}, node.size()).second) continue;
    consumers.push_back(coupling.consumer);
    quantities.push_back(said(network, coupling.from));
    names.push_back(quantities.back() + " into " + plan.subsystems[coupling.consumer].name);
  }
  std::vector<std::size_t> all(node.size());
  for (std::size_t index = 0; index < all.size(); ++index) all[index] = index;
  for (const std::vector<std::size_t>& loop :
       strong_components(all, algebraic_edges(plan, through, node))) {
    if (loop.size() < 2) continue;
    std::string cycle;
    std::vector<std::string> around;
    for (const std::size_t member : loop) {
      cycle += (cycle.empty() ? "" : ", ") + names[member];
      around.push_back(quantities[member]);
    }
    diagnostics.error("S011", place_of(network, around, dae.subsystems[consumers[loop.front()]]),
                      "couplings form a cycle without any storage: " + cycle,
                      "it would not converge however small the synchronisation time is; give one "
                      "of the ends a storage (a wall instead of a lumped wall, a volume in place "
                      "of a junction, a capacitor, an inertia)");
  }
}

}  // namespace

std::vector<Extrapolation> find_couplings(Plan& plan, const Network& network, const DaeResult& dae,
                                          Diagnostics& diagnostics) {
  const SymbolOrigins origins(network, dae);
  InputConnector inputs(plan, {network, dae}, origins, diagnostics);
  std::vector<Feedthrough> through;
  for (std::size_t consumer = 0; consumer < dae.subsystems.size(); ++consumer) {
    for (const SymbolId symbol : symbols_read(network, dae.subsystems[consumer])) {
      const bool own = origins.owner(symbol) == consumer;
      if (own || origins.is_parameter_or_time(symbol)) continue;
      inputs.connect(consumer, symbol);
    }
    through.emplace_back(network.graph(), dae.subsystems[consumer],
                         plan.subsystems[consumer].inputs);
  }
  std::vector<Extrapolation> costs;
  for (const PlanCoupling& coupling : plan.couplings)
    costs.push_back(cost_of(plan, coupling, through));
  check_algebraic_cycles(plan, {network, dae}, through, diagnostics);
  return costs;
}

std::size_t index_in(const std::vector<SymbolId>& ascending, SymbolId symbol) {
  return static_cast<std::size_t>(std::lower_bound(ascending.begin(), ascending.end(), symbol) -
                                  ascending.begin());
}

std::uint8_t exchange_order(const Plan& plan, const PlanCoupling& coupling) {
  const PlanSubsystem& producer = plan.subsystems[coupling.producer];
  const PlanSubsystem& consumer = plan.subsystems[coupling.consumer];
  if (coupling.delay) return 0;
  const std::optional<int> wished = plan.groups[coupling.group].order;
  const int highest = consumer.method->order - 1;
  if (producer.method->is_sampled()) return 0;
  if (std::binary_search(producer.jumping.begin(), producer.jumping.end(), coupling.from)) return 0;
  if (coupling.kind == CouplingKind::flux) {
    // What a method integrates exactly is of a degree below its order; what switches gives and
    // takes averages.
    if (producer.method->is_switched() || consumer.method->is_switched()) return 0;
    return static_cast<std::uint8_t>(std::min(wished.value_or(proposed_order), highest));
  }
  if (consumer.method->is_sampled()) {
    // A sample at the window's start: the last version extrapolated by nothing, or the start of an
    // interpolation.
    return consumer.step_ns < plan.groups[coupling.group].period_ns || coupling.lag == 0 ? 1 : 0;
  }
  return static_cast<std::uint8_t>(wished.value_or(std::min(proposed_order, highest)));
}

}  // namespace takt::codegen
