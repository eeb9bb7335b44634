#pragma once
// Symbols of elements and blocks, after IEC 60617 and ISO 1219 where these have one.

#include <span>
#include <string_view>

#include "tools/picture/diagram.hpp"

namespace takt::picture {

/// Within -12 .. 12 by -9 .. 9, drawn by its lines.
struct Symbol {
  std::string_view name;
  std::string_view path;  ///< of SVG
  std::string_view letters = {};
};

[[nodiscard]] std::span<const Symbol> symbols();

/// Its name; of a type without a symbol of its own, that of the kind of its branch.
[[nodiscard]] std::string_view symbol_of(const Box& box);

}  // namespace takt::picture
