#pragma once
// `takt tap RUN scope`: values at every micro-step, as CSV.

#include <csignal>
#include <string>
#include <vector>

namespace takt::tools {

struct ScopeOptions {
  std::vector<std::string> paths;
  std::string pre = "0 s", post, every, trigger;  ///< every empty: micro-steps
  std::string out;                                ///< empty: the terminal
};

/// @param run   directory or name
/// @param stop  set by Ctrl-C
/// @return exit code: 1 where the run ends before the scope is complete
int tap_scope(const std::string& run, const ScopeOptions& options, const volatile sig_atomic_t& stop);

}  // namespace takt::tools
