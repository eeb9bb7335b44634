#pragma once
// A program that is fed a file, leaves another one, and is listened to meanwhile.

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

namespace takt::tools {

struct PipedProcess {
  std::vector<std::string> arguments;  ///< program, looked up in PATH, and its arguments; no shell
  std::filesystem::path input{};       ///< its standard input, which then stays open until it ends; empty: nothing
  std::filesystem::path output{};      ///< of its standard output
  std::function<void(const std::string&)> listen{};  ///< each line of its standard error
};

struct PipedEnd {
  int code = -1;       ///< 128 + signal where a signal ended it; 127: it could not be started
  std::string said{};  ///< the end of its standard error
  int stopped_by = 0;  ///< signal that this process got meanwhile, which was handed on; 0: none
};

/// SIGINT, SIGTERM and SIGHUP are handed on to it, and this process goes on.
/// @throws std::system_error  where the system refuses a pipe, a file or a process
[[nodiscard]] PipedEnd run_piped(const PipedProcess& process);

}  // namespace takt::tools
