#include <algorithm>
#include <cmath>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "runtime/io/record/host_results.hpp"
#include "runtime/io/record/overrun_groups.hpp"
#include "runtime/io/record/run_verdict.hpp"
#include "runtime/io/record/scenario_summary.hpp"
#include "runtime/io/record/summary.hpp"
#include "runtime/stats/format.hpp"

namespace takt {
namespace {

std::string padded(std::string text, std::size_t width, bool right = false) {
  if (text.size() < width) text.insert(right ? 0 : text.size(), width - text.size(), ' ');
  return text;
}

std::string columns(const Percentiles& p, const char* format) {
  std::string line;
  for (const double value : {p.mean, p.p50, p.p99, p.p999, p.max}) line += padded(formatted(format, value), 11, true);
  return line;
}

std::string number(std::uint64_t value) { return std::to_string(value); }

constexpr std::size_t subsystems_shown = 15;

/// Who acted on the plant first, and how often that was done: curves are no longer those of the model alone.
void add_actions(std::string& out, const RunResults& r) {
  const std::size_t times = r.actions.size() + r.inputs_set.size();
  if (times == 0) return;
  const bool set_first =
      r.actions.empty() || (!r.inputs_set.empty() && r.inputs_set.front().time_s < r.actions.front().time_s);
  const ActionResult& first = set_first ? r.inputs_set.front() : r.actions.front();
  out += "acted on " + counted(times, "time") + " while it ran, first at " + formatted("%.6g s", first.time_s) +
         " by " + (first.author.empty() ? "somebody" : first.author) + ": " +
         (first.shown.empty() ? first.text : first.shown) + "\n";
}

/// Those that compute most; the report has all of them.
void add_timing(std::string& out, const RunResults& r) {
  std::vector<const SubsystemResult*> shown;
  for (const auto& s : r.subsystems) shown.push_back(&s);
  if (shown.size() > subsystems_shown) {
    std::stable_sort(shown.begin(), shown.end(), [](auto* a, auto* b) { return a->compute_s > b->compute_s; });
    shown.resize(subsystems_shown);
  }
  std::size_t width = 16;
  for (const auto* s : shown) width = std::max(width, s->name.size() + 4);
  out += padded("", width) + "       mean        p50        p99      p99.9        max   late\n";
  out += padded("RTF", width) + columns(r.rtf, "%.5f") + padded(number(r.overruns.deadline_misses()), 7, true) + "\n";
  for (const auto* s : shown)
    out += padded("  " + s->name, width) + columns(s->rtf, "%.5f") + padded(number(s->overruns), 7, true) + "\n";
  if (r.subsystems.size() > shown.size())
    out +=
        "  ... and " + number(r.subsystems.size() - shown.size()) + " subsystems that compute less: see the report\n";
  if (!r.paced) return;
  out += padded("wake-up, us", width) + columns(r.wakeup_us, "%.1f") + "\n";
  out += padded("release, us", width) + columns(r.release_us, "%.2f") + "\n";
}

/// What several threads did, and could do.
void add_cores(std::string& out, const RunResults& r) {
  const ConcurrencyResult& c = r.concurrency;
  const auto time = [](double seconds) { return short_duration(seconds); };
  if (c.asked > 1)
    out +=
        number(c.asked) + " cores: a macro-step is " + time(c.work_s) + " of work, its critical path " +
        time(c.critical_path_s) + "; at best " + time(c.bound_s) +
        (c.used < 2 ? ": all on one core, as more gain less than 8 %"
                    : std::string(c.given ? ", by the given placement " : ", by this placement ") + time(c.planned_s)) +
        "\n";
  for (const CoreResult& core : r.cores)
    out += "  " + (core.host.empty() ? "" : "host " + core.host + ", ") +
           (core.cpu >= 0 ? "CPU " + std::to_string(core.cpu) : "core") +
           (core.below > 0 ? ", when the others of it rest: " : ": ") + number(core.subsystems) +
           (core.subsystems == 1 ? " subsystem" : " subsystems") + ", RTF mean " + formatted("%.5f", core.rtf.mean) +
           ", p99 " + formatted("%.5f", core.rtf.p99) + ", waited for others " + time(core.waited_s) + "\n";
}

/// "never", "40, the worst by 9.8 ms"
std::string times_late(std::uint64_t times, WallDuration worst) {
  return times == 0 ? "never" : counted(times, "time") + ", the worst by " + short_duration(worst.seconds());
}

void add_overruns(std::string& out, const RunResults& r) {
  if (!r.paced) return;
  const OverrunLog& log = r.overruns;
  out += "overruns: deadline missed " + times_late(log.deadline_misses(), log.worst_miss) +
         "; late within macro-steps " + times_late(log.inner_late, log.worst_inner);
  if (log.incident_count > 0) out += "; in " + counted(log.incident_count, "incident") + ": " + causes_text(log);
  if (log.overruns_in_grace > 0) out += "; " + number(log.overruns_in_grace) + " more in the grace period";
  out += "\n";
  for (const OverrunGroup& group : overrun_groups(r)) {
    out += "  " + number(group.incidents) + " " + overrun_cause_name[static_cast<std::size_t>(group.cause)];
    if (group.latest != nullptr) {
      out += ", " + formatted("%.3f", group.first.seconds()) + " s to " + formatted("%.3f s", group.last.seconds()) +
             ", most in " + subsystem_name(r, group.subsystem) + "; worst " + short_duration(group.worst.seconds()) +
             " after the deadline (" + group.latest->evidence + ")";
    }
    out += "\n    " + remedy_of(r, group) + "\n";
  }
  if (r.jumped_periods > 0) {
    out += "  simulated time has jumped ahead by " +
           short_duration(static_cast<double>(r.jumped_periods) * r.macro_step_s) +
           " to regain the wall clock: " + number(r.jumped_periods) + " periods were not computed\n";
  }
  if (log.dropped_periods > r.jumped_periods) {
    out += "  simulated time is " +
           short_duration(static_cast<double>(log.dropped_periods - r.jumped_periods) * r.macro_step_s) +
           " behind the wall clock: " + number(log.dropped_periods - r.jumped_periods) +
           " periods dropped from pacing\n";
  }
}

/// Lines with a code, of which a terminal gets the first few: a large plant may have thousands of them.
class FewOfEach {
 public:
  void add(std::string& out, const std::string& code, const std::string& line) {
    if (++lines_[code] <= shown) out += line;
  }
  void add_rest(std::string& out, const char* indent) const {
    for (const auto& [code, lines] : lines_)
      if (lines > shown) out += indent + number(lines - shown) + " more [" + code + "]; a summary.json has them all\n";
  }

 private:
  static constexpr std::uint64_t shown = 20;
  std::map<std::string, std::uint64_t> lines_;
};

void add_events(std::string& out, const RunResults& r) {
  FewOfEach lines;
  for (const SubsystemResult& s : r.subsystems) {
    for (const EventResult& e : s.events) {
      if (e.count == 0) continue;
      const std::string times = e.count == 1 ? "once" : number(e.count) + " times";
      lines.add(out, e.code, s.name + ": " + e.text + ", " + times + " [" + e.code + "]\n");
    }
  }
  lines.add_rest(out, "");
}

void add_ledger(std::string& out, const RunResults& r) {
  std::size_t fluxes = 0;
  double worst = 0.0;
  for (const CouplingResult& c : r.couplings) {
    if (!c.flux || c.interpolated) continue;
    ++fluxes;
    if (c.throughput > 0.0) worst = std::max(worst, std::abs(c.residual) / c.throughput);
    if (!c.closes && std::isfinite(c.residual)) {
      out += "ledger: " + c.from + " -> " + c.to + " does not close: sent " + formatted("%.9g", c.sent) +
             ", received " + formatted("%.9g", c.received) + ", in transit " + formatted("%.9g", c.in_transit) + " " +
             c.quantity + "\n";
    }
    if (c.alarms > 0)
      out += "ledger: " + c.from + " -> " + c.to + " raised the alarm at " + formatted("%.6g", c.first_alarm_s) +
             " s, " + number(c.alarms) + " macro-steps in all\n";
  }
  if (fluxes > 0 && r.ledger_closes) {
    out += "ledger: " + number(fluxes) + (fluxes == 1 ? " flux closes" : " fluxes close") + ", worst residual " +
           formatted("%.1e", worst) + " of its throughput\n";
  }
  for (const CouplingResult& c : r.couplings)
    if (c.interpolated && c.throughput > 0.0)
      out += "line " + c.from + ": between its samples it was interpolated, which took " +
             formatted("%.1e", c.residual / c.throughput) + " of the energy that passed\n";
  for (const CouplingResult& c : r.couplings)
    if (c.port)
      out += "port " + c.port_name() + ": the circuit gave " + short_number(c.sent) + " J, the FMU took " +
             short_number(c.taken) + " J; " + formatted("%.2e", c.unclosed()) + " J between them, " +
             formatted("%.1e", c.unclosed_share()) + " of what passed through\n";
  const EnergyAccount& e = r.energy;
  if (e.supplied != 0.0 || e.dissipated != 0.0 || e.stored_end != 0.0) {
    out += "energy: supplied " + short_number(e.supplied) + " J, dissipated " + short_number(e.dissipated) +
           " J, stored " + short_number(e.stored_end - e.stored_start) + " J, residual " +
           formatted("%.2e", e.residual()) + " J\n";
  }
  const auto domains = energy_by_domain(r);
  for (const auto& [domain, own] : domains)
    if (domains.size() > 1)
      out += "  " + domain + ": supplied " + short_number(own.supplied) + " J, received " +
             short_number(own.exchanged) + " J, dissipated " + short_number(own.dissipated) + " J, stored " +
             short_number(own.stored_end - own.stored_start) + " J\n";
}

void add_trace(std::string& out, const TraceResult& t) {
  if (t.file.empty()) return;
  out += "trace: " + t.file + " (open it in ui.perfetto.dev): " + number(t.events) + " events, all from " +
         short_duration(t.from_s) + " on";
  if (t.places > 0)
    out += ", and what lies around " + number(t.places) + (t.places == 1 ? " overrun" : " overruns") + " before";
  if (t.lost > 0) out += "; " + number(t.lost) + " earlier ones are not kept";
  out += "\n";
}

}  // namespace

std::string causes_text(const OverrunLog& log) {
  std::string text;
  for (std::size_t i = 0; i < overrun_cause_count; ++i) {
    if (log.by_cause[i] == 0) continue;
    text += (text.empty() ? "" : ", ") + number(log.by_cause[i]) + " " + overrun_cause_name[i];
  }
  return text.empty() ? "none" : text;
}

std::string verdict_text(const Verdict& v) {
  std::string text = v.code + ": " + v.where + ": " + v.text;
  if (v.first_s >= 0.0) text += ", first at " + formatted("%.6g s", v.first_s);
  if (v.count > 1) text += ", " + number(v.count) + " times";
  return text + (v.tolerated ? " (tolerated)" : "");
}

std::string audit_text(const AuditResult& a) {
  if (!a.done) return "steps not audited" + (a.not_done.empty() ? "" : ": " + a.not_done);
  const std::string where = a.covered_s >= 0.999999 * a.whole_s ? "the whole run"
                            : a.stretches == 0
                                ? "0 .. " + short_duration(a.from_start_s)
                                : "0 .. " + short_duration(a.from_start_s) + " and " +
                                      number(static_cast<std::uint64_t>(a.stretches)) + " stretches after it";
  return "audited over " + where + " (" + a.finer + ": " + a.worst + " differs by " + formatted("%.0e", a.error) +
         " of its range" +
         (a.drifts ? "; oscillations drift out of phase, their means, amplitudes and numbers agree" : "") + ")";
}

std::vector<std::pair<std::string, EnergyAccount>> energy_by_domain(const RunResults& r) {
  std::vector<std::pair<std::string, EnergyAccount>> domains;
  for (const SubsystemResult& s : r.subsystems) {
    if (s.energy.turnover() == 0.0) continue;
    auto of = std::find_if(domains.begin(), domains.end(), [&](const auto& known) { return known.first == s.domain; });
    if (of == domains.end()) of = domains.insert(of, {s.domain, EnergyAccount{}});
    EnergyAccount& sum = of->second;
    sum.supplied += s.energy.supplied, sum.dissipated += s.energy.dissipated, sum.exchanged += s.energy.exchanged;
    sum.stored_start += s.energy.stored_start, sum.stored_end += s.energy.stored_end;
    sum.throughput += s.energy.throughput;
  }
  return domains;
}

std::string energy_left_out_text(const RunResults& r) {
  constexpr std::size_t shown = 3;
  std::string text;
  std::size_t count = 0;
  for (const SubsystemResult& s : r.subsystems) {
    if (s.energy_left_out.empty() || s.energy.turnover() == 0.0 || ++count > shown) continue;
    text += (text.empty() ? "" : "; ") + s.name + " (" + s.energy_left_out + ": " +
            short_number(std::abs(s.energy.residual())) + " J of " + short_number(s.energy.turnover()) +
            " J not explained)";
  }
  if (count == 0) return {};
  return "energy not judged in " + text + (count > shown ? " and " + number(count - shown) + " more" : "");
}

std::string checked_text(const RunResults& r) {
  std::size_t fluxes = 0, blocks = 0;
  double flux = 0.0, turnover = 0.0, residual = 0.0;
  for (const CouplingResult& c : r.couplings)
    if (c.flux && !c.interpolated && ++fluxes > 0 && c.throughput > 0.0)
      flux = std::max(flux, std::abs(c.residual) / c.throughput);
  for (const SubsystemResult& s : r.subsystems) {
    blocks += s.newton ? 1 : 0;
    if (!s.energy_left_out.empty()) continue;
    turnover += s.energy.turnover();
    residual += std::abs(s.energy.residual());
  }
  const bool open =
      std::any_of(r.verdicts.begin(), r.verdicts.end(), [](const Verdict& v) { return v.code == "X008"; });
  std::string text = "all values finite";
  if (blocks > 0) text += ", nonlinear equations solved in every window";
  if (fluxes > 0) text += ", every flux accounted for (to " + formatted("%.0e", flux) + " of its throughput)";
  constexpr double worth_a_share =
      5e-3;  // where hardly anything passed through, what is missing is rounding of what streams carry
  double port = -1.0;
  for (const CouplingResult& c : r.couplings)
    if (c.port) port = std::max(port, c.unclosed_share());
  if (port >= 0.0) text += ", ports account for their energy (to " + formatted("%.0e", port) + " of what passed)";
  if (turnover > 0.0 && !open)
    text += ", energy adds up (to " + (residual <= worth_a_share * turnover
                                           ? formatted("%.0e", residual / turnover) + " of what passed through)"
                                           : formatted("%.0e J)", residual));
  if (const std::string left_out = energy_left_out_text(r); !left_out.empty()) text += ", " + left_out;
  if (r.audit.asked) text += ", " + audit_text(r.audit);
  return text;
}

namespace {

void add_trust(std::string& out, const RunResults& r, bool colour) {
  constexpr const char* words[] = {"not to be trusted", "does not count", "not real time"};  // by weight
  const Verdict* heaviest = nullptr;
  for (const Verdict& v : r.verdicts)
    if (!v.tolerated && (heaviest == nullptr || v.weight < heaviest->weight)) heaviest = &v;
  const bool trusted = r.trusted();
  const RunVerdict verdict = run_verdict(r);
  constexpr const char* colours[] = {"\033[32m", "\033[33m", "\033[1;31m"};
  if (colour) out += colours[static_cast<std::size_t>(verdict.level)];
  out += "verdict: " + verdict.headline + "\n";
  if (!r.stopped_because.empty() && !r.failed && !r.interrupted) out += r.stopped_because + "\n";
  if (trusted)
    out += "checked: " + checked_text(r) + "\n";
  else if (heaviest != nullptr)
    out += std::string(words[static_cast<std::size_t>(heaviest->weight)]) + ":\n";
  FewOfEach lines;
  for (const Verdict& v : r.verdicts) lines.add(out, v.code, "  " + verdict_text(v) + "\n");
  lines.add_rest(out, "  ");
  if (colour) out += "\033[0m";
}

}  // namespace

std::string summary_table(const RunResults& r, bool colour) {
  std::string out = r.model + ": " + number(r.equations) + " equations, " + short_duration(r.simulated_s) +
                    " simulated in " + short_duration(r.wall_s) + ", pace " + (r.paced ? "real" : "free") + ", " +
                    r.scheduling + (r.cores.empty() && r.cpu >= 0 ? " on CPU " + std::to_string(r.cpu) : "") + "\n";
  add_actions(out, r);
  add_timing(out, r);
  add_cores(out, r);
  out += schedule_text(r.sheet, r.rates);
  out += host_lines(r);
  add_overruns(out, r);
  add_events(out, r);
  add_ledger(out, r);
  for (const IoEventResult& e : r.io_events) out += "event at " + formatted("%.3f s", e.time_s) + ": " + e.text + "\n";
  add_trace(out, r.trace);
  for (const FmuResult& fmu : r.fmus)
    out += fmu.name + ": " + number(fmu.answers) + " answers, the FMU took p50 " +
           short_duration(fmu.call_us.p50 * 1e-6) + ", p99 " + short_duration(fmu.call_us.p99 * 1e-6) + ", max " +
           short_duration(fmu.call_us.max * 1e-6) + "; asking it p50 " + short_duration(fmu.exchange_us.p50 * 1e-6) +
           ", p99 " + short_duration(fmu.exchange_us.p99 * 1e-6) +
           (fmu.late > 0 ? "; late " + number(fmu.late) + " times" : "") + "\n";
  if (r.rows_dropped > 0) out += "recording: " + number(r.rows_dropped) + " rows dropped\n";
  out += "executive: " + formatted("%.0f", r.executive_ns_per_window) + " ns per window between windows; page faults " +
         number(r.minor_faults + r.major_faults) + "; digest " + (r.digest.empty() ? "of the leading host" : r.digest) +
         (r.digest_void ? std::string(" (void: ") + r.void_because() + ")" : "") + "\n";
  for (const std::string& warning : r.warnings) out += "warning: " + warning + "\n";
  add_trust(out, r, colour);
  out += scenario_text(r.scenario);
  return out;
}

}  // namespace takt
