#pragma once

#include <filesystem>
#include <memory>
#include <string>

#include "codegen/fmu/fmu_description.hpp"
#include "runtime/fmu/table.hpp"
#include "tools/takt/temporary_file.hpp"

namespace takt::tools {

/// An FMU that has been read and unpacked; its files go with this.
struct OpenFmu {
  codegen::FmuDescription description;
  std::unique_ptr<TemporaryFolder> folder;
  std::filesystem::path unpacked;  ///< within it
  fmu::Table table;
  [[nodiscard]] const codegen::FmuInterface& interface() const {
    return table.kind == fmu::Kind::model_exchange ? *description.model_exchange : *description.co_simulation;
  }
};

/// Warnings go to stderr.
/// @param kind  "cs", "me"; empty: co-simulation where the FMU has it
/// @param strict  warnings of what breaks the standard are errors
/// @throw std::runtime_error  what keeps it from being run, as printed by the reader
[[nodiscard]] OpenFmu open_fmu(const std::filesystem::path& file, const std::string& kind, bool strict = false);

}  // namespace takt::tools
