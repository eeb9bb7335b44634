#pragma once
// What `takt bench --peers` shows.

#include <string>
#include <vector>

namespace takt::tools {

/// CPU time of runs, s per simulated second.
struct PeerCost {
  std::vector<double> process;   ///< whole process, user and system
  std::vector<double> solution;  ///< without what a run of one step takes
};

struct PeerAccuracy {
  std::string signal, expression;
  double takt = 0.0, peer = 0.0;  ///< normalised RMS difference to the reference
};

struct PeerRmsResult {
  std::string signal;
  double from_s = 0.0, to_s = 0.0;
  double reference = 0.0, takt = 0.0, peer = 0.0;
};

struct PeerComparison {
  std::string model, peer;  ///< "rc", "ngspice-39"
  std::string reference;    ///< "reference.csv", or what the tight run was
  int cpu = -1;
  double takt_simulated_s = 0.0, peer_simulated_s = 0.0;
  double peer_step_s = 0.0;
  std::vector<std::string> takt_steps;  ///< "electric heun 1 us"
  PeerCost takt_cost, peer_cost;
  std::vector<PeerAccuracy> accuracy;
  std::vector<PeerRmsResult> rms;
};

[[nodiscard]] std::string peer_text(const PeerComparison& comparison);
[[nodiscard]] std::string peer_json(const PeerComparison& comparison);

}  // namespace takt::tools
