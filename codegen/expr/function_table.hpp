#pragma once
// Functions that an expression may call, and what they ask of dimensions. Internal to codegen/expr.

#include <array>
#include <cstdint>
#include <string_view>

#include "codegen/expr/expr.hpp"

namespace takt::codegen {

/// What a function asks of its arguments' dimensions and what its value has.
enum class FunctionRule : std::uint8_t {
  pure,
  same_gives_same,
  same_gives_one,
  any_gives_same,
  any_gives_one,
  root
};

struct FunctionEntry {
  std::string_view name;
  Op op;
  int arguments;  ///< -2: two or more
  FunctionRule rule;
};

inline constexpr std::array function_table = std::to_array<FunctionEntry>({
    {"sin", Op::sin, 1, FunctionRule::pure},
    {"cos", Op::cos, 1, FunctionRule::pure},
    {"tan", Op::tan, 1, FunctionRule::pure},
    {"asin", Op::asin, 1, FunctionRule::pure},
    {"acos", Op::acos, 1, FunctionRule::pure},
    {"atan", Op::atan, 1, FunctionRule::pure},
    {"exp", Op::exp, 1, FunctionRule::pure},
    {"log", Op::log, 1, FunctionRule::pure},
    {"tanh", Op::tanh, 1, FunctionRule::pure},
    {"sqrt", Op::sqrt, 1, FunctionRule::root},
    {"abs", Op::abs, 1, FunctionRule::any_gives_same},
    {"floor", Op::floor, 1, FunctionRule::any_gives_same},
    {"sign", Op::sign, 1, FunctionRule::any_gives_one},
    {"atan2", Op::atan2, 2, FunctionRule::same_gives_one},
    {"min", Op::min, -2, FunctionRule::same_gives_same},
    {"max", Op::max, -2, FunctionRule::same_gives_same},
    {"mod", Op::mod, 2, FunctionRule::same_gives_same},
});

/// Names of functions with rules of their own.
inline constexpr std::array<std::string_view, 4> special_functions{"pow", "clamp", "if", "step"};

}  // namespace takt::codegen
