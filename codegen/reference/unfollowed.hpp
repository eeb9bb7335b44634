#pragma once
// Elements that the system of the whole plant has no equations for.

#include "codegen/model/network.hpp"

namespace takt::codegen {

/// F001: elements linearised about an operating point, and lines, which would need the past.
void refuse_unfollowed(const Network& network, Diagnostics& diagnostics);

}  // namespace takt::codegen
