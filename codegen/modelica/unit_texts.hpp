#pragma once
// Units of Modelica as units of Takt.

#include <string>
#include <string_view>

namespace takt::codegen::modelica {

/// "J/(kg.K)" is "J/(kg*K)", "kg.m2" is "kg*m^2". "1" where there is none, where Takt does not know
/// it, and where its numbers are not those of SI (degC, bar): numbers of the model stay what they
/// are.
[[nodiscard]] std::string plant_unit(std::string_view modelica);

/// A number, or an expression that is one, as a quantity of a plant file.
[[nodiscard]] std::string in_unit(const std::string& number, const std::string& unit);

}  // namespace takt::codegen::modelica
