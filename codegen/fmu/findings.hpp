#pragma once
// What was found in an FMU, for those who use it.

#include "codegen/text/diagnostics.hpp"

namespace takt::codegen {

/// Warnings of one code as one line, with their number: a tool that breaks a rule breaks it for
/// each variable. `takt fmu check` tells of each.
[[nodiscard]] Diagnostics told_once(const Diagnostics& findings);

/// --strict: whoever breaks a rule is refused.
[[nodiscard]] Diagnostics as_errors(const Diagnostics& findings);

}  // namespace takt::codegen
