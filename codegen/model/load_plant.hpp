#pragma once
// plant.toml -> Network: parts expanded, names resolved, values in SI. Grammar:
// config/manual/plant_files.

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "codegen/library/library.hpp"
#include "codegen/model/network.hpp"
#include "codegen/text/diagnostics.hpp"

namespace takt::codegen {

struct LoadOptions {
  std::vector<std::filesystem::path> library;  ///< folders of element definitions
  std::vector<std::pair<std::string, std::string>>
      overrides;  ///< --set name=value, in order; the last one wins
  std::optional<std::filesystem::path> solve =
      std::nullopt;  ///< file whose [solve], [sync] and, if it has one, [record] replace the
                     ///< plant's
};

/// @param plant  plant file, or a folder with a plant.toml
/// @return nullopt after errors that leave no meaningful network; mistakes in [solve], [sync] and
/// [record] alone still
///         return it, so that later passes can report theirs too. Findings: M, U, E, L, C and S
///         codes.
[[nodiscard]] std::optional<Network> load_plant(const std::filesystem::path& plant,
                                                const LoadOptions& options,
                                                Diagnostics& diagnostics);

/// A plant file in memory.
struct PlantText {
  std::string_view text;
  std::filesystem::path file;        ///< name for locations; tables are looked for in its folder
  const TomlValue* solve = nullptr;  ///< or a file with [solve] and [sync] in place of the plant's
};

/// The same from memory, with a library read before.
[[nodiscard]] std::optional<Network> load_plant_text(
    const PlantText& plant, const Library& library,
    const std::vector<std::pair<std::string, std::string>>& overrides, Diagnostics& diagnostics);

}  // namespace takt::codegen
