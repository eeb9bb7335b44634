#pragma once
// What the clock of another host shows, compared with the own one.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <deque>

namespace takt::hosts {

/// Out of questions and answers over a network whose delays vary: of the last answers, the one that was quickest. Its
/// offset is wrong by half its round trip at most. Answers that cannot be true of the clocks as they were (a clock has
/// been set, a machine was suspended) make the ones before worthless.
/// Source: NTP, RFC 5905, section 8: offset and delay of a round trip. Not real-time: allocates.
class ClockOffset {
 public:
  struct Answer {
    std::int64_t asked = 0, heard = 0;    ///< ns, on the own clock
    std::int64_t received = 0, sent = 0;  ///< ns, on the other one
    [[nodiscard]] std::int64_t offset() const noexcept { return (received - asked + sent - heard) / 2; }
    [[nodiscard]] std::int64_t round_trip() const noexcept { return heard - asked - (sent - received); }
  };
  static constexpr std::size_t needed = 8;

  void add(const Answer& answer) {
    if (answer.heard < answer.asked || answer.sent < answer.received || answer.round_trip() < 0) return;
    if (!answers_.empty() && !fits(answer)) {
      strangers_.push_back(answer);
      if (strangers_.size() < enough_strangers) return;
      answers_.assign(strangers_.begin(), strangers_.end());
      ++jumps_;
      first_ = best();
    } else {
      answers_.push_back(answer);
    }
    strangers_.clear();
    if (answers_.size() > kept) answers_.pop_front();
    ++heard_;
    if (heard_ == needed) first_ = best();
    smallest_ = heard_ == 1 ? answer.round_trip() : std::min(smallest_, answer.round_trip());
    largest_ = std::max(largest_, answer.round_trip());
  }
  [[nodiscard]] bool is_known() const noexcept { return heard_ >= needed; }
  /// Their clock less the own one, ns.  @pre is_known()
  [[nodiscard]] std::int64_t offset() const noexcept { return best().offset(); }
  /// ns, of all answers.
  [[nodiscard]] std::int64_t smallest_round_trip() const noexcept { return smallest_; }
  [[nodiscard]] std::int64_t largest_round_trip() const noexcept { return largest_; }
  /// The middle one of the last, ns.
  [[nodiscard]] std::int64_t usual_round_trip() const {
    std::deque<std::int64_t> all;
    for (const Answer& answer : answers_) all.push_back(answer.round_trip());
    std::sort(all.begin(), all.end());
    return all.empty() ? 0 : all[all.size() / 2];
  }
  /// So many parts in a million is their clock faster than the own one, since the last jump; 0 until 1 s has passed.
  [[nodiscard]] double drift_ppm() const noexcept {
    const std::int64_t since = answers_.empty() ? 0 : best().heard - first_.heard;
    if (since < 1'000'000'000) return 0.0;
    return 1e6 * static_cast<double>(best().offset() - first_.offset()) / static_cast<double>(since);
  }
  /// drift_ppm() is wrong by so much at most: both offsets by half their round trip, as delays are unequal.
  [[nodiscard]] double drift_within_ppm() const noexcept {
    const std::int64_t since = answers_.empty() ? 0 : best().heard - first_.heard;
    if (since < 1'000'000'000) return 0.0;
    return 0.5e6 * static_cast<double>(best().round_trip() + first_.round_trip()) / static_cast<double>(since);
  }
  [[nodiscard]] std::uint64_t jumps() const noexcept { return jumps_; }

 private:
  static constexpr std::size_t kept = 16, enough_strangers = 3;
  /// Clocks drift by less than 1 ms a second.
  [[nodiscard]] bool fits(const Answer& answer) const noexcept {
    const Answer& known = best();
    const std::int64_t sure = (known.round_trip() + answer.round_trip()) / 2 + 20'000;
    return std::abs(answer.offset() - known.offset()) <= sure + std::abs(answer.heard - known.heard) / 1000;
  }
  [[nodiscard]] const Answer& best() const noexcept {
    return *std::min_element(answers_.begin(), answers_.end(),
                             [](const Answer& a, const Answer& b) { return a.round_trip() < b.round_trip(); });
  }

  std::deque<Answer> answers_, strangers_;  // the last ones; those that contradict them
  Answer first_;
  std::uint64_t heard_ = 0, jumps_ = 0;
  std::int64_t smallest_ = 0, largest_ = 0;
};

}  // namespace takt::hosts
