#pragma once
// Places in scenario files, and what is wrong there.

#include <cstdint>
#include <stdexcept>
#include <string>

#include "runtime/toml/document.hpp"

namespace takt {

struct ScenarioPlace {
  std::string file;
  TomlPlace at;
  [[nodiscard]] std::string line() const { return file + ":" + std::to_string(at.line); }
};

/// "file:12:9: cause; remedy"
struct ScenarioMistake : std::runtime_error {
  ScenarioMistake(const ScenarioPlace& place, const std::string& cause, const std::string& remedy = {})
      : std::runtime_error(place.line() + ":" + std::to_string(place.at.column) + ": " + cause +
                           (remedy.empty() ? "" : "; " + remedy)) {}
};

}  // namespace takt
