#pragma once
// What a plant and its supervisor have in common: words in shared memory, and what the supervisor sends in place of a
// plant that has died or hangs. The supervisor itself is runtime/program/supervisor.hpp.

#include <poll.h>

#include <array>
#include <atomic>
#include <cstdint>
#include <string>
#include <vector>

#include "runtime/plant/time.hpp"

namespace takt {

/// A stretch without heartbeat that ended well.
struct Outage {
  SimTime time;  ///< simulated, of the last beat before
  WallDuration duration;
  std::uint64_t frames = 0;  ///< sent in place of the plant
};

/// Shared by two processes, each of which may end at any instruction; each word has one writer.
struct SupervisionWords {
  enum class Phase : std::uint32_t {
    closed,    ///< buses are not open yet: nothing is ever sent
    starting,  ///< no beat is expected
    beating,   ///< silence is a fault
    leaving,   ///< safe values have been handed over, buses are still open
    ended      ///< in order: nothing is sent any more
  };
  static constexpr std::size_t most_outages = 64;

  alignas(64) std::atomic<std::uint64_t> beats{0};         ///< [rt] of the plant
  std::atomic<SimTime> beat_time{};                        ///< [rt]
  std::atomic<Phase> phase{Phase::closed};                 ///< the plant
  alignas(64) std::atomic<std::uint32_t> outage_count{0};  ///< the supervisor; release, read with acquire
  std::array<Outage, most_outages> outages{};              ///< the supervisor, above outage_count; the first of them
  std::atomic<std::uint64_t> looks{0};                     ///< the supervisor: it is awake; read by its spare
  std::atomic<bool> is_done{false};                        ///< the supervisor has done all there was to do

  /// One more beat.  Real-time: wait-free, no system call.
  void beat(SimTime now) noexcept {
    beat_time.store(now, std::memory_order_relaxed);
    beats.store(beats.load(std::memory_order_relaxed) + 1, std::memory_order_relaxed);  // its only writer
  }
};
static_assert(std::atomic<std::uint64_t>::is_always_lock_free && std::atomic<SimTime>::is_always_lock_free,
              "a lock could be held by the dead");

/// Lives in the supervisor's process; made before it is forked. Not real-time.
class SafeSender {
 public:
  virtual ~SafeSender() = default;
  /// In the supervisor: opens what it will send with, and touches the memory for it.
  virtual void prepare() = 0;
  /// Whether what is passed on under this number is meant for it, where several share a supervisor.
  [[nodiscard]] virtual bool owns(std::uint32_t /*bus*/) const { return true; }
  /// A connection that the plant has passed on, of a client or the socket of a bus, to be closed here.
  virtual void adopt(std::uint32_t bus, int connection) = 0;
  /// What to wait for: clients that go.
  virtual void add_to(std::vector<pollfd>& polled) const = 0;
  /// Closes connections that their clients have closed.
  virtual void tidy() = 0;
  /// The plant is dead: what clients still send is dropped, and no other plant may begin on the same buses meanwhile.
  virtual void take_over() = 0;
  /// The safe values of every message now.  @return frames sent
  virtual std::uint64_t send_all(WallTime now) = 0;
  /// Those whose period has passed since.
  virtual std::uint64_t send_due(WallTime now) = 0;
  /// When send_due() has something to do next.
  [[nodiscard]] virtual WallTime next_due() const = 0;
  /// For people: "can0, can1".
  [[nodiscard]] virtual std::string text() const = 0;
};

}  // namespace takt
