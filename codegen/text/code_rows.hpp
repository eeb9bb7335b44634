#pragma once
// The rows of the table of codes, one file per part of the system, each sorted by code.
// A row: what it means, why it is refused, how to mend it.

#include <algorithm>
#include <array>
#include <span>

#include "codegen/text/codes.hpp"

namespace takt::codegen {

constexpr bool is_sorted_by_code(std::span<const CodeEntry> rows) {
  return std::is_sorted(rows.begin(), rows.end(),
                        [](const CodeEntry& a, const CodeEntry& b) { return a.code < b.code; });
}

[[nodiscard]] std::span<const CodeEntry> fmu_codes();
[[nodiscard]] std::span<const CodeEntry> rig_codes();
[[nodiscard]] std::span<const CodeEntry> text_codes();
[[nodiscard]] std::span<const CodeEntry> library_codes();
[[nodiscard]] std::span<const CodeEntry> network_codes();
[[nodiscard]] std::span<const CodeEntry> steps_codes();
[[nodiscard]] std::span<const CodeEntry> runs_codes();
[[nodiscard]] std::span<const CodeEntry> foreign_codes();
[[nodiscard]] std::span<const CodeEntry> ssp_codes();
[[nodiscard]] std::span<const CodeEntry> modelica_codes();

}  // namespace takt::codegen
