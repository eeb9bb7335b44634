#include <nlohmann/json.hpp>

#include "runtime/io/record/host_results.hpp"
#include "runtime/io/record/run_outcome.hpp"
#include "runtime/io/record/run_verdict.hpp"
#include "runtime/io/record/scenario_summary.hpp"
#include "runtime/io/record/summary.hpp"
#include "runtime/json/parse_json.hpp"

namespace takt {
namespace {

using Json = nlohmann::ordered_json;

double microseconds(WallDuration d) { return static_cast<double>(d.ns()) * 1e-3; }

Json json(const Percentiles& p) {
  return {{"mean", p.mean}, {"p50", p.p50}, {"p99", p.p99}, {"p999", p.p999}, {"max", p.max}};
}

Json json(const EnergyAccount& e) {
  return {{"supplied_j", e.supplied},         {"dissipated_j", e.dissipated}, {"exchanged_j", e.exchanged},
          {"stored_start_j", e.stored_start}, {"stored_end_j", e.stored_end}, {"residual_j", e.residual()},
          {"throughput_j", e.throughput}};
}

Json energy_of_domains(const RunResults& r) {
  Json domains = Json::object();
  for (const auto& [domain, energy] : energy_by_domain(r)) domains[domain] = json(energy);
  return domains;
}

Json subsystems(const RunResults& r) {
  Json list = Json::array();
  for (const SubsystemResult& s : r.subsystems) {
    Json entry = {{"name", s.name},           {"domain", s.domain},     {"method", s.method},
                  {"step_s", s.step_s},       {"sync_s", s.sync_s},     {"equations", s.equations},
                  {"states", s.states},       {"windows", s.windows},   {"rtf", json(s.rtf)},
                  {"compute_s", s.compute_s}, {"overruns", s.overruns}, {"energy", json(s.energy)}};
    if (!s.energy_left_out.empty()) entry["energy_left_out"] = s.energy_left_out;
    if (s.newton) entry["newton_residual"] = {{"last", s.newton_last}, {"largest", s.newton_largest}};
    Json events = Json::array();
    for (const EventResult& e : s.events) {
      events.push_back({{"code", e.code}, {"text", e.text}, {"count", e.count}, {"verdict", e.verdict}});
      if (e.first_s >= 0.0) events.back()["first_s"] = e.first_s;
    }
    entry["events"] = std::move(events);
    list.push_back(std::move(entry));
  }
  return list;
}

Json couplings(const RunResults& r) {
  Json list = Json::array();
  for (const CouplingResult& c : r.couplings) {
    Json entry = {{"from", c.from},         {"to", c.to},   {"kind", c.kind},
                  {"quantity", c.quantity}, {"lag", c.lag}, {"order", c.order}};
    if (c.flux) {
      entry["sent"] = c.sent;
      entry["received"] = c.received;
      entry["in_transit"] = c.in_transit;
      entry["throughput"] = c.throughput;
      entry["residual"] = c.residual;
      entry["closes"] = c.closes;
      if (c.port) entry["taken"] = c.taken, entry["unclosed"] = c.unclosed();
      entry["alarms"] = c.alarms;
      if (c.alarms > 0) entry["first_alarm_s"] = c.first_alarm_s;
    }
    list.push_back(std::move(entry));
  }
  return list;
}

Json verdicts(const RunResults& r) {
  Json list = Json::array();
  for (const Verdict& v : r.verdicts) {
    list.push_back(
        {{"code", v.code}, {"where", v.where}, {"text", v.text}, {"count", v.count}, {"tolerated", v.tolerated}});
    if (v.first_s >= 0.0) list.back()["first_s"] = v.first_s;
  }
  return list;
}

Json audit(const AuditResult& a) {
  if (!a.done) return {{"done", false}, {"why", a.not_done}};
  return {{"done", true},
          {"finer", a.finer},
          {"from_start_s", a.from_start_s},
          {"covered_s", a.covered_s},
          {"stretches", a.stretches},
          {"limit", a.limit},
          {"error", a.error},
          {"worst", a.worst},
          {"at_s", a.at_s},
          {"drifts", a.drifts},
          {"compute_s", a.compute_s}};
}

Json start(const StartResult& start) {
  if (!start.steady) return {{"mode", "given"}};
  Json states = Json::array();
  for (const StartedState& s : start.states)
    states.push_back(
        {{"path", s.path}, {"unit", s.unit}, {"given", s.given}, {"steady", s.steady}, {"moved", s.moved}});
  return {{"mode", "steady"},
          {"steps", start.steps},
          {"largest_relative_rate", start.largest_rate},
          {"largest_relative_rate_of", start.largest_rate_of},
          {"still_moves_per_s", start.still_moves_per_s},
          {"still_moves", start.still_moves},
          {"settled", start.settled},
          {"fixed", start.fixed},
          {"invariants", start.invariants},
          {"blocks_kept", start.blocks_kept},
          {"circuits_kept", start.circuits_kept},
          {"states", std::move(states)}};
}

std::string name_of(const RunResults& r, std::uint16_t subsystem) {
  return subsystem < r.subsystems.size() ? r.subsystems[subsystem].name : "executive";
}

Json overruns(const RunResults& r) {
  const OverrunLog& log = r.overruns;
  Json causes = Json::object(), list = Json::array();
  for (std::size_t i = 0; i < overrun_cause_count; ++i) causes[overrun_cause_name[i]] = log.by_cause[i];
  for (const OverrunIncident& o : log.incidents) {
    list.push_back({{"cause", overrun_cause_name[static_cast<std::size_t>(o.cause)]},
                    {"time_s", o.start.seconds()},
                    {"macro_step", o.macro_step},
                    {"cpu", o.cpu},
                    {"period_s", o.period.seconds()},
                    {"subsystem", name_of(r, o.subsystem)},
                    {"before", o.before < r.subsystems.size() ? r.subsystems[o.before].name : ""},
                    {"late_us", microseconds(o.late)},
                    {"worst_us", microseconds(o.worst)},
                    {"woken_late_us", microseconds(o.wake)},
                    {"blocked_us", microseconds(o.blocked)},
                    {"blocked_by", o.waited_for == 0xffff ? "" : "worker " + std::to_string(o.waited_for)},
                    {"computed_us", microseconds(o.compute)},
                    {"usually_us", microseconds(o.usual_compute)},
                    {"rest_us", microseconds(o.rest)},
                    {"windows_late", o.windows_late},
                    {"inner_late", o.inner_late},
                    {"dropped_periods", o.dropped},
                    {"in_grace", o.in_grace},
                    {"evidence", o.evidence}});
  }
  return {{"count", log.overruns},
          {"deadline_misses", log.deadline_misses()},
          {"worst_miss_us", microseconds(log.worst_miss)},
          {"inner_late", log.inner_late},
          {"worst_inner_us", microseconds(log.worst_inner)},
          {"incidents", log.incident_count},
          {"in_grace", log.overruns_in_grace},
          {"causes", std::move(causes)},
          {"dropped_periods", log.dropped_periods},
          {"list", std::move(list)}};
}

Json origin(const RunOrigin& o) {
  return {{"started", o.started}, {"rig", o.rig},       {"host", o.host},
          {"cpu", o.cpu_model},   {"kernel", o.kernel}, {"command", o.command}};
}

Json host(const RunResults& r) {
  Json list = Json::array();
  for (const HostFinding& f : r.host) {
    Json entry = {{"item", f.item}, {"value", f.value}, {"good", f.good}, {"required", f.required}};
    if (!f.good) entry["cost"] = f.cost, entry["remedy"] = f.remedy;
    list.push_back(std::move(entry));
  }
  return list;
}

Json fmus(const RunResults& r) {
  Json list = Json::array();
  for (const FmuResult& fmu : r.fmus)
    list.push_back({{"name", fmu.name},
                    {"answers", fmu.answers},
                    {"late", fmu.late},
                    {"call_us", json(fmu.call_us)},
                    {"exchange_us", json(fmu.exchange_us)}});
  return list;
}

Json rates(const RunResults& r) {
  Json list = Json::array();
  for (const RateResult& rate : r.rates)
    list.push_back({{"worker", rate.worker},
                    {"period_s", rate.period_s},
                    {"releases", rate.releases},
                    {"compute_us", json(rate.compute_us)},
                    {"response_us", json(rate.response_us)}});
  return list;
}

Json schedule(const ScheduleSheet& sheet) {
  if (sheet.rates.empty()) return {};
  Json list = Json::array();
  for (const ForetoldRate& rate : sheet.rates)
    list.push_back({{"worker", rate.rehearsed.worker},
                    {"cpu", rate.cpu},
                    {"below", rate.below},
                    {"period_s", rate.rehearsed.period_s},
                    {"releases", rate.rehearsed.releases},
                    {"compute_us", json(rate.rehearsed.compute_us)},
                    {"deadline_us", rate.deadline_us},
                    {"response_us", rate.response_us},
                    {"slack_us", rate.slack_us()},
                    {"cuts", rate.cuts},
                    {"cuts_at_s", rate.cuts_at_s},
                    {"cuts_us", rate.cuts_us},
                    {"verdict", rate.verdict()}});
  return {{"rehearsed_s", sheet.rehearsed_s},
          {"late_us", sheet.late_us},
          {"rates", std::move(list)},
          {"scope_us", {{"window", sheet.scope.window_us}, {"macro_step", sheet.scope.macro_step_us}}}};
}

Json recording(const RunResults& r) {
  Json result = {{"rows", r.rows_recorded}, {"dropped", r.rows_dropped}, {"lost", r.rows_lost}};
  if (r.triggers) result["triggers"] = *r.triggers;
  return result;
}

Json trace(const TraceResult& t) {
  if (t.file.empty()) return {};
  return {
      {"file", t.file}, {"events", t.events}, {"lost", t.lost}, {"from_s", t.from_s}, {"overruns_before", t.places}};
}

Json io(const RunResults& r) {
  Json events = Json::array();
  for (const IoEventResult& e : r.io_events) events.push_back({{"time_s", e.time_s}, {"text", e.text}});
  Json result = {{"events", std::move(events)}};
  if (!r.io_statistics_json.empty()) {
    auto statistics = json_or_none<Json>(r.io_statistics_json);
    result["statistics"] = statistics.is_discarded() ? Json(r.io_statistics_json) : std::move(statistics);
  }
  return result;
}

constexpr std::size_t most_actions = 1000;  // the file's room is reserved; all of them are in actions.csv

Json actions(const std::vector<ActionResult>& actions) {
  Json list = Json::array();
  for (const ActionResult& a : actions) {
    if (list.size() == most_actions) break;
    Json action = {{"time_s", a.time_s}, {"author", a.author}, {"action", a.text}, {"booked_j", a.booked_j}};
    if (!a.refused.empty()) action["refused"] = a.refused;
    list.push_back(std::move(action));
  }
  return list;
}

Json booked_fluxes(const RunResults& r) {
  Json list = Json::array();
  for (const BookedResult& b : r.booked) list.push_back({{"path", b.path}, {"unit", b.unit}, {"amount", b.amount}});
  return list;
}

}  // namespace

std::size_t summary_bytes(const PlantDescription& plant) {
  std::size_t names = plant.subsystems.size() + plant.exchanges.size() + plant.plant_inputs.size();
  for (const SubsystemDescription& s : plant.subsystems) names += s.states + s.events.size();
  return (std::size_t{5} << 18U) + 1024 * names;
}

std::string summary_json(const RunResults& r) {
  Json parameters = Json::object();
  for (const auto& [name, value] : r.parameters_set) parameters[name] = value;
  Json core = {{"cpu", r.cpu},
               {"rtf", json(r.rtf)},
               {"overruns", r.overruns.overruns},
               {"wakeup_us", json(r.wakeup_us)},
               {"release_us", json(r.release_us)},
               {"sleeps", r.sleeps},
               {"blocked_s", r.blocked_s},
               {"scheduling", r.scheduling},
               {"minor_faults", r.minor_faults},
               {"major_faults", r.major_faults},
               {"involuntary_switches", r.involuntary_switches}};
  Json cores = Json::array({std::move(core)});
  for (std::size_t i = 0; i < r.cores.size(); ++i) {
    if (i > 0) cores.push_back({{"cpu", r.cores[i].cpu}, {"wakeup_us", json(r.cores[i].wakeup_us)}});
    if (!r.cores[i].host.empty()) cores[i]["host"] = r.cores[i].host;
    cores[i]["rtf"] = json(r.cores[i].rtf);
    cores[i]["below"] = r.cores[i].below;
    cores[i]["subsystems"] = r.cores[i].subsystems;
    cores[i]["busy_s"] = r.cores[i].busy_s;
    cores[i]["waited_s"] = r.cores[i].waited_s;
  }
  const ConcurrencyResult& c = r.concurrency;
  const Json concurrency = {{"cores_asked", c.asked},
                            {"cores_used", c.used},
                            {"placement_given", c.given},
                            {"work_s", c.work_s},
                            {"critical_path_s", c.critical_path_s},
                            {"bound_s", c.bound_s},
                            {"planned_s", c.planned_s}};
  const Json summary = {
      {"model", r.model},
      {"title", r.title},
      {"generator", r.generator},
      {"input_hash", r.input_hash},
      {"origin", origin(r.origin)},
      {"equations", r.equations},
      {"pace", r.paced ? "real" : "free"},
      {"simulated_s", r.simulated_s},
      {"wall_s", r.wall_s},
      {"macro_step_s", r.macro_step_s},
      {"macro_steps", r.macro_steps},
      {"jumped_periods", r.jumped_periods},
      {"verdict", run_verdict(r).headline},
      {"outcome", outcome_word(outcome_of(r))},
      {"exit_code", static_cast<int>(outcome_of(r))},
      {"failed", r.failed},
      {"stopped_because", r.stopped_because},
      {"trusted", r.trusted()},
      {"verdicts", verdicts(r)},
      {"audit", audit(r.audit)},
      {"rtf", json(r.rtf)},
      {"solver_s", r.solver_s},
      {"busy_s", r.busy_s},
      {"executive_ns_per_window", r.executive_ns_per_window},
      {"cores", std::move(cores)},
      {"concurrency", c.asked > 1 ? concurrency : Json()},
      {"overruns", overruns(r)},
      {"subsystems", subsystems(r)},
      {"couplings", couplings(r)},
      {"ledger_closes", r.ledger_closes},
      {"energy", json(r.energy)},
      {"energy_by_domain", energy_of_domains(r)},
      {"start", start(r.start)},
      {"digest", r.digest},
      {"digest_void", r.digest_void},
      {"parameters_set", std::move(parameters)},
      {"inputs", {{"changes", r.input_changes}, {"lost", r.input_changes_lost}}},
      {"actions", actions(r.actions)},
      {"inputs_set", actions(r.inputs_set)},
      {"actions_taken", r.actions.size()},
      {"actions_lost", r.actions_lost},
      {"tunings_late", r.tunings_late},
      {"booked_fluxes", booked_fluxes(r)},
      {"recording", recording(r)},
      {"rates", rates(r)},
      {"fmus", fmus(r)},
      {"hosts", hosts_json(r)},
      {"schedule", schedule(r.sheet)},
      {"trace", trace(r.trace)},
      {"scenario", scenario_json(r.scenario)},
      {"io", io(r)},
      {"host", host(r)},
      {"warnings", r.warnings},
  };
  return summary.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace takt
