#pragma once
// What stands round every call from outside.

#include <exception>

#include "runtime/fmu_export/float_control.hpp"
#include "runtime/fmu_export/unit.hpp"

namespace takt::fmu_export {

/// Floating-point control as in runs, and no exception leaves it.
/// @param call  Status(Kind&), of the kind of the instance
template <class Kind, class Call>
Status guarded(Kind* instance, const Call& call) noexcept {
  if (instance == nullptr) return Status::fatal;
  const FloatControl control;
  try {
    return call(*instance);
  } catch (const std::exception& error) {
    try {
      return instance->refuse(error.what(), Status::fatal);
    } catch (...) {
      return Status::fatal;
    }
  } catch (...) {
    return Status::fatal;
  }
}

}  // namespace takt::fmu_export
