#pragma once
// A hardware watchdog of Linux: it resets the machine where nobody feeds it in time.

#include <string>

#include "runtime/plant/time.hpp"

namespace takt {

class Watchdog {
 public:
  /// @param device  empty: none, and all calls do nothing
  /// Throws std::runtime_error that names the device: it cannot be opened, is no watchdog, or does not take the
  /// time-out. Nothing is written to, or done with, what is no watchdog.
  Watchdog(const std::string& device, int timeout_s);
  /// Without disarm() it goes on counting, unless its driver stops with the last file.
  ~Watchdog();
  Watchdog(const Watchdog&) = delete;
  Watchdog& operator=(const Watchdog&) = delete;
  /// At most four times in a time-out something is written.
  void feed(WallTime now) noexcept;
  /// Nothing is left to guard.
  void disarm() noexcept;

 private:
  int device_ = -1;
  WallDuration interval_;
  WallTime fed_;
};

}  // namespace takt
