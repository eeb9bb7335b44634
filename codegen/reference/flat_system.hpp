#pragma once
// The whole plant as one system of equations, without cuts and without reduction: what a reference
// run integrates.
//
// The papers' form: a potential of every node, across and through variable of every branch,
// balances at nodes, element laws, storages as written, convection balances, every coupling direct.
// It is assembled from the Network alone, and shares with the generator of plants
// (codegen/topology, dae, partition) neither tree nor reduction, so that the one checks the other.
// Only a convention is taken from there: which of several storages that depend on each other begin
// as they are given.
//
// Where combinations of the Kirchhoff equations (node balances, potential differences, two-ports)
// name storages and sources only, storages are dependent and the system is of index 2 or more. Such
// constraints are found by exact elimination; each is kept, and its time derivative takes the place
// of the rate of one of its storages (dummy derivatives: S. E. Mattsson, G. Soederlind, SIAM J.
// Sci. Comput. 14 (1993)). The result is of index 1 and does not drift. What is integrated are the
// sums of charge (momentum, flux linkage) that no jump of a source or of a capacitance changes, so
// that behind a jump the storages of a constraint share it anew. Limits: a source in such a
// constraint may follow time, states and what they determine directly; else F002. What free
// equations tie is brought to index 1 by lower_index().
//
// Gates and modes are held between the instants at which they change; the Kirchhoff equations, and
// with them the storages that depend on others, are the same in all states of the switches.

#include <map>
#include <optional>
#include <set>
#include <string>
#include <unordered_map>
#include <vector>

#include "codegen/model/network.hpp"
#include "codegen/reference/impulses.hpp"
#include "codegen/topology/topology.hpp"

namespace takt::codegen {

struct FlatRow {
  Expr value{};  ///< 0 = value, or d(rate_of)/dt = value
  std::optional<SymbolId> rate_of;
  Location where;
};

/// symbol = value, over unknowns, time and what events change.
struct FlatVariable {
  SymbolId symbol{};
  Expr value{};
};

/// An event of an element: symbols of variables, its indicator and what it sets, by set.
struct FlatEvent {
  SymbolId indicator{};
  std::vector<SymbolId> values;
};

struct FlatSystem {
  std::vector<SymbolId> unknowns;              ///< ascending
  std::vector<FlatRow> rows;                   ///< as many; index 1
  std::vector<Expr> start_rows;                ///< parallel to rows: 0 = start_rows[k] at the start
  std::set<std::size_t> constrained_starts{};  ///< rows of rates whose start rows are constraints
  std::vector<FlatVariable> variables;  ///< named quantities of elements: put into the rows that
                                        ///< read them, so that they are no unknowns
  std::unordered_map<SymbolId, Expr> guesses;  ///< over parameters, for the solve at the start
  std::vector<SymbolId> dependent;  ///< conserved quantities of storages that others determine
  std::unordered_map<SymbolId, SymbolId>
      sums;                          ///< integrated sum -> the storage that is not dependent in it
  std::vector<Impulse> impulses;     ///< which no jump may bring about: equations read them
  std::vector<SymbolId> indicators;  ///< by mode of the network: a variable, positive where the
                                     ///< mode does not agree with the circuit
  std::vector<FlatEvent> events;     ///< by event of the network
  std::map<std::string, SymbolId>
      pulses;  ///< power beside what flows into a heat port, W, by EdgeEnergy::heat; zero
               ///< but where energy is lost at an edge
};

/// Findings: F001 what a reference run does not do (operating points), F002 a dependent storage
/// whose rate is not known in closed form, F004 an impulse that an equation reads.
/// @param topology  where storages without start values depend on each other, those depend that do
/// in its trees, so
///                  that both begin with the same; without it those that stand last (first, of
///                  through storages)
[[nodiscard]] FlatSystem flatten(const Network& network, Diagnostics& diagnostics,
                                 const TopologyResult* topology = nullptr);

}  // namespace takt::codegen
