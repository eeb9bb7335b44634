#include "tools/takt/arguments.hpp"

#include <unistd.h>

#include <cerrno>
#include <system_error>

namespace takt::tools {

std::filesystem::path existing_file(const std::string& argument, const std::string& what) {
  std::error_code unreadable;  // such as a name that is too long
  const auto refuse = [&](const std::string& why) {
    throw UsageError("no " + what + " file at '" + argument + "'" + why);
  };
  const std::filesystem::file_status status = std::filesystem::status(argument, unreadable);
  if (!std::filesystem::exists(status) && unreadable && unreadable != std::errc::no_such_file_or_directory)
    refuse(": " + unreadable.message());
  if (!std::filesystem::exists(status)) refuse("; there is nothing of that name");
  if (std::filesystem::is_directory(status)) refuse(": that is a folder; name a file in it");
  if (!std::filesystem::is_regular_file(status)) refuse(": that is neither a file nor a folder");
  if (::access(argument.c_str(), R_OK) != 0)
    refuse(" that may be read: " + std::error_code(errno, std::generic_category()).message() +
           "; chmod u+r, or another user");
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
