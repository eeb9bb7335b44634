#pragma once
// Sums of states that no state can change.

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "runtime/start/plant_rates.hpp"
#include "runtime/start/sparse.hpp"

namespace takt::start {

/// sum of c[i]*z[i] over all states.
struct Invariant {
  std::size_t pivot = 0;  ///< a state where c is above 0 and that of all other invariants is 0
  std::vector<double> c;
};

/// Rates that change together with the states: how F answers to large steps, one state after the other.
struct Response {
  std::span<const std::size_t> index;  ///< states that take part, ascending; c is 0 for all others
  SparseMatrix change;                 ///< F(z + step) - F(z - step): a column for each of them, a row for its rate
  SparseMatrix clear;                  ///< the same by steps so large that it is above the noise
  std::vector<double> noise;           ///< of each row: what rounding may leave of it
};

/// Left null space of the clear answers: exact for conserved sums, whose terms cancel to rounding however large the
/// step is. They have to by ordinary steps, too: by large ones a fourth power hides what is linear.
/// @param states  of the plant
[[nodiscard]] std::vector<Invariant> find_invariants(const Response& response, std::size_t states);

/// How rates answer at a point: over the states of the index, and what flows through each state of the plant.
struct Answers {
  std::span<const std::size_t> index;
  const SparseMatrix& jacobian;  ///< a column and a row for each state of the index
  std::span<const double> flow;
};
/// The rate of the sum depends on a state by more than rounding.
[[nodiscard]] bool changes(const Invariant& invariant, const Answers& answers);

/// c^T f
[[nodiscard]] double sum_of(const Invariant& invariant, const std::vector<double>& f);
/// "electric.a.q + electric.b.q"
[[nodiscard]] std::string text_of(const Invariant& invariant, const std::vector<PlantState>& states);

}  // namespace takt::start
