#pragma once
// The last versions of a coupled quantity, at equal distances, and polynomials through them.

#include <cstdint>

#include "runtime/plant/description.hpp"

namespace takt {

/// Up to five versions with consecutive numbers, one more than a polynomial reads: where a producer has run already,
/// the newest may be one that its consumer must not know yet. Version n of a potential is its value at the time n*H, of
/// a flux its integral over [n*H, (n+1)*H]. Real-time: wait-free, a few ns.
class History {
 public:
  static constexpr int capacity = 5;

  /// What newest() shows before the first version.
  void preset(double value) noexcept { value_[0] = value; }
  /// No more than what polynomials of this degree need.
  void keep_for(int degree) noexcept {
    limit_ = static_cast<std::int8_t>(degree + 2 < capacity ? degree + 2 : capacity);
  }
  /// A known number replaces its version, a new one follows the newest.
  void put(std::int64_t number, double value) noexcept {
    if (static_cast<std::uint64_t>(number) < capacity - 1) [[unlikely]]
      first_[number] = value;
    if (count_ > 0 && number <= newest_) [[unlikely]] {
      if (newest_ - number < count_) value_[newest_ - number] = value;
      return;
    }
    if (count_ < limit_) ++count_;
    // Of low degrees these are all: no loop, and one line of the cache.
    if (limit_ > 3) [[unlikely]] {
      value_[4] = value_[3];
      value_[3] = value_[2];
    }
    value_[2] = value_[1];
    value_[1] = value_[0];
    value_[0] = value;
    newest_ = number;
  }
  /// Begins with the first versions of the run that has just been: the start-up of orders above 1.
  void begin_with_first(int versions) noexcept {
    for (int i = 0; i < versions; ++i) value_[i] = first_[versions - 1 - i];
    newest_ = versions - 1;
    known_ = count_ = static_cast<std::int8_t>(versions);
    --known_;
  }
  /// How many of the newest versions are hidden where those up to `last` may be known; what was known before the start
  /// always is.
  [[nodiscard]] int hidden(std::int64_t last) const noexcept {
    const std::int64_t beyond = newest_ - (last > known_ ? last : known_);
    return beyond > 0 ? static_cast<int>(beyond) : 0;
  }
  void keep_newest(int versions) noexcept {
    if (count_ > versions) count_ = static_cast<std::int8_t>(versions);
  }

  [[nodiscard]] int count() const noexcept { return count_; }
  [[nodiscard]] std::int64_t newest_number() const noexcept { return newest_; }
  [[nodiscard]] double newest() const noexcept { return value_[0]; }
  /// 0 is the newest.
  [[nodiscard]] double value(std::int64_t back) const noexcept { return value_[back]; }

  /// Backward differences of `points` versions, the newest `skip` left out; those of higher order are zero.
  struct Differences {
    double d0 = 0.0, d1 = 0.0, d2 = 0.0, d3 = 0.0;
  };
  [[nodiscard]] Differences differences(int points, int skip) const noexcept {
    const double* v = value_ + skip;
    Differences d{.d0 = v[0]};
    if (points > 1) d.d1 = v[0] - v[1];
    if (points > 2) d.d2 = d.d1 - (v[1] - v[2]);
    if (points > 3) d.d3 = d.d2 - ((v[1] - v[2]) - (v[2] - v[3]));
    return d;
  }

 private:
  // What every window reads stands in front: one line of the cache where the degree is low.
  std::int8_t count_ = 0, known_ = -1, limit_ = capacity;
  std::int64_t newest_ = 0;
  double value_[capacity] = {}, first_[capacity - 1] = {};
};

/// Polynomials in theta = s/H, s seconds since the start of a window.
struct UnitPolynomial {
  double a0 = 0.0, a1 = 0.0, a2 = 0.0, a3 = 0.0;

  /// p(x + theta)
  [[nodiscard]] UnitPolynomial shifted(double x) const noexcept {
    return {a0 + x * (a1 + x * (a2 + x * a3)), a1 + x * (2.0 * a2 + x * (3.0 * a3)), a2 + x * (3.0 * a3), a3};
  }
  [[nodiscard]] bool is_line() const noexcept { return a2 == 0.0 && a3 == 0.0; }
  [[nodiscard]] double integral() const noexcept {
    return is_line() ? a0 + a1 / 2.0 : a0 + a1 / 2.0 + a2 / 3.0 + a3 / 4.0;
  }
  /// As a polynomial of s, of what is known to be a line.
  [[nodiscard]] InputPolynomial line_over(double window_s) const noexcept { return {a0, a1 / window_s, 0.0, 0.0}; }
  /// As a polynomial of s.
  [[nodiscard]] InputPolynomial over(double window_s) const noexcept {
    if (is_line()) return {a0, a1 / window_s, 0.0, 0.0};
    const double square = window_s * window_s;
    return {a0, a1 / window_s, a2 / square, a3 / (square * window_s)};
  }
};

/// Which versions a polynomial goes through: so many, the newest `skip` left out.
struct Support {
  int points, skip;
};

/// Through versions of a potential, of degree points - 1, theta counted from version `from`.
/// Source: Newton's interpolation on equidistant nodes (Abramowitz, Stegun, 25.2.28).
[[nodiscard]] inline UnitPolynomial through_values(const History& history, Support support,
                                                   std::int64_t from) noexcept {
  const auto [points, skip] = support;
  const auto [d0, d1, d2, d3] = history.differences(points, skip);
  const std::int64_t behind = history.newest_number() - skip - from;
  const bool line = points <= 2;  // most are: the shorter way, the same bits
  const UnitPolynomial newest =
      line ? UnitPolynomial{d0, d1} : UnitPolynomial{d0, d1 + d2 / 2.0 + d3 / 3.0, (d2 + d3) / 2.0, d3 / 6.0};
  if (behind == 0) return newest;
  const auto x = static_cast<double>(-behind);
  UnitPolynomial p = line ? UnitPolynomial{d0 + x * d1, d1} : newest.shifted(x);
  if (behind > 0 && behind < points) p.a0 = history.value(skip + behind);  // the version itself, without rounding
  return p;
}

/// With versions of a flux as its averages over their windows, of degree points - 1; theta from the start of window
/// `from`. The derivative of Newton's interpolation of the primitive.
[[nodiscard]] inline UnitPolynomial with_averages(const History& integrals, Support support, std::int64_t from,
                                                  double window_s) noexcept {
  const auto [points, skip] = support;
  const auto [i0, i1, i2, i3] = integrals.differences(points, skip);
  const double a = i0 / window_s, b = i1 / window_s;
  const std::int64_t ahead = from - (integrals.newest_number() - skip);
  if (points <= 2) {  // the shorter way, the same bits
    const double start = a - b / 2.0;
    return {ahead == 0 ? start : start + static_cast<double>(ahead) * b, b};
  }
  const double c = i2 / window_s, e = i3 / window_s;
  const UnitPolynomial newest{a - b / 2.0 - c / 6.0 - e / 12.0, b - e / 12.0, c / 2.0 + e / 4.0, e / 6.0};
  return ahead == 0 ? newest : newest.shifted(static_cast<double>(ahead));
}

}  // namespace takt
