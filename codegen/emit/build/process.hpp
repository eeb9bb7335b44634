#pragma once
// Runs other programs.

#include <atomic>
#include <filesystem>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace takt::codegen {

struct ProcessResult {
  int exit_code = -1;  ///< 128 + signal where a signal ended it; 127 where it could not be started
  std::string output;  ///< standard output and standard error, interleaved
};

/// @param arguments    program (looked up in PATH) and its arguments; no shell
/// @param environment  "NAME=value": in place of or besides what this process has
/// @param id           where the process's id stands while it can be sent signals; else 0
/// @param heard        gets output as it comes, in pieces; may be empty
/// @throws std::system_error  where the system refuses a pipe or a process
[[nodiscard]] ProcessResult run_process(const std::vector<std::string>& arguments,
                                        const std::vector<std::string>& environment = {},
                                        std::atomic<int>* id = nullptr,
                                        const std::function<void(std::string_view)>& heard = {});

/// Full path of a program in PATH; empty if there is none.
[[nodiscard]] std::filesystem::path find_program(std::string_view name);

}  // namespace takt::codegen
