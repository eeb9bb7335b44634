#pragma once
// Patterns on signal and element paths, as [record] and [solve] use them.

#include <string_view>

namespace takt::codegen {

/// '*' stands for any characters, dots included; everything else for itself. "solid.*.t" matches
/// "solid.pack[3].core.t".
[[nodiscard]] bool matches_pattern(std::string_view pattern, std::string_view path);

}  // namespace takt::codegen
