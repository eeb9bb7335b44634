#include "tools/takt/replayed_inputs.hpp"

#include <algorithm>
#include <cstdlib>
#include <numeric>
#include <stdexcept>

#include "runtime/plant/input_script.hpp"
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

/// Plant inputs are taken at multiples of this, as input_grid() of runtime/plant/schedule.hpp says of a built plant.
std::int64_t input_grid_ns(const Plan& plan) {
  std::int64_t grid_ns = 0;
  for (const PlanRoute& route : plan.routes) grid_ns = std::gcd(grid_ns, plan.subsystems[route.consumer].period_ns);
  return grid_ns > 0 ? grid_ns : plan.macro_step_ns;
}

}  // namespace

ReplayedInputs replayed_inputs(const std::string& log, const std::vector<std::string>& inputs, Checked& checked) {
  ReplayedInputs result;
  Network& network = checked.network;
  const DescribedInputs described(checked);
  const PlantDescription& plant = described.plant();
  /// As a run takes them.
  const auto change_at = [&](const ScriptedInput& change, std::int64_t grid_ns) {
    result.changes.push_back(
        {(change.time.ns() + grid_ns - 1) / grid_ns * grid_ns, network.inputs[change.input].symbol, change.value});
  };
  if (!log.empty()) {
    const InputLog replayed = read_input_log(log, plant, OtherSteps::accepted);
    for (const ScriptedInput& change : replayed.changes) change_at(change, 1);
    result.duration_ns = static_cast<std::int64_t>(replayed.macro_steps) * replayed.macro_step_ns;
    result.steady = replayed.steady;
    for (const auto& [name, value] : replayed.parameters_set) set_parameter(network, name, value);
  }
  for (const std::string& text : inputs) change_at(parse_scripted_input(text, plant), input_grid_ns(checked.plan));
  std::stable_sort(result.changes.begin(), result.changes.end(),
                   [](const InputChange& a, const InputChange& b) { return a.time_ns < b.time_ns; });
  return result;
}

}  // namespace takt::tools
