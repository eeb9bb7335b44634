#include "codegen/topology/shared_ground.hpp"

#include <optional>

#include "codegen/expr/symbol_map.hpp"

namespace takt::codegen {
namespace {

class Ties {
 public:
  explicit Ties(const Network& network) : network_(network) {}

  std::vector<std::pair<BranchId, BranchId>> find() {
    own();
    for (std::size_t k = 0; k < network_.branches.size(); ++k) {
      const Branch& branch = network_.branches[k];
      if (branch.domain != Domain::electric || branch.form == LawForm::none) continue;
      if (is_cut(branch.element))
        read_at(static_cast<BranchId>(k), branch.law);
      else
        read(branch.element, branch.law);
    }
    for (const ElementState& state : network_.states) read(state.element, state.derivative);
    for (const ElementVariable& variable : network_.variables)
      read(variable.element, variable.value);
    for (const FreeEquation& equation : network_.free_equations)
      read(equation.element, equation.zero);
    for (const Mode& mode : network_.modes)
      read(mode.element, mode.turn_on), read(mode.element, mode.turn_off);
    for (const StateEvent& event : network_.events) {
      read(event.element, event.indicator);
      for (const StateEvent::Set& set : event.sets) read(event.element, set.value);
    }
    for (const OperatingPoint& point : network_.points) read(point.element, point.next);
    for (const EdgeEnergy& edge : network_.edge_energies)
      read(edge.element, edge.rise), read(edge.element, edge.fall);
    for (const Gate& gate : network_.gates) drive(gate);
    return std::move(ties_);
  }

 private:
  /// The element's first electric branch; nothing where it is at home elsewhere.
  [[nodiscard]] std::optional<BranchId> place_of(ElementId id) const {
    const Element& element = network_.elements[static_cast<std::size_t>(id)];
    if (element.home != Domain::electric) return std::nullopt;
    for (const BranchId branch : element.branches)
      if (network_.branches[static_cast<std::size_t>(branch)].domain == Domain::electric)
        return branch;
    return std::nullopt;
  }

  void own() {
    for (std::size_t k = 0; k < network_.branches.size(); ++k) {
      const Branch& branch = network_.branches[k];
      if (branch.domain != Domain::electric) continue;
      const auto id = static_cast<BranchId>(k);
      owner_.emplace(branch.across, id);
      owner_.emplace(branch.through, id);
      if (branch.stored) owner_.emplace(*branch.stored, id);
      for (const NodeId end : {branch.from, branch.to})
        if (const NetworkNode& node = network_.nodes[static_cast<std::size_t>(end)];
            !node.reference)
          owner_.emplace(node.across, id);
    }
    const auto own_all = [&](const auto& items, auto symbol) {
      for (const auto& item : items)
        if (const auto place = place_of(item.element)) owner_.emplace(item.*symbol, *place);
    };
    own_all(network_.states, &ElementState::symbol);
    for (const ElementVariable& variable : network_.variables)
      if (const auto place = place_of(variable.element); place && !is_cut(variable.element))
        owner_.emplace(variable.symbol, *place);
    own_all(network_.free_unknowns, &FreeUnknown::symbol);
    own_all(network_.modes, &Mode::symbol);
    own_all(network_.points, &OperatingPoint::symbol);
    own_all(network_.gates, &Gate::symbol);
    own_all(network_.edge_energies, &EdgeEnergy::total);
  }

  /// Its branches may belong to several circuits.
  [[nodiscard]] bool is_cut(ElementId id) const {
    return !network_.elements[static_cast<std::size_t>(id)].joins_circuit;
  }

  void read(ElementId reader, Expr value) {
    std::optional<BranchId> place = place_of(reader);
    if (!place) return;
    if (is_cut(reader)) {  // what it reads says of which circuit it is
      place.reset();
      for (const SymbolId symbol : network_.graph().symbols_of(value))
        if (const auto owner = owner_.find(symbol); owner != owner_.end() && !place)
          place = owner->second;
    }
    if (place) read_at(*place, value);
  }

  void read_at(BranchId place, Expr value) {
    for (const SymbolId symbol : network_.graph().symbols_of(value))
      if (const auto owner = owner_.find(symbol); owner != owner_.end() && owner->second != place)
        ties_.emplace_back(place, owner->second);
  }

  /// Its edges lie inside micro-steps: all gates of a modulator are solved with it.
  void drive(const Gate& gate) {
    const auto place = place_of(gate.element);
    if (!place) return;
    for (const SymbolId symbol : network_.graph().symbols_of(gate.signal)) {
      for (const PwmLeg& leg : network_.legs)
        if (symbol == leg.high || symbol == leg.low) driven_by(leg.high, *place);
      for (const TimedGate& timed : network_.timed_gates)
        if (symbol == timed.symbol) driven_by(timed.symbol, *place);
    }
    read(gate.element, gate.signal);
  }

  void driven_by(SymbolId modulator, BranchId place) {
    if (!owner_.emplace(modulator, place)) ties_.emplace_back(place, owner_.at(modulator));
  }

  const Network& network_;
  SymbolMap<BranchId>
      owner_;  ///< of what electric elements compute; of a modulator: the first it drives
  std::vector<std::pair<BranchId, BranchId>> ties_;
};

}  // namespace

std::vector<std::pair<BranchId, BranchId>> ties_across_ground(const Network& network) {
  return Ties(network).find();
}

}  // namespace takt::codegen
