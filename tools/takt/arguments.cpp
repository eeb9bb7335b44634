#include "tools/takt/arguments.hpp"

namespace takt::tools {

std::filesystem::path existing_file(const std::string& argument, const std::string& what) {
  std::error_code unreadable;  // such as a name that is too long
  if (!std::filesystem::is_regular_file(argument, unreadable))
    throw UsageError("no " + what + " file at '" + argument + "'");
  return argument;
}

std::filesystem::path plant_file(const std::string& argument) {
  const std::filesystem::path path = argument;
  std::error_code unreadable;
  if (std::filesystem::is_directory(path, unreadable)) return existing_file((path / "plant.toml").string(), "plant");
  return existing_file(argument, "plant");
}

std::vector<std::pair<std::string, std::string>> overrides(const std::vector<std::string>& settings) {
  std::vector<std::pair<std::string, std::string>> pairs;
  for (const std::string& setting : settings) {
    const std::size_t equals = setting.find('=');
    if (equals == std::string::npos || equals == 0) throw UsageError("--set takes name=value, not '" + setting + "'");
    pairs.emplace_back(setting.substr(0, equals), setting.substr(equals + 1));
  }
  return pairs;
}

}  // namespace takt::tools
