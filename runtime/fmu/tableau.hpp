#pragma once
// Methods of runtime/solver as data, for systems whose derivatives come from a call.

#include <string_view>

#include "runtime/solver/explicit_rk.hpp"
#include "runtime/solver/explicit_stability.hpp"
#include "runtime/solver/rosenbrock.hpp"

namespace takt::fmu {

/// Explicit: a, c, weight, divisor. Linearly implicit: gamma, with the formulae of runtime/solver/rosenbrock.hpp.
struct Tableau {
  std::string_view name;
  int order = 0, stages = 0;
  const double* a = nullptr;  // [stages x stages], row-major
  const double* c = nullptr;
  const double* weight = nullptr;
  double divisor = 1.0;
  double gamma = 0.0;
  StepStability stability{};  ///< of explicit ones; the others are stable with any step
  [[nodiscard]] constexpr bool is_implicit() const noexcept { return gamma > 0.0; }
};

template <class Method>
constexpr Tableau tableau_of(std::string_view name) noexcept {
  return {.name = name,
          .order = Method::order,
          .stages = Method::stages,
          .a = &Method::a[0][0],
          .c = &Method::c[0],
          .weight = &Method::weight[0],
          .divisor = Method::divisor,
          .stability = explicit_stability<Method>};
}

inline constexpr int most_stages = 4;
inline constexpr Tableau tableaus[] = {tableau_of<Euler>("euler"),
                                       tableau_of<Heun>("heun"),
                                       tableau_of<Rk3>("rk3"),
                                       tableau_of<Rk4>("rk4"),
                                       {.name = "ros1", .order = 1, .stages = 1, .gamma = rosenbrock_gamma<1>},
                                       {.name = "ros2", .order = 2, .stages = 2, .gamma = rosenbrock_gamma<2>}};

/// @return null where there is none of that name
[[nodiscard]] constexpr const Tableau* find_tableau(std::string_view name) noexcept {
  for (const Tableau& one : tableaus)
    if (one.name == name) return &one;
  return nullptr;
}

/// What "auto" takes: rk4, and where that is not stable with the step (stiff models) ros2.
inline constexpr std::string_view automatic = "auto";
inline constexpr const Tableau* usual_method = find_tableau("rk4");
inline constexpr const Tableau* stiff_method = find_tableau("ros2");

}  // namespace takt::fmu
