#pragma once
// The generator from plant file to plan, as the commands call it. Each stage is a pure function;
// see the folders.

#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "codegen/dae/dae.hpp"
#include "codegen/plan/plan.hpp"
#include "codegen/rig/rig.hpp"
#include "codegen/stability/operating_range.hpp"

namespace takt::codegen {

struct CheckOptions {
  std::vector<std::filesystem::path> library;                  ///< folders of element definitions
  std::vector<std::pair<std::string, std::string>> overrides;  ///< --set name=value
  std::optional<std::filesystem::path> rig;
  std::optional<std::filesystem::path> solve =
      std::nullopt;  ///< parametrisation: [solve] and [sync] in place of the plant's
  std::optional<std::filesystem::path> operating =
      std::nullopt;  ///< operating range; silent: operating.csv beside the plant, where there is
                     ///< one
  std::optional<std::string> part = std::nullopt;  ///< this instance of a part only, what joins it
                                                   ///< to the rest as inputs and outputs
  std::function<void(const char*)> stage =
      {};  ///< hears what is done next, "planning"; may be empty
};

struct Checked {
  Network network;
  TopologyResult topology;
  DaeResult dae;
  Plan plan;
  std::optional<Rig> rig;
  OperatingRange range = {};
  std::optional<DaeResult> apart =
      std::nullopt;  ///< where [solve] whole joined the circuits: each by itself

  [[nodiscard]] const DaeResult& circuits() const { return apart ? *apart : dae; }
};

/// Runs every stage that still makes sense after errors of the one before, so that several mistakes
/// are reported together.
/// @return nullopt where the plant file itself could not be turned into a network
[[nodiscard]] std::optional<Checked> check_plant(const std::filesystem::path& plant,
                                                 const CheckOptions& options,
                                                 Diagnostics& diagnostics);

/// What a rig file may name of this plant.
[[nodiscard]] RigTarget rig_target(const Checked& checked);

}  // namespace takt::codegen
