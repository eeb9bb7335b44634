#pragma once
// A process in which FMUs are computed, takt-fmu-host: foreign code runs nowhere else.

#include <sys/types.h>

#include <csignal>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>

namespace takt::foreign {

/// How one is started.
struct HostStart {
  std::filesystem::path program;
  std::span<const std::string> words;  ///< of its command line, after its name
  std::string_view table;              ///< its standard input
  std::span<const int> files;          ///< what it shares: 3, 4, ... there
  bool silent = false;                 ///< what the FMU prints as its results goes nowhere; else to standard error
};

/// Tells the keeper of a host (tools/fmu_host/keeper.hpp) to end it with all that its FMU has started.
inline constexpr int end_signal = SIGUSR1;

/// One that runs. `id` is that of its keeper, which ends as the host has ended.
struct HostProcess {
  pid_t id = 0;
  int handle = -1;  ///< pidfd
};

/// It ends with the thread that calls this.  @throw std::runtime_error
[[nodiscard]] HostProcess start_host(const HostStart& how);
/// Ends it, where it has not, and all that its FMU has started.  @return as of waitpid()
int end_host(HostProcess& process) noexcept;
/// Memory without a name, for start_host(). Closed by programs that this one starts.  @throw std::runtime_error
[[nodiscard]] int unnamed_file(const char* name);

}  // namespace takt::foreign
