#pragma once
// A command as a request to the tap.

#include <nlohmann/json_fwd.hpp>

#include "tools/dds/types.hpp"

namespace takt::dds {

/// @throw std::runtime_error  what is wrong with it
[[nodiscard]] nlohmann::ordered_json request_of(const Command& command);
/// @throw std::runtime_error  a text that no author may have as name
void check_author(const std::string& author);

}  // namespace takt::dds
