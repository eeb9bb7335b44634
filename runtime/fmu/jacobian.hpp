#pragma once
// d(derivatives)/d(states) of an FMU of kind model exchange: by its directional derivatives, where it offers them, all
// states are scalars and the caller wants them, else by differences. A difference goes sqrt(eps) of the state, at least
// of its nominal value: its error is about 1e-8 of the row. What is held between events is held. It is dense: beyond
// most_states it is refused, by name, and only its products with vectors are to be had.

#include <span>
#include <vector>

#include "runtime/fmu/instance.hpp"

namespace takt::fmu {

class Jacobian {
 public:
  /// May allocate.
  explicit Jacobian(Instance& instance);
  static constexpr std::size_t most_states = 2000;  ///< 32 MB, and seconds for one factorisation
  enum class By : bool { directional_derivatives, differences };
  /// Reads nominal values. In event mode or continuous time.
  Result start() noexcept;
  /// @pre continuous time, the instance placed at x, where its derivatives are `rates`. It is left there.
  /// Real-time: as many calls as states; no heap.
  Result at(std::span<const double> x, std::span<const double> rates, By by) noexcept;
  /// The Jacobian times a vector, by one difference.  @pre as at()
  Result times(std::span<const double> x, std::span<const double> rates, std::span<const double> vector,
               std::span<double> product) noexcept;
  /// [states x states], row-major
  [[nodiscard]] std::span<const double> entries() const noexcept { return entries_; }
  [[nodiscard]] std::span<const double> nominals() const noexcept { return nominals_; }
  [[nodiscard]] std::size_t size() const noexcept { return nominals_.size(); }

 private:
  Result differences(std::size_t state, std::span<const double> rates) noexcept;  ///< into column_
  Result partials(std::size_t state) noexcept;                                    ///< the same
  Instance& instance_;
  bool is_offered_;
  std::vector<double> entries_, nominals_, moved_, column_;
};

}  // namespace takt::fmu
