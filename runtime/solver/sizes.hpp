#pragma once
// Numbers that a step works with: as many as S says when it is compiled, in an emitted plant; or as many as it says
// when it runs, in the generator's own trial runs, which take the same steps.

#include <cstddef>
#include <type_traits>

namespace takt {

/// As S::state_count and S::quadrature_count: S::states() and S::quadratures() tell. Such steps take from the heap
/// (sizes_at_run_time.hpp): never in real time.
inline constexpr std::size_t at_run_time = static_cast<std::size_t>(-1);

/// @return a number, known to the compiler where S::state_count is one
template <class S>
[[nodiscard]] constexpr auto states_of(const S& s) noexcept {
  if constexpr (S::state_count == at_run_time)
    return s.states();
  else
    return std::integral_constant<std::size_t, S::state_count>{};
}

template <class S>
[[nodiscard]] constexpr auto quadratures_of(const S& s) noexcept {
  if constexpr (S::quadrature_count == at_run_time)
    return s.quadratures();
  else
    return std::integral_constant<std::size_t, S::quadrature_count>{};
}

/// Not set to anything, as that would cost each step. Zero-length arrays are not C++: at least one.
template <std::size_t n>
class Numbers {
 public:
  explicit Numbers(std::size_t = n) noexcept {}  // NOLINT(cppcoreguidelines-pro-type-member-init)
  [[nodiscard]] double* data() noexcept { return values_; }
  double& operator[](std::size_t i) noexcept { return values_[i]; }
  double operator[](std::size_t i) const noexcept { return values_[i]; }

 private:
  double values_[n > 0 ? n : 1];
};

/// The rates of each stage.
template <std::size_t n, int stages>
class StageNumbers {
 public:
  explicit StageNumbers(std::size_t = n) noexcept {}
  Numbers<n>& operator[](int stage) noexcept { return of_[stage]; }
  const Numbers<n>& operator[](int stage) const noexcept { return of_[stage]; }

 private:
  Numbers<n> of_[stages];
};

}  // namespace takt
