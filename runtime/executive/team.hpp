#pragma once
// What the workers of one plant tell each other.

#include <atomic>
#include <cstdint>
#include <limits>
#include <memory_resource>
#include <set>
#include <vector>

#include "runtime/executive/clock.hpp"
#include "runtime/executive/step_work.hpp"
#include "runtime/plant/time.hpp"

namespace takt {

/// Worker 0 leads: it opens the instants at which windows may begin. Each counts what it has computed; the others wait
/// for these counts. Whatever was written before a count is seen by who has read it.
/// Nobody waits for ever: who cannot go on says from which macro-step on nothing comes (end_at()), and whoever waits
/// there gives up. The wait spins first; then it sleeps a little at a time where the run is paced, and else yields.
class Team {
 public:
  /// Macro-steps that a free run opens before all have ended the first of them.
  static constexpr std::uint64_t run_ahead = 8;
  struct Settings {
    std::size_t workers = 1, instants = 1;
    bool paced = false;
    bool distant = false;        ///< some compute on other hosts: who waits leaves the CPU to what carries their counts
    std::vector<int> cpus = {};  ///< by worker; empty, or -1: each its own
  };
  /// Of one macro-step, by one worker.
  struct StepSum {
    std::uint64_t digest = 0, busy = 0;      ///< ticks
    std::uint64_t verdicts = 0, alarms = 0;  ///< so far
  };

  Team(Clock& clock, const Settings& settings) : clock_(clock), settings_(settings), members_(settings.workers) {
    const std::set<int> different(settings_.cpus.begin(), settings_.cpus.end());
    shares_ = different.size() < settings_.cpus.size() && !different.contains(-1);
    for (Member& member : members_) {
      member.sums.resize(2 * run_ahead);
      if (settings.paced && settings.workers > 1) member.segments.resize(2 * settings.instants);
    }
  }

  // The leader.
  void begin(WallTime origin) noexcept { origin_ns_.store(origin.ns(), std::memory_order_release); }
  /// So many instants since the start may begin.
  void open(std::uint64_t instants) noexcept { opened_.store(instants, std::memory_order_release); }
  /// Before an instant is opened: periods without release so far, and by how many simulated time has jumped.
  void drop(std::uint64_t periods, std::uint64_t jumped) noexcept {
    dropped_.store(periods, std::memory_order_relaxed);
    jumped_.store(jumped, std::memory_order_relaxed);
  }
  /// Before an instant is opened: the leader was in time for it.
  void note_waited(bool waited) noexcept { leader_waited_.store(waited, std::memory_order_relaxed); }
  /// The run ends within this macro-step: releases are not waited for any more.
  void hurry() noexcept { hurries_.store(true, std::memory_order_relaxed); }

  // Everybody.
  /// Nothing of this macro-step or a later one is waited for any more.
  void end_at(std::uint64_t macro_step) noexcept {
    std::uint64_t known = ends_at_.load(std::memory_order_relaxed);
    while (macro_step < known && !ends_at_.compare_exchange_weak(known, macro_step, std::memory_order_acq_rel)) {
    }
  }
  [[nodiscard]] std::uint64_t ends_at() const noexcept { return ends_at_.load(std::memory_order_acquire); }
  /// @param slots  of this worker since the start
  void computed(std::uint16_t worker, std::uint64_t slots) noexcept {
    members_[worker].slots.store(slots, std::memory_order_release);
  }
  void ended(std::uint16_t worker, std::uint64_t macro_step, const StepSum& sum) noexcept {
    members_[worker].sums[macro_step % members_[worker].sums.size()] = sum;
    members_[worker].macro_steps.store(macro_step + 1, std::memory_order_release);
  }
  void leave(std::uint16_t worker) noexcept { members_[worker].left.store(true, std::memory_order_release); }

  [[nodiscard]] std::uint64_t slots_of(std::size_t worker) const noexcept {
    return members_[worker].slots.load(std::memory_order_acquire);
  }
  [[nodiscard]] std::uint64_t macro_steps_of(std::size_t worker) const noexcept {
    return members_[worker].macro_steps.load(std::memory_order_acquire);
  }
  [[nodiscard]] bool has_left(std::size_t worker) const noexcept {
    return members_[worker].left.load(std::memory_order_acquire);
  }
  [[nodiscard]] const StepSum& sum_of(std::size_t worker, std::uint64_t macro_step) const noexcept {
    return members_[worker].sums[macro_step % members_[worker].sums.size()];
  }
  /// What a worker did between an instant, counted since the start, and the next that it waited for. Paced only.
  [[nodiscard]] SegmentWork& segment_of(std::size_t worker, std::uint64_t instant) noexcept {
    return members_[worker].segments[instant % members_[worker].segments.size()];
  }
  [[nodiscard]] std::uint64_t opened() const noexcept { return opened_.load(std::memory_order_acquire); }
  [[nodiscard]] std::uint64_t dropped() const noexcept { return dropped_.load(std::memory_order_relaxed); }
  [[nodiscard]] std::uint64_t jumped() const noexcept { return jumped_.load(std::memory_order_relaxed); }
  [[nodiscard]] bool leader_waited() const noexcept { return leader_waited_.load(std::memory_order_relaxed); }
  [[nodiscard]] bool hurries() const noexcept { return hurries_.load(std::memory_order_relaxed); }
  /// Time 0 of an unknown clock: not known yet.
  [[nodiscard]] WallTime origin() const noexcept { return WallTime{origin_ns_.load(std::memory_order_acquire)}; }
  [[nodiscard]] std::size_t size() const noexcept { return members_.size(); }

  /// How often a worker looks for what another one does before it sleeps or yields: 100 to 200 us, and hardly ever
  /// where they share a CPU, or in a free run anybody does.
  [[nodiscard]] int looks_for(std::size_t worker, std::size_t other) const noexcept {
    const std::vector<int>& cpus = settings_.cpus;
    if (settings_.distant) return 20;
    const bool shares = settings_.paced ? !cpus.empty() && cpus[worker] >= 0 && cpus[worker] == cpus[other] : shares_;
    return shares ? 20 : 4000;
  }
  /// @param macro_step  that the caller is in
  /// @return false: what is waited for does not come any more
  template <class Condition>
  bool wait_until(const Condition& holds, std::uint64_t macro_step, int most_looks) noexcept {
    for (int looks = 0; !holds(); ++looks) {
      if (ends_at() <= macro_step) return holds();
      if (looks < most_looks)
        look_again();
      else
        rest();
    }
    return true;
  }
  /// A little.
  void rest() noexcept;

 private:
  static void look_again() noexcept;

  struct alignas(64) Member {  // written by one worker
    std::atomic<std::uint64_t> slots{0}, macro_steps{0};
    std::atomic<bool> left{false};
    std::pmr::vector<StepSum> sums;          // of macro-steps, a ring
    std::pmr::vector<SegmentWork> segments;  // by instant, a ring
  };

  Clock& clock_;
  Settings settings_;
  bool shares_ = false;
  std::pmr::vector<Member> members_;
  alignas(64) std::atomic<std::uint64_t> opened_{0};
  std::atomic<std::uint64_t> dropped_{0}, jumped_{0};
  std::atomic<std::int64_t> origin_ns_{0};
  std::atomic<bool> hurries_{false}, leader_waited_{true};
  alignas(64) std::atomic<std::uint64_t> ends_at_{std::numeric_limits<std::uint64_t>::max()};
};

}  // namespace takt
