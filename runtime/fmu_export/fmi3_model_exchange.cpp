// The functions of FMI 3.0.2 for model exchange, and those of co-simulation, each of which says that it is not served.

#include <cmath>

#include "runtime/fmu_export/flat_instance.hpp"
#include "runtime/fmu_export/fmi3_component.hpp"

namespace {

using namespace takt::fmu_export;

constexpr const char* no_co_simulation = "this call belongs to co-simulation, and this FMU is for model exchange";

/// @param count  as the importer sees it
takt::fmu_export::Status sized(const FlatInstance& self, std::size_t count, std::size_t own) {
  return count == own
             ? Status::ok
             : self.refuse("an array of " + std::to_string(own) + " is needed, not of " + std::to_string(count));
}

}  // namespace

extern "C" {

fmi3Status fmi3EnterEventMode(fmi3Instance c) {
  return run_fmi3<FlatInstance>(c, [](FlatInstance& self) { return self.enter_events(); });
}
fmi3Status fmi3EvaluateDiscreteStates(fmi3Instance c) {
  return run_fmi3<FlatInstance>(c,
                                [](FlatInstance&) { return Status::ok; });  // fmi3UpdateDiscreteStates evaluates them
}
fmi3Status fmi3UpdateDiscreteStates(fmi3Instance c, fmi3Boolean* again, fmi3Boolean* terminate, fmi3Boolean* nominals,
                                    fmi3Boolean* states, fmi3Boolean* next_defined, fmi3Float64* next) {
  return run_fmi3<FlatInstance>(c, [&](FlatInstance& self) {
    takt::flat::FlatPlant::Event event;
    const Status status = self.update(event);
    *again = *terminate = *nominals = false;
    *states = event.states_moved;
    *next_defined = std::isfinite(event.next_s);
    *next = *next_defined ? event.next_s : 0.0;
    return status;
  });
}
fmi3Status fmi3EnterContinuousTimeMode(fmi3Instance c) {
  return run_fmi3<FlatInstance>(c, [](FlatInstance& self) { return self.enter_continuous_time(); });
}
fmi3Status fmi3CompletedIntegratorStep(fmi3Instance c, fmi3Boolean, fmi3Boolean* enter_events, fmi3Boolean* terminate) {
  return run_fmi3<FlatInstance>(c, [&](FlatInstance&) {
    *enter_events = *terminate = false;
    return Status::ok;
  });
}
fmi3Status fmi3SetTime(fmi3Instance c, fmi3Float64 time) {
  return run_fmi3<FlatInstance>(c, [&](FlatInstance& self) { return self.set_time(time); });
}
fmi3Status fmi3SetContinuousStates(fmi3Instance c, const fmi3Float64* values, size_t count) {
  return run_fmi3<FlatInstance>(c, [&](FlatInstance& self) {
    const Status status = sized(self, count, self.states());
    return status == Status::ok ? self.set_states(values) : status;
  });
}
fmi3Status fmi3GetContinuousStates(fmi3Instance c, fmi3Float64* values, size_t count) {
  return run_fmi3<FlatInstance>(c, [&](FlatInstance& self) {
    const Status status = sized(self, count, self.states());
    return status == Status::ok ? self.get_states(values) : status;
  });
}
fmi3Status fmi3GetContinuousStateDerivatives(fmi3Instance c, fmi3Float64* values, size_t count) {
  return run_fmi3<FlatInstance>(c, [&](FlatInstance& self) {
    const Status status = sized(self, count, self.states());
    return status == Status::ok ? self.get_rates(values) : status;
  });
}
fmi3Status fmi3GetEventIndicators(fmi3Instance c, fmi3Float64* values, size_t count) {
  return run_fmi3<FlatInstance>(c, [&](FlatInstance& self) {
    const Status status = sized(self, count, self.indicators());
    return status == Status::ok ? self.get_indicators(values) : status;
  });
}
fmi3Status fmi3GetNominalsOfContinuousStates(fmi3Instance c, fmi3Float64* values, size_t count) {
  return run_fmi3<FlatInstance>(c, [&](FlatInstance& self) {
    const Status status = sized(self, count, self.states());
    if (status == Status::ok) self.get_nominals(values);
    return status;
  });
}
fmi3Status fmi3GetNumberOfEventIndicators(fmi3Instance c, size_t* count) {
  return run_fmi3<FlatInstance>(c, [&](FlatInstance& self) {
    *count = self.indicators();
    return Status::ok;
  });
}
fmi3Status fmi3GetNumberOfContinuousStates(fmi3Instance c, size_t* count) {
  return run_fmi3<FlatInstance>(c, [&](FlatInstance& self) {
    *count = self.states();
    return Status::ok;
  });
}
fmi3Status fmi3GetDirectionalDerivative(fmi3Instance c, const fmi3ValueReference* unknowns, size_t unknown_count,
                                        const fmi3ValueReference* knowns, size_t known_count, const fmi3Float64* seed,
                                        size_t seed_count, fmi3Float64* result, size_t result_count) {
  return run_fmi3<FlatInstance>(c, [&](FlatInstance& self) {
    const Status status = worse(sized(self, seed_count, known_count), sized(self, result_count, unknown_count));
    return status == Status::ok ? self.directional({{unknowns, unknown_count}, {knowns, known_count}}, seed, result)
                                : status;
  });
}
fmi3Status fmi3GetAdjointDerivative(fmi3Instance c, const fmi3ValueReference* unknowns, size_t unknown_count,
                                    const fmi3ValueReference* knowns, size_t known_count, const fmi3Float64* seed,
                                    size_t seed_count, fmi3Float64* result, size_t result_count) {
  return run_fmi3<FlatInstance>(c, [&](FlatInstance& self) {
    const Status status = worse(sized(self, seed_count, unknown_count), sized(self, result_count, known_count));
    return status == Status::ok ? self.adjoint({{unknowns, unknown_count}, {knowns, known_count}}, seed, result)
                                : status;
  });
}
fmi3Status fmi3DoStep(fmi3Instance c, fmi3Float64, fmi3Float64, fmi3Boolean, fmi3Boolean*, fmi3Boolean*, fmi3Boolean*,
                      fmi3Float64*) {
  return refuse_fmi3(c, no_co_simulation);
}
fmi3Status fmi3EnterStepMode(fmi3Instance c) { return refuse_fmi3(c, no_co_simulation); }
fmi3Status fmi3GetOutputDerivatives(fmi3Instance c, const fmi3ValueReference*, size_t, const fmi3Int32*, fmi3Float64*,
                                    size_t) {
  return refuse_fmi3(c, no_co_simulation);
}

}  // extern "C"
