#include "runtime/fmu/functions2.hpp"

namespace takt::fmu {
namespace {

void resolve_common(const Library& from, const Capabilities& can, Functions2& to) {
  from.resolve(to.instantiate, "fmi2Instantiate");
  from.resolve(to.free_instance, "fmi2FreeInstance");
  from.resolve(to.setup_experiment, "fmi2SetupExperiment");
  from.resolve(to.enter_initialization, "fmi2EnterInitializationMode");
  from.resolve(to.exit_initialization, "fmi2ExitInitializationMode");
  from.resolve(to.terminate, "fmi2Terminate");
  from.resolve(to.reset, "fmi2Reset");
  from.resolve(to.get_real, "fmi2GetReal");
  from.resolve(to.get_integer, "fmi2GetInteger");
  from.resolve(to.get_boolean, "fmi2GetBoolean");
  from.resolve(to.get_string, "fmi2GetString");
  from.resolve(to.set_real, "fmi2SetReal");
  from.resolve(to.set_integer, "fmi2SetInteger");
  from.resolve(to.set_boolean, "fmi2SetBoolean");
  from.resolve(to.set_string, "fmi2SetString");
  from.resolve(to.get_state, "fmi2GetFMUstate", can.get_and_set_state);
  from.resolve(to.set_state, "fmi2SetFMUstate", can.get_and_set_state);
  from.resolve(to.free_state, "fmi2FreeFMUstate", can.get_and_set_state);
  from.resolve(to.serialized_size, "fmi2SerializedFMUstateSize", can.serialize_state);
  from.resolve(to.serialize, "fmi2SerializeFMUstate", can.serialize_state);
  from.resolve(to.deserialize, "fmi2DeSerializeFMUstate", can.serialize_state);
  from.resolve(to.directional, "fmi2GetDirectionalDerivative", can.directional_derivatives);
}

void resolve_model_exchange(const Library& from, Functions2& to) {
  from.resolve(to.enter_event, "fmi2EnterEventMode");
  from.resolve(to.new_discrete_states, "fmi2NewDiscreteStates");
  from.resolve(to.enter_continuous, "fmi2EnterContinuousTimeMode");
  from.resolve(to.completed_step, "fmi2CompletedIntegratorStep");
  from.resolve(to.set_time, "fmi2SetTime");
  from.resolve(to.set_states, "fmi2SetContinuousStates");
  from.resolve(to.get_derivatives, "fmi2GetDerivatives");
  from.resolve(to.get_indicators, "fmi2GetEventIndicators");
  from.resolve(to.get_states, "fmi2GetContinuousStates");
  from.resolve(to.get_nominals, "fmi2GetNominalsOfContinuousStates");
}

void resolve_co_simulation(const Library& from, const Capabilities& can, Functions2& to) {
  from.resolve(to.do_step, "fmi2DoStep");
  from.resolve(to.cancel_step, "fmi2CancelStep", false);
  from.resolve(to.get_real_status, "fmi2GetRealStatus", false);
  from.resolve(to.get_boolean_status, "fmi2GetBooleanStatus", false);
  from.resolve(to.set_input_derivatives, "fmi2SetRealInputDerivatives", can.interpolates_inputs);
  from.resolve(to.get_output_derivatives, "fmi2GetRealOutputDerivatives", can.output_derivative_order > 0);
}

}  // namespace

Functions2 resolve2(const Library& library, const Table& table) {
  Functions2 functions;
  resolve_common(library, table.can, functions);
  if (table.kind == Kind::model_exchange)
    resolve_model_exchange(library, functions);
  else
    resolve_co_simulation(library, table.can, functions);
  return functions;
}

}  // namespace takt::fmu
