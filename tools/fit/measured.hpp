#pragma once
// What measure.sh has left of a board, as plain data.

#include <cstdint>
#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

namespace takt::tools {

/// When the answer to a release was there, as part of the time until the next one; of the rate that is worst. Its
/// maximum holds for the windows that functions of the time cut most often, too.
struct Response {
  double p50 = 0.0, p99 = 0.0, p999 = 0.0, max = 0.0;
};

/// Of a rate, the window whose micro-steps functions of the time cut most often, after those that were measured.
struct CutWindow {
  int cuts = 0;
  double at_s = 0.0, more_us = 0.0;
};

/// One run of an executable.
struct MeasuredRun {
  std::string failure{};      ///< what it said; empty: it ran to its end
  double computing = 0.0;     ///< mean real-time factor of its macro-steps
  Response response{};        ///< in real time
  CutWindow cut{};            ///< of the rate that it costs most
  std::uint64_t late = 0;     ///< releases whose answer missed the next one
  std::uint64_t windows = 0;  ///< releases
  double worst_miss_us = 0.0;
  std::map<std::string, std::uint64_t> causes{};  ///< of incidents
  nlohmann::json summary{};
};

/// So many copies at once, each a process.
struct CopiesRun {
  int count = 0;  ///< on each of the CPUs
  std::vector<MeasuredRun> runs{};
  std::optional<double> used{};  ///< of each of the CPUs, by real-time threads, as the kernel counts
};

struct WakeUp {
  double mean_us = 0.0, max_us = 0.0;
};

struct Board {
  std::vector<int> cpus{};  ///< those meant for real time first
  double memory_kb = 0.0, rt_runtime_us = -1.0,
         rt_period_us = 1e6;  ///< runtime < 0: real-time threads are not throttled
  std::optional<WakeUp> cyclictest{};
};

struct Measured {
  nlohmann::json pack{};  ///< pack.json
  Board board{};
  MeasuredRun free{}, paced{};
  std::optional<MeasuredRun> plain{};                  ///< without the rig, in real time, where there is one
  std::map<int, MeasuredRun> free_on{}, paced_on{};    ///< several cores
  std::map<std::string, MeasuredRun> variants{};       ///< in real time; by finer plans
  std::vector<CopiesRun> doubled{}, between{}, all{};  ///< on one core: 1, 2, 4 ...; then halved; on all cores
};

inline constexpr int pack_format = 3;  ///< of a pack and what is measured with it: counts up where either changes

/// @param folder  a pack with its results
/// @throws std::runtime_error  what is missing or does not fit, and how to mend it
[[nodiscard]] Measured read_measured(const std::filesystem::path& folder);

}  // namespace takt::tools
