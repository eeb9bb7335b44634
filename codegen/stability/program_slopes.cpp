// Derivatives of a program along given directions.

#include "codegen/expr/partials.hpp"
#include "codegen/stability/program.hpp"

namespace takt::codegen {

/// Values of all slots on the right of where the argument of a sign among their factors is zero, as
/// in Graph::differentiate.
std::vector<double> Program::on_the_right() const {
  std::vector<double> right(line_.slots());
  for (const StraightLine::Operation& o : line_.operations()) {
    if (o.node.op == Op::sign && line_[o.a] == 0.0)
      right[o.result] = 1.0;
    else if (o.node.op == Op::neg)
      right[o.result] = -right[o.a];
    else if (o.node.op == Op::mul)
      right[o.result] = right[o.a] * right[o.b];
    else if (o.node.op == Op::div)
      right[o.result] = right[o.a] / right[o.b];
  }
  return right;
}

/// Operations on derivatives, those of what moves; slots beyond the program's own for sides of
/// linear systems.
class Program::Tangent {
 public:
  Tangent(std::size_t slots, std::size_t sides)
      : spare_(slots + 1), moves_(spare_ + sides, false) {}

  using Slot = std::uint32_t;
  void add(Slot result, std::array<Slot, 3> from, std::array<double, 3> by) {
    bool any = false;
    for (std::size_t k = 0; k < 3; ++k) {
      if (!moves_[from[k]]) by[k] = 0.0;
      any = any || by[k] != 0.0;
    }
    if (any) operations.push_back({result, from[0], from[1], from[2], by[0], by[1], by[2]});
    moves_[result] = any;
  }
  void set(Slot result, Slot from, double by) { add(result, {from, from, from}, {by, 0.0, 0.0}); }
  void take(Slot to, Slot from, double by) { add(to, {to, from, from}, {1.0, by, 0.0}); }
  void rest(Slot slot) { moves_[slot] = false; }
  void move(Slot slot) { moves_[slot] = true; }
  [[nodiscard]] bool moves(Slot slot) const { return moves_[slot]; }
  [[nodiscard]] Slot side(std::size_t row) const { return static_cast<Slot>(spare_ + row); }

  /// From sides to unknowns.
  void solve(const std::vector<TableOperation>& steps, const std::vector<Slot>& unknowns) {
    for (const TableOperation& step : steps) {
      const Slot from = step.from_unknown ? unknowns[step.from] : side(step.from);
      if (step.gives)
        set(unknowns[step.to], from, step.by);
      else
        take(side(step.to), from, step.by);
    }
  }

  std::vector<Slopes::Operation> operations;

 private:
  std::size_t spare_;
  std::vector<bool> moves_;
};

/// dx = A^-1 (db - dA x), forwards and backwards through the factors.
void Program::differentiate(const Linear& block, Tangent& tangent) {
  const std::vector<double>& x = block.solver.values();
  for (std::size_t row = 0; row < block.right.size(); ++row)
    tangent.set(tangent.side(row), block.right[row], 1.0);
  for (std::size_t k = 0; k < block.entries.size(); ++k) {
    const auto [row, column, value] = block.matrix[k];
    if (!tangent.moves(block.entries[k])) continue;
    tangent.take(tangent.side(row), block.entries[k], -x[column]);
  }
  tangent.solve(block.solver.operations(), block.unknowns);
}

/// Edges as their laws are at the solution: dq = g*dv + ds, in ds what moves the law itself.
void Program::differentiate(const Flows& block, Tangent& tangent) {
  const std::size_t nodes = block.potentials.size();
  for (std::size_t node = 0; node < nodes; ++node)
    tangent.set(tangent.side(node), block.injected[node], 1.0);
  for (std::size_t edge = 0; edge < block.edges.size(); ++edge) {
    const Flows::Edge& each = block.edges[edge];
    const double g = block.solver.conductance(edge);
    const std::uint32_t moved = tangent.side(nodes + edge);
    tangent.set(moved, each.offset, g);
    const std::vector<double> partials = block.solver.partials(edge);
    for (std::size_t k = 0; k < partials.size(); ++k)
      tangent.take(moved, each.coefficients[k], each.by_flow ? -g * partials[k] : partials[k]);
    if (each.ends.from) tangent.take(tangent.side(*each.ends.from), moved, -1.0);
    if (each.ends.to) tangent.take(tangent.side(*each.ends.to), moved, 1.0);
  }
  tangent.solve(block.solver.operations(), block.potential_slots);
  for (std::size_t edge = 0; edge < block.edges.size(); ++edge) {
    const Flows::Edge& each = block.edges[edge];
    const double g = block.solver.conductance(edge);
    tangent.set(each.across_slot, each.offset, 1.0);
    tangent.set(each.through_slot, tangent.side(nodes + edge), 1.0);
    for (const auto& [end, sign] :
         {std::pair(each.ends.from, 1.0), std::pair(each.ends.to, -1.0)}) {
      if (!end) continue;
      tangent.take(each.across_slot, block.potential_slots[*end], sign);
      tangent.take(each.through_slot, block.potential_slots[*end], sign * g);
    }
  }
}

Slopes Program::slopes(const std::vector<SymbolId>& along) const {
  const std::vector<double> right = on_the_right();
  std::size_t sides = 0;
  for (const Segment& segment : segments_) {
    for (const Linear& block : segment.linear) sides = std::max(sides, block.right.size());
    for (const Flows& block : segment.flows)
      sides = std::max(sides, block.potentials.size() + block.edges.size());
  }
  Tangent tangent(line_.slots().size(), sides);
  Slopes linear;
  for (const SymbolId symbol : along) {
    const std::optional<StraightLine::Slot> slot = line_.find(symbol);
    linear.along_.push_back(slot.value_or(static_cast<StraightLine::Slot>(line_.slots().size())));
    if (slot) tangent.move(*slot);
  }
  for (const Segment& segment : segments_) {
    for (std::size_t k = segment.begin; k < segment.end; ++k) {
      const StraightLine::Operation& o = line_.operations()[k];
      const bool product = o.node.op == Op::mul || o.node.op == Op::div;
      const std::vector<double>& at = product ? right : line_.slots();
      tangent.add(o.result, {o.a, o.b, o.c},
                  partials(*graph_, o.node, {at[o.a], at[o.b]}, at[o.result]));
    }
    for (const Store& store : segment.stores) tangent.set(store.to, store.from, 1.0);
    for (const Linear& block : segment.linear) differentiate(block, tangent);
    for (const Flows& block : segment.flows) differentiate(block, tangent);
    for (const Newton& block : segment.newton)
      for (std::size_t k = 0; k < block.unknowns.size(); ++k)
        tangent.set(block.unknowns[k], block.steps[k], -1.0);
  }
  linear.operations_ = std::move(tangent.operations);
  linear.results_ = result_slots_;
  linear.slots_.assign(line_.slots().size() + 1 + sides, {});
  return linear;
}

void Slopes::apply(const std::vector<Row>& directions, std::vector<Row>& results) {
  for (std::size_t k = 0; k < along_.size(); ++k) slots_[along_[k]] = directions[k];
  for (const Operation& operation : operations_) {
    Row sum{};
    const auto take = [&](double by, std::uint32_t from) {
      if (by == 0.0) return;
      for (std::size_t k = 0; k < width; ++k) sum[k] += by * slots_[from][k];
    };
    take(operation.by_a, operation.a);
    take(operation.by_b, operation.b);
    take(operation.by_c, operation.c);
    slots_[operation.result] = sum;
  }
  results.resize(results_.size());
  for (std::size_t k = 0; k < results_.size(); ++k) results[k] = slots_[results_[k]];
}

}  // namespace takt::codegen
