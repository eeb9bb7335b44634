#pragma once
// The one table of diagnostic codes. `takt explain T012` prints an entry.
// Letters: M plant file, U units and parameters, E expressions, L element library, T topology and index,
// S steps and synchronisation, C control blocks, B buses, DBC and rig files, R run time.

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
