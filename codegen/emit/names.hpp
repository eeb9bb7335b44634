#pragma once
// From paths of the plant to names of C++.

#include <string>
#include <string_view>
#include <unordered_set>

namespace takt::codegen {

/// "electric.pack.cell[3].r0" -> "electric_pack_cell_3_r0"; never a keyword or a name the emitted
/// code uses itself.
[[nodiscard]] std::string identifier_of(std::string_view path);

/// "electric.1" -> "Electric1".
[[nodiscard]] std::string type_name_of(std::string_view path);

/// Hands out every name once: "a", "a_2", "a_3".
class UniqueNames {
 public:
  [[nodiscard]] std::string make(const std::string& wished);

 private:
  std::unordered_set<std::string> taken_;
};

}  // namespace takt::codegen
