#pragma once
// Gate signal with a time stamp: a controller sends, at the start of a window, the level the gate shall take and when.

#include <limits>

namespace takt {

/// Real-time: every function is wait-free.
struct TimedGate {
  double level = 0.0;                                   ///< 0 or 1
  double pending = 0.0;                                 ///< level after `at`
  double at = std::numeric_limits<double>::infinity();  ///< simulated time of the change, s
  double lost = 0.0;  ///< commands that were replaced before their time, or came with a negative delay

  /// Takes a command at time t: `wished` > 0.5 means on, `delay` s later. An unfinished command is replaced.
  void command(double t, double wished, double delay) noexcept {
    if (at < std::numeric_limits<double>::infinity() || delay < 0.0) lost += 1.0;
    pending = wished > 0.5 ? 1.0 : 0.0;
    at = pending == level ? std::numeric_limits<double>::infinity() : t + (delay > 0.0 ? delay : 0.0);
  }
  void apply(double t) noexcept {
    if (at > t) return;
    level = pending;
    at = std::numeric_limits<double>::infinity();
  }
};

}  // namespace takt
