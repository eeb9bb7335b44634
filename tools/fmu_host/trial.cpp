#include "tools/fmu_host/trial.hpp"

#include <sys/mman.h>
#include <unistd.h>

#include <iostream>
#include <iterator>
#include <nlohmann/json.hpp>

#include "runtime/fmu/own_process.hpp"
#include "tools/fmu_host/host_table.hpp"
#include "tools/fmu_host/probe_runs.hpp"

namespace takt::fmu_host {
namespace {

using nlohmann::json;

void print_message(void*, fmu::Status status, const char* text) noexcept {
  std::fprintf(stderr, "%s: %s\n", fmu::name_of(status), text);
}

/// What keeps a run from its first step.
std::string problem_of(const fmu::Result& result, fmu::Instance& instance, const std::string& when) {
  return when + ": " + fmu::describe(result, instance);
}

json run(const TrialPlan& plan, TrialProgress& progress) {
  TableInputs inputs(plan.table.version, plan.inputs);
  fmu::Instance instance(plan.table);
  if (plan.settings.logging) instance.message().set_sink(print_message, nullptr);
  progress.begin("instantiating");
  const fmu::Result made = instance.instantiate({plan.name, plan.settings.logging, true, plan.settings.variable_step});
  if (!made.done()) return {{"problem", problem_of(made, instance, "at its start")}};
  progress.begin("initialising");
  if (const fmu::Result ready = initialise(instance, plan.start, plan.settings, inputs); !ready.done())
    return {{"problem", problem_of(ready, instance,
                                   ready.row < plan.start.names.size() ? "setting " + plan.start.names[ready.row]
                                                                       : "in initialisation")}};
  RowFile rows(rows_file);
  Simulation simulation(instance, plan, inputs, rows);
  const SimulationEnd end = simulation.run(progress);
  json found{{"reached", end.reached},
             {"terminated", end.terminated},
             {"wall_s", end.wall_s},
             {"steps", end.counts.steps},
             {"time_events", end.counts.time_events},
             {"state_events", end.counts.state_events},
             {"step_events", end.counts.step_events},
             {"input_events", end.counts.input_events},
             {"late_events", end.counts.late_events},
             {"stiff_steps", end.counts.stiff_steps},
             {"early_returns", end.counts.early_returns},
             {"said", end.said},
             {"chosen", end.chosen}};
  if (!end.unstable.empty()) found["problem"] = end.unstable;
  if (!end.result.done() && end.unstable.empty()) found["failed"] = fmu::describe(end.result, instance);
  if (end.not_finite) found["not_finite"] = *end.not_finite;
  return found;
}

using Work = json (*)(const TrialPlan&, TrialProgress&);

Work work_named(const std::string& name) {
  constexpr struct {
    const char* name;
    Work work;
  } all[] = {{"run", run},         {"long run", long_run},           {"short run", short_run},
             {"reset", reset_run}, {"two instances", two_instances}, {"state", state_run},
             {"inputs", input_run}};
  for (const auto& one : all)
    if (one.name == name) return one.work;
  throw std::runtime_error("takt-fmu-host knows no trial '" + name + "': it is of another version than takt");
}

json found_by(TrialProgress& progress) {
  try {
    const std::vector<std::uint8_t> bytes(std::istreambuf_iterator<char>(std::cin), {});
    TrialPlan plan = unpacked_plan(bytes);
    set_paths(plan.table, plan.folder);
    json found = work_named(plan.work)(plan, progress);
    if (fmu::copies_came_back()) found["problem"] = fmu::about_copies;
    return found;
  } catch (const std::exception& problem) {
    return {{"problem", problem.what()}};
  }
}

}  // namespace

int run_trial() {
  void* mapped = mmap(nullptr, sizeof(TrialProgress), PROT_READ | PROT_WRITE, MAP_SHARED, progress_file, 0);
  if (mapped == MAP_FAILED) return 2;
  TrialProgress& progress = *static_cast<TrialProgress*>(mapped);
  (void)fmu::end_copies(progress.came_back);
  const std::vector<std::uint8_t> bytes = json::to_cbor(found_by(progress));
  for (std::size_t done = 0; done < bytes.size();) {
    const ssize_t part = write(found_file, bytes.data() + done, bytes.size() - done);
    if (part <= 0) return 1;
    done += static_cast<std::size_t>(part);
  }
  // What the FMU does when its library is unloaded, or with threads of its own that still run, is no finding.
  _exit(0);
}

}  // namespace takt::fmu_host
