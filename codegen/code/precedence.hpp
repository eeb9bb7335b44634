#pragma once
// How tightly the text of a value binds.

#include "codegen/code/values.hpp"
#include "codegen/expr/infix.hpp"

namespace takt::codegen::code {

/// Between the operands of an operation, and how it binds; no text where it has not two operands.
struct Infix {
  const char* text;
  Precedence level;
};
[[nodiscard]] Infix infix_of(Form form);

[[nodiscard]] Precedence precedence_of(const Values& values, Value value);
/// Its text begins with a minus sign.
[[nodiscard]] bool begins_with_minus(const Values& values, Value value);

}  // namespace takt::codegen::code
