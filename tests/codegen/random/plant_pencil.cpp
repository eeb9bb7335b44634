#include "tests/codegen/random/plant_pencil.hpp"

#include <stdexcept>

namespace takt::codegen::testing {
namespace {

constexpr Residue minus_one = prime - 1;

/// Coefficients of expressions: a random residue for each symbol read.
using Linear = std::vector<std::pair<SymbolId, Residue>>;

Linear linearised(const Graph& graph, Expr expression, std::mt19937_64& random) {
  Linear terms;
  for (const SymbolId symbol : graph.symbols_of(expression)) terms.emplace_back(symbol, random_nonzero(random));
  return terms;
}

class PlantPencil {
 public:
  PlantPencil(const Network& network, const Ownership& ownership, Form form, std::optional<std::size_t> circuit,
              std::mt19937_64& random)
      : network_(network), ownership_(ownership), form_(form), circuit_(circuit), random_(random) {}

  Pencil write() {
    number_columns();
    Pencil made{ModularMatrix(columns_.size()), ModularMatrix(columns_.size())};
    pencil_ = &made;
    write_balances();
    for (std::size_t k = 0; k < network_.branches.size(); ++k)
      if (mine(network_.branches[k].through)) write_branch(network_.branches[k], k);
    for (const TwoPort& port : network_.two_ports)
      if (mine(branch(port.a).through)) write_two_port(port);
    write_elements();
    if (row_ != columns_.size()) throw std::runtime_error("as many rows as unknowns expected");
    return made;
  }

 private:
  const Branch& branch(BranchId id) const { return network_.branches[static_cast<std::size_t>(id)]; }
  const NetworkNode& node(NodeId id) const { return network_.nodes[static_cast<std::size_t>(id)]; }
  bool mine(SymbolId symbol) const {
    const auto owner = ownership_.owner.find(symbol);
    return owner != ownership_.owner.end() && (!circuit_ || owner->second == *circuit_);
  }
  void column(SymbolId symbol) {
    if (mine(symbol)) columns_.emplace(symbol, columns_.size());
  }

  void number_columns() {
    for (const NetworkNode& n : network_.nodes)
      if (!n.reference) column(n.across);
    for (std::size_t k = 0; k < network_.branches.size(); ++k) {
      const Branch& b = network_.branches[k];
      if (!mine(b.through)) continue;
      column(b.through);
      across_[b.across] = k;
      if (form_ == Form::loops_and_cutsets) column(b.across);
      if (!b.stored) continue;
      if (form_ == Form::loops_and_cutsets || b.form == LawForm::from_stored)
        column(*b.stored);
      else
        stored_[*b.stored] = linearised(network_.graph(), b.law, random_);
    }
    for (const ElementState& state : network_.states) column(state.symbol);
    for (const ElementVariable& variable : network_.variables) column(variable.symbol);
    for (const NodeBalance& balance : network_.balances) column(balance.unknown);
    for (const HeatInput& input : network_.heat_inputs) column(input.received);
  }

  /// Adds factor*symbol; what the scope does not know is given from outside.
  void add(ModularMatrix& m, SymbolId symbol, Residue factor) {
    if (const auto known = columns_.find(symbol); known != columns_.end()) {
      m.accumulate(row_, known->second, factor);
    } else if (const auto across = across_.find(symbol); across != across_.end()) {
      const Branch& b = network_.branches[across->second];
      if (!node(b.from).reference) add(m, node(b.from).across, factor);
      if (!node(b.to).reference) add(m, node(b.to).across, multiply_mod(minus_one, factor));
    } else if (const auto stored = stored_.find(symbol); stored != stored_.end()) {
      for (const auto& [read, coefficient] : stored->second) add(m, read, multiply_mod(coefficient, factor));
    }
  }
  void add(Expr expression) {
    for (const auto& [symbol, coefficient] : linearised(network_.graph(), expression, random_))
      add(pencil_->a, symbol, coefficient);
  }

  void write_balances() {
    for (std::size_t n = 0; n < network_.nodes.size(); ++n) {
      if (network_.nodes[n].reference || !mine(network_.nodes[n].across)) continue;
      for (const Branch& b : network_.branches) {
        if (static_cast<std::size_t>(b.from) == n) add(pencil_->a, b.through, 1);
        if (static_cast<std::size_t>(b.to) == n) add(pencil_->a, b.through, minus_one);
      }
      ++row_;
    }
  }

  void write_branch(const Branch& b, std::size_t index) {
    if (form_ == Form::loops_and_cutsets) {
      pencil_->a.accumulate(row_, columns_.at(b.across), 1);
      if (!node(network_.branches[index].from).reference) add(pencil_->a, node(b.from).across, minus_one);
      if (!node(b.to).reference) add(pencil_->a, node(b.to).across, 1);
      ++row_;
    }
    switch (b.kind) {
      case BranchKind::port:
        return;
      case BranchKind::across_source:
        return write_law(b.across, b.law);
      case BranchKind::through_source:
        return write_law(b.through, b.law);
      case BranchKind::dissipator:
        return b.form == LawForm::across_of    ? write_law(b.across, b.law)
               : b.form == LawForm::through_of ? write_law(b.through, b.law)
                                               : write_zero(b.law);
      case BranchKind::across_storage:
        return write_storage(b, b.across, b.through);
      case BranchKind::through_storage:
        return write_storage(b, b.through, b.across);
    }
  }

  void write_law(SymbolId defined, Expr law) {
    add(pencil_->a, defined, minus_one);
    write_zero(law);
  }
  void write_zero(Expr zero) {
    add(zero);
    ++row_;
  }

  void write_storage(const Branch& b, SymbolId natural, SymbolId rate) {
    add(pencil_->e, *b.stored, 1);
    add(pencil_->a, rate, 1);
    ++row_;
    if (b.form == LawForm::from_stored)
      write_law(natural, b.law);
    else if (form_ == Form::loops_and_cutsets)
      write_law(*b.stored, b.law);
  }

  void write_two_port(const TwoPort& port) {
    const Residue ratio = residue_of(port.ratio);
    add(pencil_->a, branch(port.a).across, 1);
    add(pencil_->a, branch(port.b).across, multiply_mod(minus_one, ratio));
    ++row_;
    add(pencil_->a, branch(port.b).through, 1);
    add(pencil_->a, branch(port.a).through, ratio);
    ++row_;
  }

  void write_elements() {
    for (const ElementState& state : network_.states) {
      if (!mine(state.symbol)) continue;
      add(pencil_->e, state.symbol, 1);
      write_zero(state.derivative);
    }
    for (const ElementVariable& variable : network_.variables)
      if (mine(variable.symbol)) write_law(variable.symbol, variable.value);
    for (const NodeBalance& balance : network_.balances)
      if (mine(balance.unknown)) write_zero(balance.residual);
    for (const HeatInput& input : network_.heat_inputs)
      if (mine(input.received)) write_law(input.received, input.value);
  }

  const Network& network_;
  const Ownership& ownership_;
  Form form_;
  std::optional<std::size_t> circuit_;
  std::mt19937_64& random_;
  std::unordered_map<SymbolId, std::size_t> columns_, across_;
  std::unordered_map<SymbolId, Linear> stored_;
  Pencil* pencil_ = nullptr;
  std::size_t row_ = 0;
};

Pencil reduced_pencil(const Network& network, const Surrogate& surrogate, std::mt19937_64& random) {
  std::unordered_map<SymbolId, std::size_t> columns;
  for (const SurrogateState& state : surrogate.states) columns.emplace(state.symbol, columns.size());
  for (const SymbolId symbol : surrogate.algebra_outputs) columns.emplace(symbol, columns.size());
  Pencil pencil{ModularMatrix(columns.size()), ModularMatrix(columns.size())};
  std::size_t row = 0;
  const auto write = [&](Expr expression) {
    for (const auto& [symbol, coefficient] : linearised(network.graph(), expression, random))
      if (const auto known = columns.find(symbol); known != columns.end())
        pencil.a.accumulate(row, known->second, coefficient);
    ++row;
  };
  for (const SurrogateState& state : surrogate.states) {
    pencil.e.accumulate(row, columns.at(state.symbol), 1);
    write(state.derivative);
  }
  for (const AlgebraicStep& step : surrogate.algebra) {
    if (step.kind == AlgebraicStep::Kind::assignment) {
      pencil.a.accumulate(row, columns.at(step.assignment.symbol), minus_one);
      write(step.assignment.value);
    } else {
      for (const Expr residual : step.newton.residuals) write(residual);
    }
  }
  if (row != columns.size()) throw std::runtime_error("as many rows as unknowns expected of a reduced system");
  return pencil;
}

template <class Draw>
PencilVerdict twice(std::uint64_t seed, const Draw& draw) {
  std::mt19937_64 random(seed);
  const PencilVerdict first = pencil_verdict(draw(random), random), second = pencil_verdict(draw(random), random);
  if (!(first == second)) throw std::runtime_error("two draws of the coefficients give different pencils");
  return first;
}

}  // namespace

PencilVerdict plant_pencil_verdict(const Network& network, const Ownership& ownership, Form form,
                                   std::optional<std::size_t> circuit, std::uint64_t seed) {
  return twice(seed,
               [&](std::mt19937_64& random) { return PlantPencil(network, ownership, form, circuit, random).write(); });
}

PencilVerdict reduced_pencil_verdict(const Network& network, const Surrogate& surrogate, std::uint64_t seed) {
  return twice(seed, [&](std::mt19937_64& random) { return reduced_pencil(network, surrogate, random); });
}

}  // namespace takt::codegen::testing
