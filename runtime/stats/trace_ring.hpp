#pragma once
// What a worker did, event by event: the newest in a ring, and what lies around overruns kept beside it.

#include <algorithm>
#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory_resource>
#include <span>
#include <utility>
#include <vector>

namespace takt {

/// What `number` and `detail` of an event stand for is said here; where it began and ended is in ticks but where ns are
/// named.
enum class TraceKind : std::uint8_t {
  woken,    ///< release [wall ns] .. woken; number: instant of the macro-step, detail: periods dropped just before
  sent,     ///< values were handed to the outside world
  latched,  ///< plant inputs were taken; number: how many of them changed
  window,   ///< of the slot `number` of this worker
  waited,   ///< for the worker `number`, or for all others
  step,     ///< a macro-step, woken .. ended; number: busy ticks, the bits of a float
  overrun   ///< deadline [wall ns] .. finish [wall ns]; number: incident in the log, detail: worker
};

/// Half a line of the cache.
struct alignas(32) TraceEvent {
  static constexpr std::uint32_t none = 0xffffffff;
  std::uint64_t begin = 0, end = 0;
  std::uint64_t macro_step = 0;
  std::uint32_t number = 0;
  std::uint16_t detail = 0;
  TraceKind kind = TraceKind::window;
};
static_assert(sizeof(TraceEvent) == 32);

/// Macro-steps whose surroundings are kept: those of the first overruns. One writer, the leader; read by all workers.
/// Real-time: wait-free.
class KeptPlaces {
 public:
  static constexpr std::size_t most = 32;
  static constexpr std::uint64_t before = 5, after = 5;  ///< macro-steps

  /// One that lies in the surroundings of the last is kept with it.
  void note(std::uint64_t macro_step) noexcept {
    const std::size_t count = count_.load(std::memory_order_relaxed);
    if (count == most) return;
    if (count > 0 && macro_step <= places_[count - 1].load(std::memory_order_relaxed) + after) return;
    places_[count].store(macro_step, std::memory_order_relaxed);
    count_.store(count + 1, std::memory_order_release);
  }
  /// @return some of these macro-steps are to be kept
  [[nodiscard]] bool meet(std::uint64_t first, std::uint64_t last) const noexcept {
    const std::size_t count = count_.load(std::memory_order_acquire);
    for (std::size_t i = 0; i < count; ++i) {
      const std::uint64_t place = places_[i].load(std::memory_order_relaxed);
      if (first <= place + after && last + before >= place) return true;
    }
    return false;
  }
  [[nodiscard]] std::size_t count() const noexcept { return count_.load(std::memory_order_acquire); }
  [[nodiscard]] std::uint64_t operator[](std::size_t place) const noexcept {
    return places_[place].load(std::memory_order_relaxed);
  }

 private:
  std::array<std::atomic<std::uint64_t>, most> places_{};
  std::atomic<std::size_t> count_{0};
};

/// Events in blocks of equal size. When a block is to be written anew that holds a place to be kept, it leaves the ring
/// and a spare one takes its turn: nothing is copied. Without spare ones it is lost.
/// Phases: construct (allocates by std::pmr and touches all memory), add() by one thread, then blocks().
/// Real-time: add() is one store of 32 bytes; at the end of a block it asks KeptPlaces.
class TraceRing {
 public:
  struct Size {
    std::size_t block = 0;   ///< events in each
    std::size_t blocks = 2;  ///< in the ring
    std::size_t spare = 0;
    [[nodiscard]] std::size_t events() const noexcept { return block * (blocks + spare); }
  };
  struct Block {
    std::uint64_t first = 0;  ///< its first event, counted since the start
    std::span<const TraceEvent> events;
  };

  TraceRing(const Size& size, const KeptPlaces& places)
      : size_(size), places_(places), memory_(size.events()), ring_(size.blocks), turn_(size.blocks - 1) {
    for (std::size_t i = 0; i < ring_.size(); ++i) ring_[i].place = i;
    kept_.reserve(size.spare);
  }

  void add(const TraceEvent& event) noexcept {
    if (next_ == end_) [[unlikely]]
      begin_block();
    *next_++ = event;
  }

  /// How many have been added.
  [[nodiscard]] std::uint64_t added() const noexcept {
    return begun_ * size_.block - static_cast<std::uint64_t>(end_ - next_);
  }
  /// What is there, in order of time.
  [[nodiscard]] std::vector<Block> blocks() const {
    std::vector<Held> held(kept_.begin(), kept_.end());
    for (const Held& block : ring_)
      if (block.turn > 0) held.push_back(block);
    std::sort(held.begin(), held.end(), [](const Held& a, const Held& b) { return a.turn < b.turn; });
    std::vector<Block> found;
    for (const Held& block : held) {
      const std::size_t unused = block.turn == begun_ ? static_cast<std::size_t>(end_ - next_) : 0;
      found.push_back({(block.turn - 1) * size_.block, {memory_of(block), size_.block - unused}});
    }
    return found;
  }

 private:
  struct Held {
    std::size_t place = 0;   // in memory_, in blocks
    std::uint64_t turn = 0;  // blocks begun till then, and this one; 0: never used
  };
  [[nodiscard]] const TraceEvent* memory_of(const Held& block) const noexcept {
    return memory_.data() + block.place * size_.block;
  }

  void begin_block() noexcept {
    turn_ = turn_ + 1 == ring_.size() ? 0 : turn_ + 1;
    Held& block = ring_[turn_];
    if (block.turn > 0 && kept_.size() < size_.spare &&
        places_.meet(memory_of(block)->macro_step, memory_of(block)[size_.block - 1].macro_step)) {
      kept_.push_back(block);  // has room for all spare ones
      block.place = ring_.size() + kept_.size() - 1;
    }
    block.turn = ++begun_;
    next_ = memory_.data() + block.place * size_.block;
    end_ = next_ + size_.block;
  }

  const Size size_;
  const KeptPlaces& places_;
  std::pmr::vector<TraceEvent> memory_;
  std::pmr::vector<Held> ring_, kept_;
  std::size_t turn_;
  std::uint64_t begun_ = 0;
  TraceEvent *next_ = nullptr, *end_ = nullptr;
};

}  // namespace takt
