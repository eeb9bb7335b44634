#include <algorithm>
#include <array>

#include "codegen/methods/method.hpp"

namespace takt::codegen::methods {

/// All methods, in the order in which people read them.
constexpr std::array rows{&euler, &heun, &rk3, &rk4, &rkc, &ros1, &ros2, &exact, &trapezoidal, &discrete, &adaptive, &bdf};

std::span<const Method* const> all() { return rows; }

const Method* find(std::string_view name) {
  const auto found = std::find_if(rows.begin(), rows.end(), [&](const Method* method) { return method->name == name; });
  return found == rows.end() ? nullptr : *found;
}

std::vector<std::string> names_for_parts() {
  std::vector<std::string> names;
  for (const Method* method : rows)
    if (method->kind == Method::Kind::stepped || method->is_switched()) names.emplace_back(method->name);
  return names;
}

std::vector<std::string> names_for_whole() {
  std::vector<std::string> names;
  for (const Method* method : rows)
    if (method->for_whole) names.emplace_back(method->name);
  return names;
}

std::string markdown_table() {
  std::string text = "| method | order | |\n| --- | --- | --- |\n";
  for (const Method* method : rows)
    if (!method->is_sampled()) text += "| `" + std::string(method->name) + "` | " + std::to_string(method->order) + " | " + std::string(method->words) + " |\n";
  return text;
}

}  // namespace takt::codegen::methods
