#pragma once
// SspPlant: a system structure brought flat: its FMUs, what feeds their inputs, what their
// parameters are. And the plant file that says so.

#include <memory>
#include <string>
#include <vector>

#include "codegen/fmu/fmu_description.hpp"
#include "codegen/ssp/ssp_structure.hpp"

namespace takt::codegen {

/// name = text, as they stand in a plant file
struct SspLine {
  std::string name, text;
  friend bool operator==(const SspLine&, const SspLine&) = default;
};

/// A component under its name in the plant: those of the systems around it, joined by '_'.
struct SspPart {
  std::string key, path;  ///< "left_tank", "left.tank"
  const SspElement* component = nullptr;
  std::shared_ptr<const FmuDescription> fmu;
  std::vector<SspLine> inputs, outputs, parameters;
};

struct SspPlantInput {
  std::string name, unit, start;
};

struct SspPlant {
  std::vector<SspPart> parts;
  std::vector<SspPlantInput> inputs;
  std::vector<std::string> records;  ///< outputs that leave the system; empty: all
};

/// The FMU of each component, by its source.
using SspFmus = std::map<std::string, std::shared_ptr<const FmuDescription>>;

/// @param fmus  of every source in the structure
/// @return nothing where an error was found (Y204 to Y209, Y213, Y214)
std::optional<SspPlant> flatten(const SspStructure& structure, const SspFmus& fmus,
                                Diagnostics& diagnostics);

/// What stands in the plant file beside the FMUs.
struct SspPlantText {
  std::string title, origin;
  std::string step;                ///< of FMUs whose component says none
  std::string period;              ///< of the exchange and the record: a multiple of all steps
  std::vector<std::string> files;  ///< of each part, relative to the plant file
};

/// plant.toml. The same structure gives the same text.
[[nodiscard]] std::string plant_text(const SspStructure& structure, const SspPlant& plant,
                                     const SspPlantText& text);

/// A name of a plant for a name of SSP: lower-case letters, digits, _
[[nodiscard]] std::string plant_key(std::string_view name);

}  // namespace takt::codegen
