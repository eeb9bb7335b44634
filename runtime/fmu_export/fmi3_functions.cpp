// The functions of FMI 3.0.2 that plants of both kinds serve, in terms of Unit.

#include <cstring>
#include <new>

#include "runtime/fmu_export/fmi3_component.hpp"
#include "runtime/fmu_export/rounding.hpp"
#include "runtime/fmu_export/serialised_state.hpp"

namespace {

using namespace takt::fmu_export;

InstanceState* state_of(fmi3FMUState state) { return static_cast<InstanceState*>(state); }

void tell(fmi3InstanceEnvironment environment, fmi3LogMessageCallback log, const char* why) {
  if (log != nullptr) log(environment, fmi3Error, "logStatusError", why);
}

/// Of both kinds; nullptr: it may be instantiated.
const char* unfit(fmi3String token) {
  if (token == nullptr || std::strcmp(token, identity().token) != 0)
    return "the instantiation token is not that of this FMU: its modelDescription.xml belongs to another build";
  return rounds_every_operation() ? nullptr : rounds_too_little;
}

fmi3Instance made(fmi3InstanceEnvironment environment, fmi3LogMessageCallback log, bool logging) {
  try {
    auto component = std::make_unique<Fmi3Component>(environment, log);
    component->logging = logging;
    return component.release();
  } catch (...) {
    return nullptr;
  }
}

}  // namespace

extern "C" {

const char* fmi3GetVersion() { return fmi3Version; }

fmi3Status fmi3SetDebugLogging(fmi3Instance c, fmi3Boolean logging, size_t, const fmi3String*) {
  if (c == nullptr) return fmi3Fatal;
  component_of(c)->logging = logging;
  return fmi3OK;
}

fmi3Instance fmi3InstantiateCoSimulation(fmi3String, fmi3String token, fmi3String, fmi3Boolean, fmi3Boolean logging,
                                         fmi3Boolean event_mode, fmi3Boolean, const fmi3ValueReference*,
                                         size_t intermediate, fmi3InstanceEnvironment environment,
                                         fmi3LogMessageCallback log, fmi3IntermediateUpdateCallback) {
  const char* why = unfit(token);
  if (why != nullptr) return tell(environment, log, why), nullptr;
  if (identity().kind != Kind::co_simulation)
    why = "this FMU is for model exchange only";
  else if (event_mode)
    why = "there is no event mode: hasEventMode is false";
  else if (intermediate > 0)
    why = "there are no intermediate variables: providesIntermediateUpdate is false";
  if (why != nullptr) return tell(environment, log, why), nullptr;
  return made(environment, log, logging);
}

fmi3Instance fmi3InstantiateModelExchange(fmi3String, fmi3String token, fmi3String, fmi3Boolean, fmi3Boolean logging,
                                          fmi3InstanceEnvironment environment, fmi3LogMessageCallback log) {
  const char* why = unfit(token);
  if (why != nullptr) return tell(environment, log, why), nullptr;
  if (identity().kind != Kind::model_exchange) why = "this FMU is for co-simulation only";
  if (why != nullptr) return tell(environment, log, why), nullptr;
  return made(environment, log, logging);
}

fmi3Instance fmi3InstantiateScheduledExecution(fmi3String, fmi3String, fmi3String, fmi3Boolean, fmi3Boolean,
                                               fmi3InstanceEnvironment environment, fmi3LogMessageCallback log,
                                               fmi3ClockUpdateCallback, fmi3LockPreemptionCallback,
                                               fmi3UnlockPreemptionCallback) {
  return tell(environment, log, "scheduled execution is not served"), nullptr;
}

void fmi3FreeInstance(fmi3Instance c) { delete component_of(c); }

fmi3Status fmi3EnterInitializationMode(fmi3Instance c, fmi3Boolean, fmi3Float64, fmi3Float64 start, fmi3Boolean,
                                       fmi3Float64) {
  return run_fmi3(c, [&](Unit& self) { return self.enter_initialization(start); });
}
fmi3Status fmi3ExitInitializationMode(fmi3Instance c) {
  return run_fmi3(c, [](Unit& self) { return self.exit_initialization(); });
}
fmi3Status fmi3Terminate(fmi3Instance c) {
  return run_fmi3(c, [](Unit& self) { return self.terminate(); });
}
fmi3Status fmi3Reset(fmi3Instance c) {
  return run_fmi3(c, [](Unit& self) { return self.reset(); });
}

fmi3Status fmi3GetFloat64(fmi3Instance c, const fmi3ValueReference* references, size_t count, fmi3Float64* values,
                          size_t values_count) {
  return run_fmi3(c, [&](Unit& self) {
    if (values_count != count) return self.refuse("all variables are scalars: as many values as references");
    return self.get({references, count}, values);
  });
}
fmi3Status fmi3SetFloat64(fmi3Instance c, const fmi3ValueReference* references, size_t count, const fmi3Float64* values,
                          size_t values_count) {
  return run_fmi3(c, [&](Unit& self) {
    if (values_count != count) return self.refuse("all variables are scalars: as many values as references");
    return self.set({references, count}, values);
  });
}

fmi3Status fmi3GetFMUState(fmi3Instance c, fmi3FMUState* state) {
  return run_fmi3(c, [&](Unit& self) {
    std::unique_ptr<InstanceState> own(state_of(*state));
    const Status status = self.get_state(own);
    *state = own.release();
    return status;
  });
}
fmi3Status fmi3SetFMUState(fmi3Instance c, fmi3FMUState state) {
  return run_fmi3(c, [&](Unit& self) {
    return state == nullptr ? self.refuse("no state is given") : self.set_state(*state_of(state));
  });
}
fmi3Status fmi3FreeFMUState(fmi3Instance, fmi3FMUState* state) {
  if (state == nullptr) return fmi3OK;
  delete state_of(*state);
  *state = nullptr;
  return fmi3OK;
}
fmi3Status fmi3SerializedFMUStateSize(fmi3Instance c, fmi3FMUState state, size_t* size) {
  return run_fmi3(c, [&](Unit&) {
    *size = serialise(*state_of(state), identity().token).size();
    return Status::ok;
  });
}
fmi3Status fmi3SerializeFMUState(fmi3Instance c, fmi3FMUState state, fmi3Byte* to, size_t size) {
  return run_fmi3(c, [&](Unit& self) {
    const std::vector<std::byte> bytes = serialise(*state_of(state), identity().token);
    if (bytes.size() > size) return self.refuse("the room for the serialised state is too small");
    std::memcpy(to, bytes.data(), bytes.size());
    return Status::ok;
  });
}
fmi3Status fmi3DeserializeFMUState(fmi3Instance c, const fmi3Byte* from, size_t size, fmi3FMUState* state) {
  return run_fmi3(c, [&](Unit& self) {
    std::string why;
    auto own = deserialise(std::as_bytes(std::span(from, size)), identity().token, why);
    if (!own) return self.refuse(why);
    delete state_of(*state);
    *state = own.release();
    return Status::ok;
  });
}

}  // extern "C"
