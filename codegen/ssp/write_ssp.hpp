#pragma once
// A plant that consists of FMUs as a system structure (SSP 1.0).

#include <optional>
#include <string>
#include <vector>

#include "codegen/model/network.hpp"
#include "codegen/text/diagnostics.hpp"

namespace takt::codegen {

/// A file of the package: an FMU that lies at `from`.
struct SspResource {
  std::string name, from;
};

struct SspText {
  std::string structure;  ///< SystemStructure.ssd
  std::vector<SspResource> resources;
};

/// What feeds an FMU is an output of an FMU or an input of the plant, times a number, plus a
/// number; or a number.
/// @return nothing where the plant holds more than that (Y215)
std::optional<SspText> write_ssp(const Network& plant, Diagnostics& diagnostics);

}  // namespace takt::codegen
