// The functions of FMI 2.0.4 for model exchange.

#include <cmath>

#include "runtime/fmu_export/flat_instance.hpp"
#include "runtime/fmu_export/fmi2_component.hpp"

namespace {

using namespace takt::fmu_export;

/// @param count  as the importer sees it
takt::fmu_export::Status sized(const FlatInstance& self, std::size_t count, std::size_t own) {
  return count == own
             ? Status::ok
             : self.refuse("an array of " + std::to_string(own) + " is needed, not of " + std::to_string(count));
}

}  // namespace

extern "C" {

fmi2Status fmi2EnterEventMode(fmi2Component c) {
  return run_fmi2<FlatInstance>(c, [](FlatInstance& self) { return self.enter_events(); });
}
fmi2Status fmi2NewDiscreteStates(fmi2Component c, fmi2EventInfo* info) {
  return run_fmi2<FlatInstance>(c, [&](FlatInstance& self) {
    takt::flat::FlatPlant::Event event;
    const Status status = self.update(event);
    *info = {.newDiscreteStatesNeeded = fmi2False,
             .terminateSimulation = fmi2False,
             .nominalsOfContinuousStatesChanged = fmi2False,
             .valuesOfContinuousStatesChanged = event.states_moved ? fmi2True : fmi2False,
             .nextEventTimeDefined = std::isfinite(event.next_s) ? fmi2True : fmi2False,
             .nextEventTime = std::isfinite(event.next_s) ? event.next_s : 0.0};
    return status;
  });
}
fmi2Status fmi2EnterContinuousTimeMode(fmi2Component c) {
  return run_fmi2<FlatInstance>(c, [](FlatInstance& self) { return self.enter_continuous_time(); });
}
fmi2Status fmi2CompletedIntegratorStep(fmi2Component c, fmi2Boolean, fmi2Boolean* enter_events,
                                       fmi2Boolean* terminate) {
  return run_fmi2<FlatInstance>(c, [&](FlatInstance&) {
    *enter_events = *terminate = fmi2False;
    return Status::ok;
  });
}
fmi2Status fmi2SetTime(fmi2Component c, fmi2Real time) {
  return run_fmi2<FlatInstance>(c, [&](FlatInstance& self) { return self.set_time(time); });
}
fmi2Status fmi2SetContinuousStates(fmi2Component c, const fmi2Real* values, size_t count) {
  return run_fmi2<FlatInstance>(c, [&](FlatInstance& self) {
    const Status status = sized(self, count, self.states());
    return status == Status::ok ? self.set_states(values) : status;
  });
}
fmi2Status fmi2GetContinuousStates(fmi2Component c, fmi2Real* values, size_t count) {
  return run_fmi2<FlatInstance>(c, [&](FlatInstance& self) {
    const Status status = sized(self, count, self.states());
    return status == Status::ok ? self.get_states(values) : status;
  });
}
fmi2Status fmi2GetDerivatives(fmi2Component c, fmi2Real* values, size_t count) {
  return run_fmi2<FlatInstance>(c, [&](FlatInstance& self) {
    const Status status = sized(self, count, self.states());
    return status == Status::ok ? self.get_rates(values) : status;
  });
}
fmi2Status fmi2GetEventIndicators(fmi2Component c, fmi2Real* values, size_t count) {
  return run_fmi2<FlatInstance>(c, [&](FlatInstance& self) {
    const Status status = sized(self, count, self.indicators());
    return status == Status::ok ? self.get_indicators(values) : status;
  });
}
fmi2Status fmi2GetNominalsOfContinuousStates(fmi2Component c, fmi2Real* values, size_t count) {
  return run_fmi2<FlatInstance>(c, [&](FlatInstance& self) {
    const Status status = sized(self, count, self.states());
    if (status == Status::ok) self.get_nominals(values);
    return status;
  });
}
fmi2Status fmi2GetDirectionalDerivative(fmi2Component c, const fmi2ValueReference* unknowns, size_t unknown_count,
                                        const fmi2ValueReference* knowns, size_t known_count, const fmi2Real* seed,
                                        fmi2Real* result) {
  return run_fmi2<FlatInstance>(c, [&](FlatInstance& self) {
    return self.directional({{unknowns, unknown_count}, {knowns, known_count}}, seed, result);
  });
}

}  // extern "C"
