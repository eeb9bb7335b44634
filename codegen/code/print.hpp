#pragma once
// The one place where typed code becomes text.

#include <string>

#include "codegen/code/block.hpp"
#include "codegen/expr/infix.hpp"

namespace takt::codegen::code {

/// Statements a line each, blocks two columns further in.
[[nodiscard]] std::string printed(const Values& values, std::span<const Statement> statements);
[[nodiscard]] inline std::string printed(const Values& values, const Block& block) {
  return printed(values, block.statements());
}
[[nodiscard]] std::string printed(const Values& values, Value value);
/// Lines that a statement takes.
[[nodiscard]] std::size_t lines_of(const Statement& statement);

/// How tightly the text of a value binds.
[[nodiscard]] Precedence precedence_of(const Values& values, Value value);
/// Its text begins with a minus sign.
[[nodiscard]] bool begins_with_minus(const Values& values, Value value);

}  // namespace takt::codegen::code
