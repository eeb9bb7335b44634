#pragma once
// The one table of diagnostic codes. `takt explain T012` prints an entry.
// Letters: M plant file and model, U units and quantities, E expressions, L element library, T
// circuits, index and start values, R rules of fluid, gas and solid networks, W switches, C control
// blocks, S methods, steps and synchronisation, B rig files, DBC files and buses, X runs, F
// reference runs, N comparisons with peers and papers, Y FMUs and system structures.

#include <span>
#include <string_view>

namespace takt::codegen {

struct CodeEntry {
  std::string_view code;
  std::string_view title;        ///< one line
  std::string_view explanation;  ///< what it means, why it is refused, how to mend it
};

[[nodiscard]] std::span<const CodeEntry> all_codes();
[[nodiscard]] const CodeEntry* find_code(std::string_view code);

}  // namespace takt::codegen
