#pragma once
// Locals that nothing reads: their users may have become coefficients, which are computed elsewhere.

#include <string>
#include <vector>

namespace takt::codegen {

/// The lines of a function body without definitions `const double NAME = ...;` whose name stands nowhere else, neither
/// in them nor in `after`. What a definition calls has no effect but its value.
[[nodiscard]] std::string without_unused_locals(const std::string& body, const std::vector<std::string>& after);

/// The text of a file in which what is marked [[maybe_unused]] is either used, without the mark, or left out: of a
/// parameter its name, of a local its line.
[[nodiscard]] std::string without_unused_marks(const std::string& file);

}  // namespace takt::codegen
