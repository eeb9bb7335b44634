#pragma once
// The one place where typed code becomes text.

#include <initializer_list>
#include <span>
#include <string>

#include "codegen/code/block.hpp"
#include "codegen/code/naming.hpp"
#include "codegen/source/writer.hpp"

namespace takt::codegen::code {

/// Statements a line each, blocks two columns further in.
[[nodiscard]] std::string printed(const Values& values, std::span<const Statement> statements);
[[nodiscard]] inline std::string printed(const Values& values, const Block& block) {
  return printed(values, block.statements());
}
/// Parts of one function, with other names.
[[nodiscard]] std::string printed(const Values& values,
                                  std::initializer_list<std::span<const Statement>> parts,
                                  Naming& naming);
[[nodiscard]] std::string printed(const Values& values, Value value);

/// Parts of one function into a file, and into its key.
void print(Writer& to, const Values& values,
           std::initializer_list<std::span<const Statement>> parts);
/// With other names; not into a key.
void print(Writer& to, const Values& values,
           std::initializer_list<std::span<const Statement>> parts, Naming& naming);

}  // namespace takt::codegen::code
