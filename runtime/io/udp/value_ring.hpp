#pragma once
// Values of one frame on their way between the real-time thread and the I/O thread: a ring of rows, made once.

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "runtime/plant/time.hpp"

namespace takt::udp {

/// One writer, one reader.  Real-time: all but the constructor is wait-free, without a system call.
class ValueRing {
 public:
  struct Row {
    WallTime stamp;            ///< of its arrival, or when it was handed over
    std::int64_t time_ns = 0;  ///< of the sender
    double* values = nullptr;
  };

  /// @param rows  a power of two
  ValueRing(std::size_t rows, std::size_t values) : rows_(rows), values_(rows * values), mask_(rows - 1) {
    for (std::size_t k = 0; k < rows; ++k) rows_[k].values = values_.data() + k * values;
  }

  // writer
  /// Where the next row is written; nullptr: the ring is full.
  [[nodiscard]] Row* begin() noexcept {
    const std::size_t next = written_.load(std::memory_order_relaxed);
    if (next - read_.load(std::memory_order_acquire) > mask_) return nullptr;  // (b)
    return &rows_[next & mask_];
  }
  /// It is whole.
  void push() noexcept {  // (a) who sees the count sees the row
    written_.store(written_.load(std::memory_order_relaxed) + 1, std::memory_order_release);
  }

  // reader
  /// The oldest row; nullptr: there is none.
  [[nodiscard]] const Row* front() const noexcept {
    const std::size_t next = read_.load(std::memory_order_relaxed);
    return next == written_.load(std::memory_order_acquire) ? nullptr : &rows_[next & mask_];  // (a)
  }
  void pop() noexcept {  // (b) who sees the place free no longer meets its reader
    read_.store(read_.load(std::memory_order_relaxed) + 1, std::memory_order_release);
  }

  [[nodiscard]] std::size_t size() const noexcept { return rows_.size(); }

 private:
  std::vector<Row> rows_;
  std::vector<double> values_;
  std::size_t mask_;
  alignas(64) std::atomic<std::size_t> written_{0};
  alignas(64) std::atomic<std::size_t> read_{0};
};

}  // namespace takt::udp
