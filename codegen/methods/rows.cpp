#include <algorithm>
#include <array>

#include "codegen/methods/method.hpp"

namespace takt::codegen::methods {

extern const Method ssprk43;

/// All methods, in the order in which people read them.
constexpr std::array rows{&euler, &heun,  &rk3,         &rk4,      &ssprk43, &rkc,      &ros1,
                          &ros2,  &exact, &trapezoidal, &discrete, &foreign, &adaptive, &bdf};

std::span<const Method* const> all() { return rows; }

const Method* find(std::string_view name) {
  const auto found = std::find_if(rows.begin(), rows.end(),
                                  [&](const Method* method) { return method->name == name; });
  return found == rows.end() ? nullptr : *found;
}

std::vector<std::string> names_for_parts() {
  std::vector<std::string> names;
  for (const Method* method : rows)
    if (method->kind == Method::Kind::stepped || method->is_switched())
      names.emplace_back(method->name);
  return names;
}

std::vector<std::string> names_for_whole() {
  std::vector<std::string> names;
  for (const Method* method : rows)
    if (method->for_whole) names.emplace_back(method->name);
  return names;
}

std::string text_of(const Method& method) {
  const auto line = [](std::string_view name, const std::string& value) {
    return value.empty()
               ? std::string()
               : "  " + std::string(name) + std::string(20 - name.size(), ' ') + value + "\n";
  };
  std::string text =
      "method " + std::string(method.name) + "\n  " + std::string(method.words) + "\n\n";
  text +=
      line("order", std::to_string(method.order)) +
      line("evaluations a step", method.chooses_stages ? "as many as its stages"
                                                       : std::to_string(method.evaluations_of(0)));
  text += line("needs", method.needs_linear ? "a linear circuit"
                        : method.solves     ? "Jacobians, one factorisation a step"
                                            : "");
  text +=
      line("proposed", method.proposed ? "yes" : "no") + line("source", std::string(method.source));
  return text;
}

std::string markdown_table() {
  std::string text = "| method | order | |\n| --- | --- | --- |\n";
  for (const Method* method : rows)
    if (!method->is_sampled() && method->kind != Method::Kind::foreign)
      text += "| `" + std::string(method->name) + "` | " + std::to_string(method->order) + " | " +
              std::string(method->words) + " |\n";
  return text;
}

}  // namespace takt::codegen::methods
