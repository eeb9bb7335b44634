#pragma once
// What lies between the ends of a line: the samples of a wave that have left one end and not yet arrived at the other.

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>

#include "runtime/coupling/cell.hpp"
#include "runtime/coupling/neumaier.hpp"

namespace takt {

/// Samples of one value at the times j*d, d = H/parts, and where a reader stands among them:
///   arriving(t) = left(t - travel)
/// It is the sample itself where travel is a multiple of d, else on the straight line between two. Before time 0 it is
/// the value of the start. A window of the reader needs what left before it began, since travel >= H: so neither waits
/// for the other, and who computes what has no influence.
/// The energy under way is power * value^2, integrated by the trapezoidal rule over the samples: what has left, less
/// what has arrived. Between samples interpolation loses some; the ledger's residual tells it.
/// Call order: begin(), then put() and open() once per H. Real-time: put() and open() wait-free, a few
/// ns per sample.
class TravelLine {
 public:
  struct Rule {
    double position = 0.0;  ///< travel/d
    double sample_s = 0.0;  ///< d
    double power = 0.0;     ///< W per square of the value
    std::int64_t parts = 1;
  };

  /// @param window_s  H  @param travel_s  at least H
  [[nodiscard]] static Rule rule_of(double window_s, double travel_s, double power, std::int64_t parts) noexcept {
    const double d = window_s / static_cast<double>(parts);
    const double position = travel_s / d, nearest = std::round(position);
    constexpr double rounding = 1e-9;  // of the delay, which is a product of what people write
    return {std::abs(position - nearest) <= rounding * nearest ? nearest : position, d, power, parts};
  }
  /// Samples that lie between the oldest that is read and the newest that is put: a producer may be one H ahead.
  [[nodiscard]] static std::size_t capacity_of(const Rule& rule) noexcept {
    return static_cast<std::size_t>(std::ceil(rule.position)) + static_cast<std::size_t>(rule.parts) + 2;
  }

  TravelLine() = default;
  TravelLine(const Rule& rule, double* samples) noexcept
      : rule_(rule),
        whole_(static_cast<std::int64_t>(std::ceil(rule.position))),
        share_(static_cast<double>(whole_) - rule.position),
        capacity_(static_cast<std::int64_t>(capacity_of(rule))),
        samples_(samples) {}

  /// What changes in a run, beside the samples.
  struct Account {
    NeumaierSum sent, received;
    double throughput = 0.0;
    std::int64_t newest = 0;  ///< sample
    std::int64_t known = 0;   ///< sample up to which `entered` has been counted
    NeumaierSum entered;      ///< what has left until the window that was opened last began
    double begun = 0.0;       ///< under way at time 0
  };

  /// @param before  arrives until what leaves from now on does  @param now  leaves at time 0
  void begin(Account& account, double before, double now) noexcept {
    std::fill(samples_, samples_ + capacity_, before);
    account = {};
    at(0) = now;
    account.begun = between(0);
    account.sent.add(account.begun);
    account.entered.add(account.begun);
  }
  /// What leaves at the ends of the parts of window `number`. In order of number.
  void put(Account& account, std::int64_t number, const double* leaving) noexcept {
    std::int64_t place = place_of(number * rule_.parts);
    double before = samples_[place], squares = 0.0;
    for (std::int64_t part = 0; part < rule_.parts; ++part) {
      place = next(place);
      samples_[place] = leaving[part];
      squares += before * before + leaving[part] * leaving[part];
      before = leaving[part];
    }
    const double energy = energy_of(squares);
    account.sent.add(energy);
    account.throughput += energy;
    account.newest = (number + 1) * rule_.parts;
  }
  /// What arrives at the beginning and at the end of each part of window `number`: parts + 1 values. In order of
  /// number.
  /// @return energy under way as it begins
  double open(Account& account, std::int64_t number, double* arriving) noexcept {
    const std::int64_t first = number * rule_.parts;
    if (account.known < first) {  // what left in the window before
      std::int64_t place = place_of(account.known);
      double before = samples_[place], squares = 0.0;
      for (; account.known < first; ++account.known) {
        place = next(place);
        squares += before * before + samples_[place] * samples_[place];
        before = samples_[place];
      }
      account.entered.add(energy_of(squares));
    }
    const double under_way = account.entered.minus(account.received);
    std::int64_t place = place_of(first - whole_);
    double squares = 0.0;
    for (std::int64_t part = 0; part <= rule_.parts; ++part) {
      const double older = samples_[place];
      place = next(place);
      arriving[part] = share_ == 0.0 ? older : (1.0 - share_) * older + share_ * samples_[place];
      if (part > 0) squares += arriving[part - 1] * arriving[part - 1] + arriving[part] * arriving[part];
    }
    account.received.add(energy_of(squares));
    return under_way;
  }
  /// All that has been put counts as sent, all windows that have been opened as received. Not real-time: the energy
  /// under way is summed anew.
  [[nodiscard]] LedgerEntry ledger(const Account& account) const noexcept {
    const double in_transit = between(account.newest);
    NeumaierSum rest = account.received;
    rest.add(in_transit);
    return {account.sent.value(), account.received.value(), in_transit, account.throughput, account.sent.minus(rest)};
  }

  [[nodiscard]] std::int64_t parts() const noexcept { return rule_.parts; }
  [[nodiscard]] bool interpolates() const noexcept { return share_ != 0.0; }
  [[nodiscard]] double* samples() const noexcept { return samples_; }
  [[nodiscard]] std::size_t capacity() const noexcept { return static_cast<std::size_t>(capacity_); }

 private:
  [[nodiscard]] std::int64_t place_of(std::int64_t sample) const noexcept {
    const std::int64_t place = sample % capacity_;
    return place < 0 ? place + capacity_ : place;
  }
  [[nodiscard]] std::int64_t next(std::int64_t place) const noexcept { return place + 1 == capacity_ ? 0 : place + 1; }
  [[nodiscard]] double& at(std::int64_t sample) const noexcept { return samples_[place_of(sample)]; }
  /// Energy of values that go straight from sample to sample, of the squares at both ends of each piece.
  [[nodiscard]] double energy_of(double squares) const noexcept { return 0.5 * rule_.power * rule_.sample_s * squares; }
  [[nodiscard]] double piece(double from, double to) const noexcept { return energy_of(from * from + to * to); }
  [[nodiscard]] double read(std::int64_t now) const noexcept {
    const double older = at(now - whole_);
    return share_ == 0.0 ? older : (1.0 - share_) * older + share_ * at(now - whole_ + 1);
  }
  /// Energy under way when sample `now` has just left.
  [[nodiscard]] double between(std::int64_t now) const noexcept {
    NeumaierSum sum;
    std::int64_t oldest = now - whole_;
    if (share_ != 0.0) {
      sum.add((1.0 - share_) * piece(read(now), at(oldest + 1)));
      ++oldest;
    }
    for (std::int64_t sample = oldest; sample < now; ++sample) sum.add(piece(at(sample), at(sample + 1)));
    return sum.value();
  }

  Rule rule_;
  std::int64_t whole_ = 1;
  double share_ = 0.0;  // of the younger of two samples
  std::int64_t capacity_ = 1;
  double* samples_ = nullptr;
};

}  // namespace takt
