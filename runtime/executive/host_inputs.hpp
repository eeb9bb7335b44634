#pragma once
// Plant inputs of hosts that do not wait for each other: what the script does not say, the leading host tells.

#include <atomic>
#include <bit>
#include <boost/lockfree/spsc_queue.hpp>
#include <cstdint>
#include <span>
#include <vector>

#include "runtime/plant/input_script.hpp"

namespace takt {

/// All hosts have the same script. An input that another host reads and that has once had another value on the leading
/// host is told by it from then on, whatever the script says, and is taken elsewhere when that comes. Phases: construct
/// (allocates); then per release differ() where the host leads, else come(), by the real-time thread; told() or tell()
/// by the thread that carries. Real-time: wait-free, bounded by the number of inputs and of changes that come.
class HostInputs {
 public:
  struct Change {
    std::uint32_t input = 0;
    double value = 0.0;
  };
  struct Of {
    InputScript script{};
    std::span<const double> start{};
    std::vector<bool> crosses{};  ///< by input: another host reads it
  };
  explicit HostInputs(const Of& of)
      : script_(of.script),
        scripted_(of.start.begin(), of.start.end()),
        taken_(scripted_),
        crosses_(of.crosses),
        is_told_(scripted_.size()) {}

  // Where it leads.
  /// @return something is told
  bool differ(SimTime now, std::span<const double> newest) noexcept {
    bool any = false;
    script_.apply(now, scripted_);
    for (std::uint32_t i = 0; i < newest.size(); ++i) {
      const double known = is_told_[i] != 0 ? taken_[i] : scripted_[i];
      if (!crosses_[i] || is_same(newest[i], known)) continue;
      is_told_[i] = 1, taken_[i] = newest[i], any = true;
      if (!changes_.push({i, newest[i]})) has_lost_.store(true, std::memory_order_relaxed);
    }
    return any;
  }
  [[nodiscard]] bool told(Change& change) noexcept { return changes_.pop(change); }

  // Elsewhere.
  /// @return false: there is no room
  bool tell(const Change& change) noexcept { return changes_.push(change); }
  /// @return something has come
  bool come(std::span<double> newest) noexcept {
    bool any = false;
    Change change;
    for (std::size_t left = most_changes; left > 0 && changes_.pop(change); --left, any = true)
      if (change.input < newest.size()) is_told_[change.input] = 1, taken_[change.input] = change.value;
    for (std::size_t i = 0; i < newest.size(); ++i)
      if (is_told_[i] != 0) newest[i] = taken_[i];
    return any;
  }

  /// More has changed at once than can be told.
  [[nodiscard]] bool has_lost() const noexcept { return has_lost_.load(std::memory_order_relaxed); }

 private:
  static constexpr std::size_t most_changes = 4096;  // on their way
  static bool is_same(double a, double b) noexcept {
    return std::bit_cast<std::uint64_t>(a) == std::bit_cast<std::uint64_t>(b);
  }

  InputScript script_;
  std::vector<double> scripted_, taken_;
  std::vector<bool> crosses_;
  std::vector<char> is_told_;
  boost::lockfree::spsc_queue<Change, boost::lockfree::capacity<most_changes>> changes_;
  std::atomic<bool> has_lost_{false};
};

}  // namespace takt
