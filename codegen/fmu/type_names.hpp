#pragma once
// Types, causalities and variabilities by the names that the standards give them.

#include <optional>
#include <string_view>

#include "codegen/fmu/fmu_description.hpp"

namespace takt::codegen {

/// "Real" of FMI 2, "Float64" or "Float64Type" of FMI 3.
[[nodiscard]] std::optional<FmuType> type_named(std::string_view name, FmiVersion version);
[[nodiscard]] std::optional<FmuCausality> causality_named(std::string_view name);
[[nodiscard]] std::optional<FmuVariability> variability_named(std::string_view name);
[[nodiscard]] FmuInitial initial_named(std::string_view name);

[[nodiscard]] std::string_view text(FmuCausality causality);
[[nodiscard]] std::string_view text(FmuVariability variability);
[[nodiscard]] std::string_view text(FmuInitial initial);
/// As FMI 3 writes it: "Float64"
[[nodiscard]] std::string_view text(FmuType type);

[[nodiscard]] bool is_float(FmuType type);
[[nodiscard]] bool is_unsigned(FmuType type);

}  // namespace takt::codegen
