#pragma once
// peer.toml beside a plant: which signal of the plant is which quantity of the same circuit in peer.cir.
//
//   [signals]                                     # recorded signal = expression of ngspice vectors
//   "electric.smooth.v" = "v(out)"
//   "electric.load.i"   = "-i(v1)"
//   [rms]                                         # compare the RMS over this time as well
//   "electric.smooth.v" = { from = "80 ms", to = "100 ms" }
//   [reference]                                   # of the tight run, where the plant has no reference.csv
//   max_step = "500 ns"                           # default: a twentieth of the netlist's
//   options  = "reltol=1e-6"                      # default: the netlist's

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "codegen/text/diagnostics.hpp"

namespace takt::tools {

struct PeerSignal {
  std::string path;        ///< of the plant
  std::string expression;  ///< of ngspice
  codegen::Location where;
};

struct PeerRms {
  std::size_t signal = 0;  ///< index into PeerFile::signals
  double from_s = 0.0, to_s = 0.0;
};

struct PeerFile {
  std::vector<PeerSignal> signals;
  std::vector<PeerRms> rms;
  std::optional<double> reference_step_s;
  std::string reference_options;
};

/// Mistakes are reported with their places (M001, M002, N001).
[[nodiscard]] PeerFile read_peer_file(const std::filesystem::path& file, codegen::Diagnostics& diagnostics);

}  // namespace takt::tools
