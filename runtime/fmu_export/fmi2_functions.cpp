// The functions of FMI 2.0.4 that plants of both kinds serve, in terms of Unit. Types that a plant has no variables of
// are refused by name.

#include <cstring>
#include <new>

#include "runtime/fmu_export/fmi2_component.hpp"
#include "runtime/fmu_export/rounding.hpp"
#include "runtime/fmu_export/serialised_state.hpp"

namespace {

using namespace takt::fmu_export;

/// Of types that no variable of a plant has.
fmi2Status no_variables(fmi2Component c, std::size_t count, const char* type) {
  if (count == 0 && c != nullptr) return fmi2OK;
  return run_fmi2(c, [&](Unit& self) {
    return self.refuse(std::string("the FMU has no variables of type ") + type + ": all are Real");
  });
}

InstanceState* state_of(fmi2FMUstate state) { return static_cast<InstanceState*>(state); }

const char* unfit(const fmi2CallbackFunctions* functions, fmi2Type type, fmi2String token) {
  const Identity exported = identity();
  if (functions == nullptr) return "callback functions are missing";
  if (token == nullptr || std::strcmp(token, exported.token) != 0)
    return "the GUID is not that of this FMU: its modelDescription.xml belongs to another build";
  if (type == fmi2ModelExchange && exported.kind != Kind::model_exchange) return "this FMU is for co-simulation only";
  if (type == fmi2CoSimulation && exported.kind != Kind::co_simulation) return "this FMU is for model exchange only";
  return rounds_every_operation() ? nullptr : rounds_too_little;
}

}  // namespace

extern "C" {

const char* fmi2GetTypesPlatform() { return fmi2TypesPlatform; }
const char* fmi2GetVersion() { return fmi2Version; }

fmi2Status fmi2SetDebugLogging(fmi2Component c, fmi2Boolean logging, size_t, const fmi2String*) {
  if (c == nullptr) return fmi2Fatal;
  component_of(c)->logging = logging != fmi2False;
  return fmi2OK;
}

fmi2Component fmi2Instantiate(fmi2String name, fmi2Type type, fmi2String token, fmi2String,
                              const fmi2CallbackFunctions* functions, fmi2Boolean, fmi2Boolean logging) {
  const char* own_name = name != nullptr ? name : "";
  if (const char* why = unfit(functions, type, token)) {
    if (functions != nullptr && functions->logger != nullptr)
      functions->logger(functions->componentEnvironment, own_name, fmi2Error, "logStatusError", why);
    return nullptr;
  }
  try {
    auto made = std::make_unique<Fmi2Component>(*functions, own_name);
    made->logging = logging != fmi2False;
    return made.release();
  } catch (...) {
    return nullptr;
  }
}

void fmi2FreeInstance(fmi2Component c) { delete component_of(c); }

fmi2Status fmi2SetupExperiment(fmi2Component c, fmi2Boolean, fmi2Real, fmi2Real start, fmi2Boolean, fmi2Real) {
  if (c == nullptr) return fmi2Fatal;
  component_of(c)->start_time = start;
  return fmi2OK;
}
fmi2Status fmi2EnterInitializationMode(fmi2Component c) {
  return run_fmi2(c, [&](Unit& self) { return self.enter_initialization(component_of(c)->start_time); });
}
fmi2Status fmi2ExitInitializationMode(fmi2Component c) {
  return run_fmi2(c, [](Unit& self) { return self.exit_initialization(); });
}
fmi2Status fmi2Terminate(fmi2Component c) {
  return run_fmi2(c, [](Unit& self) { return self.terminate(); });
}
fmi2Status fmi2Reset(fmi2Component c) {
  return run_fmi2(c, [](Unit& self) { return self.reset(); });
}

fmi2Status fmi2GetReal(fmi2Component c, const fmi2ValueReference* references, size_t count, fmi2Real* values) {
  return run_fmi2(c, [&](Unit& self) { return self.get({references, count}, values); });
}
fmi2Status fmi2SetReal(fmi2Component c, const fmi2ValueReference* references, size_t count, const fmi2Real* values) {
  return run_fmi2(c, [&](Unit& self) { return self.set({references, count}, values); });
}
fmi2Status fmi2GetInteger(fmi2Component c, const fmi2ValueReference*, size_t count, fmi2Integer*) {
  return no_variables(c, count, "Integer");
}
fmi2Status fmi2GetBoolean(fmi2Component c, const fmi2ValueReference*, size_t count, fmi2Boolean*) {
  return no_variables(c, count, "Boolean");
}
fmi2Status fmi2GetString(fmi2Component c, const fmi2ValueReference*, size_t count, fmi2String*) {
  return no_variables(c, count, "String");
}
fmi2Status fmi2SetInteger(fmi2Component c, const fmi2ValueReference*, size_t count, const fmi2Integer*) {
  return no_variables(c, count, "Integer");
}
fmi2Status fmi2SetBoolean(fmi2Component c, const fmi2ValueReference*, size_t count, const fmi2Boolean*) {
  return no_variables(c, count, "Boolean");
}
fmi2Status fmi2SetString(fmi2Component c, const fmi2ValueReference*, size_t count, const fmi2String*) {
  return no_variables(c, count, "String");
}

fmi2Status fmi2GetFMUstate(fmi2Component c, fmi2FMUstate* state) {
  return run_fmi2(c, [&](Unit& self) {
    std::unique_ptr<InstanceState> own(state_of(*state));
    const Status status = self.get_state(own);
    *state = own.release();
    return status;
  });
}
fmi2Status fmi2SetFMUstate(fmi2Component c, fmi2FMUstate state) {
  return run_fmi2(c, [&](Unit& self) {
    return state == nullptr ? self.refuse("no state is given") : self.set_state(*state_of(state));
  });
}
fmi2Status fmi2FreeFMUstate(fmi2Component, fmi2FMUstate* state) {
  if (state == nullptr) return fmi2OK;
  delete state_of(*state);
  *state = nullptr;
  return fmi2OK;
}
fmi2Status fmi2SerializedFMUstateSize(fmi2Component c, fmi2FMUstate state, size_t* size) {
  return run_fmi2(c, [&](Unit&) {
    *size = serialise(*state_of(state), identity().token).size();
    return Status::ok;
  });
}
fmi2Status fmi2SerializeFMUstate(fmi2Component c, fmi2FMUstate state, fmi2Byte* to, size_t size) {
  return run_fmi2(c, [&](Unit& self) {
    const std::vector<std::byte> bytes = serialise(*state_of(state), identity().token);
    if (bytes.size() > size) return self.refuse("the room for the serialised state is too small");
    std::memcpy(to, bytes.data(), bytes.size());
    return Status::ok;
  });
}
fmi2Status fmi2DeSerializeFMUstate(fmi2Component c, const fmi2Byte* from, size_t size, fmi2FMUstate* state) {
  return run_fmi2(c, [&](Unit& self) {
    std::string why;
    auto own = deserialise(std::as_bytes(std::span(from, size)), identity().token, why);
    if (!own) return self.refuse(why);
    delete state_of(*state);
    *state = own.release();
    return Status::ok;
  });
}

}  // extern "C"
