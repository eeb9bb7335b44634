#include "codegen/model/cut_out.hpp"

#include <algorithm>
#include <set>
#include <unordered_set>

namespace takt::codegen {
namespace {

constexpr auto dropped = static_cast<std::uint32_t>(-1);
constexpr double usual_temperature = 293.15;  // K, of inputs that nobody sets

template <class Id>
std::size_t number(Id id) {
  return static_cast<std::size_t>(id);
}

class Cutter {
 public:
  Cutter(Network& network, const std::string& part, bool settings_of_part)
      : network_(network),
        graph_(network.graph()),
        part_(part),
        settings_of_part_(settings_of_part) {}

  std::string run() {
    choose_elements();
    if (std::find(element_.begin(), element_.end(), dropped) == element_.end() ||
        std::count(element_.begin(), element_.end(), dropped) ==
            static_cast<std::ptrdiff_t>(element_.size()))
      return "[parts] has no instance '" + part_ + "' with elements that the rest does not have";
    if (std::string why = refused(); !why.empty()) return why;
    choose_nodes();
    filter_elements();
    filter_signals();
    renumber_branches();
    add_boundaries();
    take_outside_as_inputs();
    forget_the_whole();
    return {};
  }

 private:
  /// "electric.pack[3].r0" is of part "pack[3]".
  [[nodiscard]] bool is_inside(const std::string& path) const {
    const std::size_t section = path.find('.');
    return section != std::string::npos &&
           path.compare(section + 1, part_.size() + 1, part_ + ".") == 0;
  }

  [[nodiscard]] bool keeps(ElementId id) const { return element_[number(id)] != dropped; }

  void choose_elements() {
    std::uint32_t next = 0;
    for (const Element& element : network_.elements)
      element_.push_back(is_inside(element.path) ? next++ : dropped);
  }

  [[nodiscard]] std::string refused() const {
    for (const Branch& branch : network_.branches)
      if (keeps(branch.element) && (is_convective(branch.domain) || branch.coupling))
        return branch.path +
               " carries a medium or takes heat from one: a part with fluid or gas cannot be cut "
               "out";
    for (const HeatInput& input : network_.heat_inputs)
      if (keeps(input.element))
        return "heat that goes into a medium cannot be cut: " + part_ + " gives some";
    if (network_.steady_start)
      return "the plant starts from a steady state, which is of the whole: a part begins with "
             "start values as given";
    return {};
  }

  /// Nodes of the part's branches, and the references of their domains.
  void choose_nodes() {
    std::vector<bool> inside(network_.nodes.size(), false), outside(network_.nodes.size(), false);
    for (const Branch& branch : network_.branches)
      for (const NodeId node : {branch.from, branch.to})
        (keeps(branch.element) ? inside : outside)[number(node)] = true;
    for (const Element& element : network_.elements)
      if (element.self) (is_inside(element.path) ? inside : outside)[number(*element.self)] = true;
    std::set<Domain> domains;
    for (std::size_t k = 0; k < inside.size(); ++k)
      if (inside[k]) domains.insert(network_.nodes[k].domain);
    std::vector<NetworkNode> kept;
    for (std::size_t k = 0; k < inside.size(); ++k) {
      const NetworkNode& node = network_.nodes[k];
      const bool keep = inside[k] || (node.reference && domains.contains(node.domain));
      node_.push_back(keep ? static_cast<std::uint32_t>(kept.size()) : dropped);
      if (!keep) continue;
      if (inside[k] && outside[k] && !node.reference) shared_.push_back(NodeId{node_.back()});
      kept.push_back(node);
    }
    network_.nodes = std::move(kept);
  }

  template <class Item>
  void keep_own(std::vector<Item>& items) {
    std::erase_if(items, [&](const Item& item) { return !keeps(item.element); });
    for (Item& item : items) item.element = ElementId{element_[number(item.element)]};
  }

  void filter_elements() {
    std::uint32_t next = 0;
    for (const Branch& branch : network_.branches)
      branch_.push_back(keeps(branch.element) ? next++ : dropped);
    keep_own(network_.branches);
    keep_own(network_.states);
    keep_own(network_.variables);
    keep_own(network_.delays);
    keep_own(network_.free_equations);
    keep_own(network_.free_unknowns);
    keep_own(network_.balances);
    keep_own(network_.contents);
    keep_own(network_.heat_inputs);
    keep_own(network_.enthalpy_sources);
    keep_own(network_.shared_heats);
    keep_own(network_.heat_couplings);
    keep_own(network_.modes);
    keep_own(network_.events);
    keep_own(network_.points);
    keep_own(network_.gates);
    keep_own(network_.edge_energies);
    keep_own(network_.ranges);
    std::erase_if(network_.elements,
                  [&](const Element& element) { return !is_inside(element.path); });
  }

  void filter_signals() {
    const auto is_outside = [&](const auto& item) { return !is_inside(item.path); };
    std::erase_if(network_.blocks, is_outside);
    std::erase_if(network_.legs, is_outside);
    std::erase_if(network_.timed_gates, is_outside);
    network_.joints.clear();
    std::erase_if(network_.two_ports,
                  [&](const TwoPort& port) { return branch_[number(port.a)] == dropped; });
  }

  void renumber_branches() {
    for (Branch& branch : network_.branches) {
      branch.from = NodeId{node_[number(branch.from)]};
      branch.to = NodeId{node_[number(branch.to)]};
    }
    for (TwoPort& port : network_.two_ports) {
      port.a = BranchId{branch_[number(port.a)]};
      port.b = BranchId{branch_[number(port.b)]};
    }
    for (Element& element : network_.elements) {
      if (element.self) element.self = NodeId{node_[number(*element.self)]};
      for (BranchId& id : element.branches) id = BranchId{branch_[number(id)]};
    }
  }

  [[nodiscard]] NodeId reference_of(Domain domain) const {
    const auto place = std::find_if(
        network_.nodes.begin(), network_.nodes.end(),
        [&](const NetworkNode& node) { return node.reference && node.domain == domain; });
    return NodeId{static_cast<std::uint32_t>(place - network_.nodes.begin())};
  }

  /// A storage between the node and the reference determines the across variable.
  [[nodiscard]] bool is_held(NodeId node) const {
    return std::any_of(network_.branches.begin(), network_.branches.end(),
                       [&](const Branch& branch) {
                         const NodeId other = branch.from == node ? branch.to : branch.from;
                         return (branch.kind == BranchKind::across_storage ||
                                 branch.kind == BranchKind::across_source) &&
                                (branch.from == node || branch.to == node) &&
                                network_.nodes[number(other)].reference;
                       });
  }

  SymbolId input(const std::string& path, std::string_view unit) {
    const SymbolId symbol = graph_.make_symbol(path, std::string(unit));
    add_input(symbol);
    return symbol;
  }

  void add_input(SymbolId symbol) {
    const double start = graph_.symbol(symbol).unit == "K" ? usual_temperature : 0.0;
    network_.inputs.push_back({.symbol = symbol, .start = start, .safe = start, .where = {}});
  }

  void add_boundaries() {
    for (const NodeId id : shared_) {
      const NetworkNode node = network_.nodes[number(id)];
      const DomainWords& words = words_of(node.domain);
      const std::string path = "outside." + node.path,
                        across = path + "." + std::string(words.across),
                        through = path + "." + std::string(words.through);
      const bool flows_in = is_held(id);
      const auto element = ElementId{static_cast<std::uint32_t>(network_.elements.size())};
      Branch branch;
      branch.element = element;
      branch.path = path;
      branch.domain = node.domain;
      branch.kind = flows_in ? BranchKind::through_source : BranchKind::across_source;
      branch.form = flows_in ? LawForm::through_of : LawForm::across_of;
      branch.from = flows_in ? reference_of(node.domain) : id;
      branch.to = flows_in ? id : reference_of(node.domain);
      branch.across = graph_.make_symbol(path + ".source." + std::string(words.across),
                                         std::string(words.across_unit));
      branch.through = graph_.make_symbol(path + ".source." + std::string(words.through),
                                          std::string(words.through_unit));
      branch.law = graph_.use(flows_in ? input(through, words.through_unit)
                                       : input(across, words.across_unit));
      branch.default_start = graph_.zero();
      branch.where = node.where;
      const SymbolId seen = flows_in ? graph_.make_symbol(across, std::string(words.across_unit))
                                     : graph_.make_symbol(through, std::string(words.through_unit));
      const Expr value =
          flows_in ? graph_.use(node.across) : graph_.neg(graph_.use(branch.through));
      network_.variables.push_back(
          {.element = element, .symbol = seen, .value = value, .where = node.where});
      network_.elements.push_back(
          {.path = path,
           .type = "boundary of a part",
           .home = node.domain,
           .self = std::nullopt,
           .branches = {BranchId{static_cast<std::uint32_t>(network_.branches.size())}},
           .loss = std::nullopt,
           .where = node.where});
      network_.branches.push_back(std::move(branch));
    }
  }

  [[nodiscard]] std::vector<Expr> expressions() const {
    std::vector<Expr> all;
    const auto add = [&](std::initializer_list<Expr> some) { all.insert(all.end(), some); };
    for (const Branch& branch : network_.branches) {
      add({branch.default_start});
      if (branch.form != LawForm::none) add({branch.law});
      for (const auto& given : {branch.start, branch.start_stored, branch.energy})
        if (given) add({*given});
    }
    for (const ElementState& state : network_.states) add({state.derivative, state.start});
    for (const ElementVariable& variable : network_.variables) add({variable.value});
    for (const FreeEquation& equation : network_.free_equations) add({equation.zero});
    for (const FreeUnknown& unknown : network_.free_unknowns) add({unknown.start});
    for (const Mode& mode : network_.modes) add({mode.turn_on, mode.turn_off, mode.start});
    for (const StateEvent& event : network_.events) {
      add({event.indicator});
      for (const StateEvent::Set& set : event.sets) add({set.value});
    }
    for (const OperatingPoint& point : network_.points)
      add({point.next, point.tolerance, point.start});
    for (const Gate& gate : network_.gates) add({gate.signal});
    for (const PwmLeg& leg : network_.legs)
      add({leg.duty, leg.frequency, leg.phase, leg.dead_time});
    for (const TimedGate& gate : network_.timed_gates) add({gate.level, gate.delay});
    for (const EdgeEnergy& edge : network_.edge_energies) add({edge.rise, edge.fall});
    for (const RangeLimit& range : network_.ranges) add({range.below, range.above});
    for (const ControlBlock& block : network_.blocks) {
      for (const ControlBlock::Output& output : block.outputs) add({output.value});
      for (const ControlBlock::State& state : block.states) add({state.next, state.start});
    }
    return all;
  }

  [[nodiscard]] std::unordered_set<SymbolId> defined() const {
    std::unordered_set<SymbolId> all{network_.time};
    for (const Parameter& parameter : network_.parameters) all.insert(parameter.symbol);
    for (const PlantInput& input : network_.inputs) all.insert(input.symbol);
    for (const NetworkNode& node : network_.nodes) all.insert(node.across);
    for (const Branch& branch : network_.branches) {
      all.insert({branch.across, branch.through});
      if (branch.stored) all.insert(*branch.stored);
    }
    for (const ElementState& state : network_.states) all.insert(state.symbol);
    for (const ElementVariable& variable : network_.variables) all.insert(variable.symbol);
    for (const FreeUnknown& unknown : network_.free_unknowns) all.insert(unknown.symbol);
    for (const Mode& mode : network_.modes) all.insert(mode.symbol);
    for (const OperatingPoint& point : network_.points) all.insert(point.symbol);
    for (const Gate& gate : network_.gates) all.insert(gate.symbol);
    for (const PwmLeg& leg : network_.legs) all.insert({leg.high, leg.low});
    for (const TimedGate& gate : network_.timed_gates) all.insert(gate.symbol);
    for (const EdgeEnergy& edge : network_.edge_energies) {
      all.insert(edge.total);
      for (const EdgeEnergy::Before& before : edge.before) all.insert(before.symbol);
    }
    for (const ControlBlock& block : network_.blocks) {
      for (const ControlBlock::Output& output : block.outputs) all.insert(output.symbol);
      for (const ControlBlock::State& state : block.states) all.insert(state.symbol);
    }
    return all;
  }

  /// What laws of the part read of the rest; inputs and parameters that nobody reads are left out.
  void take_outside_as_inputs() {
    const std::vector<SymbolId> read = graph_.symbols_of(expressions());
    const auto is_read = [&](const auto& item) {
      return std::binary_search(read.begin(), read.end(), item.symbol);
    };
    std::erase_if(network_.inputs, [&](const PlantInput& input) { return !is_read(input); });
    const std::unordered_set<SymbolId> known = defined();
    for (const SymbolId symbol : read)
      if (!known.contains(symbol)) add_input(symbol);
    std::erase_if(network_.parameters,
                  [&](const Parameter& parameter) { return !is_read(parameter); });
    std::unordered_set<SymbolId> left;
    for (const Parameter& parameter : network_.parameters) left.insert(parameter.symbol);
    std::erase_if(network_.limits, [&](const ParameterLimit& limit) {
      const std::vector<SymbolId> of = graph_.symbols_of(limit.holds);
      return std::any_of(of.begin(), of.end(),
                         [&](SymbolId symbol) { return !left.contains(symbol); });
    });
  }

  void forget_the_whole() {
    std::string suffix;
    for (const char c : part_)
      suffix += c == '[' || c == '.' ? "_" : c == ']' ? "" : std::string(1, c);
    network_.name += "_" + suffix;
    network_.title += (network_.title.empty() ? "part " : ", part ") + part_;
    network_.faults.clear();
    network_.absent_faults.clear();
    network_.held_at_start.clear();
    network_.record.clear();
    if (settings_of_part_) return;
    network_.solve.clear();
    network_.sync.clear();
  }

  Network& network_;
  Graph& graph_;
  const std::string part_;
  const bool settings_of_part_;
  std::vector<std::uint32_t> element_, node_, branch_;  // new numbers, by old ones
  std::vector<NodeId> shared_;
};

}  // namespace

std::string cut_out(Network& network, const std::string& part, bool settings_of_part) {
  return Cutter(network, part, settings_of_part).run();
}

}  // namespace takt::codegen
