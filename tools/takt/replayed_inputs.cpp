#include "tools/takt/replayed_inputs.hpp"

#include <algorithm>
#include <cstdlib>
#include <stdexcept>

#include "runtime/plant/input_script.hpp"

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

}  // namespace

ReplayedInputs replayed_inputs(const std::string& log, const std::vector<std::string>& inputs, Checked& checked) {
  ReplayedInputs result;
  Network& network = checked.network;
  std::vector<PlantInputDescription> described;
  for (const PlantInput& input : network.inputs) {
    const Symbol& symbol = network.graph().symbol(input.symbol);
    described.push_back({symbol.path.c_str(), symbol.unit.c_str(), input.start, input.safe});
  }
  PlantDescription plant{};
  plant.name = network.name.c_str();
  plant.input_hash = "";
  plant.macro_step_ns = checked.plan.macro_step_ns;
  plant.plant_inputs = described;
  std::vector<ScriptedInput> changes;
  if (!log.empty()) {
    InputLog replayed = read_input_log(log, plant);
    changes = std::move(replayed.changes);
    result.duration_ns = static_cast<std::int64_t>(replayed.macro_steps) * plant.macro_step_ns;
    result.steady = replayed.steady;
    for (const auto& [name, value] : replayed.parameters_set) set_parameter(network, name, value);
  }
  for (const std::string& text : inputs) changes.push_back(parse_scripted_input(text, plant));
  std::stable_sort(changes.begin(), changes.end(),
                   [](const ScriptedInput& a, const ScriptedInput& b) { return a.macro_step < b.macro_step; });
  for (const ScriptedInput& change : changes)
    result.changes.push_back({static_cast<std::int64_t>(change.macro_step) * plant.macro_step_ns,
                              network.inputs[change.input].symbol, change.value});
  return result;
}

}  // namespace takt::tools
