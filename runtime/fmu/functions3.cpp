#include "runtime/fmu/functions3.hpp"

namespace takt::fmu {
namespace {

void resolve_common(const Library& from, const Capabilities& can, Functions3& to) {
  from.resolve(to.free_instance, "fmi3FreeInstance");
  from.resolve(to.enter_initialization, "fmi3EnterInitializationMode");
  from.resolve(to.exit_initialization, "fmi3ExitInitializationMode");
  from.resolve(to.enter_event, "fmi3EnterEventMode");
  from.resolve(to.update_discrete_states, "fmi3UpdateDiscreteStates");
  from.resolve(to.terminate, "fmi3Terminate");
  from.resolve(to.reset, "fmi3Reset");
  from.resolve(to.get_state, "fmi3GetFMUState", can.get_and_set_state);
  from.resolve(to.set_state, "fmi3SetFMUState", can.get_and_set_state);
  from.resolve(to.free_state, "fmi3FreeFMUState", can.get_and_set_state);
  from.resolve(to.serialized_size, "fmi3SerializedFMUStateSize", can.serialize_state);
  from.resolve(to.serialize, "fmi3SerializeFMUState", can.serialize_state);
  from.resolve(to.deserialize, "fmi3DeserializeFMUState", can.serialize_state);
  from.resolve(to.directional, "fmi3GetDirectionalDerivative", can.directional_derivatives);
  from.resolve(to.adjoint, "fmi3GetAdjointDerivative", can.adjoint_derivatives);
}

void resolve_values(const Library& from, Functions3& to) {
  from.resolve(to.get_float32, "fmi3GetFloat32");
  from.resolve(to.get_float64, "fmi3GetFloat64");
  from.resolve(to.get_int8, "fmi3GetInt8");
  from.resolve(to.get_uint8, "fmi3GetUInt8");
  from.resolve(to.get_int16, "fmi3GetInt16");
  from.resolve(to.get_uint16, "fmi3GetUInt16");
  from.resolve(to.get_int32, "fmi3GetInt32");
  from.resolve(to.get_uint32, "fmi3GetUInt32");
  from.resolve(to.get_int64, "fmi3GetInt64");
  from.resolve(to.get_uint64, "fmi3GetUInt64");
  from.resolve(to.get_boolean, "fmi3GetBoolean");
  from.resolve(to.get_string, "fmi3GetString");
  from.resolve(to.set_float32, "fmi3SetFloat32");
  from.resolve(to.set_float64, "fmi3SetFloat64");
  from.resolve(to.set_int8, "fmi3SetInt8");
  from.resolve(to.set_uint8, "fmi3SetUInt8");
  from.resolve(to.set_int16, "fmi3SetInt16");
  from.resolve(to.set_uint16, "fmi3SetUInt16");
  from.resolve(to.set_int32, "fmi3SetInt32");
  from.resolve(to.set_uint32, "fmi3SetUInt32");
  from.resolve(to.set_int64, "fmi3SetInt64");
  from.resolve(to.set_uint64, "fmi3SetUInt64");
  from.resolve(to.set_boolean, "fmi3SetBoolean");
  from.resolve(to.set_string, "fmi3SetString");
}

void resolve_model_exchange(const Library& from, Functions3& to) {
  from.resolve(to.instantiate_model_exchange, "fmi3InstantiateModelExchange");
  from.resolve(to.enter_continuous, "fmi3EnterContinuousTimeMode");
  from.resolve(to.completed_step, "fmi3CompletedIntegratorStep");
  from.resolve(to.set_time, "fmi3SetTime");
  from.resolve(to.set_states, "fmi3SetContinuousStates");
  from.resolve(to.get_derivatives, "fmi3GetContinuousStateDerivatives");
  from.resolve(to.get_indicators, "fmi3GetEventIndicators");
  from.resolve(to.get_states, "fmi3GetContinuousStates");
  from.resolve(to.get_nominals, "fmi3GetNominalsOfContinuousStates");
}

void resolve_co_simulation(const Library& from, const Capabilities& can, Functions3& to) {
  from.resolve(to.instantiate_co_simulation, "fmi3InstantiateCoSimulation");
  from.resolve(to.do_step, "fmi3DoStep");
  from.resolve(to.enter_step, "fmi3EnterStepMode", can.has_event_mode);
  from.resolve(to.get_output_derivatives, "fmi3GetOutputDerivatives", can.output_derivative_order > 0);
}

}  // namespace

Functions3 resolve3(const Library& library, const Table& table) {
  Functions3 functions;
  resolve_common(library, table.can, functions);
  resolve_values(library, functions);
  if (table.kind == Kind::model_exchange)
    resolve_model_exchange(library, functions);
  else
    resolve_co_simulation(library, table.can, functions);
  return functions;
}

}  // namespace takt::fmu
