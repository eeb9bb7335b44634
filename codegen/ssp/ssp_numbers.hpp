#pragma once
// Values that parameters and inputs of FMUs are set to, as numbers.

#include <optional>
#include <string>

#include "codegen/model/fmu_units.hpp"
#include "codegen/ssp/ssp_parameters.hpp"
#include "codegen/ssp/ssp_plant.hpp"

namespace takt::codegen {

/// By its name or that of one of its elements; nullptr: the FMU has none.
[[nodiscard]] const FmuVariable* variable_of(const FmuDescription& fmu, const std::string& name);

/// Reports Y209 (no number, no item) and Y213 (another kind or dimension).
class SspNumbers {
 public:
  SspNumbers(const SspStructure& structure, const SspFmus& fmus, Diagnostics& diagnostics)
      : structure_(structure), fmus_(fmus), diagnostics_(diagnostics) {}

  /// @pre the pin is that of a component
  [[nodiscard]] FmuQuantity quantity(const SspPin& pin) const;

  /// In SI, through all transformations.
  [[nodiscard]] std::optional<double> number_of(const SspSetting& setting, const SspPin& pin) const;
  /// As a plant file has it.
  [[nodiscard]] std::optional<std::string> text_of(const SspSetting& setting,
                                                   const SspPin& pin) const;

 private:
  /// In the unit that the parameter has.
  [[nodiscard]] std::optional<double> plain_number(const SspParameter& parameter,
                                                   const SspPin& pin) const;
  [[nodiscard]] std::optional<double> item_value(const SspParameter& parameter,
                                                 const SspPin& pin) const;

  const SspStructure& structure_;
  const SspFmus& fmus_;
  Diagnostics& diagnostics_;
};

}  // namespace takt::codegen
