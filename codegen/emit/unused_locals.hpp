#pragma once
// Locals that nothing reads: their users may have become coefficients, which are computed elsewhere.

#include <string>
#include <vector>

namespace takt::codegen {

/// The lines of a function body without definitions `const double NAME = ...;` whose name stands nowhere else, neither
/// in them nor in `after`. What a definition calls has no effect but its value.
[[nodiscard]] std::string without_unused_locals(const std::string& body, const std::vector<std::string>& after);

}  // namespace takt::codegen
