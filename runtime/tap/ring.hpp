#pragma once
// A ring of fixed size in memory that two processes share: one writes, one reads. Either may die at any instruction and
// be started again: an index is published after what it stands for. Neither believes the other's index: nonsense in it
// reads as a ring that is full, or empty.

#include <algorithm>
#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <span>

namespace takt {

/// Lies in the shared segment. Indices count entries since the start and never go back.
template <class T, std::size_t entries>
struct RingMemory {
  static_assert((entries & (entries - 1)) == 0, "an index is masked");
  static constexpr std::size_t capacity = entries;
  alignas(64) std::atomic<std::uint64_t> written{0};  ///< the writer; release A, acquire by the reader
  alignas(64) std::atomic<std::uint64_t> read{0};     ///< the reader; release B, acquire by the writer
  alignas(64) std::array<T, entries> slots;           ///< not initialised: what is between read and written counts
};
static_assert(std::atomic<std::uint64_t>::is_always_lock_free, "a lock could be held by the dead");

/// The writer's end. Its own index is in its own memory.  Real-time: wait-free.
template <class Memory>
class RingWriter {
  using T = typename decltype(Memory::slots)::value_type;

 public:
  /// Goes on where an earlier writer has ended.
  explicit RingWriter(Memory& memory) noexcept
      : memory_(memory), written_(memory.written.load(std::memory_order_relaxed)) {}

  /// Where the next `count` entries go: in two pieces where the ring comes round.
  struct Room {
    std::span<T> first, second;
  };
  /// @return false: they do not fit
  [[nodiscard]] bool find_room(std::size_t count, Room& room) noexcept {
    if (count > room_) {
      const std::uint64_t read = memory_.read.load(std::memory_order_acquire);  // B: what was read may be overwritten
      const std::uint64_t used = written_ - read;
      room_ = used > Memory::capacity ? 0 : Memory::capacity - used;
      if (count > room_) return false;
    }
    const std::size_t at = written_ & (Memory::capacity - 1);
    const std::size_t straight = std::min(count, Memory::capacity - at);
    room = {std::span(memory_.slots).subspan(at, straight), std::span(memory_.slots).first(count - straight)};
    return true;
  }
  /// They are there.  @pre count as in the last find_room()
  void publish(std::size_t count) noexcept {
    written_ += count;
    room_ -= count;
    memory_.written.store(written_, std::memory_order_release);  // A
  }
  /// All or none of them.
  [[nodiscard]] bool try_push(std::span<const T> values) noexcept {
    Room room;
    if (!find_room(values.size(), room)) return false;
    std::copy_n(values.begin(), room.first.size(), room.first.begin());
    std::copy(values.begin() + static_cast<std::ptrdiff_t>(room.first.size()), values.end(), room.second.begin());
    publish(values.size());
    return true;
  }
  [[nodiscard]] bool try_push(const T& value) noexcept { return try_push(std::span(&value, 1)); }

 private:
  Memory& memory_;
  std::uint64_t written_;
  std::size_t room_ = 0;  // known to be free
};

/// The reader's end.  Real-time: wait-free.
template <class Memory>
class RingReader {
  using T = typename decltype(Memory::slots)::value_type;

 public:
  /// Goes on where an earlier reader has ended.
  explicit RingReader(Memory& memory) noexcept : memory_(memory), read_(memory.read.load(std::memory_order_relaxed)) {}

  [[nodiscard]] std::size_t available() noexcept {
    if (seen_ == read_) look();
    return known();
  }
  /// Something has come that is not read yet.
  [[nodiscard]] bool has_news() const noexcept { return memory_.written.load(std::memory_order_relaxed) != read_; }
  /// What there is from now on counts as there.
  void look() noexcept { seen_ = memory_.written.load(std::memory_order_acquire); }  // A
  /// Of what was there at the last look.
  [[nodiscard]] std::size_t known() const noexcept {
    const std::uint64_t count = seen_ - read_;
    return count > Memory::capacity ? 0 : count;
  }
  /// The k-th entry that is not read yet.  @pre k < available()
  [[nodiscard]] const T& peek(std::size_t k) const noexcept {
    return memory_.slots[(read_ + k) & (Memory::capacity - 1)];
  }
  /// @pre count <= available()
  void drop(std::size_t count) noexcept {
    read_ += count;
    memory_.read.store(read_, std::memory_order_release);  // B
  }
  [[nodiscard]] bool pop(T& value) noexcept {
    if (available() == 0) return false;
    value = peek(0);
    drop(1);
    return true;
  }
  /// Passes over all that is there.
  void drop_all() noexcept {
    look();
    read_ = seen_;
    memory_.read.store(read_, std::memory_order_release);  // B
  }

 private:
  Memory& memory_;
  std::uint64_t read_, seen_ = read_;
};

}  // namespace takt
