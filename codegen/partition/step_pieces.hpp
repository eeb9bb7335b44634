#pragma once
// How many instants at which functions of the time jump or bend a step meets: it is cut into so
// many pieces at most.

#include <cstdint>

#include "codegen/dae/algebra/time_instants.hpp"

namespace takt::codegen {

class StepPieces {
 public:
  StepPieces(const Network& network, const Surrogate& surrogate);
  /// Of the worst step of this length, whenever it begins.
  [[nodiscard]] std::size_t of(std::int64_t step_ns) const;
  [[nodiscard]] bool fit(std::int64_t step_ns) const;
  /// Half, a quarter, ... of a step that is too long; 1 ns at least.
  [[nodiscard]] std::int64_t longest_that_fits(std::int64_t most_ns) const;

 private:
  InstantsOf instants_;
};

}  // namespace takt::codegen
