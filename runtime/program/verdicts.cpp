#include "runtime/program/verdicts.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>

#include "runtime/io/record/run_outcome.hpp"
#include "runtime/stats/energy_balance.hpp"

namespace takt {
namespace {

std::string text(const char* format, double a, double b) {
  char line[160];
  std::snprintf(line, sizeof line, format, a, b);
  return line;
}

}  // namespace

void add_verdict(RunResults& results, Verdict verdict, const std::vector<std::string>& tolerated) {
  verdict.tolerated = std::find(tolerated.begin(), tolerated.end(), verdict.code) != tolerated.end();
  results.failed = results.failed || (!verdict.tolerated && verdict.weight != Verdict::Weight::late);
  results.verdicts.push_back(std::move(verdict));
}

void judge_results(RunResults& results, const std::vector<std::string>& tolerated, const LateTolerance& late) {
  double plant_turnover = 0.0;
  for (const SubsystemResult& s : results.subsystems) plant_turnover += s.energy.turnover();
  for (const SubsystemResult& s : results.subsystems) {
    for (const EventResult& event : s.events)
      if (event.verdict && event.count > 0)
        add_verdict(
            results,
            {.code = event.code, .where = s.name, .text = event.text, .first_s = event.first_s, .count = event.count},
            tolerated);
    if (s.energy_left_out.empty() && is_open(s.energy, s.domain, plant_turnover))
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
  for (const CouplingResult& c : results.couplings)
    if (c.port && is_open(c, plant_turnover))
      add_verdict(results,
                  {.code = "X042",
                   .where = c.port_name(),
                   .text = text("what the circuit gave and what the FMU took differ by %.3g J of %.3g J that passed "
                                "through",
                                c.unclosed(), c.throughput)},
                  tolerated);
  if (std::string text = too_late_text(results, late); !text.empty()) {
    const auto missed = std::find_if(results.overruns.incidents.begin(), results.overruns.incidents.end(),
                                     [](const OverrunIncident& i) { return !i.in_grace; });
    add_verdict(results,
                {.code = "X043",
                 .where = "real time",
                 .text = std::move(text),
                 .first_s = missed != results.overruns.incidents.end() ? missed->start.seconds() : -1.0,
                 .weight = Verdict::Weight::late},
                tolerated);
  }
}

}  // namespace takt
