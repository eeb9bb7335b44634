#include "runtime/program/verdicts.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>

namespace takt {
namespace {

constexpr double energy_limit = 5e-3;  // of the throughput
constexpr double stored_limit = 1e-4;  // of what is stored: what swings to and fro between storages is no throughput

std::string text(const char* format, double a, double b) {
  char line[160];
  std::snprintf(line, sizeof line, format, a, b);
  return line;
}

/// Enthalpies that streams carry in and out are far larger than what of them is left: their rounding, J.
double rounding(const std::string& domain) {
  return domain == "fluid" || domain == "gas" || domain == "solid" ? 1e-2 : 0.0;
}

bool is_open(const SubsystemResult& s, double plant_turnover) {
  const EnergyAccount& e = s.energy;
  const double residual = std::abs(e.residual());
  const double stored = std::max(std::abs(e.stored_start), std::abs(e.stored_end));
  return residual > energy_limit * e.turnover() && residual > stored_limit * stored && residual > rounding(s.domain) &&
         residual > 1e-6 * plant_turnover;
}

}  // namespace

void add_verdict(RunResults& results, Verdict verdict, const std::vector<std::string>& tolerated) {
  verdict.tolerated = std::find(tolerated.begin(), tolerated.end(), verdict.code) != tolerated.end();
  results.failed = results.failed || !verdict.tolerated;
  results.verdicts.push_back(std::move(verdict));
}

void judge_results(RunResults& results, const std::vector<std::string>& tolerated) {
  double plant_turnover = 0.0;
  for (const SubsystemResult& s : results.subsystems) plant_turnover += s.energy.turnover();
  for (const SubsystemResult& s : results.subsystems) {
    for (const EventResult& event : s.events)
      if (event.verdict && event.count > 0)
        add_verdict(
            results,
            {.code = event.code, .where = s.name, .text = event.text, .first_s = event.first_s, .count = event.count},
            tolerated);
    if (s.energy_closes && is_open(s, plant_turnover))
      add_verdict(results,
                  {.code = "X008",
                   .where = s.name,
                   .text = text("energy does not add up: %.3g J missing of %.3g J that passed through",
                                s.energy.residual(), s.energy.turnover())},
                  tolerated);
  }
  for (const CouplingResult& c : results.couplings)
    if (c.flux && !c.closes && std::isfinite(c.residual))  // else the run has ended for what is not finite
      add_verdict(results,
                  {.code = "X009",
                   .where = c.from + " -> " + c.to,
                   .text = text("the ledger does not close: more or less arrived than was sent, by %.3g of %.3g",
                                c.residual, c.throughput),
                   .first_s = c.alarms > 0 ? c.first_alarm_s : -1.0},
                  tolerated);
}

}  // namespace takt
