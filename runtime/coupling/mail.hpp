#pragma once
// What a subsystem sends to one that another worker computes.

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory_resource>
#include <vector>

namespace takt {

/// Messages from one subsystem to one other, one per H, each with all values that cross: potentials at the end of this
/// H, fluxes as their integrals over it. A ring in plain memory: that a message has been sent before it is taken, and
/// taken before its place is used again, follows from what workers wait for (runtime/executive/work_plan.hpp); between
/// hosts that do not wait, who carries it sees to it.
/// Phases: construct (allocates), begin(), then gather() and send() by the one, may_take() and take() by the other.
/// Real-time: wait-free.
class Mail {
 public:
  struct Value {
    const double* source = nullptr;  ///< the potential, or the integral over the sender's window
    std::uint32_t cell = 0;          ///< where the receiver puts it
    bool flux = false;
    std::int32_t part = -1;  ///< of a line: which sample of the window
  };

  Mail(std::vector<Value> values, std::uint32_t depth)
      : values_(std::move(values)),
        depth_(depth),
        stride_((values_.size() + 7) / 8),
        gathered_(values_.size()),
        latest_(values_.size()),
        lines_(depth * stride_) {}

  /// @param latest  of each value, before anything has been sent
  void begin(std::size_t value, double latest) noexcept {
    gathered_[value] = 0.0, latest_[value] = latest;
    sent_.put(0), taken_.put(0);
    late_ = {};
  }
  /// After each window of the sender.
  void gather() noexcept {
    for (std::size_t i = 0; i < values_.size(); ++i)
      gathered_[i] = values_[i].flux ? gathered_[i] + *values_[i].source : *values_[i].source;
  }
  /// After the last window of this H.
  void send() noexcept {
    double* message = place_of(sent_.messages);
    for (std::size_t i = 0; i < values_.size(); ++i) {
      message[i] = latest_[i] = gathered_[i];
      gathered_[i] = 0.0;
    }
    sent_.put(sent_.get() + 1);
  }
  /// Messages taken so far.
  [[nodiscard]] std::uint64_t taken() const noexcept { return taken_.get(); }
  [[nodiscard]] std::uint64_t sent() const noexcept { return sent_.get(); }
  /// The next message, in the order of values(); taken() counts it after drop().
  [[nodiscard]] const double* next() noexcept { return place_of(taken_.get()); }
  void drop() noexcept { taken_.put(taken_.get() + 1); }

  // Between hosts (runtime/hosts), where sender and receiver each have a copy of this.
  /// One of the last `depth` messages, in the order of values().
  [[nodiscard]] const double* message(std::uint64_t number) const noexcept {
    return lines_[number % depth_ * stride_].values;
  }
  /// The next message has come from the sender's host.
  void accept(const double* values) noexcept {
    const std::uint64_t number = sent_.get();
    double* message = place_of(number);
    for (std::size_t i = 0; i < values_.size(); ++i) message[i] = values[i];
    sent_.put(number + 1);
  }
  /// What has been sent is taken on another host.
  void forget() noexcept { taken_.put(sent_.get()); }
  // Where they do not wait for each other.
  /// The next message does not take the place of one that has not been taken.
  [[nodiscard]] bool has_room() const noexcept { return sent_.get() - taken_.get() < depth_; }
  /// Without room the message is lost, and so is the account of what was sent: has_lost().
  void send_if_room() noexcept {
    if (has_room())
      send();
    else
      std::atomic_ref(has_lost_).store(true, std::memory_order_release);
  }
  [[nodiscard]] bool has_lost() const noexcept {
    return std::atomic_ref(const_cast<bool&>(has_lost_)).load(std::memory_order_acquire);
  }
  /// Messages that a window should have known and that had not come.
  struct Late {
    std::uint64_t windows = 0;  ///< that had to do without some
    std::uint64_t most = 0;     ///< messages that one of them had to do without
  };
  void note_late(std::uint64_t messages) noexcept {
    ++late_.windows;
    late_.most = std::max(late_.most, messages);
  }
  [[nodiscard]] const Late& late() const noexcept { return late_; }
  /// The sender is lost, and what flows from it ends. From the thread that carries.
  void isolate() noexcept { std::atomic_ref(is_isolated_).store(true, std::memory_order_relaxed); }
  [[nodiscard]] bool is_isolated() const noexcept {
    return std::atomic_ref(const_cast<bool&>(is_isolated_)).load(std::memory_order_relaxed);
  }

  [[nodiscard]] const std::vector<Value>& values() const noexcept { return values_; }
  [[nodiscard]] const double* latest_at(std::size_t value) const noexcept { return &latest_[value]; }

 private:
  struct alignas(64) Line {
    double values[8];
  };
  struct alignas(64) Count {  // each written by one side only
    std::uint64_t messages = 0;
    [[nodiscard]] std::uint64_t get() const noexcept {
      return std::atomic_ref(const_cast<std::uint64_t&>(messages)).load(std::memory_order_acquire);
    }
    void put(std::uint64_t number) noexcept { std::atomic_ref(messages).store(number, std::memory_order_release); }
  };
  [[nodiscard]] double* place_of(std::uint64_t message) noexcept { return lines_[message % depth_ * stride_].values; }

  std::vector<Value> values_;
  std::uint64_t depth_, stride_;  // stride in lines
  std::pmr::vector<double> gathered_, latest_;
  std::pmr::vector<Line> lines_;
  Count sent_, taken_;
  Late late_;  // of the receiver
  bool has_lost_ = false, is_isolated_ = false;
};

}  // namespace takt
