#include "tools/takt/plan_report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <optional>

#include "codegen/text/quantity.hpp"

namespace takt::tools {
namespace {

using namespace takt::codegen;
using Json = nlohmann::ordered_json;

Json number(double value) { return std::isfinite(value) ? Json(value) : Json(); }

/// "the step of electric at 2 ms"
std::string move_text(const PlanTimesSpace& space, const PlanTimes& from, const PlanMove& move) {
  const PlanTimes to = space.moved(from, move.time, move.factor);
  const std::size_t first = move.time.members.front();
  const bool is_step = move.time.kind == FreeTime::Kind::step;
  return move.time.name + " at " + duration_text(is_step ? to.step_ns[first] : to.period_ns[first]);
}

Json move_report(const PlanTimesSpace& space, const PlannedTimes& planned, const std::optional<PlanMove>& move) {
  if (!move) return {};
  return {{"change", move_text(space, planned.search.times, *move)},
          {"error", move->error},
          {"work", move->work / space.work(planned.search.times)}};
}

void add_times(Json& out, const PlanTimesSpace& space, const Plan& plan, const PlanTimes& times) {
  const double all = space.work(times);
  for (std::size_t k = 0; k < plan.groups.size(); ++k)
    out["groups"].push_back({{"name", plan.groups[k].name},
                             {"period_ns", times.period_ns[k]},
                             {"was_ns", plan.groups[k].period_ns},
                             {"given", !plan.groups[k].proposed}});
  for (std::size_t k = 0; k < plan.subsystems.size(); ++k) {
    const PlanSubsystem& s = plan.subsystems[k];
    out["subsystems"].push_back({{"name", s.name},
                                 {"method", s.method->name},
                                 {"sampled", s.method->is_sampled()},
                                 {"step_ns", times.step_ns[k]},
                                 {"was_ns", s.step_ns},
                                 {"given", s.step_given},
                                 {"work", space.work(times, k) / all}});
  }
}

std::string time_line(const std::string& name, const Json& of, const char* time) {
  const std::int64_t now = of.at(time), was = of.at("was_ns");
  return fmt::format("  {:<40} {:>10}   {}", name, duration_text(now),
                     of.at("given").get<bool>() ? "given"
                     : now == was               ? "as proposed"
                                                : "was " + duration_text(was));
}

std::string move_line(const char* name, const Json& move) {
  if (!move.is_object()) return fmt::format("  {:<18} none was found among times twice or half as long\n", name);
  return fmt::format("  {:<18} {}: an error of about {:.2g} for {:.0f} % of the work\n", name,
                     move.at("change").get<std::string>(), move.at("error").get<double>(),
                     100.0 * move.at("work").get<double>());
}

}  // namespace

Json estimate_report(const PlanEstimate& estimate) {
  return {{"converges", estimate.converges}, {"signal", estimate.signal},   {"verdict", estimate.verdict},
          {"covered_s", estimate.covered_s}, {"compute", estimate.compute}, {"error", number(estimate.error)}};
}

Json plan_report(const BuiltPlant& plant, const PlannedTimes& planned) {
  const Checked& checked = checked_of(plant, planned);
  const PlanSearch& found = planned.search;
  const PlanTimesSpace space({checked.network, checked.dae}, checked.plan);
  Json out{{"model", checked.network.name},
           {"text", planned_text(plant, planned)},
           {"unknown_with_inputs_moved", planned.when_moved},
           {"error", planned.wish.error},
           {"met", found.met},
           {"rounds", found.rounds},
           {"given", estimate_report(found.given)},
           {"found", estimate_report(found.found)},
           {"given_work", found.given_work},
           {"found_work", found.found_work}};
  out["duration_s"] = duration_of(planned.wish, checked.network);
  out["later_instants"] = planned.later.size();
  if (!planned.later.empty()) out["first_later_s"] = planned.later.front();
  out["shares"] = Json::array();
  for (const ShareOfError& share : found.shares)
    if (std::isfinite(share.share)) out["shares"].push_back({{"time", share.time.name}, {"share", share.share}});
  add_times(out, space, checked.plan, found.times);
  out["cheaper"] = move_report(space, planned, found.next.cheaper);
  out["finer"] = move_report(space, planned, found.next.finer);
  return out;
}

std::string too_long_text(const Json& report, double span_s) {
  constexpr double long_s = 3600.0;
  const Json& found = report.at("found");
  const double covered_s = found.at("covered_s"), duration_s = report.at("duration_s"),
               takes_s = found.at("compute").get<double>() * span_s;
  if (covered_s >= least_seen * duration_s || !(takes_s > long_s)) return {};
  return fmt::format(
      "error[S056]: {}: a free run over {:.4g} s takes about {:.3g} h here by its steps, and trials saw {:.3g} s of "
      "it: "
      "give a shorter duration (--for), longer times in [sync] and [solve], or --error off to run it all the same\n",
      report.at("model").get<std::string>(), span_s, takes_s / 3600.0, covered_s);
}

std::string steps_text(const Json& report) {
  constexpr std::size_t most = 5;
  constexpr double small = 1e-2;  // of the error
  std::string text;
  for (const Json& group : report.at("groups"))
    text += time_line("exchange of " + group.at("name").get<std::string>(), group, "period_ns") + "\n";
  for (const Json& s : report.at("subsystems"))
    if (!s.at("sampled").get<bool>())
      text += time_line("step of " + s.at("name").get<std::string>(), s, "step_ns") +
              fmt::format(", {}, {:.0f} % of the work\n", s.at("method").get<std::string>(),
                          100.0 * s.at("work").get<double>());
  const Json& error = report.at("found").at("error");
  std::size_t told = 0;
  for (const Json& share : report.at("shares")) {
    const double part = share.at("share");
    if (told == most || !error.is_number() || part <= small * error.get<double>()) break;
    text += fmt::format("  {:<18} {}: {:.2g} of the error\n", told++ == 0 ? "limiting" : "",
                        share.at("time").get<std::string>(), part);
  }
  const auto is_given = [](const Json& time) { return time.at("given").get<bool>(); };
  if (std::all_of(report.at("groups").begin(), report.at("groups").end(), is_given) &&
      std::all_of(report.at("subsystems").begin(), report.at("subsystems").end(),
                  [&](const Json& s) { return s.at("sampled").get<bool>() || is_given(s); }))
    return text;
  return text + move_line("next cheaper", report.at("cheaper")) + move_line("next more accurate", report.at("finer"));
}

}  // namespace takt::tools
