#pragma once
// Numbers of one network that is iterated over tables, by the kernel that emitted code calls.

#include <optional>
#include <vector>

#include "codegen/dae/algebra/flow_tables.hpp"
#include "codegen/expr/straight_line.hpp"
#include "codegen/stability/table_solver.hpp"
#include "runtime/solver/flow_network.hpp"

namespace takt::codegen {

/// Life: solve(), which begins where the last one ended, then what was found and its slopes.
class FlowSolver {
 public:
  FlowSolver(const Graph& graph, const FlowTables& tables);

  struct Given {
    std::vector<double> injected, offsets, guesses;  ///< by potential, by edge, by potential
    std::vector<std::vector<double>> coefficients;   ///< by edge, as in FlowTables
    [[nodiscard]] bool operator==(const Given& other) const = default;
  };
  void solve(const Given& given);
  /// By the places of potentials and edges in FlowTables.
  [[nodiscard]] double potential(std::size_t place) const { return numbers_.at[position_[place]]; }
  [[nodiscard]] double across(std::size_t edge) const { return numbers_.across[edge]; }
  [[nodiscard]] double through(std::size_t edge) const { return numbers_.through[edge]; }
  /// How the flow of an edge follows from its difference, and the law from each coefficient.
  [[nodiscard]] double conductance(std::size_t edge) const;
  [[nodiscard]] std::vector<double> partials(std::size_t edge) const;
  /// From currents into nodes to potentials.
  [[nodiscard]] std::vector<TableOperation> operations() const;
  [[nodiscard]] std::size_t count() const { return 4 * (links_ + edges_.size()); }

 private:
  struct AnySizes {
    template <class T>
    using PerNode = std::vector<T>;
    template <class T>
    using PerEdge = std::vector<T>;
    using PerLink = std::vector<double>;
  };
  struct Law {
    StraightLine line;
    StraightLine::Slot argument = 0, value = 0, slope = 0;
    std::vector<StraightLine::Slot> coefficients, partials;
    std::size_t end = 0;  ///< of the operations for value and slope
  };
  struct Edge {
    std::size_t law = 0;
    bool by_flow = false;
    Laplacian::Ends ends;
  };

  Law& set(std::size_t edge) const;
  void evaluate_laws();
  void solve_linear();
  [[nodiscard]] FlowPattern pattern() const;

  mutable std::vector<Law> laws_;  // their slots
  std::vector<Edge> edges_;
  std::vector<std::vector<double>> coefficients_;
  std::optional<Given> solved_;  ///< what the numbers are the solution for
  NetworkTables network_;
  std::vector<std::uint32_t> position_, from_, to_, link_;
  std::vector<std::uint8_t> by_flow_;
  mutable FlowNetwork<AnySizes> numbers_;  // factors for operations()
  std::size_t links_ = 0;
  bool linear_ = false, started_ = false;
};

}  // namespace takt::codegen
