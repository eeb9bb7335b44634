#pragma once
// The functions of an FMU of version 3.0.x, resolved.

#include <fmi3FunctionTypes.h>

#include "runtime/fmu/library.hpp"
#include "runtime/fmu/table.hpp"

namespace takt::fmu {

/// Null: not there, and by the FMU's capabilities not needed.
struct Functions3 {
  fmi3FreeInstanceTYPE* free_instance{};
  fmi3EnterInitializationModeTYPE* enter_initialization{};
  fmi3ExitInitializationModeTYPE* exit_initialization{};
  fmi3EnterEventModeTYPE* enter_event{};
  fmi3UpdateDiscreteStatesTYPE* update_discrete_states{};
  fmi3TerminateTYPE* terminate{};
  fmi3ResetTYPE* reset{};
  fmi3GetFloat32TYPE* get_float32{};
  fmi3GetFloat64TYPE* get_float64{};
  fmi3GetInt8TYPE* get_int8{};
  fmi3GetUInt8TYPE* get_uint8{};
  fmi3GetInt16TYPE* get_int16{};
  fmi3GetUInt16TYPE* get_uint16{};
  fmi3GetInt32TYPE* get_int32{};
  fmi3GetUInt32TYPE* get_uint32{};
  fmi3GetInt64TYPE* get_int64{};
  fmi3GetUInt64TYPE* get_uint64{};
  fmi3GetBooleanTYPE* get_boolean{};
  fmi3GetStringTYPE* get_string{};
  fmi3SetFloat32TYPE* set_float32{};
  fmi3SetFloat64TYPE* set_float64{};
  fmi3SetInt8TYPE* set_int8{};
  fmi3SetUInt8TYPE* set_uint8{};
  fmi3SetInt16TYPE* set_int16{};
  fmi3SetUInt16TYPE* set_uint16{};
  fmi3SetInt32TYPE* set_int32{};
  fmi3SetUInt32TYPE* set_uint32{};
  fmi3SetInt64TYPE* set_int64{};
  fmi3SetUInt64TYPE* set_uint64{};
  fmi3SetBooleanTYPE* set_boolean{};
  fmi3SetStringTYPE* set_string{};
  fmi3GetFMUStateTYPE* get_state{};
  fmi3SetFMUStateTYPE* set_state{};
  fmi3FreeFMUStateTYPE* free_state{};
  fmi3SerializedFMUStateSizeTYPE* serialized_size{};
  fmi3SerializeFMUStateTYPE* serialize{};
  fmi3DeserializeFMUStateTYPE* deserialize{};
  fmi3GetDirectionalDerivativeTYPE* directional{};
  fmi3GetAdjointDerivativeTYPE* adjoint{};
  // Model exchange.
  fmi3InstantiateModelExchangeTYPE* instantiate_model_exchange{};
  fmi3EnterContinuousTimeModeTYPE* enter_continuous{};
  fmi3CompletedIntegratorStepTYPE* completed_step{};
  fmi3SetTimeTYPE* set_time{};
  fmi3SetContinuousStatesTYPE* set_states{};
  fmi3GetContinuousStateDerivativesTYPE* get_derivatives{};
  fmi3GetEventIndicatorsTYPE* get_indicators{};
  fmi3GetContinuousStatesTYPE* get_states{};
  fmi3GetNominalsOfContinuousStatesTYPE* get_nominals{};
  // Co-simulation.
  fmi3InstantiateCoSimulationTYPE* instantiate_co_simulation{};
  fmi3DoStepTYPE* do_step{};
  fmi3EnterStepModeTYPE* enter_step{};
  fmi3GetOutputDerivativesTYPE* get_output_derivatives{};
};

/// @throw LoadError  names the first function that is missing
[[nodiscard]] Functions3 resolve3(const Library& library, const Table& table);

}  // namespace takt::fmu
