#pragma once
// What goes wrong with a bus as a whole, or with one of its nodes: a node that is silent, a bus that is cut, a node
// that babbles. Faults are data, one word each, as those of frames (frame_faults.hpp).

#include <atomic>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/io/can/frame.hpp"

namespace takt::can {

inline constexpr const char* node_fault_kinds = "stopped";
inline constexpr const char* bus_fault_kinds = "cut, babble 0x123 1 ms";

/// @throw std::runtime_error  what is wrong and what would do
[[nodiscard]] std::uint64_t parse_node_fault(std::string_view text);
[[nodiscard]] std::string node_fault_text(std::uint64_t word);

/// cut: no frame passes | babble 0x123 1 ms: somebody sends a frame of this id so often.
/// @throw std::runtime_error  likewise
[[nodiscard]] std::uint64_t parse_bus_fault(std::string_view text);
[[nodiscard]] std::string bus_fault_text(std::uint64_t word);

class BusFaults {
 public:
  /// @param nodes  of the bus
  explicit BusFaults(std::size_t nodes) : words_(nodes + 1), lost_(nodes) {}

  /// @param place  a node, or their number: the bus itself   Real-time: wait-free. One thread at a time.
  void inject(std::size_t place, std::uint64_t word) noexcept { words_[place].store(word, std::memory_order_relaxed); }
  [[nodiscard]] std::size_t nodes() const { return lost_.size(); }

  // The I/O thread:
  /// Whether a frame of the node is lost with it, and counts it.  @param node  may be no_node
  [[nodiscard]] bool loses(std::uint16_t node);
  [[nodiscard]] bool is_stopped(std::uint16_t node) const;
  /// Whether the bus is cut, and with it the frame that is asked for: counted.
  [[nodiscard]] bool cuts();
  /// The next frame of a babbling node that is due.  @return false: there is none
  [[nodiscard]] bool babbles(WallTime now, Frame& frame);
  /// The bus has taken it.
  void babble_left() { ++babbled_; }

  /// Frames that were lost with a node.
  [[nodiscard]] std::uint64_t lost_with(std::size_t node) const { return lost_[node]; }
  [[nodiscard]] std::uint64_t lost_by_cut() const { return cut_; }
  [[nodiscard]] std::uint64_t babbled() const { return babbled_; }

 private:
  std::vector<std::atomic<std::uint64_t>> words_;  // by place; any word is valid: it may be foreign memory's
  std::vector<std::uint64_t> lost_;                // [io] by node
  std::uint64_t cut_ = 0, babbled_ = 0;            // [io]
  std::uint64_t seen_ = 0;                         // [io] word of the bus
  WallTime next_;                                  // [io] of a babbling node
};

}  // namespace takt::can
