#include "runtime/io/record/report.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

#include "runtime/io/record/summary.hpp"
#include "runtime/io/record/svg_plot.hpp"
#include "runtime/stats/format.hpp"

namespace takt {
namespace {

constexpr std::size_t lines_per_plot = 8;

constexpr const char* style =
    "body{font:14px/1.5 system-ui,sans-serif;max-width:900px;margin:2em auto;padding:0 1em;color:#222}"
    "h1{font-size:1.5em}h2{font-size:1.15em;margin-top:2em;border-bottom:1px solid #ccc}"
    "table{border-collapse:collapse;font-size:13px;width:100%}td,th{padding:2px 8px;text-align:right;border-bottom:1px "
    "solid #eee}"
    "td:first-child,th:first-child,.t td,.t "
    "th{text-align:left}th{background:#f5f5f5}.bad{color:#b00;font-weight:600}.good{color:#070}"
    "figure{margin:1em "
    "0}svg{width:100%;background:#fff}.grid{stroke:#e4e4e4}.tick{font-size:11px;fill:#555}.title{font-size:12px;font-"
    "weight:600}"
    ".bar{fill:#1f77b4}.legend{font-size:12px;margin:0 0 0 70px}.legend "
    "i{display:inline-block;width:12px;height:3px;margin:0 4px 3px 8px}";

using Row = std::vector<std::string>;

std::string cells(const Row& row, const char* tag) {
  std::string out = "<tr>";
  for (const std::string& cell : row) out += std::string("<") + tag + ">" + escaped(cell) + "</" + tag + ">";
  return out + "</tr>\n";
}

std::string table(const Row& head, const std::vector<Row>& rows, const char* kind = "") {
  std::string out = std::string("<table class=\"") + kind + "\">" + cells(head, "th");
  for (const Row& row : rows) out += cells(row, "td");
  return out + "</table>\n";
}

Row timing_row(const std::string& name, const Percentiles& p, const char* format) {
  Row row{name};
  for (const double value : {p.mean, p.p50, p.p99, p.p999, p.max}) row.push_back(formatted(format, value));
  return row;
}

std::string verdict(const RunResults& r) {
  std::string out = "<p>" + std::to_string(r.equations) + " equations, " + short_duration(r.simulated_s) +
                    " simulated in " + short_duration(r.wall_s) + ", pace " + (r.paced ? "real" : "free") + ", " +
                    escaped(r.scheduling) + (r.cpu >= 0 ? " on CPU " + std::to_string(r.cpu) : "") + ".</p>";
  const bool good = r.trusted() && r.overruns.overruns == 0 && r.ledger_closes && !r.digest_void;
  out += std::string("<p class=\"") + (good ? "good" : "bad") + "\">";
  if (r.paced) out += std::to_string(r.overruns.overruns) + " overruns (" + causes_text(r.overruns) + "). ";
  if (r.trusted()) out += "Checked: " + escaped(checked_text(r)) + ". ";
  if (r.digest_void) out += std::string("The digest is void: ") + r.void_because() + ". ";
  out += escaped(r.stopped_because) + "</p>\n";
  if (r.verdicts.empty()) return out;
  out += r.trusted() ? "<p>Tolerated:</p><ul>" : "<p class=\"bad\">Not to be trusted:</p><ul class=\"bad\">";
  for (const Verdict& v : r.verdicts) out += "<li>" + escaped(verdict_text(v)) + "</li>";
  return out + "</ul>\n";
}

std::string timing(const RunResults& r) {
  std::vector<Row> rows{timing_row("whole plant", r.rtf, "%.5f")};
  rows.back().push_back(std::to_string(r.overruns.overruns));
  for (const SubsystemResult& s : r.subsystems) {
    rows.push_back(
        timing_row(s.name + " (" + s.method + ", " + short_duration(s.step_s) + " / " + short_duration(s.sync_s) + ")",
                   s.rtf, "%.5f"));
    rows.back().push_back(std::to_string(s.overruns));
  }
  std::string out =
      "<h2>Real-time factor</h2>" + table({"RTF", "mean", "p50", "p99", "p99.9", "max", "overruns"}, rows);
  Plot plot{"RTF of the whole plant over simulated time (line: largest, band: spread)", "s", "RTF", {}};
  PlotLine line{"RTF", {}, {}, {}};
  for (std::size_t i = 0; i < r.rtf_series.size(); ++i) {
    line.x.push_back(r.rtf_series[i].time_s), line.low.push_back(r.rtf_series[i].low),
        line.high.push_back(r.rtf_series[i].high);
  }
  plot.lines.push_back(std::move(line));
  out += line_plot(plot) + bar_plot("RTF of each macro-step", "RTF", r.rtf_bars);
  if (!r.paced) return out;
  out += "<h2>Wake-up latency</h2>" + table({"us", "mean", "p50", "p99", "p99.9", "max"},
                                            {timing_row("sleep ended late by", r.wakeup_us, "%.1f"),
                                             timing_row("work began after the release by", r.release_us, "%.2f")});
  return out + bar_plot("Sleep ended late by", "us", r.wakeup_bars);
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
  return "<h2>Schedule</h2><p>By a rehearsal of " + short_duration(r.sheet.rehearsed_s) + ", " +
         std::to_string(r.sheet.rates.front().rehearsed.releases) +
         " releases of the shortest period; nothing came from buses, nothing went to the disk.</p>" +
         table({"us", "C p50", "C p99.9", "C max", "R", "deadline", "slack", "verdict", "seen p99.9", "seen max"},
               rows);
}

std::string overruns(const RunResults& r) {
  if (!r.paced) return "";
  std::string out = "<h2>Overruns</h2>";
  if (r.overruns.incidents.empty()) return out + "<p>None.</p>";
  std::vector<Row> rows;
  for (const OverrunIncident& o : r.overruns.incidents) {
    const auto name = [&](std::uint16_t s) {
      return s < r.subsystems.size() ? r.subsystems[s].name : std::string("-");
    };
    rows.push_back({formatted("%.4f", o.start.seconds()),
                    std::string(overrun_cause_name[static_cast<std::size_t>(o.cause)]) + (o.in_grace ? " (grace)" : ""),
                    short_duration(o.late.seconds()), std::to_string(o.windows_late), std::to_string(o.dropped),
                    name(o.subsystem), name(o.before), std::to_string(o.cpu), o.evidence});
    if (rows.size() == 200) break;
  }
  return out +
         table({"time, s", "cause", "after the deadline", "windows late", "dropped", "in", "after", "CPU", "evidence"},
               rows, "t");
}

/// What subsystems met at run time; nothing where no subsystem has such events.
std::string solver_events(const RunResults& r) {
  std::vector<Row> rows;
  bool any = false;
  for (const SubsystemResult& s : r.subsystems) {
    any = any || !s.events.empty();
    for (const EventResult& e : s.events) {
      if (e.count > 0) rows.push_back({s.name, e.text, std::to_string(e.count), e.code});
    }
  }
  if (!any) return "";
  return "<h2>Met by the solvers</h2>" +
         (rows.empty() ? "<p>Nothing unusual.</p>" : table({"subsystem", "event", "times", "code"}, rows, "t"));
}

std::string ledger(const RunResults& r) {
  std::vector<Row> rows, energies;
  for (const CouplingResult& c : r.couplings) {
    if (!c.flux) continue;
    rows.push_back({c.from + " -> " + c.to, c.quantity, formatted("%.9g", c.sent), formatted("%.9g", c.received),
                    formatted("%.4g", c.in_transit), formatted("%.4g", c.throughput), formatted("%.1e", c.residual),
                    c.closes ? "closes" : "DOES NOT CLOSE"});
  }
  const auto energy = [&](const std::string& name, const EnergyAccount& e) {
    energies.push_back({name, formatted("%.6g", e.supplied), formatted("%.6g", e.exchanged),
                        formatted("%.6g", e.dissipated), formatted("%.6g", e.stored_end - e.stored_start),
                        formatted("%.2e", e.residual())});
  };
  for (const SubsystemResult& s : r.subsystems) energy(s.name, s.energy);
  energy("whole plant", r.energy);
  std::string out =
      "<h2>Energy and ledger</h2>" + table({"J", "supplied", "received", "dissipated", "stored", "residual"}, energies);
  if (!rows.empty())
    out += table({"flux", "unit", "sent", "received", "in transit", "throughput", "residual", ""}, rows);
  return out;
}

std::string joined(const std::vector<std::string>& names) {
  std::string text;
  for (const std::string& name : names) text += (text.empty() ? "" : ", ") + name;
  return text;
}

/// States that a steady start has moved, those that moved most first.
std::string start(const StartResult& start) {
  constexpr std::size_t shown = 20;
  if (!start.steady) return "";
  std::vector<const StartedState*> moved;
  for (const StartedState& s : start.states)
    if (s.moved) moved.push_back(&s);
  const auto part = [](const StartedState* s) {
    return std::abs(s->steady - s->given) / std::max(std::abs(s->steady), std::abs(s->given));
  };
  std::stable_sort(moved.begin(), moved.end(), [&](const auto* a, const auto* b) { return part(a) > part(b); });
  std::vector<Row> rows;
  for (const StartedState* s : moved) {
    if (rows.size() == shown) break;
    rows.push_back({s->path, s->unit, formatted("%.6g", s->given), formatted("%.6g", s->steady)});
  }
  const std::string text = start_text(start);
  std::string out = "<h2>Steady start</h2><p>" + escaped(text.substr(0, text.find('\n'))) + ".</p>";
  if (!rows.empty()) out += table({"state", "unit", "start value", "steady"}, rows);
  if (moved.size() > shown) out += "<p>... and " + std::to_string(moved.size() - shown) + " more: summary.json.</p>";
  std::vector<Row> kept;
  const auto add = [&](const char* why, const std::vector<std::string>& names) {
    if (!names.empty()) kept.push_back({why, joined(names)});
  };
  add("fixed", start.fixed);
  add("invariant", start.invariants);
  add("without fixed point", start.blocks_kept);
  add("switched", start.circuits_kept);
  return kept.empty() ? out : out + table({"kept", ""}, kept, "t");
}

double peak(const RecordedSignal& signal) {
  double most = 0.0;
  for (std::size_t i = 0; i < signal.series.size(); ++i) {
    most = std::max({most, std::abs(signal.series[i].low), std::abs(signal.series[i].high)});
  }
  return most;
}

PlotLine line_of(const RecordedSignal& signal) {
  PlotLine line{signal.path, {}, {}, {}};
  for (std::size_t i = 0; i < signal.series.size(); ++i) {
    const auto& p = signal.series[i];
    line.x.push_back(p.time_s), line.low.push_back(p.low), line.high.push_back(p.high);
  }
  return line;
}

/// One plot per unit, divided where there are many lines or where small signals would vanish beside large ones.
std::string signals(const RunResults& r) {
  std::map<std::string, std::vector<std::pair<double, const RecordedSignal*>>> by_unit;
  for (const RecordedSignal& signal : r.signals) by_unit[signal.unit].emplace_back(peak(signal), &signal);
  std::string out = by_unit.empty() ? "" : "<h2>Signals</h2>";
  for (auto& [unit, group] : by_unit) {
    std::stable_sort(group.begin(), group.end(), [](const auto& a, const auto& b) { return a.first > b.first; });
    Plot plot{"", "s", unit.empty() ? "1" : unit, {}};
    double largest = 0.0;
    for (const auto& [size, signal] : group) {
      if (plot.lines.size() == lines_per_plot || (size > 0.0 && size < largest / 30.0)) {
        out += line_plot(plot);
        plot.lines.clear();
      }
      if (plot.lines.empty()) largest = size;
      plot.lines.push_back(line_of(*signal));
    }
    out += line_plot(plot);
  }
  return out;
}

std::string lists(const RunResults& r) {
  std::string out;
  std::vector<Row> events, host;
  for (const IoEventResult& e : r.io_events) events.push_back({formatted("%.3f", e.time_s), e.text});
  if (!events.empty()) out += "<h2>Events</h2>" + table({"time, s", ""}, events, "t");
  for (const HostFinding& f : r.host) host.push_back({f.item, f.value, f.good ? "" : f.cost, f.good ? "" : f.remedy});
  if (!host.empty()) out += "<h2>This machine</h2>" + table({"", "found", "cost", "remedy"}, host, "t");
  if (!r.warnings.empty()) out += "<h2>Warnings</h2><ul>";
  for (const std::string& warning : r.warnings) out += "<li>" + escaped(warning) + "</li>";
  if (!r.warnings.empty()) out += "</ul>";
  out += "<h2>Run</h2><p>model " + escaped(r.model) + ", takt " + escaped(r.generator) + ", inputs " +
         escaped(r.input_hash) + ", digest " + r.digest + ", " + formatted("%.0f", r.executive_ns_per_window) +
         " ns of the executive per window, " + std::to_string(r.minor_faults + r.major_faults) + " page faults, " +
         std::to_string(r.rows_recorded) + " rows recorded, " + std::to_string(r.rows_dropped) + " dropped</p>";
  return out;
}

}  // namespace

std::string report_html(const RunResults& r) {
  const std::string title = r.title.empty() ? r.model : r.title;
  return "<!doctype html><html lang=\"en\"><head><meta charset=\"utf-8\"><title>" + escaped(title) + "</title><style>" +
         style + "</style></head><body><h1>" + escaped(title) + "</h1>\n" + verdict(r) + signals(r) + start(r.start) +
         timing(r) + schedule(r) + overruns(r) + solver_events(r) + ledger(r) + lists(r) + "</body></html>\n";
}

}  // namespace takt
