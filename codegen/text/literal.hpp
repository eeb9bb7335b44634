#pragma once
// Numbers as C++ text.

#include <string>

namespace takt::codegen {

/// A double literal that reads back as the same bits: "1.0", "-2.5e-09", numeric_limits for inf and
/// nan.
[[nodiscard]] std::string double_literal(double value);

}  // namespace takt::codegen
