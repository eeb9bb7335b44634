#pragma once
// How all rates of a plant answer to steps of its states, as a sparse matrix.

#include <span>
#include <vector>

#include "runtime/start/plant_rates.hpp"
#include "runtime/start/sparse.hpp"

namespace takt::start {

/// Which rates a state acts on is seen where every state steps by itself. From then on, where few are acted on, states
/// that share no rate step at the same time (A. R. Curtis, M. J. D. Powell, J. K. Reid, J. Inst. Maths Applics 13
/// (1974) 117). Where that shows more than was known of (a valve that was closed has opened), each steps by itself
/// again.
class Differences {
 public:
  explicit Differences(PlantRates& rates) : rates_(rates) {}

  /// F(z + step) - F(z - step), a column for each of the states, a row for the rate of each.
  /// @param index  states, ascending
  /// @param steps  of each of them
  /// @pre the rates at z were the last that were asked for
  [[nodiscard]] SparseMatrix one_by_one(const std::vector<double>& z, std::span<const std::size_t> index,
                                        std::span<const double> steps);
  /// The same for steps so small that their effects add up.
  [[nodiscard]] SparseMatrix together(const std::vector<double>& z, std::span<const std::size_t> index,
                                      std::span<const double> steps);

  /// What one_by_one() gave, where rounding might explain an entry with larger steps instead: by conserved sums even
  /// those cancel, whatever is no rounding grows. Steps that leave the domain of a function are not taken.
  /// @param noise  of each rate: what rounding may leave
  [[nodiscard]] SparseMatrix above_noise(const std::vector<double>& z, const SparseMatrix& change,
                                         std::span<const double> steps, std::span<const double> noise);

  /// Many states, of which each acts on many rates.
  [[nodiscard]] bool are_dear() const;

 private:
  using Rows = std::vector<std::uint32_t>;

  [[nodiscard]] bool by_groups(const std::vector<double>& z, std::span<const double> steps, SparseMatrix& change);
  [[nodiscard]] bool explains(const std::vector<double>& z, std::span<const double> steps, const SparseMatrix& change);
  [[nodiscard]] SparseMatrix one_sided(const std::vector<double>& z, std::span<const double> steps);
  void know(std::span<const std::size_t> index);
  void learn(const SparseMatrix& change);
  void form_groups();

  PlantRates& rates_;
  std::vector<std::size_t> index_;
  bool known_ = false;         ///< what acts on what
  std::vector<Rows> acts_on_;  ///< [column] rows, ascending: all that has ever been seen
  std::vector<Rows> groups_;   ///< columns that step together; empty: not worth it
};

}  // namespace takt::start
