#pragma once
// Numbers that a step works with, as many as are asked for when it runs: for the generator's trial runs only, since
// they take from the heap.

#include <vector>

#include "runtime/solver/sizes.hpp"

namespace takt {

template <>
class Numbers<at_run_time, double> : public std::vector<double> {
 public:
  explicit Numbers(std::size_t count) : std::vector<double>(count > 0 ? count : 1) {}
};

template <int stages>
class StageNumbers<at_run_time, stages, double> {
 public:
  explicit StageNumbers(std::size_t count) : of_(stages, Numbers<at_run_time>(count)) {}
  Numbers<at_run_time>& operator[](int stage) noexcept { return of_[static_cast<std::size_t>(stage)]; }
  const Numbers<at_run_time>& operator[](int stage) const noexcept { return of_[static_cast<std::size_t>(stage)]; }

 private:
  std::vector<Numbers<at_run_time>> of_;
};

}  // namespace takt
