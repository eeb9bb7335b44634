#include "tools/takt/replayed_inputs.hpp"

#include <algorithm>
#include <cstdlib>
#include <stdexcept>

#include "runtime/io/record/run_directory.hpp"
#include "runtime/plant/input_script.hpp"
#include "runtime/stats/format.hpp"
#include "tools/takt/described_inputs.hpp"

namespace takt::tools {

using namespace takt::codegen;

namespace {

void set_parameter(Network& network, const std::string& name, const std::string& value) {
  for (Parameter& parameter : network.parameters)
    if (network.graph().symbol(parameter.symbol).path == name) {
      parameter.value = std::strtod(value.c_str(), nullptr);  // SI
      return;
    }
  throw std::runtime_error("the replayed run set a parameter the plant does not have: " + name);
}

/// The first release at or after this time at which plant inputs are taken, as Schedule::next_taking() of a built plant
/// says.
std::int64_t next_taking(const Plan& plan, std::int64_t time_ns) {
  const auto next = [&](std::int64_t period_ns) { return (time_ns + period_ns - 1) / period_ns * period_ns; };
  std::int64_t first = next(plan.macro_step_ns);
  for (const PlanRoute& route : plan.routes) first = std::min(first, next(plan.subsystems[route.consumer].period_ns));
  return first;
}

}  // namespace

ReplayedInputs replayed_inputs(const std::string& log, const std::vector<std::string>& inputs, Checked& checked) {
  ReplayedInputs result;
  Network& network = checked.network;
  const DescribedInputs described(checked);
  const PlantDescription& plant = described.plant();
  const auto change_at = [&](const ScriptedInput& change, std::int64_t time_ns) {
    result.changes.push_back({time_ns, network.inputs[change.input].symbol, change.value});
  };
  if (!log.empty()) {
    const InputLog replayed = read_input_log(log, plant, OtherSteps::accepted);
    if (replayed.acted_on)
      throw std::runtime_error(log +
                               ": somebody has acted on the plant in that run (actions.csv), not only through plant "
                               "inputs: the reference does not know how");
    for (const ScriptedInput& change : replayed.changes) change_at(change, change.time.ns());
    result.duration_ns = static_cast<std::int64_t>(replayed.macro_steps) * replayed.macro_step_ns;
    result.steady = replayed.steady;
    if (!replayed.finished)
      result.unfinished = log + " " + not_finished(log) + ": its log reaches " +
                          short_duration(replayed.end().seconds()) + ". Give --for, that time at most";
    for (const auto& [name, value] : replayed.parameters_set) set_parameter(network, name, value);
  }
  for (const std::string& text : inputs) {
    const ScriptedInput change = parse_scripted_input(text, plant);
    change_at(change, next_taking(checked.plan, change.time.ns()));
  }
  std::stable_sort(result.changes.begin(), result.changes.end(),
                   [](const InputChange& a, const InputChange& b) { return a.time_ns < b.time_ns; });
  return result;
}

}  // namespace takt::tools
