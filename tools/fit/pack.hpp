#pragma once
// A folder that is copied to a board: executables of a plant, and the script that measures them.

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "tools/takt/build_plant.hpp"

namespace takt::tools {

struct FitWish {
  double plan_seconds = 60.0;       ///< in real time, of the plant at its plan
  double seconds = 10.0;            ///< of every other run
  double late = 0.0;                ///< part of all windows that may be late: 0, 1e-3 or 1e-2
  std::string cpus{};               ///< "2,3"; empty: isolated ones first, then from the last down
  std::vector<std::string> skip{};  ///< parts that are left out: cores, finer, copies
  int most_copies = 64;             ///< that are tried on a core
};

/// The plant by a finer plan.
struct FitVariant {
  std::string name{};  ///< "steps4": of its executable
  bool times = false;  ///< synchronisation times are shorter; else micro-steps alone
  int factor = 1;
  std::int64_t step_ns = 0, period_ns = 0;  ///< the shortest of its plan
  BuiltPlant plant{};
};

struct FitPlants {
  BuiltPlant plan{};                ///< with the rig
  std::optional<BuiltPlant> own{};  ///< without, where there is one
  std::vector<FitVariant> variants{};
  std::vector<std::string> not_possible{};  ///< finer plans that are none, by name

  [[nodiscard]] const BuiltPlant& plain() const { return own ? *own : plan; }
};

/// Builds the plant, without its rig too, and by finer plans; diagnostics and progress go to stderr.
/// @return nullopt after errors
[[nodiscard]] std::optional<FitPlants> build_for_fit(const PlantBuild& request, bool finer);

/// Writes executables, pack.sh, pack.json, measure.sh and README.txt into a folder, which is made.
/// @throws std::runtime_error, std::filesystem::filesystem_error  where it cannot be written, or holds something else
void write_pack(const FitPlants& plants, const FitWish& wish, const std::filesystem::path& folder);

}  // namespace takt::tools
