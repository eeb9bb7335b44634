#pragma once
// A process of its own in which an FMU is tried: a crash or a hang is a finding, not the end of the command.

#include <atomic>
#include <chrono>
#include <cstdint>
#include <functional>
#include <nlohmann/json.hpp>
#include <string>

namespace takt::tools {

/// Written by the child, seen by the parent, also after the child's death.
struct ProbeProgress {
  std::atomic<std::uint64_t> step{0};  ///< steps that were begun
  std::atomic<const char*> doing{""};  ///< a literal; the child is a copy of the parent, so its address is valid there
};

struct ProbeOutcome {
  enum class End : std::uint8_t { finished, crashed, hung, exited };
  End end = End::finished;
  int signal = 0;          ///< of a crash
  std::uint64_t step = 0;  ///< where it ended
  std::string doing;
  nlohmann::json found;  ///< what the child has found out; null where it did not finish
  /// "crashed (SIGSEGV) at step 1000 in DoStep"
  [[nodiscard]] std::string text() const;
};

/// Runs `work` in a child and waits for what it finds.
/// @param patience  without progress the child hangs, and is killed
/// @throw std::system_error
[[nodiscard]] ProbeOutcome probe(const std::function<nlohmann::json(ProbeProgress&)>& work,
                                 std::chrono::milliseconds patience);

}  // namespace takt::tools
