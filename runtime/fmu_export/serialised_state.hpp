#pragma once
// The state of an instance as bytes, for another process with the same FMU.

#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "runtime/fmu_export/unit.hpp"

namespace takt::fmu_export {

/// Token, sizes, content, CRC-32; little-endian as all targets are.
[[nodiscard]] std::vector<std::byte> serialise(const InstanceState& state, const char* token);
/// @return nothing where it is damaged or of another FMU: why tells
[[nodiscard]] std::unique_ptr<InstanceState> deserialise(std::span<const std::byte> bytes, const char* token,
                                                         std::string& why);

}  // namespace takt::fmu_export
