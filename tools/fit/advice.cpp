#include "tools/fit/advice.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "tools/fit/verdict.hpp"

namespace takt::tools {
namespace {

using Json = nlohmann::ordered_json;
using nlohmann::json;

std::string percent(double part) { return fmt::format("{:.{}f} %", part * 100.0, part < 0.1 ? 1 : 0); }

/// Of wall time, the run's subsystems.
void add_subsystems(const json& summary, Json& rows) {
  const double whole = std::max(summary.at("simulated_s").get<double>(), 1e-12);
  for (const json& subsystem : summary.at("subsystems"))
    rows.push_back({{"what", subsystem.at("name")}, {"share", subsystem.at("compute_s").get<double>() / whole}});
}

const json* subsystem_of_plan(const json& pack, const std::string& name) {
  for (const json& subsystem : pack.at("plan").at("subsystems"))
    if (subsystem.at("name") == name) return &subsystem;
  return nullptr;
}

/// The subsystem that takes most, where its step could be longer.
std::string longer_step(const Measured& m, const Json& time) {
  for (const Json& row : time) {
    const json* plan = subsystem_of_plan(m.pack, row.at("what"));
    if (plan == nullptr || plan->at("sampled").get<bool>()) continue;
    const double step = plan->at("step_s");
    std::string text = fmt::format("'{}' computes for {} of the time, with a step of {:g} us",
                                   row.at("what").get<std::string>(), percent(row.at("share")), step * 1e6);
    if (plan->contains("stable_step_s"))
      text += fmt::format(" (stable up to {:g} us)", plan->at("stable_step_s").get<double>() * 1e6);
    return text + ": a longer one costs less; `takt plan` says what error it brings";
  }
  return {};
}

/// A number of cores that holds where one does not.
std::string more_cores(const Json& cores) {
  if (cores.empty() || cores.at(0).at("holds").get<bool>()) return {};
  for (const Json& row : cores)
    if (row.at("holds").get<bool>())
      return fmt::format("{} cores hold it: cores = [...] in the rig", row.at("cores").get<int>());
  return {};
}

}  // namespace

Json time_json(const Measured& m) {
  Json rows = Json::array();
  if (!m.paced.summary.is_object()) return rows;
  const json& paced = m.paced.summary;
  const double whole = std::max(paced.at("simulated_s").get<double>(), 1e-12), period = paced.at("macro_step_s");
  add_subsystems(paced, rows);
  rows.push_back(
      {{"what", "the executive"},
       {"share", std::max(0.0, paced.at("busy_s").get<double>() - paced.at("solver_s").get<double>()) / whole}});
  rows.push_back({{"what", "from release to the first window, usually"},
                  {"share", paced.at("cores").at(0).at("release_us").at("p50").get<double>() * 1e-6 / period}});
  if (m.plain && m.plain->failure.empty())
    rows.push_back({{"what", "what the rig adds"}, {"share", m.paced.computing - m.plain->computing}});
  std::stable_sort(rows.begin(), rows.end(),
                   [](const Json& a, const Json& b) { return a.at("share") > b.at("share"); });
  rows.push_back({{"what", "from release to the first window, at worst"},
                  {"share", paced.at("cores").at(0).at("release_us").at("max").get<double>() * 1e-6 / period}});
  return rows;
}

Json machine_json(const Measured& m) {
  Json rows = Json::array();
  const json& summary = m.paced.summary.is_object() ? m.paced.summary : m.free.summary;
  for (const json& finding : summary.at("host")) {
    if (finding.at("good").get<bool>()) continue;
    rows.push_back({{"item", finding.at("item")},
                    {"value", finding.at("value")},
                    {"required", finding.at("required")},
                    {"cost", finding.at("cost")},
                    {"remedy", finding.at("remedy")}});
  }
  std::stable_sort(rows.begin(), rows.end(), [](const Json& a, const Json& b) {
    return a.at("required").get<bool>() && !b.at("required").get<bool>();
  });
  return rows;
}

Json advice(const Measured& m, const Json& report) {
  Json sentences = Json::array();
  const auto add = [&](const std::string& sentence) {
    if (!sentence.empty()) sentences.push_back(sentence);
  };
  const Json& verdict = report.at("verdict");
  if (verdict.at("scheduling").get<std::string>().starts_with("SCHED_OTHER"))
    add("it ran without real-time priority, as any other program: measure as root, or with CAP_SYS_NICE and "
        "CAP_IPC_LOCK, to learn what the board can do");
  for (const Json& row : report.at("machine"))
    if (row.at("item") == "virtual machine")
      add("measured in a virtual machine: its host's other work is in these times, and where its processor is "
          "emulated, "
          "they are no board's");
  if (verdict.at("holds").get<bool>()) return sentences;
  if (verdict.contains("failure")) return sentences;
  const double computing = verdict.at("computing");
  if (computing < 0.7 && verdict.at("by_machine").get<double>() >= 0.5) {
    add(
        fmt::format("the machine, not the plan: the plant computes for {} of the time, and {} of the late windows have "
                    "their cause in the machine",
                    percent(computing), percent(verdict.at("by_machine"))));
    return sentences;
  }
  add(more_cores(report.at("cores")));
  add(longer_step(m, report.at("time")));
  return sentences;
}

}  // namespace takt::tools
