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
/// Call order: begin(), then put() once per sample and open() once per H. Real-time: put() and open() wait-free, a few
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
  /// The value that leaves at the end of part `part` of window `number`.
  void put(Account& account, std::int64_t number, std::int64_t part, double value) noexcept {
    const std::int64_t sample = number * rule_.parts + part + 1;
    const double energy = piece(at(sample - 1), value);
    account.sent.add(energy);
    account.throughput += energy;
    at(sample) = value;
    account.newest = sample;
  }
  /// What arrives at the beginning and at the end of each part of window `number`: parts + 1 values.
  /// @return energy under way as it begins
  double open(Account& account, std::int64_t number, double* arriving) noexcept {
    const std::int64_t first = number * rule_.parts;
    for (; account.known < first; ++account.known) account.entered.add(piece(at(account.known), at(account.known + 1)));
    const double under_way = account.entered.minus(account.received);
    double energy = 0.0;
    for (std::int64_t part = 0; part <= rule_.parts; ++part) {
      arriving[part] = read(first + part);
      if (part > 0) energy += piece(arriving[part - 1], arriving[part]);
    }
    account.received.add(energy);
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
  [[nodiscard]] double& at(std::int64_t sample) const noexcept {
    const std::int64_t place = sample % capacity_;
    return samples_[place < 0 ? place + capacity_ : place];
  }
  [[nodiscard]] double read(std::int64_t now) const noexcept {
    const double older = at(now - whole_);
    return share_ == 0.0 ? older : (1.0 - share_) * older + share_ * at(now - whole_ + 1);
  }
  /// Energy of the value while it goes straight from one sample to the next.
  [[nodiscard]] double piece(double from, double to) const noexcept {
    return 0.5 * rule_.power * rule_.sample_s * (from * from + to * to);
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
