#pragma once
// Plant file -> executable: what `takt build`, `takt run` and `takt bench` share.

#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "codegen/emit/build/build.hpp"
#include "codegen/emit/build/executable_store.hpp"
#include "codegen/emit/build/target.hpp"
#include "codegen/emit/sources.hpp"
#include "codegen/pipeline.hpp"

namespace takt::tools {

struct PlantBuild {
  std::filesystem::path plant;
  std::optional<std::filesystem::path> rig, solve;
  std::vector<std::pair<std::string, std::string>> overrides;  ///< --set; compiled in unless keep_tunable
  bool keep_tunable = false;              ///< hand overrides of tunable parameters back instead of compiling them in
  std::filesystem::path directory;        ///< empty: below .takt/
  std::string march;                      ///< empty: the portable baseline
  std::optional<codegen::Target> target;  ///< to compile for; nothing: this machine
  bool publish = false;                   ///< the folder's bin/NAME becomes this build's
  bool quiet = false;                     ///< says errors only
  std::optional<std::string> part;        ///< one instance of a part by itself
  std::optional<double> error;            ///< --error: for plan_for_error(); 0: off
};

struct BuiltPlant {
  PlantBuild request;               ///< without what is tunable
  codegen::Checked checked;         ///< what it was built from
  std::filesystem::path directory;  ///< of sources and executables
  std::filesystem::path executable;
  bool built = false;                                        ///< false: it was up to date
  std::shared_ptr<const codegen::StoredExecutable> kept;     ///< nobody removes the executable while this lives
  std::vector<std::pair<std::string, std::string>> tunable;  ///< overrides to pass to the executable, values in SI
};

/// The sources of a plant and its rig, with the hash of what they say.
[[nodiscard]] codegen::Sources plant_sources(const codegen::Checked& checked);
/// What the built plant will have in its memory, sorted by path.
[[nodiscard]] std::vector<codegen::TableRow> plant_table(const codegen::Checked& checked);

/// Of the sources and executables of a plant called so: the one asked for, or one of its own below .takt/.
[[nodiscard]] std::filesystem::path build_directory(const PlantBuild& request, const std::string& name);
/// This takt with the runtime that it compiles plants against.
[[nodiscard]] std::string build_identity();

/// Whether the generator finds no mistake; says nothing.
[[nodiscard]] bool is_accepted(const PlantBuild& request);

/// The plant of a request. Diagnostics go to stderr.
/// @return nullopt after errors
[[nodiscard]] std::optional<codegen::Checked> checked_for_build(const PlantBuild& request);
/// A folder that cannot be written is a failure as others are.
[[nodiscard]] codegen::BuildResult built_or_failed(const std::function<codegen::BuildResult()>& build);
/// Compiles, and tells on stderr why it cannot.
/// @return nullopt after errors
[[nodiscard]] std::optional<codegen::BuildResult> built_or_told(const codegen::Sources& sources,
                                                                const codegen::BuildOptions& options);

/// Checks, emits and compiles. Diagnostics and progress go to stderr.
/// @return nullopt after errors
[[nodiscard]] std::optional<BuiltPlant> build_plant(const PlantBuild& request);

}  // namespace takt::tools
