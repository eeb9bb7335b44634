#pragma once
// What an fmi2Component points to.

#include <memory>
#include <string>

#include "fmi2Functions.h"
#include "runtime/fmu_export/guarded.hpp"

namespace takt::fmu_export {

/// A format of printf that prints this text, without further arguments: not every importer takes them.
inline std::string as_format(const std::string& text) {
  std::string format;
  for (const char c : text) format += c == '%' ? "%%" : std::string(1, c);
  return format;
}

/// What a component points to.
struct Fmi2Component {
  Fmi2Component(const fmi2CallbackFunctions& given, const char* given_name)
      : callbacks(given),
        name(given_name),
        unit(make_unit([this](Status status, const char* category, const std::string& text) {
          if (callbacks.logger != nullptr && (logging || status != Status::ok))
            callbacks.logger(callbacks.componentEnvironment, name.c_str(), static_cast<fmi2Status>(status), category,
                             as_format(text).c_str());
        })) {}
  const fmi2CallbackFunctions callbacks;
  const std::string name;
  bool logging = false;
  double start_time = 0.0;
  std::unique_ptr<Unit> unit;
};

inline Fmi2Component* component_of(fmi2Component c) { return static_cast<Fmi2Component*>(c); }

/// @tparam Kind  of the instance that this library makes
template <class Kind = Unit, class Call>
fmi2Status run_fmi2(fmi2Component c, const Call& call) {
  return static_cast<fmi2Status>(
      guarded(c == nullptr ? nullptr : static_cast<Kind*>(component_of(c)->unit.get()), call));
}

inline fmi2Status refuse_fmi2(fmi2Component c, const char* why) {
  return run_fmi2(c, [&](Unit& self) { return self.refuse(why); });
}

}  // namespace takt::fmu_export
