#pragma once
// Names of operations that are written as calls; the same in the expression language and in
// runtime/math.

#include <string_view>

#include "codegen/expr/expr.hpp"

namespace takt::codegen {

[[nodiscard]] constexpr std::string_view function_word(Op op) {
  switch (op) {
    case Op::pow:
      return "pow";
    case Op::sqrt:
      return "sqrt";
    case Op::exp:
      return "exp";
    case Op::log:
      return "log";
    case Op::sin:
      return "sin";
    case Op::cos:
      return "cos";
    case Op::tan:
      return "tan";
    case Op::asin:
      return "asin";
    case Op::acos:
      return "acos";
    case Op::atan:
      return "atan";
    case Op::atan2:
      return "atan2";
    case Op::tanh:
      return "tanh";
    case Op::abs:
      return "abs";
    case Op::sign:
      return "sign";
    case Op::min:
      return "min";
    case Op::max:
      return "max";
    case Op::floor:
      return "floor";
    case Op::mod:
      return "mod";
    default:
      return "";
  }
}

/// The function of runtime/math that evaluates a table operation; empty for others.
[[nodiscard]] constexpr std::string_view table_word(Op op) {
  switch (op) {
    case Op::table:
      return "lookup";
    case Op::table_slope:
      return "slope";
    case Op::table2:
      return "lookup2";
    case Op::table2_x:
      return "slope2_x";
    case Op::table2_y:
      return "slope2_y";
    case Op::table2_xy:
      return "slope2_xy";
    default:
      return "";
  }
}

}  // namespace takt::codegen
