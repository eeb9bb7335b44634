#pragma once
// What an fmi3Instance points to.

#include <string>

#include "fmi3Functions.h"
#include "runtime/fmu_export/guarded.hpp"

namespace takt::fmu_export {

struct Fmi3Component {
  Fmi3Component(fmi3InstanceEnvironment given_environment, fmi3LogMessageCallback given)
      : environment(given_environment),
        log(given),
        unit(make_unit([this](Status status, const char* category, const std::string& text) {
          if (log != nullptr && (logging || status != Status::ok))
            log(environment, static_cast<fmi3Status>(status), category, text.c_str());
        })) {}
  fmi3InstanceEnvironment environment;
  fmi3LogMessageCallback log;
  bool logging = false;
  std::unique_ptr<Unit> unit;
};

inline Fmi3Component* component_of(fmi3Instance c) { return static_cast<Fmi3Component*>(c); }

/// @tparam Kind  of the instance that this library makes
template <class Kind = Unit, class Call>
fmi3Status run_fmi3(fmi3Instance c, const Call& call) {
  return static_cast<fmi3Status>(
      guarded(c == nullptr ? nullptr : static_cast<Kind*>(component_of(c)->unit.get()), call));
}

inline fmi3Status refuse_fmi3(fmi3Instance c, const char* why) {
  return run_fmi3(c, [&](Unit& self) { return self.refuse(why); });
}

}  // namespace takt::fmu_export
