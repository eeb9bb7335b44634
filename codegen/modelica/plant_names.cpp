#include "codegen/modelica/plant_names.hpp"

#include <fmt/format.h>

#include <cctype>

#include "runtime/units/predefined.hpp"

namespace takt::codegen::modelica {

PlantNames::PlantNames(std::vector<std::string> taken)
    : taken_{"is",  "at", "n",   "heat", "start", "every", "self",  "w",
             "tau", "l",  "phi", "own",  "rest",  "inner", "param", "round"} {
  taken_.insert(taken.begin(), taken.end());
}

const std::string& PlantNames::of(const std::string& modelica) {
  auto [found, fresh_one] = names_.try_emplace(modelica);
  if (!fresh_one) return found->second;
  std::string made;
  for (const char c : modelica) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte < 0x80 && std::isalnum(byte) != 0)
      made += static_cast<char>(std::tolower(byte));
    else if (!made.empty() && made.back() != '_')
      made += '_';
  }
  while (!made.empty() && made.back() == '_') made.pop_back();
  if (made.empty() || std::isdigit(static_cast<unsigned char>(made.front())) != 0)
    made = "x_" + made;
  found->second = fresh(made);
  return found->second;
}

std::string PlantNames::fresh(std::string_view stem) {
  const auto is_taken = [&](const std::string& name) {
    return taken_.contains(name) || !predefined_meaning(name, NamePlace::definition).empty() ||
           !predefined_meaning(name, NamePlace::plant).empty() || is_function_name(name);
  };
  std::string made(stem);
  for (int k = 2; is_taken(made); ++k) made = fmt::format("{}_{}", stem, k);
  taken_.insert(made);
  return made;
}

std::string toml_text(std::string_view text) {
  std::string made = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\')
      (made += '\\') += c;
    else if (static_cast<unsigned char>(c) < 0x20 || c == 0x7F)
      made += fmt::format("\\u{:04X}", static_cast<unsigned>(static_cast<unsigned char>(c)));
    else
      made += c;
  }
  return made + '"';
}

}  // namespace takt::codegen::modelica
