#pragma once
// What the lines of [solve] and [sync] may name, and what to say where they name nothing.

#include <string>
#include <string_view>
#include <vector>

#include "codegen/dae/algebra/surrogate.hpp"
#include "codegen/model/network.hpp"

namespace takt::codegen {

[[nodiscard]] std::string subject_hint(std::string_view pattern,
                                       const std::vector<std::string>& names);

/// Names of all subsystems.
[[nodiscard]] std::vector<std::string> all_subject_names(const Network& network,
                                                         const DaeResult& dae);

/// Whether the pattern means one of the names.
[[nodiscard]] bool names_match(const std::string& pattern, const std::vector<std::string>& names);

}  // namespace takt::codegen
