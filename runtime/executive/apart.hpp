#pragma once
// One of several hosts that compute a plant in real time: each on its own clock, none waits for another one. What its
// loop and the thread that carries between hosts tell each other.

#include <algorithm>
#include <atomic>
#include <boost/lockfree/spsc_queue.hpp>
#include <cstdint>
#include <limits>

#include "runtime/executive/host_inputs.hpp"
#include "runtime/plant/time.hpp"

namespace takt {

/// Phases: construct, begin_at(), then the loop and the carrying thread each call their own. Real-time: wait-free.
class Apart {
 public:
  struct Settings {
    std::uint16_t part = 0;  ///< of the plan that is computed here
    bool leads = false;
    SimDuration macro_step{};
  };
  static constexpr std::uint64_t never = std::numeric_limits<std::uint64_t>::max();

  Apart(const Settings& settings, const HostInputs::Of& inputs) : settings_(settings), inputs_(inputs) {}

  [[nodiscard]] std::uint16_t part() const noexcept { return settings_.part; }
  [[nodiscard]] bool leads() const noexcept { return settings_.leads; }
  [[nodiscard]] HostInputs& inputs() noexcept { return inputs_; }

  /// Time 0 on the clock of this host, before the run and, as both clocks drift, during it. From the carrying thread.
  void begin_at(WallTime origin) noexcept { origin_ns_.store(origin.ns(), std::memory_order_relaxed); }
  [[nodiscard]] WallTime origin() const noexcept { return WallTime{origin_ns_.load(std::memory_order_relaxed)}; }

  /// The run ends after so many macro-steps, on all hosts; the smallest that is asked for holds. From both threads.
  void end_after(std::uint64_t macro_steps) noexcept {
    std::uint64_t known = ends_after_.load(std::memory_order_relaxed);
    while (macro_steps < known && !ends_after_.compare_exchange_weak(known, macro_steps, std::memory_order_relaxed)) {
    }
  }
  [[nodiscard]] std::uint64_t ends_after() const noexcept { return ends_after_.load(std::memory_order_relaxed); }
  /// The loop, when it is asked to end: so that the others can end with it.
  void end_in_concert(std::uint64_t macro_steps_done) noexcept {
    constexpr SimDuration notice{100'000'000};
    const std::int64_t steps = notice / settings_.macro_step + 1;
    end_after(macro_steps_done + static_cast<std::uint64_t>(steps));
  }

  /// The loop: terms of the digest of a macro-step, in their order.
  void put_sum(std::uint64_t terms) noexcept {
    if (!sums_.push(terms)) has_lost_.store(true, std::memory_order_relaxed);
  }
  [[nodiscard]] bool take_sum(std::uint64_t& terms) noexcept { return sums_.pop(terms); }
  /// The carrying thread has stood still for too long: the digest is not known.
  [[nodiscard]] bool has_lost() const noexcept { return has_lost_.load(std::memory_order_relaxed); }

 private:
  const Settings settings_;
  HostInputs inputs_;
  std::atomic<std::int64_t> origin_ns_{0};
  std::atomic<std::uint64_t> ends_after_{never};
  boost::lockfree::spsc_queue<std::uint64_t, boost::lockfree::capacity<16384>> sums_;
  std::atomic<bool> has_lost_{false};
};

}  // namespace takt
