#pragma once
// Memory that a plant and the process share which carries its messages to other hosts: a ring each way.

#include <algorithm>
#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <vector>

#include "runtime/tap/ring.hpp"

namespace takt::hosts {

/// A message is a word with its length in bytes and as many words as hold them.
using MessageRing = RingMemory<std::uint64_t, std::size_t{1} << 22U>;
inline constexpr std::size_t longest_message = MessageRing::capacity / 2 * sizeof(std::uint64_t);  // bytes

struct LinkMemory {
  static constexpr std::uint32_t layout = 1;  ///< both sides must know the same
  enum class State : std::uint32_t { starting, open, failed };
  std::uint32_t version = layout;
  std::atomic<State> state{State::starting};
  std::atomic<bool> ends{false};    ///< the plant: send what is in the ring, and leave
  std::array<char, 512> problem{};  ///< where it failed
  /// Counted up for who sleeps on the other side: waited on by futex. Not for real-time threads.
  alignas(64) std::atomic<std::uint32_t> sent_bell{0};
  alignas(64) std::atomic<std::uint32_t> received_bell{0};
  MessageRing sent;      // plant -> other hosts
  MessageRing received;  // other hosts -> plant
};

class MessageWriter {
 public:
  explicit MessageWriter(MessageRing& ring) : ring_(ring) {}
  /// @return false: there is no room now  @pre bytes.size() <= longest_message
  [[nodiscard]] bool try_put(std::span<const std::byte> bytes) {
    words_.assign(1 + (bytes.size() + 7) / 8, 0);
    words_[0] = bytes.size();
    std::memcpy(words_.data() + 1, bytes.data(), bytes.size());
    return ring_.try_push(std::span<const std::uint64_t>(words_));
  }

 private:
  RingWriter<MessageRing> ring_;
  std::vector<std::uint64_t> words_;
};

class MessageReader {
 public:
  explicit MessageReader(MessageRing& ring) : ring_(ring) {}
  /// @return false: there is none, or what is there is none
  [[nodiscard]] bool try_take(std::vector<std::byte>& bytes) {
    ring_.look();
    const std::size_t there = ring_.known();
    if (there == 0) return false;
    const std::uint64_t size = ring_.peek(0), words = (std::min<std::uint64_t>(size, longest_message) + 7) / 8;
    if (size > longest_message || words + 1 > there) {  // messages are published whole
      ring_.drop_all();
      return false;
    }
    bytes.resize(words * 8);
    for (std::size_t k = 0; k < words; ++k) {
      const std::uint64_t word = ring_.peek(k + 1);
      std::memcpy(bytes.data() + k * 8, &word, 8);
    }
    bytes.resize(size);
    ring_.drop(words + 1);
    return true;
  }

 private:
  RingReader<MessageRing> ring_;
};

}  // namespace takt::hosts
