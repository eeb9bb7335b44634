#pragma once
// The functions of an FMU of version 2.0.x, resolved.

#include <fmi2FunctionTypes.h>

#include "runtime/fmu/library.hpp"
#include "runtime/fmu/table.hpp"

namespace takt::fmu {

/// Null: not there, and by the FMU's capabilities not needed.
struct Functions2 {
  fmi2InstantiateTYPE* instantiate{};
  fmi2FreeInstanceTYPE* free_instance{};
  fmi2SetupExperimentTYPE* setup_experiment{};
  fmi2EnterInitializationModeTYPE* enter_initialization{};
  fmi2ExitInitializationModeTYPE* exit_initialization{};
  fmi2TerminateTYPE* terminate{};
  fmi2ResetTYPE* reset{};
  fmi2GetRealTYPE* get_real{};
  fmi2GetIntegerTYPE* get_integer{};
  fmi2GetBooleanTYPE* get_boolean{};
  fmi2GetStringTYPE* get_string{};
  fmi2SetRealTYPE* set_real{};
  fmi2SetIntegerTYPE* set_integer{};
  fmi2SetBooleanTYPE* set_boolean{};
  fmi2SetStringTYPE* set_string{};
  fmi2GetFMUstateTYPE* get_state{};
  fmi2SetFMUstateTYPE* set_state{};
  fmi2FreeFMUstateTYPE* free_state{};
  fmi2SerializedFMUstateSizeTYPE* serialized_size{};
  fmi2SerializeFMUstateTYPE* serialize{};
  fmi2DeSerializeFMUstateTYPE* deserialize{};
  fmi2GetDirectionalDerivativeTYPE* directional{};
  // Model exchange.
  fmi2EnterEventModeTYPE* enter_event{};
  fmi2NewDiscreteStatesTYPE* new_discrete_states{};
  fmi2EnterContinuousTimeModeTYPE* enter_continuous{};
  fmi2CompletedIntegratorStepTYPE* completed_step{};
  fmi2SetTimeTYPE* set_time{};
  fmi2SetContinuousStatesTYPE* set_states{};
  fmi2GetDerivativesTYPE* get_derivatives{};
  fmi2GetEventIndicatorsTYPE* get_indicators{};
  fmi2GetContinuousStatesTYPE* get_states{};
  fmi2GetNominalsOfContinuousStatesTYPE* get_nominals{};
  // Co-simulation.
  fmi2SetRealInputDerivativesTYPE* set_input_derivatives{};
  fmi2GetRealOutputDerivativesTYPE* get_output_derivatives{};
  fmi2DoStepTYPE* do_step{};
  fmi2CancelStepTYPE* cancel_step{};
  fmi2GetRealStatusTYPE* get_real_status{};
  fmi2GetBooleanStatusTYPE* get_boolean_status{};
};

/// @throw LoadError  names the first function that is missing
[[nodiscard]] Functions2 resolve2(const Library& library, const Table& table);

}  // namespace takt::fmu
