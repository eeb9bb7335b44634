#pragma once
// The host processes of the FMUs of a plant.

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <thread>
#include <vector>

#include "runtime/foreign/host_process.hpp"
#include "runtime/plant/description.hpp"
#include "runtime/stats/histogram.hpp"

namespace takt::foreign {

/// How many of what the plant and its FMU did, and how long.
struct HostStats {
  std::string name;
  std::uint64_t late = 0;
  Histogram calls, exchanges;  ///< ns: the FMU; from question to answer without it
};

/// Starts takt-fmu-host for each FMU, connects the ports (port.hpp), watches whether they live; ends them with it.
class Hosts {
 public:
  /// @throw std::runtime_error  the files or the host are not there, or a host did not come up: cause and remedy
  Hosts(std::span<const ForeignDescription> models, bool paced);
  ~Hosts();
  Hosts(const Hosts&) = delete;
  Hosts& operator=(const Hosts&) = delete;

  /// What FMUs have said of their failures: "fmu.engine: DoStep: Error: ...".
  [[nodiscard]] std::vector<std::string> problems() const;
  /// What FMUs have said that have ended the simulation: "fmu.stair: the FMU ended the simulation at 10 s: ...".
  [[nodiscard]] std::vector<std::string> ends() const;
  [[nodiscard]] std::vector<HostStats> stats() const;

  struct Place {
    std::vector<int> cpus;  ///< empty: where the system puts it
    int priority = 1;       ///< SCHED_FIFO
    bool spins = false;     ///< on CPUs of its own, and the plant waits for it within its window
  };
  /// Of the FMU with this number, in a paced run. @return what was refused; empty: nothing
  std::string put(std::size_t number, const Place& place);

  /// Free runs, between two windows: every FMU gives its state. Nothing is allocated. @return it has; else problems()
  bool save_states() noexcept;
  /// What save_states() has brought. Until the next one.
  [[nodiscard]] std::vector<std::byte> states() const;
  /// After the start: all that save_states() brought, at that simulated time.  @throw std::runtime_error  with the FMU
  void load_states(std::span<const std::byte> bytes, std::int64_t simulated_ns);

 private:
  void start(std::size_t number, const std::filesystem::path& fmus);
  void watch() noexcept;
  [[nodiscard]] std::vector<std::string> said(bool ended) const;
  void end() noexcept;

  struct Process {
    HostProcess kept;
    std::atomic<pid_t> host{0};  ///< from its first answer until it is gone
  };
  static void end_now(const Process& process) noexcept;
  std::span<const ForeignDescription> models_;
  const bool paced_;
  std::vector<Process> processes_;
  int ends_ = -1;  // eventfd: nobody is to be watched any more
  std::thread watch_;
};

}  // namespace takt::foreign
