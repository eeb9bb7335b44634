#pragma once
// Names and wildcards of [solve], [sync] and [record].

#include <string>
#include <string_view>
#include <vector>

#include "codegen/dae/algebra/surrogate.hpp"
#include "codegen/model/network.hpp"

namespace takt::codegen {

/// '*' matches any run of characters, dots included. A pattern without '*' also matches everything
/// below it: "solid" matches "solid.chip.t".
[[nodiscard]] bool pattern_matches(std::string_view pattern, std::string_view path);

/// What a pattern may name a subsystem by: its name, its domain, its elements' and blocks' paths.
[[nodiscard]] std::vector<std::string> names_of(const Network& network, const Surrogate& surrogate);

}  // namespace takt::codegen
