#include "tools/takt/described_inputs.hpp"

namespace takt::tools {

using namespace takt::codegen;

DescribedInputs::DescribedInputs(const Checked& checked) {
  const Network& network = checked.network;
  for (const PlantInput& input : network.inputs) {
    const Symbol& symbol = network.graph().symbol(input.symbol);
    inputs_.push_back({symbol.path.c_str(), symbol.unit.c_str(), input.start, input.safe});
  }
  plant_.name = network.name.c_str();
  plant_.input_hash = "";
  plant_.macro_step_ns = checked.plan.macro_step_ns;
  plant_.plant_inputs = inputs_;
}

}  // namespace takt::tools
