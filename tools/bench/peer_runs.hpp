#pragma once
// Single runs of takt and ngspice on one CPU, with what they cost and what they computed.

#include <filesystem>
#include <string>
#include <vector>

#include "tools/bench/peer_file.hpp"
#include "tools/bench/peer_netlist.hpp"
#include "tools/takt/build_plant.hpp"
#include "tools/takt/peer_accuracy.hpp"

namespace takt::tools {

/// This process and its children on one CPU as long as this lives.
class OnOneCpu {
 public:
  /// @param cpu  -1: the last one allowed.  @throws std::system_error  where the CPU cannot be had
  explicit OnOneCpu(int cpu);
  ~OnOneCpu();
  OnOneCpu(const OnOneCpu&) = delete;
  OnOneCpu& operator=(const OnOneCpu&) = delete;
  [[nodiscard]] int cpu() const { return cpu_; }

 private:
  int cpu_;
  std::vector<unsigned char> before_;
};

/// A folder for decks and results, removed at the end.
class WorkFolder {
 public:
  WorkFolder();
  ~WorkFolder();
  WorkFolder(const WorkFolder&) = delete;
  WorkFolder& operator=(const WorkFolder&) = delete;
  [[nodiscard]] const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

/// A process that has ended well.
struct FinishedRun {
  double process_s = 0.0;  ///< CPU time, user and system
  std::string output;
};

/// A free run; results go to `results`, nowhere where that is empty.
/// @throws std::runtime_error  where the plant fails
[[nodiscard]] FinishedRun run_takt(const BuiltPlant& plant, const std::string& duration,
                                   const std::filesystem::path& results);

/// @throws std::runtime_error  where ngspice fails or does not reach the end
[[nodiscard]] FinishedRun run_ngspice(const std::string& deck, const std::filesystem::path& work);

/// "ngspice-39"
[[nodiscard]] std::string ngspice_version();

/// One column a signal; the signals of a file that has no such column are left empty.
/// @param recording  a table, or a run directory
[[nodiscard]] std::vector<Waveform> read_signals(const std::filesystem::path& recording,
                                                 const std::vector<PeerSignal>& signals);

}  // namespace takt::tools
