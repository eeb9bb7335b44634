#include "runtime/program/run_origin.hpp"

#include <sys/utsname.h>

#include <algorithm>
#include <ctime>
#include <fstream>
#include <string_view>

namespace takt {
namespace {

constexpr std::size_t longest_command = 4000;  // the report and the summary have a bounded size

std::string local_time_now() {
  const std::time_t now = std::time(nullptr);
  std::tm parts{};
  char text[80];
  if (localtime_r(&now, &parts) == nullptr ||
      std::strftime(text, sizeof text, "%Y-%m-%d %H:%M:%S %z (%Z)", &parts) == 0)
    return "unknown";
  return text;
}

/// x86-64 names its model in /proc/cpuinfo; boards name themselves in the device tree.
std::string cpu_model() {
  std::ifstream cpus("/proc/cpuinfo");
  for (std::string line; std::getline(cpus, line);) {
    const std::size_t colon = line.find(": ");
    if (line.starts_with("model name") && colon != std::string::npos) return line.substr(colon + 2);
  }
  std::string board;
  std::ifstream tree("/proc/device-tree/model");
  std::getline(tree, board, '\0');
  return board.empty() ? "unknown" : board;
}

bool is_plain(std::string_view word) {
  constexpr std::string_view plain = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-+=./:,@%";
  return !word.empty() && word.find_first_not_of(plain) == std::string_view::npos;
}

}  // namespace

std::string shell_word(std::string_view word) {
  if (is_plain(word)) return std::string(word);
  std::string text = "'";
  for (const char c : word) text += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return text + "'";
}

std::string shell_words(std::span<char* const> arguments) {
  std::string text;
  for (const char* argument : arguments) text += (text.empty() ? "" : " ") + shell_word(argument);
  if (text.size() <= longest_command) return text;
  const std::string left = std::to_string(text.size() - longest_command);
  return text.substr(0, longest_command) + " ... (" + left + " characters more)";
}

RunOrigin run_origin(const char* rig, std::span<char* const> arguments) {
  RunOrigin origin;
  origin.started = local_time_now();
  origin.rig = rig;
  origin.cpu_model = cpu_model();
  origin.command = shell_words(arguments);
  utsname system{};
  const bool known = uname(&system) == 0;
  origin.host = known ? system.nodename : "unknown";
  origin.kernel = known ? std::string(system.sysname) + " " + system.release + " " + system.machine : "unknown";
  return origin;
}

}  // namespace takt
