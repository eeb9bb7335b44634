#include "codegen/flat_source/flat_layout.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <unordered_set>

#include "codegen/dae/algebra/matching.hpp"

namespace takt::codegen {
namespace {

using Kind = FlatPlace::Kind;

class Layouter {
 public:
  explicit Layouter(const FlatModel& model)
      : model_(model), network_(model.network), flat_(model.flat), graph_(model.network.graph()) {}

  FlatLayout run() {
    layout_.outputs = block_outputs(network_);
    place_unknowns();
    place_held();
    place_parameters();
    place_variables();
    place_rates();
    differentiate();
    note_uses();
    order();
    if (layout_.undetermined.empty()) find_dependencies();
    return std::move(layout_);
  }

 private:
  std::uint32_t next() const { return static_cast<std::uint32_t>(layout_.places.size()); }

  void put(Kind kind, SymbolId symbol, double start = 0.0) {
    const Symbol& named = graph_.symbol(symbol);
    layout_.place_of.emplace(symbol, next());
    layout_.places.push_back({.kind = kind,
                              .path = named.path,
                              .unit = network_.shown_unit(symbol),
                              .symbol = symbol,
                              .start = start});
  }

  void place_unknowns() {
    std::unordered_set<SymbolId> integrated;
    for (const FlatRow& row : flat_.rows)
      if (row.rate_of) integrated.insert(*row.rate_of);
    for (const SymbolId symbol : flat_.unknowns)
      put(integrated.contains(symbol) ? Kind::state : Kind::unknown, symbol);
    for (std::uint32_t row = 0; row < flat_.rows.size(); ++row)
      if (flat_.rows[row].rate_of)
        row_of_state_.emplace(layout_.place_of.at(*flat_.rows[row].rate_of), row);
    for (const auto& [state, row] : row_of_state_) {
      layout_.states.push_back(state);
      layout_.rate_row.push_back(row);
    }
    layout_.time = next();
    put(Kind::time, network_.time);
  }

  void place_held() {
    layout_.inputs = next();
    for (const PlantInput& input : network_.inputs) put(Kind::input, input.symbol, input.start);
    for (const BlockOutput& output : layout_.outputs) put(Kind::output, output.symbol);
    for (const ControlBlock& block : network_.blocks)
      for (const ControlBlock::State& state : block.states) put(Kind::discrete, state.symbol);
    for (const PwmLeg& leg : network_.legs)
      put(Kind::discrete, leg.high), put(Kind::discrete, leg.low);
    for (const TimedGate& gate : network_.timed_gates) put(Kind::discrete, gate.symbol);
    for (const Gate& gate : network_.gates) put(Kind::discrete, gate.symbol);
    for (const Mode& mode : network_.modes) put(Kind::discrete, mode.symbol);
    for (const EdgeEnergy& edge : network_.edge_energies)
      if (!layout_.place_of.contains(edge.total)) put(Kind::total, edge.total);
    for (const auto& [path, pulse] : flat_.pulses) put(Kind::hidden, pulse);
    for (const EdgeEnergy& edge : network_.edge_energies)
      for (const EdgeEnergy::Before& before : edge.before)
        if (!layout_.place_of.contains(before.symbol)) put(Kind::hidden, before.symbol);
  }

  void place_parameters() {
    layout_.parameters = next();
    for (const Parameter& parameter : network_.parameters) {
      put(Kind::parameter, parameter.symbol, parameter.value);
      layout_.places.back().structural = parameter.structural;
    }
  }

  void place_variables() {
    layout_.variables = next();
    const std::set<SymbolId> indicators(flat_.indicators.begin(), flat_.indicators.end());
    for (const FlatVariable& variable : flat_.variables)
      put(indicators.contains(variable.symbol) ? Kind::indicator : Kind::variable, variable.symbol);
    for (const SymbolId indicator : flat_.indicators)
      layout_.indicators.push_back(layout_.place_of.at(indicator));
  }

  void place_rates() {
    layout_.rates = next();
    for (const std::uint32_t state : layout_.states) {
      const FlatPlace of = layout_.places[state];
      layout_.places.push_back({.kind = Kind::rate,
                                .path = "der(" + of.path + ")",
                                .unit = of.unit == "1" ? "1/s" : of.unit + "/s",
                                .symbol = std::nullopt});
    }
  }

  /// By unknowns and, where wanted, inputs.
  FlatSlopes slopes_of(const std::vector<Expr>& rows, bool by_inputs) {
    FlatSlopes slopes;
    for (const Expr row : rows) {
      slopes.row_start.push_back(static_cast<std::uint32_t>(slopes.column.size()));
      std::map<std::uint32_t, Expr> by_place;
      for (const SymbolId symbol : graph_.symbols_of(row)) {
        const auto place = layout_.place_of.find(symbol);
        if (place == layout_.place_of.end()) continue;
        const bool input = layout_.places[place->second].kind == Kind::input;
        if (place->second >= layout_.time && !(input && by_inputs)) continue;
        const Expr slope = graph_.differentiate(row, symbol);
        if (!graph_.is_constant(slope, 0.0)) by_place.emplace(place->second, slope);
      }
      for (const auto& [place, slope] : by_place)
        slopes.column.push_back(place), slopes.value.push_back(slope);
    }
    slopes.row_start.push_back(static_cast<std::uint32_t>(slopes.column.size()));
    return slopes;
  }

  void differentiate() {
    std::vector<Expr> rows, variables;
    for (const FlatRow& row : flat_.rows) rows.push_back(row.value);
    for (const FlatVariable& variable : flat_.variables) variables.push_back(variable.value);
    layout_.rows = slopes_of(rows, true);
    layout_.start_rows = slopes_of(flat_.start_rows, false);
    layout_.variable_rows = slopes_of(variables, true);
  }

  /// What is read while the plant runs, and what control blocks and gates read of it.
  void note_uses() {
    std::vector<Expr> running, held;
    for (const FlatRow& row : flat_.rows) running.push_back(row.value);
    for (const FlatVariable& variable : flat_.variables) running.push_back(variable.value);
    for (const EdgeEnergy& edge : network_.edge_energies)
      running.push_back(edge.rise), running.push_back(edge.fall);
    for (const ControlBlock& block : network_.blocks) {
      for (const ControlBlock::Output& output : block.outputs) held.push_back(output.value);
      for (const ControlBlock::State& state : block.states) held.push_back(state.next);
    }
    for (const PwmLeg& leg : network_.legs) held.push_back(leg.duty);
    for (const TimedGate& gate : network_.timed_gates)
      held.push_back(gate.level), held.push_back(gate.delay);
    for (const Gate& gate : network_.gates) held.push_back(gate.signal);
    const std::vector<SymbolId> by_events = graph_.symbols_of(held);
    running.insert(running.end(), held.begin(), held.end());
    const std::vector<SymbolId> all = graph_.symbols_of(running);
    for (FlatPlace& place : layout_.places) {
      if (!place.symbol) continue;
      place.at_start_only = !std::binary_search(all.begin(), all.end(), *place.symbol);
      place.at_events = std::binary_search(by_events.begin(), by_events.end(), *place.symbol);
    }
    for (const PwmLeg& leg : network_.legs)
      for (const SymbolId symbol : graph_.symbols_of({leg.frequency, leg.phase, leg.dead_time}))
        if (const auto place = layout_.place_of.find(symbol); place != layout_.place_of.end())
          layout_.places[place->second].at_start_only = true;
  }

  struct Chosen {
    std::vector<std::uint32_t> rows, unknowns;
  };

  /// The blocks of these rows for these unknowns.
  FlatBlocks blocks_of(const FlatSlopes& slopes, const Chosen& chosen) {
    std::unordered_map<std::uint32_t, std::size_t> number;
    for (std::size_t k = 0; k < chosen.unknowns.size(); ++k) number.emplace(chosen.unknowns[k], k);
    Incidence incidence;
    for (const std::uint32_t row : chosen.rows) {
      incidence.emplace_back();
      for (std::uint32_t k = slopes.row_start[row]; k < slopes.row_start[row + 1]; ++k)
        if (const auto known = number.find(slopes.column[k]); known != number.end())
          incidence.back().push_back(known->second);
    }
    const Matching matching = match(incidence, chosen.unknowns.size());
    if (!matching.complete()) {
      note_undetermined(matching, chosen);
      return {.start = {0}, .row = {}, .unknown = {}};
    }
    FlatBlocks blocks{.start = {0}, .row = {}, .unknown = {}};
    for (const std::vector<std::size_t>& block : blocks_in_order(incidence, matching)) {
      for (const std::size_t equation : block) {
        blocks.row.push_back(chosen.rows[equation]);
        blocks.unknown.push_back(chosen.unknowns[*matching.unknown_of[equation]]);
      }
      blocks.start.push_back(static_cast<std::uint32_t>(blocks.row.size()));
    }
    return blocks;
  }

  void note_undetermined(const Matching& matching, const Chosen& chosen) {
    for (std::size_t k = 0; k < matching.equation_of.size(); ++k)
      if (!matching.equation_of[k])
        layout_.undetermined =
            layout_.places[chosen.unknowns[k]].path +
            " is not determined where states are given: the equations are of higher index";
    if (layout_.undetermined.empty())
      layout_.undetermined = "there are more equations than unknowns";
  }

  void order() {
    Chosen all, algebra;
    for (std::uint32_t row = 0; row < flat_.rows.size(); ++row) {
      all.rows.push_back(row);
      if (!flat_.rows[row].rate_of) algebra.rows.push_back(row);
    }
    for (std::uint32_t unknown = 0; unknown < layout_.time; ++unknown) {
      all.unknowns.push_back(unknown);
      if (layout_.places[unknown].kind == Kind::unknown) algebra.unknowns.push_back(unknown);
    }
    layout_.algebra = blocks_of(layout_.rows, algebra);
    layout_.start_blocks = blocks_of(layout_.start_rows, all);
  }

  void find_dependencies() {
    std::vector<std::set<std::uint32_t>> sets(layout_.places.size());
    for (const std::uint32_t state : layout_.states) sets[state].insert(state);
    for (std::uint32_t k = 0; k < network_.inputs.size(); ++k)
      sets[layout_.inputs + k].insert(layout_.inputs + k);
    const auto read = [&](const FlatSlopes& slopes, std::uint32_t row,
                          std::set<std::uint32_t>& into) {
      for (std::uint32_t k = slopes.row_start[row]; k < slopes.row_start[row + 1]; ++k) {
        const std::set<std::uint32_t>& more = sets[slopes.column[k]];
        if (&more != &into) into.insert(more.begin(), more.end());
      }
    };
    const FlatBlocks& blocks = layout_.algebra;
    for (std::size_t block = 0; block + 1 < blocks.start.size(); ++block) {
      std::set<std::uint32_t> together;
      for (std::uint32_t k = blocks.start[block]; k < blocks.start[block + 1]; ++k)
        read(layout_.rows, blocks.row[k], together);
      for (std::uint32_t k = blocks.start[block]; k < blocks.start[block + 1]; ++k)
        sets[blocks.unknown[k]] = together;
    }
    for (std::uint32_t k = 0; k < flat_.variables.size(); ++k)
      read(layout_.variable_rows, k, sets[layout_.variables + k]);
    for (std::uint32_t k = 0; k < layout_.states.size(); ++k)
      read(layout_.rows, layout_.rate_row[k], sets[layout_.rates + k]);
    for (const std::set<std::uint32_t>& set : sets)
      layout_.depends_on.emplace_back(set.begin(), set.end());
  }

  const FlatModel& model_;
  const Network& network_;
  const FlatSystem& flat_;
  Graph& graph_;
  FlatLayout layout_;
  std::map<std::uint32_t, std::uint32_t> row_of_state_;
};

}  // namespace

FlatLayout flat_layout(const FlatModel& model) { return Layouter(model).run(); }

}  // namespace takt::codegen
