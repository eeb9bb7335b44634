#pragma once
// One graph, one tree: circuits found by connectivity, the normal tree of each, and the index
// verdict.
//
// The across variables of a circuit's non-port branches form a linear space V: node potentials e, x
// = A^T e, under the two-port constraints x_a = n x_b. The through variables form its orthogonal
// complement, because ideal two-ports are lossless. A normal tree is the greedy basis of V in the
// order A, C, R, L, T; then
//     x_cotree = K x_tree,      f_tree = -K^T f_cotree.
// Source: D. Estevez Schwarz, C. Tischendorf, "Structural analysis of electric circuits and
// consequences for MNA", Int. J. Circuit Theory Appl. 28 (2000); the papers' fluid and solid
// theorems are its special cases.

#include <cstdint>
#include <string>
#include <vector>

#include "codegen/model/network.hpp"

namespace takt::codegen {

/// coefficient * (across or through variable of `branch`)
struct LinearTerm {
  BranchId branch{};
  double coefficient = 0.0;
};

/// One cotree branch: x_branch = sum of terms over tree branches.
struct CotreeRow {
  BranchId branch{};
  std::vector<LinearTerm> terms;
};

/// Potential of a node over tree branches' across variables, or through variable of a port over
/// non-port branches' through variables.
struct NodeRow {
  NodeId node{};
  std::vector<LinearTerm> terms;
};

/// A loop of voltage sources, capacitors and gated switches: while all its gates are on nothing but
/// on-resistances limits its current.
struct SwitchLoop {
  enum class Kind : std::uint8_t {
    short_circuit,  ///< sources, or a stack of capacitors behind several switches: shoot-through
    surge,          ///< charges or discharges capacitors at once
  };
  Kind kind = Kind::short_circuit;
  std::vector<BranchId> supplies;  ///< its sources and capacitors
  std::vector<BranchId> switches;
  double resistance = 0.0;                                    ///< sum of the on-resistances, Ohm
  std::vector<std::pair<BranchId, double>> on_resistances{};  ///< of its switches
  Expr closed{};  ///< over gates and modes of the switches: 1 while all conduct
};

/// An inductor (or a current source) whose current can flow only through these branches, which all
/// may block.
struct FloatingInductor {
  BranchId branch{};
  std::vector<BranchId> with;  ///< other inductors and current sources in the cutset
  std::vector<BranchId> gated,
      diodes;  ///< switches that gates open; branches that open by themselves
  bool interrupts =
      false;  ///< gates can end its current in a direction for which nothing takes over
  bool commutates = false;  ///< in one direction another branch takes over what a gate ends
};

struct CircuitTopology {
  std::string
      name;  ///< "electric", or "solid.chip" (first node) where a domain has several circuits
  CircuitDomain domain{};
  std::vector<NodeId> nodes;             ///< without reference vertices, ascending
  std::vector<BranchId> branches;        ///< without ports, ascending
  std::vector<std::uint32_t> two_ports;  ///< indices into Network::two_ports
  std::vector<ElementId> elements;

  std::vector<BranchId> tree;            ///< in greedy order
  std::vector<CotreeRow> cotree;         ///< in greedy order
  std::vector<NodeRow> potentials;       ///< of every node
  std::vector<CotreeRow> port_throughs;  ///< through variable of two_ports[k].a, over non-port
                                         ///< through variables; same order as two_ports

  // Verdict.
  bool singular = false;  ///< contradictory or undetermined; the findings say why
  int index = 1;          ///< d-index of the papers' form; meaningless where singular
  std::vector<BranchId> dependent_across_storages;   ///< left-over C branches
  std::vector<BranchId> dependent_through_storages;  ///< L branches in the tree
  std::vector<BranchId> index_causes;                ///< branches that make the index 2
  /// What the tree would refuse (T001, T002) were there no controlled source in the loop or cutset:
  /// its value may be what the circuit determines. Then matching of all equations decides, and
  /// these say what is wrong where it fails.
  std::vector<Diagnostic> objections;

  // Switches, by analyse_switches().
  std::vector<SwitchLoop> loops;
  std::vector<SwitchLoop> surges;  ///< those that may join capacitors (W003)
  std::vector<FloatingInductor> floating;
  double voltage_ratio =
      1.0;  ///< by which transformers and coupled inductors raise voltages at most

  /// Both kinds.
  [[nodiscard]] std::vector<BranchId> dependent_storages() const {
    std::vector<BranchId> both = dependent_across_storages;
    both.insert(both.end(), dependent_through_storages.begin(), dependent_through_storages.end());
    return both;
  }
};

struct TopologyResult {
  std::vector<CircuitTopology> circuits;
};

/// Finds circuits, normal trees and verdicts. Findings: T001 loop of across sources, T002 cutset of
/// through sources, T003 potential undetermined (R010 temperature of a solid circuit, R011 pressure
/// of a fluid or gas circuit), T004 two-ports lock each other.
[[nodiscard]] TopologyResult analyse_topology(const Network& network, Diagnostics& diagnostics);

}  // namespace takt::codegen
