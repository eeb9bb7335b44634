#pragma once
// The counter of received frames: which are new, and how many were lost, late and doubled.
// Source of the rule that a jump is believed when the next frame follows it: RFC 3550, appendix A.1.

#include <algorithm>
#include <array>
#include <bitset>
#include <cstdint>
#include <optional>

#include "runtime/io/udp/field.hpp"

namespace takt::udp {

/// One writer, the I/O thread.
///   begun: every frame sent since the first that was taken is taken, or counted once as lost, overtaken or doubled
class Sequence {
 public:
  enum class Is : std::uint8_t {
    next,       ///< newer than all before: its values are taken
    overtaken,  ///< an older one that a newer has passed
    doubled,    ///< its number has been there
    doubtful    ///< far from all before: nothing is taken until the next one follows it
  };
  struct Counts {
    std::uint64_t lost = 0;       ///< numbers that never came
    std::uint64_t overtaken = 0;  ///< came after a newer one
    std::uint64_t doubled = 0;
    std::uint64_t doubtful = 0;  ///< the first of each beginning, and what never became one
    std::uint64_t begun = 0;     ///< sequences: 1 where the sender neither began anew nor was another one
    std::uint64_t swapped = 0;   ///< frames that would follow the one before in the other byte order
  };

  /// @param bytes  of the counter
  explicit Sequence(std::size_t bytes) noexcept
      : bytes_(bytes),
        mask_(bytes == 8 ? ~std::uint64_t{0} : (std::uint64_t{1} << (8 * bytes)) - 1),
        window_(std::min<std::uint64_t>(most_window, (mask_ >> 2U) + 1)) {}

  [[nodiscard]] const Counts& counts() const noexcept { return counts_; }

  /// A frame with this counter has come.
  Is take(std::uint64_t counter) noexcept {
    counter &= mask_;
    const bool follows = before_ && counter == ((*before_ + 1) & mask_);
    const bool follows_swapped =
        before_ && bytes_ > 1 && swapped(counter, bytes_) == ((swapped(*before_, bytes_) + 1) & mask_);
    before_ = counter;
    if (!follows) repeated_ = 0;
    if (counts_.begun > 0) {
      const std::uint64_t ahead = (counter - newest_) & mask_, behind = (newest_ - counter) & mask_;
      if (ahead != 0 && ahead <= window_) return advance(ahead);
      if (behind < window_) return look_back(behind);
    }
    if (follows_candidate(counter)) return begin(counter);
    candidates_[counts_.doubtful % candidates_.size()] = counter;
    ++counts_.doubtful;
    counts_.swapped += follows_swapped ? 1U : 0U;
    return Is::doubtful;
  }

 private:
  static constexpr std::size_t most_window = 4096;
  static constexpr std::uint64_t most_lost_at_once = 10'000'000, believed_repeats = 4;

  [[nodiscard]] bool follows_candidate(std::uint64_t counter) const noexcept {
    return std::any_of(candidates_.begin(), candidates_.end(),
                       [&](const auto& one) { return one && counter == ((*one + 1) & mask_); });
  }

  Is begin(std::uint64_t counter) noexcept {
    const std::uint64_t ahead = (counter - newest_) & mask_;
    // Numbers of 32 bits and more are not met again by chance: what lies ahead was lost. The one before has come.
    if (counts_.begun > 0 && bytes_ >= 4 && ahead <= most_lost_at_once) counts_.lost += ahead - 2;
    ++counts_.begun;
    candidates_.fill({});
    newest_ = counter, age_ = 1, repeated_ = 0;
    came_.reset();
    came_.set(counter % most_window);
    came_.set((counter - 1) & mask_ & (most_window - 1));
    return Is::next;
  }

  Is advance(std::uint64_t ahead) noexcept {
    candidates_.fill({});
    counts_.lost += ahead - 1;
    for (std::uint64_t k = 1; k <= ahead; ++k) came_.reset((newest_ + k) & mask_ & (most_window - 1));
    newest_ = (newest_ + ahead) & mask_;
    age_ += ahead;
    came_.set(newest_ & (most_window - 1));
    return Is::next;
  }

  /// @param behind  the newest
  Is look_back(std::uint64_t behind) noexcept {
    const std::size_t place = (newest_ - behind) & mask_ & (most_window - 1);
    if (came_.test(place)) {
      ++counts_.doubled;
      // Nobody doubles several frames in their order before a new one comes: the sender counts from its beginning.
      if (++repeated_ < believed_repeats) return Is::doubled;
      counts_.doubled -= repeated_, counts_.doubtful += repeated_ - 1;
      return begin((newest_ - behind) & mask_);
    }
    came_.set(place);
    ++counts_.overtaken;
    if (behind < age_) --counts_.lost;  // it had been given up; what is older than the beginning had not
    return Is::overtaken;
  }

  std::size_t bytes_;
  std::uint64_t mask_, window_;
  std::uint64_t newest_ = 0;
  std::uint64_t age_ = 0;       // numbers since the sequence began
  std::uint64_t repeated_ = 0;  // doubled ones that came in their order
  std::optional<std::uint64_t> before_;
  std::array<std::optional<std::uint64_t>, 4> candidates_;  // doubtful ones since the last that was not
  std::bitset<most_window> came_;                           // by number modulo its size
  Counts counts_;
};

}  // namespace takt::udp
