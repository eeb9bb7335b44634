#pragma once
// What an fmi3Instance points to.

#include <string>

#include "fmi3Functions.h"
#include "runtime/fmu_export/guarded.hpp"

namespace takt::fmu_export {

struct Fmi3Component {
  Fmi3Component(const ExportedPlant& exported, fmi3InstanceEnvironment given_environment, fmi3LogMessageCallback given)
      : environment(given_environment),
        log(given),
        instance(exported, [this](Status status, const char* category, const std::string& text) {
          if (log != nullptr && (logging || status != Status::ok))
            log(environment, static_cast<fmi3Status>(status), category, text.c_str());
        }) {}
  fmi3InstanceEnvironment environment;
  fmi3LogMessageCallback log;
  bool logging = false;
  Instance instance;
};

inline Fmi3Component* component_of(fmi3Instance c) { return static_cast<Fmi3Component*>(c); }

template <class Call>
fmi3Status run_fmi3(fmi3Instance c, const Call& call) {
  return static_cast<fmi3Status>(guarded(c == nullptr ? nullptr : &component_of(c)->instance, call));
}

inline fmi3Status refuse_fmi3(fmi3Instance c, const char* why) {
  return run_fmi3(c, [&](Instance& self) { return self.refuse(why); });
}

}  // namespace takt::fmu_export
