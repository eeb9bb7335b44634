#pragma once
// The last sent frame of a message, where another process can read it whatever has become of its writer.

#include <array>
#include <atomic>
#include <cstdint>
#include <cstring>

#include "runtime/io/can/frame.hpp"

namespace takt::can {

/// Two buffers and a count of versions: version n stands in buffer n % 2 while n + 1 is being written into the other.
/// A writer that dies in between leaves version n whole. One writer, any number of readers.
class LastFrame {
 public:
  using Data = std::array<std::uint8_t, 64>;

  /// Wait-free, no system call.
  void store(const Data& data) noexcept {
    const std::uint64_t next = version_.load(std::memory_order_relaxed) + 1;
    // (a) Who sees a word of version n + 1 sees that version n has been counted.
    std::atomic_thread_fence(std::memory_order_release);
    Words words{};
    std::memcpy(words.data(), data.data(), sizeof words);
    for (std::size_t k = 0; k < words.size(); ++k) buffers_[next % 2][k].store(words[k], std::memory_order_relaxed);
    version_.store(next, std::memory_order_release);  // (b) Who sees the count sees the words.
  }

  /// Waits only while a living writer overtakes it.  @return false: none has been stored
  [[nodiscard]] bool load(Data& data) const noexcept {
    for (;;) {
      const std::uint64_t version = version_.load(std::memory_order_acquire);  // (b)
      if (version == 0) return false;
      Words words{};
      for (std::size_t k = 0; k < words.size(); ++k)
        words[k] = buffers_[version % 2][k].load(std::memory_order_relaxed);
      std::atomic_thread_fence(std::memory_order_acquire);  // (a)
      if (version_.load(std::memory_order_relaxed) != version) continue;
      std::memcpy(data.data(), words.data(), sizeof words);
      return true;
    }
  }

  /// How often one has been stored.  Wait-free
  [[nodiscard]] std::uint64_t version() const noexcept { return version_.load(std::memory_order_acquire); }

 private:
  using Words = std::array<std::uint64_t, sizeof(Data) / sizeof(std::uint64_t)>;
  std::atomic<std::uint64_t> version_{0};
  std::array<std::array<std::atomic<std::uint64_t>, std::tuple_size_v<Words>>, 2> buffers_{};
};

}  // namespace takt::can
