#include "runtime/fmu_export/rounding.hpp"

namespace takt::fmu_export {

bool rounds_every_operation() noexcept {
  const volatile double given = 1.0 + 0x1p-30;  // volatile: the compiler must not compute it
  const double x = given;
  return x * x - 1.0 == 0x1p-29;  // not rounded, x * x has 2^-60 besides
}

}  // namespace takt::fmu_export
