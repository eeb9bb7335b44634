#pragma once
// The equations of one subsystem as numbers: its algebra in order, Newton blocks iterated until
// they settle, and at the point reached the exact derivative of everything along given directions
// (forward mode).
//
// A Newton block g(x, u) = 0 with steps s = (dg/dx)^-1 g: at its solution ds = dx + (dg/dx)^-1
// (dg/du) du, so one more step, taken with dx = 0, gives dx/du by the theorem of implicit
// functions.

#include <array>
#include <cstdint>
#include <vector>

#include "codegen/dae/algebra/surrogate.hpp"
#include "codegen/expr/straight_line.hpp"
#include "codegen/stability/flow_solver.hpp"
#include "codegen/stability/table_solver.hpp"

namespace takt::codegen {

/// Values of all symbols of a network by SymbolId, SI.
using SymbolValues = std::vector<double>;

/// Derivatives of all slots of a program by what varies, at one point.
class Slopes {
 public:
  static constexpr std::size_t width = 8;  ///< directions at once
  using Row = std::array<double, width>;

  /// Derivatives of `results` along `directions` of `along` (see Program::slopes); both row by row.
  void apply(const std::vector<Row>& directions, std::vector<Row>& results);
  [[nodiscard]] std::size_t operations() const { return operations_.size(); }

 private:
  friend class Program;
  struct Operation {
    std::uint32_t result, a, b, c;
    double by_a, by_b, by_c;
  };
  std::vector<Operation> operations_;
  std::vector<std::uint32_t> along_, results_;
  std::vector<Row> slots_;
};

class Program {
 public:
  explicit Program(const Graph& graph) : graph_(&graph), line_(graph) {}

  // --- building, in order of evaluation
  void assign(SymbolId symbol, Expr value);
  void solve(const NewtonBlock& block);
  void solve(const StartLaw& start);
  void result(Expr value);
  void result(SymbolId symbol);
  /// All of it: algebra, then as results the derivatives of the states.
  void add(const Surrogate& surrogate);

  /// From now on blocks take so many Newton steps from where they are at most, fewer where the last
  /// one was within `settled` of the unknown: for runs in small steps. Without it they are iterated
  /// until nothing moves.
  void step_newton(int iterations, double settled) {
    newton_steps_ = iterations, newton_settled_ = settled;
  }
  /// Reads symbols that are not assigned, writes those that are; then results() are valid.
  void run(SymbolValues& values);
  [[nodiscard]] const std::vector<double>& results() const { return results_; }
  /// Operations of one evaluation of everything.
  [[nodiscard]] std::size_t operations() const {
    return line_.operations().size() + table_operations_;
  }
  /// Derivatives of the results by `along`, where run() has left off.
  [[nodiscard]] Slopes slopes(const std::vector<SymbolId>& along) const;

 private:
  struct Store {
    SymbolId symbol{};
    StraightLine::Slot to = 0, from = 0;
  };
  struct Newton {
    std::vector<SymbolId> symbols;
    std::vector<std::uint32_t> unknowns, guesses, residuals, steps;
  };
  struct Linear {
    std::vector<SymbolId> symbols;
    std::vector<std::uint32_t> unknowns, entries, right;
    std::vector<SparseEntry> matrix;  ///< places
    TableSolver solver;
  };
  struct Flows {
    std::vector<SymbolId> potentials;
    std::vector<std::uint32_t> potential_slots, injected, guesses;
    struct Edge {
      SymbolId across{}, through{};
      std::uint32_t across_slot = 0, through_slot = 0, offset = 0;
      std::vector<std::uint32_t> coefficients;
      bool by_flow = false;
      Laplacian::Ends ends;
    };
    std::vector<Edge> edges;
    FlowSolver solver;
  };
  struct Turned {
    SymbolId symbol{};
    std::uint32_t unknown = 0, law = 0, wanted = 0;
  };
  struct Segment {  // operations [begin, end), then the stores; or a block of them
    std::size_t begin = 0, end = 0;
    std::vector<Store> stores;
    std::vector<Newton> newton;     // none or one
    std::vector<Turned> turned;     // none or one
    std::vector<Linear> linear;     // none or one
    std::vector<Flows> flows = {};  // none or one
  };

  class Tangent;
  Segment& segment();
  void solve(const LinearTables& block, const std::vector<SymbolId>& unknowns);
  void solve(const FlowTables& tables);
  void factorise(Segment& segment, SymbolValues& values);
  void find_flows(Segment& segment, SymbolValues& values);
  void iterate(const Segment& segment, SymbolValues& values);
  void turn_round(const Segment& segment, SymbolValues& values);
  void take_steps(const Segment& segment, SymbolValues& values);
  static void differentiate(const Linear& block, Tangent& tangent);
  static void differentiate(const Flows& block, Tangent& tangent);
  [[nodiscard]] std::vector<double> on_the_right() const;
  [[nodiscard]] std::vector<double> read(const std::vector<std::uint32_t>& slots) const;

  const Graph* graph_;
  StraightLine line_;
  std::vector<Segment> segments_;
  std::vector<std::uint32_t> result_slots_;
  std::vector<double> results_;
  std::size_t table_operations_ = 0;
  int newton_steps_ = 0;
  double newton_settled_ = 0.0;
};

}  // namespace takt::codegen
