#include "runtime/fmu_export/unit.hpp"

namespace takt::fmu_export {

Status Unit::refuse(const std::string& why, Status status) const {
  const char* category = status == Status::warning   ? "logStatusWarning"
                         : status == Status::discard ? "logStatusDiscard"
                         : status == Status::fatal   ? "logStatusFatal"
                                                     : "logStatusError";
  log_(status, category, why);
  return status;
}

}  // namespace takt::fmu_export
