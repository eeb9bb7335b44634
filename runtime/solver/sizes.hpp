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

/// What S computes with: double, or several copies side by side (runtime/solver/side_by_side.hpp).
template <class S>
struct NumberOf {
  using Type = double;
};
template <class S>
requires requires { typename S::Number; }
struct NumberOf<S> {
  using Type = typename S::Number;
};
template <class S>
using Number = typename NumberOf<S>::Type;

/// Not set to anything, as that would cost each step. Zero-length arrays are not C++: at least one.
template <std::size_t n, class Real = double>
class Numbers {
 public:
  explicit Numbers(std::size_t = n) noexcept {}  // NOLINT(cppcoreguidelines-pro-type-member-init)
  [[nodiscard]] Real* data() noexcept { return values_; }
  Real& operator[](std::size_t i) noexcept { return values_[i]; }
  Real operator[](std::size_t i) const noexcept { return values_[i]; }

 private:
  Real values_[n > 0 ? n : 1];
};

/// The rates of each stage.
template <std::size_t n, int stages, class Real = double>
class StageNumbers {
 public:
  explicit StageNumbers(std::size_t = n) noexcept {}
  Numbers<n, Real>& operator[](int stage) noexcept { return of_[stage]; }
  const Numbers<n, Real>& operator[](int stage) const noexcept { return of_[stage]; }

 private:
  Numbers<n, Real> of_[stages];
};

}  // namespace takt
