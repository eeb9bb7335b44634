#pragma once
// Subsystems that had better share a synchronisation time: of one domain and of modes alike in speed, or strongly
// coupled.

#include <string>
#include <vector>

#include "codegen/plan/plan.hpp"
#include "codegen/stability/linearise.hpp"

namespace takt::codegen {

struct Cluster {
  enum class Kind : std::uint8_t { smooth, control, switched } kind = Kind::smooth;
  std::vector<std::size_t> members;  ///< subsystems, ascending
  double fastest = 0.0;              ///< largest |eigenvalue| over the operating range, 1/s
  double coupling =
      0.0;  ///< strongest with another cluster: geometric mean of the rates at which the two move each other, 1/s
  std::size_t partner = 0;  ///< that cluster
};

/// @param plan     any plan of the plant: inputs, outputs and couplings are what is read
/// @param base_s   shortest time between exchanges that is thought of: what is coupled faster than that by a third
/// stays together
[[nodiscard]] std::vector<Cluster> find_clusters(const Plan& plan, const Network& network, const DaeResult& dae,
                                                 const std::vector<Spectrum>& spectra, const OperatingRange& range,
                                                 double base_s);

}  // namespace takt::codegen
