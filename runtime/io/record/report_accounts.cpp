// What came over buses, what solvers met, where energy went, what the run began from and ran on.

#include <algorithm>
#include <cmath>
#include <string_view>

#include "runtime/io/record/bus_results.hpp"
#include "runtime/io/record/html.hpp"
#include "runtime/io/record/overrun_groups.hpp"
#include "runtime/io/record/report_parts.hpp"
#include "runtime/io/record/summary.hpp"
#include "runtime/stats/format.hpp"

namespace takt::report {
namespace {

using html::Column, html::Row, html::escaped;
using Kind = Column::Kind;

constexpr std::size_t most_rows = 200;

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
  std::string text = start_text(start);
  text = text.substr(0, text.find('\n'));
  if (constexpr std::string_view word = "start: "; text.starts_with(word)) text.erase(0, word.size());
  std::string out = "<p>At the start: " + escaped(text) + ".</p>", more;
  if (!rows.empty())
    more += html::table({{"state", Kind::text}, {"unit", Kind::text}, {"start value"}, {"steady"}}, rows);
  if (moved.size() > shown) more += "<p>... and " + std::to_string(moved.size() - shown) + " more: summary.json.</p>";
  std::vector<Row> kept;
  const auto add = [&](const char* why, const std::vector<std::string>& names) {
    if (!names.empty()) kept.push_back({why, joined(names)});
  };
  add("fixed", start.fixed);
  add("invariant", start.invariants);
  add("without fixed point", start.blocks_kept);
  add("switched", start.circuits_kept);
  if (!kept.empty()) more += html::table({{"kept", Kind::text}, {"states", Kind::text}}, kept);
  return html::section("Steady start", out + (more.empty() ? "" : html::folded("States moved and kept", more)));
}

/// What subsystems met at run time; nothing where no subsystem has such events.
std::string solver_events(const RunResults& r) {
  std::vector<Row> rows;
  bool any = false;
  for (const SubsystemResult& s : r.subsystems) {
    any = any || !s.events.empty();
    for (const EventResult& e : s.events)
      if (e.count > 0 && rows.size() < most_rows) rows.push_back({s.name, e.text, std::to_string(e.count), e.code});
  }
  if (!any) return "";
  return html::section(
      "Met by the solvers",
      rows.empty()
          ? "<p>Nothing unusual.</p>"
          : "<p class=\"note\"><code>takt explain CODE</code> tells what a code means.</p>" +
                html::table({{"subsystem", Kind::text}, {"event", Kind::text}, {"times"}, {"code", Kind::text}}, rows));
}

std::string fluxes(const RunResults& r) {
  std::vector<Row> rows;
  std::size_t open = 0, all = 0;
  for (const bool closes : {false, true}) {  // those that do not close come first
    for (const CouplingResult& c : r.couplings) {
      if (!c.flux || c.closes != closes) continue;
      ++all, open += closes ? 0 : 1;
      if (rows.size() == most_rows) continue;
      rows.push_back({c.from + " -> " + c.to, c.quantity, formatted("%.9g", c.sent), formatted("%.9g", c.received),
                      formatted("%.4g", c.in_transit), formatted("%.4g", c.throughput), formatted("%.1e", c.residual),
                      c.closes ? "closes" : "<span class=\"no\">DOES NOT CLOSE</span>"});
    }
  }
  if (rows.empty()) return "";
  std::string body = html::table({{"flux", Kind::text},
                                  {"unit", Kind::text},
                                  {"sent"},
                                  {"received"},
                                  {"in transit"},
                                  {"throughput"},
                                  {"residual"},
                                  {"ledger", Kind::markup}},
                                 rows);
  if (all > rows.size()) body += "<p>... and " + std::to_string(all - rows.size()) + " more: summary.json.</p>";
  if (open > 0) return "<h3>Fluxes: what was sent has to arrive</h3>" + body;
  return html::folded("Fluxes between subsystems: all " + std::to_string(all) + " close", body);
}

/// What circuits gave to FMUs, and what these took by their own account.
std::string ports(const RunResults& r) {
  std::vector<Row> rows;
  for (const CouplingResult& c : r.couplings)
    if (c.port && rows.size() < most_rows)
      rows.push_back({c.port_name(), formatted("%.6g", c.sent), formatted("%.6g", c.taken),
                      formatted("%.3g", c.unclosed()), formatted("%.1e", c.unclosed_share())});
  if (rows.empty()) return "";
  return "<h3>Ports of FMUs</h3>" +
         html::table(
             {{"port, energy in J", Kind::text}, {"circuit gave"}, {"FMU took"}, {"unclosed"}, {"of what passed"}},
             rows);
}

std::string ledger(const RunResults& r) {
  std::vector<Row> energies;
  const auto energy = [&](const std::string& name, const EnergyAccount& e) {
    energies.push_back({name, formatted("%.6g", e.supplied), formatted("%.6g", e.exchanged),
                        formatted("%.6g", e.dissipated), formatted("%.6g", e.stored_end - e.stored_start),
                        formatted("%.3g", e.residual())});
  };
  const std::vector<Column> columns{
      {"energy, J", Kind::text}, {"supplied"}, {"received"}, {"dissipated"}, {"stored"}, {"residual"}};
  energy("whole plant", r.energy);
  const auto domains = energy_by_domain(r);
  for (const auto& [domain, own] : domains)
    if (domains.size() > 1) energy(domain, own);
  std::string out =
      "<p>Supplied and received energy is stored or dissipated; the residual is what the method leaves over. "
      "Received: from other subsystems over couplings; below 0 it was given.</p>" +
      html::table(columns, energies);
  if (const std::string left_out = energy_left_out_text(r); !left_out.empty())
    out += "<p>" + escaped(left_out) + ".</p>";
  energies.clear();
  for (const SubsystemResult& s : r.subsystems)
    if (energies.size() < most_rows) energy(s.name, s.energy);
  out += html::folded("Energy by subsystem", html::table(columns, energies));
  return html::section("Energy and ledger", energy_flows(r) + out + ports(r) + fluxes(r));
}

std::string machine(const RunResults& r) {
  std::vector<Row> lacking, found;
  for (const HostFinding& f : r.host) {
    if (f.good)
      found.push_back({f.item, f.value});
    else
      lacking.push_back({f.item, f.value, f.cost, f.remedy});
  }
  if (r.host.empty()) return "";
  std::string out = "<p>" +
                    (lacking.empty() ? std::string("Nothing is lacking.")
                                     : "What this machine lacks for real time, what that costs, and how to mend it:") +
                    "</p>";
  if (!lacking.empty())
    out += html::table({{"what", Kind::text}, {"found", Kind::text}, {"cost", Kind::text}, {"remedy", Kind::text}},
                       lacking);
  if (!found.empty())
    out += html::folded(std::to_string(found.size()) + " more that are in order",
                        html::table({{"what", Kind::text}, {"found", Kind::text}}, found));
  return html::section("This machine", out);
}

std::string bus_events(const RunResults& r) {
  std::vector<Row> rows;
  for (const IoEventResult& e : r.io_events)
    if (rows.size() < most_rows) rows.push_back({formatted("%.3f", e.time_s), e.text});
  if (rows.empty()) return "";
  std::string out = "<h3>Events</h3>" + html::table({{"time, s"}, {"what happened", Kind::text}}, rows);
  if (r.io_events.size() > rows.size())
    out += "<p>... and " + std::to_string(r.io_events.size() - rows.size()) + " more: summary.json.</p>";
  return out;
}

std::uint64_t did_not_fit(const BusSignal& signal) { return signal.saturated + signal.not_numbers; }
std::uint64_t out_of_range(const BusSignal& signal) { return signal.out_of_range; }

/// " (soc: 3, voltage: 1)"; empty where signals are not told apart.
std::string signals(const BusMessage& message, std::uint64_t (*number)(const BusSignal&)) {
  std::string list;
  for (const BusSignal& signal : message.signals)
    if (number(signal) > 0) list += (list.empty() ? " (" : ", ") + signal.name + ": " + std::to_string(number(signal));
  return list.empty() ? list : list + ")";
}

std::string messages(const BusResult& bus) {
  std::vector<Row> rows;
  for (const BusMessage& m : bus.messages) {
    if (rows.size() == most_rows) break;
    std::string problems;
    const auto problem = [&](std::uint64_t number, const char* one, const std::string& what) {
      if (number > 0) problems += (problems.empty() ? "" : ", ") + counted(number, one) + what;
    };
    problem(m.timeouts, "time-out", "");
    problem(m.refused, m.sent ? "frame" : "value", m.sent ? " failed at the first try" : " that is no number");
    problem(m.too_short, "frame", " with too little data, not taken");
    problem(m.too_long, "frame", " with more data than the message has, taken");
    problem(m.wrong_checksum, "frame", " with a wrong checksum");
    problem(m.did_not_fit, "value", " that the signal does not hold, sent as another" + signals(m, &did_not_fit));
    problem(m.out_of_range, "value", " beyond the range of the database" + signals(m, &out_of_range));
    problem(m.superseded, "frame", " replaced by newer values before leaving");
    for (const auto& [what, number] : m.of_kind) problem(number, "frame", " " + what);
    rows.push_back({m.name, m.sent ? "sent" : "received", std::to_string(m.frames),
                    m.mean_cycle_us ? short_number(*m.mean_cycle_us * 1e-3) : "-",
                    m.max_age_us ? formatted("%.1f", *m.max_age_us * 1e-3) : "-",
                    problems.empty() ? "none" : problems});
  }
  if (rows.empty()) return "";
  return html::table({{"message", Kind::text},
                      {"by the plant", Kind::text},
                      {"frames"},
                      {"mean cycle, ms"},
                      {"oldest used, ms"},
                      {"problems", Kind::text}},
                     rows) +
         "<p class=\"note\">Frames received: those that windows have used; others came before the first or after the "
         "last release, or were not taken. Mean cycle: between the first and the last frame. Oldest used: the greatest "
         "age of a value that a window used; what timed out is not used.</p>\n";
}

std::string one_bus(const BusResult& bus) {
  std::string out = "<h3>" + escaped(bus.name) + "</h3><p>" + escaped(bus.bus) + ": " + counted(bus.received, "frame") +
                    " received, " + std::to_string(bus.sent) + " sent; " + std::to_string(bus.not_mapped) +
                    " received that no input is mapped to, " + std::to_string(bus.too_short) +
                    " with too little data, " + std::to_string(bus.lost) + " lost, " +
                    counted(bus.errors, "bus error") + ".</p>" +
                    (bus.link.empty() ? "" : "<p>Interface: " + escaped(bus.link) + ".</p>") + messages(bus);
  std::vector<Row> rows;
  for (const BusLatency& l : bus.latencies)
    rows.push_back({l.what, std::to_string(l.count), short_number(l.p50_us), short_number(l.p99_us),
                    short_number(l.p999_us), short_number(l.max_us)});
  if (!rows.empty())
    out += html::table({{"latency, us", Kind::text}, {"frames"}, {"p50"}, {"p99"}, {"p99.9"}, {"max"}}, rows);
  std::vector<Row> counters;
  for (const auto& [name, number] : bus.counters) counters.push_back({name, std::to_string(number)});
  return counters.empty()
             ? out
             : out + html::folded("Counters of the bus", html::table({{"counter", Kind::text}, {"number"}}, counters));
}

std::string gateways(const RunResults& r) {
  std::vector<Row> rows;
  for (const GatewayResult& g : gateway_results(r.io_statistics_json))
    rows.push_back({g.name, g.from + " to " + g.to, std::to_string(g.forwarded), std::to_string(g.dropped),
                    std::to_string(g.refused + g.cut + g.waiting), short_number(g.p50_us), short_number(g.p99_us),
                    short_number(g.max_us)});
  if (rows.empty()) return {};
  return "<h3>Gateways</h3>" +
         html::table({{"gateway", Kind::text},
                      {"buses", Kind::text},
                      {"frames forwarded"},
                      {"dropped"},
                      {"otherwise not"},
                      {"p50, us"},
                      {"p99, us"},
                      {"max, us"}},
                     rows) +
         "<p class=\"note\">Dropped: more came than could leave. Otherwise not: CAN FD on a classic bus, on a bus that "
         "was cut, or still waiting at the end. Times: from one bus to the other.</p>\n";
}

}  // namespace

std::string buses(const RunResults& r) {
  std::string out;
  const auto all = bus_results(r.io_statistics_json);
  for (const BusResult& bus : all) out += one_bus(bus);
  if (all.empty() && !r.io_statistics_json.empty())
    out += "<p>The statistics of the outside world cannot be read as those of buses: see summary.json.</p>";
  return html::section("Buses", out + gateways(r) + bus_events(r));
}

std::string accounts(const RunResults& r) { return solver_events(r) + ledger(r) + start(r.start) + machine(r); }

}  // namespace takt::report
