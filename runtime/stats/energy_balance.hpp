#pragma once
// When an energy account says that results are not to be trusted (X008).

#include <algorithm>
#include <cmath>
#include <string_view>

#include "runtime/stats/run_results.hpp"

namespace takt {

/// Energy is missing, or too much.
/// @param plant_turnover  of all subsystems together, J
[[nodiscard]] inline bool is_open(const EnergyAccount& account, std::string_view domain, double plant_turnover) {
  constexpr double of_turnover = 5e-3;
  constexpr double of_stored = 1e-4;  // what swings to and fro between storages is no turnover
  constexpr double of_plant = 1e-6;
  // Enthalpies that streams carry in and out are far larger than what of them is left: their rounding, J.
  const double rounding = domain == "fluid" || domain == "gas" || domain == "solid" ? 1e-2 : 0.0;
  const double residual = std::abs(account.residual());
  const double stored = std::max(std::abs(account.stored_start), std::abs(account.stored_end));
  return residual > of_turnover * account.turnover() && residual > of_stored * stored && residual > rounding &&
         residual > of_plant * plant_turnover;
}

/// A port of an FMU makes or loses more than an exchange of first order should (X042).
[[nodiscard]] inline bool is_open(const CouplingResult& port, double plant_turnover) {
  constexpr double of_throughput = 5e-2;
  constexpr double of_plant = 1e-6;
  return port.unclosed_share() > of_throughput && std::abs(port.unclosed()) > of_plant * plant_turnover;
}

}  // namespace takt
