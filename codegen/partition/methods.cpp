#include "codegen/partition/plan.hpp"

namespace takt::codegen {

std::string_view method_name(Method method) {
  switch (method) {
    case Method::euler:
      return "euler";
    case Method::heun:
      return "heun";
    case Method::rk3:
      return "rk3";
    case Method::rk4:
      return "rk4";
    case Method::rkc:
      return "rkc";
    case Method::ros1:
      return "ros1";
    case Method::ros2:
      return "ros2";
    case Method::exact:
      return "exact";
    case Method::trapezoidal:
      return "trapezoidal";
    case Method::discrete:
      return "discrete";
    case Method::adaptive:
      return "adaptive";
    case Method::bdf:
      return "bdf";
  }
  return "";
}

int method_order(Method method) {
  switch (method) {
    case Method::euler:
    case Method::ros1:
    case Method::discrete:
      return 1;
    case Method::heun:
    case Method::rkc:
    case Method::ros2:
    case Method::trapezoidal:
      return 2;
    case Method::rk3:
      return 3;
    case Method::rk4:
    case Method::exact:
      return 4;
    case Method::adaptive:
    case Method::bdf:
      return 5;
  }
  return 1;
}

bool is_linearly_implicit(Method method) { return method == Method::ros1 || method == Method::ros2; }

}  // namespace takt::codegen
