#pragma once
// Subsystems as linear systems about the start or another point: z' = A z + B u, y = C z + D u.

#include <cstddef>
#include <vector>

#include "codegen/plan/plan.hpp"
#include "codegen/stability/operating_range.hpp"

namespace takt::codegen {

/// Rows of the non-zero entries of [A B; C D], rates first.
class LinearBlock {
 public:
  std::size_t states = 0, inputs = 0, outputs = 0;

  void add(std::size_t row, std::size_t column, double value) {
    entries_[row].push_back({column, value});
  }
  void set_rows(std::size_t rows) { entries_.resize(rows); }
  struct Rows {
    std::size_t first, count;
  };
  /// Rates (rows from 0) or outputs (rows from `states`) at states z and inputs u.
  void apply(const Rows& rows, const double* z, const double* u, double* result) const;
  [[nodiscard]] std::size_t size() const;
  /// The same coefficients, to rounding.
  [[nodiscard]] bool same(const LinearBlock& other) const;

 private:
  struct Entry {
    std::size_t column;
    double value;
  };
  std::vector<std::vector<Entry>> entries_;
};

/// About what subsystems are linearised.
struct LinearPoint {
  const OperatingRange* range = nullptr;  ///< nullptr: the start
  std::size_t row = 0;
  double away = 0.0;  ///< moved by this share of the size of states and inputs, and this much
                      ///< besides: where the blocks are the same there, the subsystems are linear
};

/// Parallel to Plan::subsystems; empty (no states, no outputs) for control and switched circuits.
/// @return empty where a coefficient is no finite number
[[nodiscard]] std::vector<LinearBlock> linear_blocks(const Plan& plan, const Network& network,
                                                     const DaeResult& dae,
                                                     const LinearPoint& point = {});

}  // namespace takt::codegen
