// What computing took: over time, by subsystem, against what was foretold.

#include <algorithm>

#include "runtime/io/record/host_results.hpp"
#include "runtime/io/record/html.hpp"
#include "runtime/io/record/overrun_groups.hpp"
#include "runtime/io/record/report_parts.hpp"
#include "runtime/io/record/summary.hpp"
#include "runtime/io/record/svg_plot.hpp"
#include "runtime/stats/format.hpp"

namespace takt::report {
namespace {

using html::Column, html::Row;
using Kind = Column::Kind;

constexpr std::size_t subsystems_in_sight = 10, most_subsystems = 300;
constexpr std::size_t points_of_plot = 300;

Row timing_row(const std::string& name, const Percentiles& p, const char* format) {
  Row row{name};
  for (const double value : {p.mean, p.p50, p.p99, p.p999, p.max}) row.push_back(formatted(format, value));
  return row;
}

std::string share_text(double share) { return formatted(share < 0.01 ? "%.3f" : "%.1f", share * 100.0) + " %"; }

std::string over_time(const RunResults& r) {
  Plot plot{.title = "Real-time factor over simulated time",
            .x_label = "simulated time, s",
            .y_label = "computing time / real time",
            .lines = {},
            .legend = false,
            .moments = moments(r)};
  plot.time = true, plot.drawn_points = points_of_plot;
  plot.limit = PlotLimit{1.0, "1: too late"};
  plot.lines.push_back(line_of("largest and smallest of neighbouring macro-steps", r.rtf_series));
  return line_plot(plot);
}

Row subsystem_row(const RunResults& r, const SubsystemResult& s) {
  const double window_us = s.sync_s * 1e6;
  const std::string steps = s.method + ", " + short_duration(s.step_s) + " / " + short_duration(s.sync_s);
  Row row{s.name,
          html::bar(r.solver_s > 0.0 ? s.compute_s / r.solver_s : 0.0,
                    share_text(r.solver_s > 0.0 ? s.compute_s / r.solver_s : 0.0)),
          share_text(s.rtf.mean),
          short_number(s.rtf.p50 * window_us),
          short_number(s.rtf.p999 * window_us),
          short_number(s.rtf.max * window_us)};
  if (r.paced) row.push_back(std::to_string(s.overruns));
  row.push_back(steps);
  return row;
}

std::string by_subsystem(const RunResults& r) {
  std::vector<const SubsystemResult*> order;
  for (const SubsystemResult& s : r.subsystems) order.push_back(&s);
  std::stable_sort(order.begin(), order.end(), [](auto* a, auto* b) { return a->compute_s > b->compute_s; });
  std::vector<Column> columns{{"subsystem", Kind::text},  {"of all computing", Kind::markup},
                              {"of a core at real time"}, {"window p50, us"},
                              {"window p99.9, us"},       {"window max, us"}};
  if (r.paced) columns.push_back({"windows late"});
  columns.push_back({"method, step / window", Kind::text});
  std::vector<Row> seen, rest;
  double others_s = 0.0;
  for (std::size_t i = 0; i < std::min(order.size(), most_subsystems); ++i) {
    (i < subsystems_in_sight ? seen : rest).push_back(subsystem_row(r, *order[i]));
    if (i >= subsystems_in_sight) others_s += order[i]->compute_s;
  }
  std::string out = "<h3>By subsystem</h3>" + html::table(columns, seen);
  if (rest.empty()) return out;
  std::string more = html::table(columns, rest);
  if (order.size() > most_subsystems)
    more += "<p>... and " + std::to_string(order.size() - most_subsystems) + " more: summary.json.</p>";
  return out + html::folded(counted(order.size() - seen.size(), "more subsystem") + ", together " +
                                share_text(r.solver_s > 0.0 ? others_s / r.solver_s : 0.0) + " of all computing",
                            more);
}

std::string cores(const RunResults& r) {
  if (r.cores.empty()) return "";
  std::vector<Row> rows;
  for (const CoreResult& core : r.cores)
    rows.push_back({(core.host.empty() ? "" : "host " + core.host + ", ") +
                        (core.cpu >= 0 ? "CPU " + std::to_string(core.cpu) : std::string("any CPU")) +
                        (core.below > 0 ? ", when others rest" : ""),
                    std::to_string(core.subsystems), formatted("%.4f", core.rtf.mean), formatted("%.4f", core.rtf.p99),
                    formatted("%.4f", core.rtf.max), short_duration(core.waited_s)});
  return "<h3>By core</h3>" +
         html::table({{"core", Kind::text}, {"subsystems"}, {"RTF mean"}, {"p99"}, {"max"}, {"waited for others"}},
                     rows);
}

std::string fmus(const RunResults& r) {
  if (r.fmus.empty()) return "";
  std::vector<Row> rows;
  for (const FmuResult& fmu : r.fmus)
    rows.push_back({fmu.name, std::to_string(fmu.answers), std::to_string(fmu.late), formatted("%.1f", fmu.call_us.p50),
                    formatted("%.1f", fmu.call_us.p99), formatted("%.1f", fmu.call_us.max),
                    formatted("%.1f", fmu.exchange_us.p50), formatted("%.1f", fmu.exchange_us.p99)});
  return "<h3>FMUs, each in a process of its own</h3>" + html::table({{"FMU", Kind::text},
                                                                      {"answers"},
                                                                      {"late"},
                                                                      {"it took, us: p50"},
                                                                      {"p99"},
                                                                      {"max"},
                                                                      {"asking it took, us: p50"},
                                                                      {"p99"}},
                                                                     rows);
}

}  // namespace

std::string load(const RunResults& r) {
  std::string out =
      "<p>The real-time factor (RTF) is the computing time of a macro-step over its length: below 1 it can hold real "
      "time. p50, p99, p99.9: so many percent of all were not above it.</p>" +
      html::table({{"RTF", Kind::text}, {"mean"}, {"p50"}, {"p99"}, {"p99.9"}, {"max"}},
                  {timing_row("whole plant", r.rtf, "%.5f")}) +
      cores(r) + host_table(r) + by_subsystem(r) + fmus(r) +
      "<p class=\"note\">A window is the time between two exchanges of a subsystem; its figures hold the solver, the "
      "exchanges "
      "and the digest. Between windows the executive takes " +
      formatted("%.0f", r.executive_ns_per_window) + " ns per window, " +
      share_text(r.busy_s > 0.0 ? std::max(0.0, r.busy_s - r.solver_s) / r.busy_s : 0.0) +
      " of all time that the plant is busy; " + counted(r.minor_faults + r.major_faults, "page fault") +
      " during the run.</p><div class=\"plots\">" + over_time(r) +
      bar_plot("Real-time factor of each macro-step", "real-time factor", r.rtf_bars) + "</div>\n";
  if (r.paced)
    out += "<h3>Wake-up latency</h3>" +
           html::table({{"us", Kind::text}, {"mean"}, {"p50"}, {"p99"}, {"p99.9"}, {"max"}},
                       {timing_row("sleep ended late by", r.wakeup_us, "%.1f"),
                        timing_row("work began after the release by", r.release_us, "%.2f")}) +
           html::folded("Sleep ended late by: how often", bar_plot("Sleep ended late by", "us", r.wakeup_bars));
  return html::section("Computing time", out);
}

/// Foretold and seen, side by side.
std::string schedule(const RunResults& r) {
  if (r.sheet.rates.empty()) return "";
  std::vector<Row> rows;
  for (const ForetoldRate& rate : r.sheet.rates) {
    const Percentiles& c = rate.rehearsed.compute_us;
    Row row{"worker " + std::to_string(rate.rehearsed.worker) + (rate.below > 0 ? ", below" : "") + ", every " +
            short_duration(rate.rehearsed.period_s)};
    for (const double us : {c.p50, c.p999, c.max, rate.response_us, rate.deadline_us, rate.slack_us()})
      row.push_back(formatted("%.1f", us));
    row.emplace_back(rate.verdict());
    const RateResult* seen = seen_of(rate, r.rates);
    row.push_back(seen == nullptr ? "-" : formatted("%.1f", seen->response_us.p999));
    row.push_back(seen == nullptr ? "-" : formatted("%.1f", seen->response_us.max));
    rows.push_back(std::move(row));
  }
  const std::string text =
      "<p>C is computing time, R the longest response foretold, both from a rehearsal of " +
      short_duration(r.sheet.rehearsed_s) + " (" + std::to_string(r.sheet.rates.front().rehearsed.releases) +
      " releases of the shortest period; nothing came from buses, nothing went to the disk). Seen: responses in the "
      "run.</p>";
  return html::section("Schedule", text + html::table({{"us", Kind::text},
                                                       {"C p50"},
                                                       {"C p99.9"},
                                                       {"C max"},
                                                       {"R"},
                                                       {"deadline"},
                                                       {"slack"},
                                                       {"verdict", Kind::text},
                                                       {"seen p99.9"},
                                                       {"seen max"}},
                                                      rows));
}

}  // namespace takt::report
