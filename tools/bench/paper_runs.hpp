#pragma once
// Runs of one parametrisation: what it costs, how far it is from a reference, whether its ledgers close.

#include <filesystem>
#include <string>
#include <vector>

#include "tools/takt/build_plant.hpp"
#include "tools/takt/compare_signals.hpp"

namespace takt::tools {

/// This process and its children under SCHED_FIFO, where that is allowed, as long as this lives.
class FifoScope {
 public:
  FifoScope();
  ~FifoScope();
  FifoScope(const FifoScope&) = delete;
  FifoScope& operator=(const FifoScope&) = delete;
  [[nodiscard]] bool allowed() const { return allowed_; }

 private:
  bool allowed_ = false;
};

/// Medians over timed runs; all windows computed freely, nothing written.
struct PaperCost {
  double busy_s = 0.0;                           ///< CPU time of solvers and executive: what the papers count
  double process_s = 0.0;                        ///< CPU time of the whole process: start-up and steady start too
  double mean = 0.0, p999 = 0.0, largest = 0.0;  ///< RTF of the macro-steps
  double simulated_s = 0.0, macro_step_s = 0.0;
};

/// One recorded run.
struct PaperResult {
  Recording recording;
  double ledger = 0.0;  ///< worst |sent - received - in transit| / throughput of all fluxes
  std::size_t fluxes = 0;
  double energy = 0.0;  ///< |residual| of the plant's energy balance / energy its sources supplied and its sinks took
};

struct PaperCase {
  std::string name;
  std::optional<BuiltPlant> plant;                 ///< nullopt: refused, or it does not build
  std::vector<PaperCost> runs;                     ///< timed
  PaperCost cost;                                  ///< medians
  std::optional<PaperResult> result;               ///< nullopt: the run ended in no number
  std::vector<std::pair<double, double>> elapsed;  ///< simulated s, CPU s
};

/// @param duration  empty: the plant's own.  @throws std::runtime_error  where the plant fails
[[nodiscard]] PaperCost timed_run(const BuiltPlant& plant, const std::string& duration);
[[nodiscard]] PaperCost median(const std::vector<PaperCost>& runs);
/// @return nullopt where the run fails, as an unstable one does
[[nodiscard]] std::optional<PaperResult> recorded_run(const BuiltPlant& plant, const std::string& duration,
                                                      const std::filesystem::path& folder);

}  // namespace takt::tools
