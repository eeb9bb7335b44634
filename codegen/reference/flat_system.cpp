#include "codegen/reference/flat_system.hpp"

#include <algorithm>
#include <unordered_set>

#include "codegen/reference/flat_events.hpp"
#include "codegen/reference/flat_guesses.hpp"
#include "codegen/reference/lower_index.hpp"
#include "codegen/reference/total_rate.hpp"
#include "codegen/reference/unfollowed.hpp"

namespace takt::codegen {
namespace {

class Flattener {
 public:
  Flattener(const Network& network, Diagnostics& diagnostics, const TopologyResult* topology)
      : network_(network), graph_(network.graph()), diagnostics_(diagnostics) {
    if (topology == nullptr) return;
    for (const CircuitTopology& circuit : topology->circuits)
      for (const BranchId id : circuit.dependent_storages())
        dependent_.insert(branch(id).stored.value());
  }

  FlatSystem run() {
    refuse_unfollowed(network_, diagnostics_);
    add_pulses();
    for (const NetworkNode& node : network_.nodes)
      if (!node.reference) unknown(node.across);
    for (const Branch& branch : network_.branches) add_branch(branch);
    add_balances();
    for (const TwoPort& port : network_.two_ports) add_two_port(port);
    for (const ElementVariable& variable : network_.variables)
      rates_.value_of[variable.symbol] = variable.value;
    add_element_equations();
    reduce();
    add_guesses(network_, system_);
    put_in_variables();
    if (!network_.free_equations.empty()) lower_index(network_, system_);
    std::sort(system_.unknowns.begin(), system_.unknowns.end());
    return std::move(system_);
  }

 private:
  void add_pulses() {
    for (const EdgeEnergy& edge : network_.edge_energies)
      if (!edge.heat.empty() && !system_.pulses.contains(edge.heat))
        system_.pulses.emplace(edge.heat, graph_.make_symbol(edge.heat + ".pulse", "W"));
  }

  /// Heat that arrives under this path, with what edges add to it.
  Expr pulsed(const std::string& path, Expr power) {
    const auto pulse = system_.pulses.find(path);
    return pulse == system_.pulses.end() ? power : graph_.add(power, graph_.use(pulse->second));
  }

  [[nodiscard]] const Branch& branch(BranchId id) const {
    return network_.branches[static_cast<std::size_t>(id)];
  }

  void unknown(SymbolId symbol) { system_.unknowns.push_back(symbol); }

  std::size_t require(Expr zero, const Location& where) {
    system_.rows.push_back({zero, std::nullopt, where});
    system_.start_rows.push_back(zero);
    return system_.rows.size() - 1;
  }

  void define(SymbolId symbol, Expr value, const Location& where) {
    require(graph_.sub(graph_.use(symbol), value), where);
    if (symbol != network_.time) rates_.value_of[symbol] = value;
  }

  std::size_t integrate(SymbolId symbol, Expr rate, Expr start_zero, const Location& where) {
    rates_.rate_of[symbol] = rate;
    system_.rows.push_back({rate, symbol, where});
    system_.start_rows.push_back(start_zero);
    return system_.rows.size() - 1;
  }

  void kirchhoff(const LinearRow& row, const Location& where) {
    Expr sum = graph_.zero();
    for (const auto& [symbol, coefficient] : row)
      sum = graph_.add(sum, graph_.mul(graph_.constant(coefficient.value()), graph_.use(symbol)));
    require(sum, where);
    kirchhoff_.push_back(row);
  }

  static void add(LinearRow& row, SymbolId symbol, ExactNumber coefficient) {
    const auto [place, fresh] = row.try_emplace(symbol);
    place->second = place->second + coefficient;
    if (place->second.is_zero()) row.erase(place);
  }

  void add_branch(const Branch& element) {
    unknown(element.across);
    unknown(element.through);
    LinearRow difference;
    add(difference, element.across, ExactNumber::integer(1));
    for (const auto& [id, sign] : {std::pair(element.from, -1), std::pair(element.to, 1)}) {
      const NetworkNode& node = network_.nodes[static_cast<std::size_t>(id)];
      if (!node.reference) add(difference, node.across, ExactNumber::integer(sign));
    }
    kirchhoff(difference, element.where);
    if (element.stored) return add_storage(element);
    switch (element.form) {
      case LawForm::across_of:
        define(element.across, element.law, element.where);
        break;
      case LawForm::through_of:
        define(element.through, pulsed(element.path, element.law), element.where);
        break;
      case LawForm::none:
        break;
      default:
        require(element.law, element.where);
        break;
    }
    if (element.kind == BranchKind::across_source) sources_.insert(element.across);
    if (element.kind == BranchKind::through_source) sources_.insert(element.through);
  }

  void add_storage(const Branch& element) {
    unknown(*element.stored);
    const bool across = element.kind == BranchKind::across_storage;
    const SymbolId natural = across ? element.across : element.through,
                   rate = across ? element.through : element.across;
    if (element.form == LawForm::from_stored) {
      define(natural, element.law, element.where);
    } else {
      require(graph_.sub(graph_.use(*element.stored), element.law), element.where);
      rates_.inverse_of[natural] = {*element.stored, element.law};
    }
    const Expr start =
        element.start_stored
            ? graph_.sub(graph_.use(*element.stored), *element.start_stored)
            : graph_.sub(graph_.use(natural), element.start.value_or(element.default_start));
    const std::size_t row = integrate(*element.stored, graph_.use(rate), start, element.where);
    storages_.push_back({natural, *element.stored, row, across, element.started()});
  }

  void add_balances() {
    std::vector<LinearRow> balance(network_.nodes.size());
    for (const Branch& element : network_.branches) {
      add(balance[static_cast<std::size_t>(element.from)], element.through,
          ExactNumber::integer(1));
      add(balance[static_cast<std::size_t>(element.to)], element.through, ExactNumber::integer(-1));
    }
    for (std::size_t k = 0; k < balance.size(); ++k)
      if (!network_.nodes[k].reference) kirchhoff(balance[k], network_.nodes[k].where);
  }

  void add_two_port(const TwoPort& port) {
    const ExactNumber ratio = ExactNumber::ratio(port.ratio);
    LinearRow across, through;
    add(across, branch(port.a).across, ExactNumber::integer(1));
    add(across, branch(port.b).across, -ratio);
    add(through, branch(port.b).through, ExactNumber::integer(1));
    add(through, branch(port.a).through, ratio);
    kirchhoff(across, port.where);
    kirchhoff(through, port.where);
  }

  void add_element_equations() {
    std::unordered_map<SymbolId, const EnergyContent*> contents;
    for (const EnergyContent& content : network_.contents) contents[content.energy] = &content;
    for (const ElementState& state : network_.states) {
      unknown(state.symbol);
      const auto content = contents.find(state.symbol);
      const Expr start = content == contents.end()
                             ? graph_.sub(graph_.use(state.symbol), state.start)
                             : graph_.sub(graph_.use(content->second->temperature),
                                          content->second->start_temperature);
      integrate(state.symbol, state.derivative, start, state.where);
    }
    for (const NodeBalance& balance : network_.balances) {
      unknown(balance.unknown);
      require(balance.residual, balance.where);
    }
    for (const HeatInput& input : network_.heat_inputs) {
      unknown(input.received);
      define(input.received, pulsed(graph_.symbol(input.received).path, input.value), input.where);
    }
    for (const FreeUnknown& free : network_.free_unknowns) unknown(free.symbol);
    for (const FreeEquation& equation : network_.free_equations)
      require(equation.zero, equation.where);
  }

  struct Storage {
    SymbolId natural{}, stored{};
    std::size_t row = 0;  ///< of its rate
    bool across = false, started = false;
  };

  /// Keeps each hidden constraint; its time derivative takes the place of the rate of one of its
  /// storages.
  void reduce() {
    know_rates();
    std::unordered_set<SymbolId> known(sources_);
    for (const Storage& storage : storages_) known.insert(storage.natural);
    std::vector<SymbolId> order;
    for (const LinearRow& row : kirchhoff_)
      for (const auto& [symbol, coefficient] : row)
        if (!known.contains(symbol)) order.push_back(symbol);
    std::sort(order.begin(), order.end());
    order.erase(std::unique(order.begin(), order.end()), order.end());
    std::vector<LinearRow> left;
    const std::vector<PivotedRow> constraints =
        pivoted(combinations_without(kirchhoff_, order), preferred_dependents(), left);
    // What names sources only is a contradiction, which the topology reports.
    for (const PivotedRow& constraint : constraints) replace_rate(constraint);
    for (const Storage& storage : storages_) integrate_sum(storage, constraints);
    if (constraints.empty()) return;
    system_.impulses = impulses_read(network_, kirchhoff_);
    if (!system_.impulses.empty()) refuse_unseen_jumps(constraints);
  }

  /// Potentials of nodes that a storage or a source ties to the reference change as these do.
  void know_rates() {
    rates_.others.insert(system_.unknowns.begin(), system_.unknowns.end());
    for (const Branch& element : network_.branches) {
      if (element.kind != BranchKind::across_storage && element.kind != BranchKind::across_source)
        continue;
      const NetworkNode& from = network_.nodes[static_cast<std::size_t>(element.from)];
      const NetworkNode& to = network_.nodes[static_cast<std::size_t>(element.to)];
      if (!from.reference && to.reference)
        rates_.value_of.try_emplace(from.across, graph_.use(element.across));
      if (from.reference && !to.reference)
        rates_.value_of.try_emplace(to.across, graph_.neg(graph_.use(element.across)));
    }
  }

  /// Not started ones first, of these what depends in the plant's tree; as there the last C and the
  /// first L.
  std::vector<SymbolId> preferred_dependents() {
    std::vector<const Storage*> ordered;
    for (const Storage& storage : storages_) ordered.push_back(&storage);
    std::stable_sort(ordered.begin(), ordered.end(), [this](const Storage* a, const Storage* b) {
      if (a->started != b->started) return !a->started;
      if (dependent_.contains(a->stored) != dependent_.contains(b->stored))
        return dependent_.contains(a->stored);
      if (a->across != b->across) return b->across;
      return a->across ? a->row > b->row : a->row < b->row;
    });
    std::vector<SymbolId> result;
    for (const Storage* storage : ordered) result.push_back(storage->natural);
    return result;
  }

  [[nodiscard]] const Storage& storage_of(SymbolId natural) const {
    return *std::find_if(storages_.begin(), storages_.end(),
                         [&](const Storage& candidate) { return candidate.natural == natural; });
  }

  void replace_rate(const PivotedRow& constraint) {
    const Storage& storage = storage_of(constraint.pivot);
    FlatRow& row = system_.rows[storage.row];
    Expr sum = graph_.zero();
    for (const auto& [symbol, coefficient] : constraint.row) {
      const auto rate = rates_.of(graph_, network_, symbol);
      if (!rate) {
        diagnostics_.error(
            "F002", row.where,
            graph_.symbol(storage.stored).path + " depends on other storages and on " +
                graph_.symbol(symbol).path + ", whose rate of change is not known in closed form",
            "let the source follow time or states, or give the connection a resistance");
        return;
      }
      sum = graph_.add(sum, graph_.mul(graph_.constant(coefficient.value()), *rate));
    }
    row = {sum, std::nullopt, row.where};
    system_.start_rows[storage.row] = sum;
    system_.dependent.push_back(storage.stored);
  }

  /// In place of what a storage holds, its sum with what those hold that depend on it. Where a
  /// source jumps, these exchange charge (momentum, linkage) in no time; the sum stays, because no
  /// power goes into the constraints: where they say x_d = sum of c_dk*x_k + sources, charges that
  /// come in through them obey dz_k = -sum of c_dk*dz_d.
  void integrate_sum(const Storage& storage, const std::vector<PivotedRow>& constraints) {
    Expr sum = graph_.use(storage.stored), rate = rates_.rate_of.at(storage.stored);
    for (const PivotedRow& constraint : constraints) {
      const auto own = constraint.row.find(storage.natural);
      if (own == constraint.row.end() || constraint.pivot == storage.natural) continue;
      const SymbolId dependent = storage_of(constraint.pivot).stored;
      const Expr share =
          graph_.constant((-(own->second / constraint.row.at(constraint.pivot))).value());
      sum = graph_.add(sum, graph_.mul(share, graph_.use(dependent)));
      rate = graph_.add(rate, graph_.mul(share, rates_.rate_of.at(dependent)));
    }
    if (sum == graph_.use(storage.stored)) return;
    const Symbol& stored = graph_.symbol(storage.stored);
    const SymbolId conserved = graph_.find_or_make_symbol(stored.path + ".conserved", stored.unit);
    unknown(conserved);
    FlatRow& row = system_.rows[storage.row];
    row = {rate, conserved, row.where};
    require(graph_.sub(graph_.use(conserved), sum), Location(row.where));
    system_.sums.emplace(conserved, storage.stored);
    system_.guesses[conserved] = sum;
  }

  /// Jumps of what is held are looked at when they happen; others pass within a step.
  void refuse_unseen_jumps(const std::vector<PivotedRow>& constraints) {
    std::unordered_set<SymbolId> moving(system_.unknowns.begin(), system_.unknowns.end());
    moving.insert(network_.time);
    for (const std::vector<SymbolId>& group : joined_by(constraints))
      for (const SymbolId symbol : group) {
        const auto law = rates_.inverse_of.find(symbol);
        const Expr value = law == rates_.inverse_of.end() ? graph_.use(symbol) : law->second.law;
        if (jumps_by_itself(graph_, value, {rates_.value_of, moving}))
          refuse_impulses(group, symbol);
      }
  }

  void refuse_impulses(const std::vector<SymbolId>& group, SymbolId jumping) {
    for (const Storage& storage : storages_) {
      if (std::find(group.begin(), group.end(), storage.natural) == group.end()) continue;
      for (const Impulse& impulse : system_.impulses)
        if (impulse.takes_from(storage.stored))
          return diagnostics_.error(
              "F004", system_.rows[storage.row].where,
              impulse.text(graph_) + " where " + graph_.symbol(jumping).path + " jumps",
              "give it a resistance; write a bend by clamp, min, max");
    }
  }

  /// Variables that read each other in a circle stay unknowns.
  void put_in_variables() {
    std::unordered_map<SymbolId, Expr> open;
    for (const ElementVariable& variable : network_.variables)
      open[variable.symbol] = variable.value;
    std::unordered_map<SymbolId, Expr> done;
    for (bool progress = true; progress;) {
      progress = false;
      for (const ElementVariable& variable : network_.variables) {
        if (!open.contains(variable.symbol)) continue;
        const std::vector<SymbolId> read = graph_.symbols_of(variable.value);
        if (std::any_of(read.begin(), read.end(),
                        [&](SymbolId symbol) { return open.contains(symbol); }))
          continue;
        done[variable.symbol] = graph_.substitute(variable.value, done);
        system_.variables.push_back({variable.symbol, done.at(variable.symbol)});
        open.erase(variable.symbol);
        progress = true;
      }
    }
    for (const ElementVariable& variable : network_.variables) {
      if (!open.contains(variable.symbol)) continue;
      unknown(variable.symbol);
      require(graph_.sub(graph_.use(variable.symbol), variable.value), variable.where);
    }
    for (const Mode& mode : network_.modes) add_indicator(network_, mode, done, system_);
    for (const StateEvent& event : network_.events) add_event(network_, event, done, system_);
    for (FlatRow& row : system_.rows) row.value = graph_.substitute(row.value, done);
    for (Expr& row : system_.start_rows) row = graph_.substitute(row, done);
    std::unordered_map<SymbolId, Expr>
        given;  // the energy of contents is guessed from their temperature, not the other way round
    for (const EnergyContent& content : network_.contents)
      given[content.temperature] = content.start_temperature;
    for (auto& [symbol, guess] : system_.guesses)
      guess = graph_.substitute(graph_.substitute(guess, given), done);
  }

  const Network& network_;
  Graph& graph_;
  Diagnostics& diagnostics_;
  FlatSystem system_;
  RateRules rates_;
  std::vector<LinearRow> kirchhoff_;
  std::unordered_set<SymbolId> sources_, dependent_;
  std::vector<Storage> storages_;
};

}  // namespace

FlatSystem flatten(const Network& network, Diagnostics& diagnostics,
                   const TopologyResult* topology) {
  return Flattener(network, diagnostics, topology).run();
}

}  // namespace takt::codegen
