#pragma once
// Pieces of the text of a system structure.

#include <map>
#include <string>
#include <string_view>

#include "codegen/fmu/fmu_description.hpp"
#include "codegen/ssp/ssp_structure.hpp"

namespace takt::codegen {

/// Units of all FMUs under names that differ where they differ.
class SspUnitNames {
 public:
  /// Empty where the variable has none, or one without base units.
  [[nodiscard]] std::string name_of(const FmuDescription& fmu, const FmuVariable& variable);
  /// <ssd:Units>, in the order of the names; empty where there are none.
  [[nodiscard]] std::string text() const;

 private:
  std::map<std::string, FmuUnit> units_;
};

struct SspEnds {
  std::string start_element, start_connector, end_element, end_connector;
};

/// A number that was computed from others: without the last digits where they are what rounding
/// left (449.725 instead of 449.72499999999997), else exact.
[[nodiscard]] std::string tidy_number(double value);
/// Text in an attribute.
[[nodiscard]] std::string escaped(std::string_view text);
/// With the opening tag of the root.
[[nodiscard]] std::string ssd_head(std::string_view name);
/// <ssc:Real unit="V"/>
[[nodiscard]] std::string type_text(const FmuVariable& variable, const std::string& unit);
[[nodiscard]] std::string connector_text(std::string_view indent, std::string_view name,
                                         std::string_view kind, std::string_view type);
[[nodiscard]] std::string connection_text(const SspEnds& ends,
                                          const SspTransformation& transformation);
[[nodiscard]] std::string parameter_text(std::string_view name, const FmuVariable& variable,
                                         double value);
/// A binding with its set within.
[[nodiscard]] std::string bindings_text(const std::string& parameters, const std::string& indent);

}  // namespace takt::codegen
