#pragma once
// Windows of like subsystems one after another: copies of a part then find their code in the
// nearest cache.

#include <cstddef>
#include <vector>

#include "codegen/plan/evaluation_order.hpp"

namespace takt::codegen {

/// The order changed so that nodes of one kind stand together where that lets every dependency's
/// ends stand as they stood: what is extrapolated stays so, and results stay the same bits.
/// @param order  nodes 0 ... n-1
/// @param kind   of each node
[[nodiscard]] std::vector<std::size_t> gather_alike(const std::vector<std::size_t>& order,
                                                    const std::vector<Dependency>& dependencies,
                                                    const std::vector<std::size_t>& kind);

}  // namespace takt::codegen
