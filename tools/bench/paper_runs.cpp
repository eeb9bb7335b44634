#include "tools/bench/paper_runs.hpp"

#include <sched.h>
#include <sys/resource.h>

#include <cmath>
#include <fstream>
#include <nlohmann/json.hpp>
#include <stdexcept>

#include "codegen/emit/build/process.hpp"
#include "runtime/json/parse_json.hpp"
#include "tools/bench/median.hpp"
#include "tools/takt/wait_line.hpp"

namespace takt::tools {
namespace {

constexpr int fifo_priority = 50;

/// CPU time of all children that have ended, s.
double children_s() {
  rusage usage{};
  getrusage(RUSAGE_CHILDREN, &usage);
  const auto seconds = [](const timeval& t) {
    return static_cast<double>(t.tv_sec) + static_cast<double>(t.tv_usec) * 1e-6;
  };
  return seconds(usage.ru_utime) + seconds(usage.ru_stime);
}

std::vector<std::string> command_of(const BuiltPlant& plant, const std::string& duration) {
  std::vector<std::string> command{plant.executable.string(), "--pace", "free", "--audit", "off", "--quiet", "--json"};
  for (const auto& [name, value] : plant.tunable) command.insert(command.end(), {"--set", name + "=" + value});
  if (!duration.empty()) command.insert(command.end(), {"--for", duration});
  return command;
}

/// Of all fluxes, relative to what has passed; one that nothing has passed counts as it is.
void judge_ledgers(const nlohmann::json& summary, PaperResult& result) {
  for (const auto& coupling : summary.at("couplings")) {
    if (coupling.at("kind") != "flux") continue;
    const double residual = coupling.at("sent").get<double>() - coupling.at("received").get<double>() -
                            coupling.at("in_transit").get<double>();
    const double passed = coupling.at("throughput");
    result.ledger = std::max(result.ledger, std::fabs(residual) / (passed > 0.0 ? passed : 1.0));
    ++result.fluxes;
  }
  const auto& energy = summary.at("energy");
  const double throughput =
      std::fabs(energy.at("supplied_j").get<double>()) + std::fabs(energy.at("dissipated_j").get<double>());
  result.energy = std::fabs(energy.at("residual_j").get<double>()) / (throughput > 0.0 ? throughput : 1.0);
}

}  // namespace

FifoScope::FifoScope() {
  sched_param parameters{};
  parameters.sched_priority = fifo_priority;
  allowed_ = sched_setscheduler(0, SCHED_FIFO, &parameters) == 0;
}

FifoScope::~FifoScope() {
  const sched_param parameters{};
  sched_setscheduler(0, SCHED_OTHER, &parameters);
}

PaperCost timed_run(const BuiltPlant& plant, const std::string& duration) {
  std::vector<std::string> command = command_of(plant, duration);
  command.emplace_back("--no-results");
  const WaitLine line("running " + plant.checked.network.name);
  const double before = children_s();
  const codegen::ProcessResult run = codegen::run_process(command);
  if (run.exit_code != 0) throw std::runtime_error("the plant failed:\n" + run.output);
  const auto summary = parse_json<nlohmann::json>(run.output);
  const auto& rtf = summary.at("rtf");
  return {.busy_s = summary.at("busy_s"),
          .process_s = children_s() - before,
          .mean = rtf.at("mean"),
          .p999 = rtf.at("p999"),
          .largest = rtf.at("max"),
          .simulated_s = summary.at("simulated_s"),
          .macro_step_s = summary.at("macro_step_s")};
}

PaperCost median(const std::vector<PaperCost>& runs) {
  const auto of = [&](double PaperCost::*field) {
    std::vector<double> values;
    for (const PaperCost& run : runs) values.push_back(run.*field);
    return median(std::move(values));
  };
  PaperCost result = runs.front();
  for (double PaperCost::*field :
       {&PaperCost::busy_s, &PaperCost::process_s, &PaperCost::mean, &PaperCost::p999, &PaperCost::largest})
    result.*field = of(field);
  return result;
}

std::optional<PaperResult> recorded_run(const BuiltPlant& plant, const std::string& duration,
                                        const std::filesystem::path& folder) {
  std::vector<std::string> command = command_of(plant, duration);
  command.insert(command.end(), {"--no-report", "--out", folder.string()});
  const WaitLine line("running " + plant.checked.network.name);
  if (codegen::run_process(command).exit_code != 0) return std::nullopt;
  PaperResult result;
  judge_ledgers(json_file_or_none<nlohmann::json>(folder / "summary.json"), result);
  result.recording = read_recording(folder);
  return result;
}

}  // namespace takt::tools
