#pragma once
// Inside of the supervisor's process. It sees the death of the plant by the hang-up of their socket, and a hang by its
// heartbeat; then it sends the safe values.

#include <string>
#include <vector>

#include "runtime/io/supervision.hpp"
#include "runtime/plant/rig_settings.hpp"

namespace takt {

struct SupervisedPlant {
  SupervisionWords& words;
  SafeSender& sender;
  SupervisorSettings settings;  ///< heartbeat_ns: no shorter than what the plant can keep
  std::string name;
  std::vector<int> cpus;  ///< of the plant, which are left alone where there are others
  int priority = 0;       ///< SCHED_FIFO
  int process = 0;        ///< the plant
  int socket = -1;        ///< to the plant
};

/// What the plant reads first: that all is well, or what is wrong.
inline constexpr std::string_view supervisor_is_ready = "ready";

/// The whole life of the supervisor, in the forked child. Never returns into the plant's code.
[[noreturn]] void supervise(const SupervisedPlant& plant) noexcept;

/// That of its spare, forked after it: it takes its place when it dies, and kills it where it stands still.
[[noreturn]] void stand_by(const SupervisedPlant& plant, int supervisor) noexcept;

}  // namespace takt
