#pragma once
// `takt bench PLANT --peers`: the plant beside ngspice on the same circuit, and beside SUNDIALS on the same equations:
// cost and accuracy.

#include <filesystem>
#include <string>

#include "tools/takt/build_plant.hpp"

namespace takt::tools {

struct PeerRequest {
  PlantBuild build;
  std::filesystem::path folder;  ///< of the plant: peer.cir, peer.toml and perhaps reference.csv stand there
  std::string duration;          ///< simulated time of the timed runs of takt; empty: as long as the netlist's
  int runs = 5;
  int cpu = -1;  ///< -1: the last one this process may use
  bool json = false;
  std::string only;  ///< ngspice or sundials; empty: both, where there are both
};

/// Runs both and prints the table.
/// @return ExitCode
/// @throws UsageError  where the plant has no peer
/// @throws std::runtime_error  where a run fails
[[nodiscard]] int bench_peers(const BuiltPlant& plant, const PeerRequest& request);

/// Exit code and message where the comparison cannot even begin; before the plant is built.
[[nodiscard]] int check_peers(const PeerRequest& request);

}  // namespace takt::tools
