#pragma once
// A thread that looks at a SocketCAN interface ten times a second: state, error counters, load; and restarts it after
// bus-off where the driver does not. An ordinary thread: a driver may wait for its hardware.

#include <pthread.h>

#include <atomic>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>

#include "runtime/io/can/link/link.hpp"
#include "runtime/plant/time.hpp"

namespace takt::can {

/// What was seen of an interface in a run.
struct LinkReport {
  Link first, last;
  ErrorCounters most;
  /// Share of time that frames took, as long as there is a bit rate and no CAN FD: bits without stuffing, 47 a frame
  /// (67 of 29-bit ids, which are counted as 47) and 8 a byte.
  std::optional<double> mean_load, most_load;  ///< most: of a second; none in shorter runs
  std::uint64_t restarts = 0;                  ///< by this thread
  std::string problem;                         ///< why the last try to restart failed; empty: it did not
  [[nodiscard]] LinkCounts counts() const;     ///< of the run
};

class LinkWatch {
 public:
  /// @param restart  after bus-off; zero: never
  /// Throws LinkError.
  LinkWatch(std::string interface, WallDuration restart);
  ~LinkWatch();
  LinkWatch(const LinkWatch&) = delete;
  LinkWatch& operator=(const LinkWatch&) = delete;
  void stop();

  /// The newest state and when it was asked for (to 8 ns).  Wait-free.
  [[nodiscard]] std::pair<LinkState, WallTime> state() const noexcept;
  /// The interface is down because it is being restarted.  Wait-free.
  [[nodiscard]] bool is_restarting() const noexcept { return restarting_.load(std::memory_order_acquire); }
  [[nodiscard]] std::uint64_t restarts() const noexcept { return restarts_.load(std::memory_order_acquire); }
  /// After stop().
  [[nodiscard]] const LinkReport& report() const noexcept { return report_; }

 private:
  void work() noexcept;
  void look();
  void note_load(const Link& link, WallTime now);
  void restart(WallTime now);
  void publish(LinkState state, WallTime asked) noexcept;

  std::string interface_;
  WallDuration restart_;
  LinkReport report_;
  std::optional<WallTime> bus_off_since_;
  LinkTraffic begun_traffic_, second_traffic_;
  WallTime begun_, second_;
  std::atomic<std::uint64_t> state_{0};
  std::atomic<std::uint64_t> restarts_{0};
  std::atomic<bool> restarting_{false}, stopping_{false};
  pthread_t thread_{};
  bool started_ = false;
};

}  // namespace takt::can
