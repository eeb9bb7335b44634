#include <algorithm>
#include <set>
#include <unordered_map>

#include "tools/picture/circuit_items.hpp"

namespace takt::picture {

using namespace takt::codegen;

namespace {

class SampledItems {
 public:
  SampledItems(const Checked& checked, const Facts& facts)
      : network_(checked.network), graph_(checked.network.graph()), facts_(facts) {
    for (const Parameter& parameter : network_.parameters) silent_.insert(parameter.symbol);
    silent_.insert(network_.time);
  }

  Flat run() {
    flat_.name = text_of(CircuitDomain::control);
    flat_.domain = CircuitDomain::control;
    makers();
    for (const ControlBlock& block : network_.blocks) read_block(block);
    for (const codegen::PwmLeg& leg : network_.legs) read(item_of_.at(leg.path), {leg.duty});
    for (const TimedGate& gate : network_.timed_gates) read(item_of_.at(gate.path), {gate.level, gate.delay});
    for (const ForeignModel& model : network_.foreign) {
      std::vector<Expr> read_values;
      for (const ForeignModel::Fed& fed : model.inputs) read_values.push_back(fed.value);
      read(item_of_.at(model.path), read_values);
    }
    drive_elements();
    for (std::size_t item = 0; item < flat_.items.size(); ++item)
      flat_.items[item].box.leads = reads_.contains(item) ? 0 : 1;
    return std::move(flat_);
  }

 private:
  std::size_t add(const std::string& path, const std::string& type, Look look, const Location& where) {
    const std::size_t dot = path.rfind('.');
    Box box{.path = path,
            .name = dot == std::string::npos ? path : path.substr(dot + 1),
            .type = type,
            .look = look,
            .domain = CircuitDomain::control,
            .where = where};
    if (const auto known = facts_.find(path); known != facts_.end()) box.value = main_value(known->second);
    item_of_[path] = flat_.items.size();
    flat_.items.push_back({std::move(box), {}});
    return flat_.items.size() - 1;
  }

  /// Boxes, and which of them computes which symbol.
  void makers() {
    for (const PlantInput& input : network_.inputs) {
      const codegen::Symbol& symbol = graph_.symbol(input.symbol);
      const std::size_t item = add(symbol.path, "", Look::input, input.where);
      flat_.items[item].box.value = quantity_text(input.start, symbol.unit);
      makes(item, input.symbol);
    }
    for (const ControlBlock& block : network_.blocks) {
      const std::size_t item = add(block.path, block.type, Look::block, block.where);
      for (const ControlBlock::Output& output : block.outputs) makes(item, output.symbol);
      for (const ControlBlock::State& state : block.states) makes(item, state.symbol);
    }
    for (const codegen::PwmLeg& leg : network_.legs) {
      const std::size_t item = add(leg.path, "control.pwm_leg", Look::block, leg.where);
      makes(item, leg.high);
      makes(item, leg.low);
    }
    for (const TimedGate& gate : network_.timed_gates)
      makes(add(gate.path, "control.gate_edge", Look::block, gate.where), gate.symbol);
    for (const ForeignModel& model : network_.foreign) {
      const std::size_t item = add(model.path, "fmu", Look::block, model.where);
      for (const ForeignModel::Port& port : model.outputs) makes(item, port.symbol);
    }
  }

  void makes(std::size_t item, SymbolId symbol) {
    maker_[symbol] = item;
    flat_.items[item].box.shown.push_back({graph_.symbol(symbol).path, network_.shown_unit(symbol)});
  }

  void read_block(const ControlBlock& block) {
    std::vector<Expr> values;
    for (const ControlBlock::Output& output : block.outputs) values.push_back(output.value);
    for (const ControlBlock::State& state : block.states) values.push_back(state.next);
    read(item_of_.at(block.path), values);
  }

  /// Signals of other boxes join them; what circuits compute is a tie.
  void read(std::size_t item, const std::vector<Expr>& values) {
    for (const SymbolId symbol : graph_.symbols_of(values)) {
      if (silent_.contains(symbol)) continue;
      const auto known = maker_.find(symbol);
      if (known == maker_.end()) {
        add_tie(flat_.items[item].box, graph_.symbol(symbol).path);
      } else if (known->second != item) {
        join(known->second, item);
      }
    }
  }

  /// One net for all that a box gives.
  void join(std::size_t maker, std::size_t reader) {
    const auto [place, fresh] = end_of_.emplace(maker, flat_.ends.size());
    if (fresh) {
      flat_.ends.push_back({flat_.items[maker].box.path, maker, flat_.items[maker].box.shown.front()});
      flat_.items[maker].ends.push_back(place->second);
    }
    reads_.insert(reader);
    std::vector<std::size_t>& ends = flat_.items[reader].ends;
    if (std::find(ends.begin(), ends.end(), place->second) == ends.end()) ends.push_back(place->second);
  }

  static void add_tie(Box& box, const std::string& path) {
    if (std::find(box.ties.begin(), box.ties.end(), path) == box.ties.end()) box.ties.push_back(path);
  }

  /// Elements whose laws, gates or values read what is sampled.
  void drive_elements() {
    const auto drive = [&](ElementId element, Expr value) {
      for (const SymbolId symbol : graph_.symbols_of(value))
        if (const auto known = maker_.find(symbol); known != maker_.end())
          add_tie(flat_.items[known->second].box, network_.elements[static_cast<std::size_t>(element)].path);
    };
    for (const Branch& branch : network_.branches)
      if (branch.form != LawForm::none) drive(branch.element, branch.law);
    for (const Gate& gate : network_.gates) drive(gate.element, gate.signal);
    for (const ElementVariable& variable : network_.variables) drive(variable.element, variable.value);
  }

  const Network& network_;
  const Graph& graph_;
  const Facts& facts_;
  Flat flat_;
  std::set<SymbolId> silent_;
  std::map<SymbolId, std::size_t> maker_;
  std::map<std::string, std::size_t> item_of_;
  std::unordered_map<std::size_t, std::size_t> end_of_;  // of the item that computes it
  std::set<std::size_t> reads_;                          // items that read others
};

}  // namespace

Flat sampled_items(const Checked& checked, const Facts& facts) { return SampledItems(checked, facts).run(); }

}  // namespace takt::picture
