#pragma once
// Where the end-to-end protection of a bus stands: counters of what is sent, and what its receiver has seen.

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "runtime/io/can/plan.hpp"
#include "runtime/io/can/protect/protection.hpp"
#include "runtime/io/shared_array.hpp"

namespace takt::can {

/// Counters of what a bus sends, by message: `send` of its plan, `rest` behind it. Pages of a multiplexed message share
/// one. They stand in memory that the supervisor sees, so that it goes on where a dead plant has stopped, and a plant
/// that has hung where the supervisor has.   I/O thread, supervisor: no lock, no heap.
class SendProtection {
 public:
  /// Throws std::system_error: no memory.
  explicit SendProtection(const BusPlan& plan);

  /// The frame as it leaves: with the counter whose turn it is, and its checksum. One that has both stays as it is.
  [[nodiscard]] Frame guarded(std::size_t message, const Frame& frame) const noexcept;
  /// That frame has left, or is lost on its way: the next one has the next counter.
  /// @param frame  as it was given to guarded()
  void passed(std::size_t message, const Frame& frame) noexcept;
  /// The frame with the counter of the one before.
  [[nodiscard]] Frame repeated(std::size_t message, const Frame& frame) const noexcept;
  /// The next frame is the first again.
  void restart(std::size_t message) noexcept;

 private:
  [[nodiscard]] Frame with(std::size_t message, const Frame& frame, std::uint64_t counter) const noexcept;
  std::vector<const Protection*> protections_;    // nullptr: not protected
  std::vector<std::size_t> counter_of_;           // by message: index into next_
  SharedArray<std::atomic<std::uint64_t>> next_;  // counter of the next frame; either process writes
};

/// Judges what a bus receives, by message.   I/O thread: bounded, silent.
class ReceiveProtection {
 public:
  struct Counts {
    std::uint64_t wrong_checksum = 0, repeated = 0, lost = 0, wrong_sequence = 0;
    [[nodiscard]] std::uint64_t sum() const { return wrong_checksum + repeated + lost + wrong_sequence; }
  };
  explicit ReceiveProtection(std::span<const ReceivePlan> plans);

  /// Counts what is wrong.  @return whether the plant takes the frame   @pre it is as long as its message
  [[nodiscard]] bool takes(std::size_t message, const Frame& frame) noexcept;
  /// The frame with the counter that came last, if one has come.
  [[nodiscard]] Frame repeated(std::size_t message, Frame frame) const noexcept;
  [[nodiscard]] bool is_protected(std::size_t message) const { return plans_[message].info.protection != nullptr; }
  [[nodiscard]] const Counts& counts(std::size_t message) const { return counts_[message]; }

 private:
  std::span<const ReceivePlan> plans_;
  std::vector<Receiver> receivers_;
  std::vector<Counts> counts_;
};

}  // namespace takt::can
