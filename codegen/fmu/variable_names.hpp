#pragma once
// Names of variables by the structured naming convention (FMI 2.0.4, 2.2.9; FMI 3.0.2, 2.4.7.6).

#include <string_view>

namespace takt::codegen {

/// tank.level, pipe[3,1].T, der(x), der(x,2), 'quoted name'
[[nodiscard]] bool is_structured_name(std::string_view name);

}  // namespace takt::codegen
