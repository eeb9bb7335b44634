#pragma once
// The explicit methods of runtime/solver as data, for systems whose derivatives come from a call.

#include <string_view>

#include "runtime/solver/explicit_rk.hpp"

namespace takt::fmu {

struct Tableau {
  std::string_view name;
  int order = 0, stages = 0;
  const double* a = nullptr;  // [stages x stages], row-major
  const double* c = nullptr;
  const double* weight = nullptr;
  double divisor = 1.0;
};

template <class Method>
constexpr Tableau tableau_of(std::string_view name) noexcept {
  return {name, Method::order, Method::stages, &Method::a[0][0], &Method::c[0], &Method::weight[0], Method::divisor};
}

inline constexpr int most_stages = 4;
inline constexpr Tableau tableaus[] = {tableau_of<Euler>("euler"), tableau_of<Heun>("heun"), tableau_of<Rk3>("rk3"),
                                       tableau_of<Rk4>("rk4")};

/// @return null where there is none of that name
[[nodiscard]] constexpr const Tableau* find_tableau(std::string_view name) noexcept {
  for (const Tableau& one : tableaus)
    if (one.name == name) return &one;
  return nullptr;
}

}  // namespace takt::fmu
