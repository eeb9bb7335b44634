#include "runtime/units/sign_hints.hpp"

#include <array>
#include <utility>

namespace takt {

std::string sign_hint(std::string_view rest) {
  constexpr auto hints = std::to_array<std::pair<std::string_view, std::string_view>>({
      {"**", "powers are written ^, as in 2^3"},
      {";", "arguments are parted by commas"},
      {"=", "equality is written =="},
      {"&", "conditions are joined by and, or, not"},
      {"|", "conditions are joined by and, or, not"},
      {"!", "conditions are joined by and, or, not"},
      {"?", "choices are written if(condition, a, b)"},
      {"{", "parentheses are ( and )"},
      {"[", "parentheses are ( and )"},
      {"\u00b2", "powers are written ^, as in x^2"},
      {"\u00b3", "powers are written ^, as in x^3"},
      {"\u00b7", "products are written *"},
      {"\u00d7", "products are written *"},
      {"\u22c5", "products are written *"},
      {"\u00f7", "quotients are written /"},
      {"\u2212", "a minus is written -"},
      {"\u2260", "this is written !="},
      {"\u2264", "this is written <="},
      {"\u2265", "this is written >="},
      {"\u03c0", "this is written pi"},
  });
  for (const auto& [sign, hint] : hints)
    if (rest.starts_with(sign)) return std::string(hint);
  return {};
}

}  // namespace takt
