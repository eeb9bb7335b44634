// The functions of FMI 3.0.2 that a plant of co-simulation serves, and those of model exchange, each of which says that
// it does not.

#include "runtime/fmu_export/fmi3_component.hpp"
#include "runtime/fmu_export/instance.hpp"

namespace {

using namespace takt::fmu_export;

constexpr const char* no_derivatives = "directional and adjoint derivatives are not provided";
constexpr const char* no_model_exchange = "this call belongs to model exchange, and this FMU is for co-simulation";

}  // namespace

extern "C" {

fmi3Status fmi3DoStep(fmi3Instance c, fmi3Float64 now, fmi3Float64 length, fmi3Boolean, fmi3Boolean* event_needed,
                      fmi3Boolean* terminate, fmi3Boolean* early_return, fmi3Float64* last_time) {
  return run_fmi3<Instance>(c, [&](Instance& self) {
    *event_needed = *terminate = *early_return = false;
    const Status status = self.step(now, length);
    *last_time = self.time();
    return status;
  });
}

fmi3Status fmi3EnterEventMode(fmi3Instance c) { return refuse_fmi3(c, no_model_exchange); }
fmi3Status fmi3GetDirectionalDerivative(fmi3Instance c, const fmi3ValueReference*, size_t, const fmi3ValueReference*,
                                        size_t, const fmi3Float64*, size_t, fmi3Float64*, size_t) {
  return refuse_fmi3(c, no_derivatives);
}
fmi3Status fmi3GetAdjointDerivative(fmi3Instance c, const fmi3ValueReference*, size_t, const fmi3ValueReference*,
                                    size_t, const fmi3Float64*, size_t, fmi3Float64*, size_t) {
  return refuse_fmi3(c, no_derivatives);
}
fmi3Status fmi3EvaluateDiscreteStates(fmi3Instance c) { return refuse_fmi3(c, no_model_exchange); }
fmi3Status fmi3UpdateDiscreteStates(fmi3Instance c, fmi3Boolean*, fmi3Boolean*, fmi3Boolean*, fmi3Boolean*,
                                    fmi3Boolean*, fmi3Float64*) {
  return refuse_fmi3(c, no_model_exchange);
}
fmi3Status fmi3EnterContinuousTimeMode(fmi3Instance c) { return refuse_fmi3(c, no_model_exchange); }
fmi3Status fmi3CompletedIntegratorStep(fmi3Instance c, fmi3Boolean, fmi3Boolean*, fmi3Boolean*) {
  return refuse_fmi3(c, no_model_exchange);
}
fmi3Status fmi3SetTime(fmi3Instance c, fmi3Float64) { return refuse_fmi3(c, no_model_exchange); }
fmi3Status fmi3SetContinuousStates(fmi3Instance c, const fmi3Float64*, size_t) {
  return refuse_fmi3(c, no_model_exchange);
}
fmi3Status fmi3GetContinuousStateDerivatives(fmi3Instance c, fmi3Float64*, size_t) {
  return refuse_fmi3(c, no_model_exchange);
}
fmi3Status fmi3GetEventIndicators(fmi3Instance c, fmi3Float64*, size_t) { return refuse_fmi3(c, no_model_exchange); }
fmi3Status fmi3GetContinuousStates(fmi3Instance c, fmi3Float64*, size_t) { return refuse_fmi3(c, no_model_exchange); }
fmi3Status fmi3GetNominalsOfContinuousStates(fmi3Instance c, fmi3Float64*, size_t) {
  return refuse_fmi3(c, no_model_exchange);
}
fmi3Status fmi3GetNumberOfEventIndicators(fmi3Instance c, size_t*) { return refuse_fmi3(c, no_model_exchange); }
fmi3Status fmi3GetNumberOfContinuousStates(fmi3Instance c, size_t*) { return refuse_fmi3(c, no_model_exchange); }
fmi3Status fmi3EnterStepMode(fmi3Instance c) { return refuse_fmi3(c, "there is no event mode: hasEventMode is false"); }
fmi3Status fmi3GetOutputDerivatives(fmi3Instance c, const fmi3ValueReference*, size_t, const fmi3Int32*, fmi3Float64*,
                                    size_t) {
  return refuse_fmi3(c, "derivatives of outputs are not provided: maxOutputDerivativeOrder is 0");
}

}  // extern "C"
