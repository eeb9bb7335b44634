// The functions of FMI 2.0.4 for co-simulation.

#include "runtime/fmu_export/fmi2_component.hpp"
#include "runtime/fmu_export/instance.hpp"

namespace {

using namespace takt::fmu_export;

}  // namespace

extern "C" {

fmi2Status fmi2GetDirectionalDerivative(fmi2Component c, const fmi2ValueReference*, size_t, const fmi2ValueReference*,
                                        size_t, const fmi2Real*, fmi2Real*) {
  return refuse_fmi2(c, "directional derivatives are not provided");
}

fmi2Status fmi2SetRealInputDerivatives(fmi2Component c, const fmi2ValueReference*, size_t, const fmi2Integer*,
                                       const fmi2Real*) {
  return refuse_fmi2(c, "inputs are held over a step: canInterpolateInputs is false");
}
fmi2Status fmi2GetRealOutputDerivatives(fmi2Component c, const fmi2ValueReference*, size_t, const fmi2Integer*,
                                        fmi2Real*) {
  return refuse_fmi2(c, "derivatives of outputs are not provided: maxOutputDerivativeOrder is 0");
}
fmi2Status fmi2DoStep(fmi2Component c, fmi2Real now, fmi2Real length, fmi2Boolean) {
  return run_fmi2<Instance>(c, [&](Instance& self) { return self.step(now, length); });
}
fmi2Status fmi2CancelStep(fmi2Component c) { return refuse_fmi2(c, "no step is computed asynchronously"); }
fmi2Status fmi2GetStatus(fmi2Component c, const fmi2StatusKind, fmi2Status*) {
  return refuse_fmi2(c, "no step is computed asynchronously");
}
fmi2Status fmi2GetRealStatus(fmi2Component c, const fmi2StatusKind kind, fmi2Real* value) {
  return run_fmi2<Instance>(c, [&](Instance& self) {
    if (kind != fmi2LastSuccessfulTime) return self.refuse("no such status");
    *value = self.time();
    return Status::ok;
  });
}
fmi2Status fmi2GetIntegerStatus(fmi2Component c, const fmi2StatusKind, fmi2Integer*) {
  return refuse_fmi2(c, "no such status");
}
fmi2Status fmi2GetBooleanStatus(fmi2Component c, const fmi2StatusKind kind, fmi2Boolean* value) {
  return run_fmi2<Instance>(c, [&](Instance& self) {
    if (kind != fmi2Terminated) return self.refuse("no such status");
    *value = fmi2False;
    return Status::ok;
  });
}
fmi2Status fmi2GetStringStatus(fmi2Component c, const fmi2StatusKind, fmi2String*) {
  return refuse_fmi2(c, "no step is computed asynchronously");
}

}  // extern "C"
