#pragma once
// 500 random circuits with a fixed seed, stratified by what decides the index: hosts of index 1 into which one cause is
// planted, and wild ones in which anything may meet.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "tests/codegen/topology/circuit_sketch.hpp"

namespace takt::codegen::testing {

struct RandomCircuit {
  std::string stratum;
  CircuitSketch sketch;
  Network network;
  std::optional<int> planted;  ///< index that the planted cause must give, 0 for singular; nothing for wild circuits
};

[[nodiscard]] std::vector<RandomCircuit> random_circuits(std::uint64_t seed);

}  // namespace takt::codegen::testing
