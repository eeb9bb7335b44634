#pragma once
// d(derivatives)/d(states) of an FMU of kind model exchange: by its directional derivatives, where it offers them and
// all states are scalars, else by differences. A difference goes sqrt(eps) of the state, at least of its nominal value:
// its error is about 1e-8 of the row. What is held between events is held.

#include <span>
#include <vector>

#include "runtime/fmu/instance.hpp"

namespace takt::fmu {

class Jacobian {
 public:
  /// May allocate.
  explicit Jacobian(Instance& instance);
  /// Reads nominal values. In event mode or continuous time.
  Result start() noexcept;
  /// @pre continuous time, the instance placed at x, where its derivatives are `rates`. It is left there.
  /// Real-time: as many calls as states; no heap.
  Result at(std::span<const double> x, std::span<const double> rates) noexcept;
  /// [states x states], row-major
  [[nodiscard]] std::span<const double> entries() const noexcept { return entries_; }
  [[nodiscard]] std::span<const double> nominals() const noexcept { return nominals_; }
  [[nodiscard]] std::size_t size() const noexcept { return nominals_.size(); }

 private:
  Result column(std::size_t state, std::span<const double> rates) noexcept;
  Instance& instance_;
  bool is_offered_;
  std::vector<double> entries_, nominals_, moved_, column_;
};

}  // namespace takt::fmu
