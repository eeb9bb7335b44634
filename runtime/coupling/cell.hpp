#pragma once
// What lies between a producer and a consumer: the last versions of a value, or the integral of a flux on its way.
// H is the time after which they exchange, the period of their innermost common sync group; window n is [n*H, (n+1)*H].

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "runtime/coupling/history.hpp"
#include "runtime/coupling/neumaier.hpp"
#include "runtime/plant/description.hpp"

namespace takt {

/// How a value crosses: as ExchangePlan says.
struct CrossingRule {
  double window_s = 1.0;  ///< H
  std::uint8_t lag = 0, order = 0;
  bool smooth = false;
  bool deferred = false;       ///< lag 1, and the producer runs first: what it puts is known from the next H on
  bool through_jumps = false;  ///< for analyses: the cell is linear in what is put, whatever it is
  /// Of a flux, as most are: what was sent last is what is received.
  [[nodiscard]] bool plain_flux() const noexcept { return lag == 0 && order < 2; }
};

/// Where a jump lies between versions, polynomials of higher order ring. A version that the ones before miss by more
/// than half of what the last two have changed leaves only itself and the one before.
inline void drop_what_a_jump_outdates(History& history, const CrossingRule& rule, std::int64_t number,
                                      double value) noexcept {
  if (rule.order < 2 || rule.through_jumps || number <= history.newest_number() || history.count() < 3) return;
  const auto [d0, d1, d2, d3] = history.differences(std::min(history.count(), rule.order + 1), 0);
  const double missed = std::abs(value - (d0 + d1 + d2 + d3));
  if (!(missed <= 0.5 * (std::abs(value - d0) + std::abs(d1)))) history.keep_newest(1);
}

/// Deferred: from which window on what was put last is to be known; before the next is put it has been known, so odd
/// and even tell.
enum class WaitsFor : std::uint8_t { nothing, even, odd };
[[nodiscard]] inline WaitsFor window_of(std::int64_t number) noexcept {
  return number % 2 == 0 ? WaitsFor::even : WaitsFor::odd;
}

/// Versions of a potential and the polynomial of degree `order` a consumer reads in its windows:
///   lag 0   through versions n+1, n, n-1, ...: interpolation
///   lag 1   through versions n, n-1, ...: extrapolation; smooth: bent so that it goes on where the last one ended.
///           Where versions have not come from another host: through the newest, a line for up to two that are missing,
///           then a constant
/// Before there are order + 1 versions the degree is lower. Orders above 1 begin with begin_with_first().
/// Call order: reset(), then put() once per H and open() once per H, as the plan says.
/// Real-time: all but reset() wait-free.
class alignas(64) PotentialCell {
 public:
  void reset(double value, const CrossingRule& rule) noexcept {
    *this = {};
    rule_ = rule;
    is_plain_ = rule.order <= 1 && !rule.deferred && !rule.smooth;
    versions_.keep_for(rule.order);
    versions_.put(0, value);
  }
  /// @param before  the same cell after a run over at least `order` times H
  void begin_with_first(const PotentialCell& before) noexcept {
    versions_ = before.versions_;
    versions_.begin_with_first(rule_.order + 1);
  }
  /// @param number  version: value at number*H
  void put(std::int64_t number, double value) noexcept {
    if (!rule_.deferred) return enter(number, value);
    if (waits_for_ != WaitsFor::nothing) enter(number - 1, waiting_);
    waiting_ = value, waits_for_ = window_of(number);
  }
  /// For window n of the consumer; s from the window's start.
  [[nodiscard]] InputPolynomial open(std::int64_t window) noexcept {
    const bool newest_fits = rule_.lag == 0 || versions_.newest_number() == window;
    if (!is_plain_ || !newest_fits) [[unlikely]]
      return open_any(window);
    // Most are: the shorter way, the same bits.
    if (rule_.order == 0 || versions_.count() < 2) return {versions_.newest()};
    return through_values(versions_, {2, 0}, window).line_over(rule_.window_s);
  }

 private:
  [[gnu::noinline]] InputPolynomial open_any(std::int64_t window) noexcept {
    if (rule_.deferred && waits_for_ == window_of(window)) {
      enter(window, waiting_);
      waits_for_ = WaitsFor::nothing;
    }
    const int skip = rule_.lag == 1 ? versions_.hidden(window) : 0;
    int points = std::min(versions_.count() - skip, rule_.order + 1);
    const std::int64_t missing = window - versions_.newest_number();
    if (rule_.lag == 1 && missing > 0) [[unlikely]]
      points = std::min(points, missing > 2 ? 1 : 2);
    if (points <= 1) return {versions_.value(std::min(skip, versions_.count() - 1)), 0.0, 0.0, 0.0};
    UnitPolynomial p = through_values(versions_, {points, skip}, window);
    if (rule_.smooth && rule_.lag == 1) {
      if (began_) {
        const double gap = end_ - p.a0;
        p.a0 = end_, p.a1 -= gap;
      }
      end_ = p.a0 + p.a1 + p.a2 + p.a3;
      began_ = true;
    }
    return p.over(rule_.window_s);
  }
  void enter(std::int64_t number, double value) noexcept {
    drop_what_a_jump_outdates(versions_, rule_, number, value);
    versions_.put(number, value);
  }

  CrossingRule rule_;
  History versions_;
  double waiting_ = 0.0;
  double end_ = 0.0;  // smooth: where the last polynomial ended
  bool began_ = false;
  WaitsFor waits_for_ = WaitsFor::nothing;
  bool is_plain_ = false;  // at most a line, known at once
};

/// Account of one flux in its conserved quantity (J, N*m*s, C): what the producer's quadrature sent, what the
/// consumer's received, what is on its way. sent - received - in_transit is zero to rounding.
struct LedgerEntry {
  double sent = 0.0, received = 0.0, in_transit = 0.0;
  double throughput = 0.0;  ///< sum of |integral| over windows: of what was sent, with lag 1 of what was handed out
  double residual = 0.0;    ///< sent - received - in_transit, from the compensated parts
  [[nodiscard]] bool closes(double share = 1e-12) const noexcept { return std::abs(residual) <= share * throughput; }
};

/// Integral of a flux between two subsystems, and its ledger. D_n: what the producer's quadrature gives for window n.
///   lag 0   the consumer integrates D_n/H, from order 2 on a polynomial whose averages over the windows n, n-1, ...
///   are
///           D_n/H, D_(n-1)/H, ...
///   lag 1   order 0: D_(n-1)/H, in the first window f0, the instantaneous flux at the start, as an advance; else a
///           polynomial of degree `order` with the averages of the windows before, and with the integral that makes
///           what was handed out till the end of this window S_(n-1) + P_n: S_(n-1) what was sent before, P_n the
///           extrapolation of degree order - 1 of D_n. So nothing is ever lost, whatever the history.
///           Where integrals have not come from another host, the newest is handed out for each; when they have come,
///           what that was wrong by is made up for over as many windows as were missing at most.
/// What the consumer's method integrates exactly are polynomials of a degree below its order: `order` stays below it.
/// Call order: reset(), then once per H put() and open(), book_received() per window of the consumer, in the order of
/// the plan. Real-time: all but reset() wait-free.
class alignas(64) FluxCell {
 public:
  /// @param flux  instantaneous flux at the start of the first window
  void reset(double flux, const CrossingRule& rule) noexcept {
    *this = {};
    rule_ = rule;
    integrals_.keep_for(rule.order);
    latest_flux_ = flux;
    advance_ = flux * rule.window_s;
    integrals_.preset(advance_);
    latest_ = advance_;
  }
  /// @param before  the same cell after a run over more than `order` times H
  void begin_with_first(const FluxCell& before) noexcept {
    integrals_ = before.integrals_;
    integrals_.begin_with_first(rule_.order + 1);
  }
  /// The producer's part of a window: its integral.
  void gather(double integral) noexcept { gathered_ += integral; }
  /// For sampled(): the instantaneous flux at the end of the producer's window.
  void sample(double flux) noexcept {
    start_flux_ = latest_flux_;
    latest_flux_ = flux;
  }
  /// The producer's window is H.
  void put_whole(std::int64_t number, double integral) noexcept {
    const double sum = 0.0 + integral;  // as gather() has it: no negative zero
    if (!rule_.plain_flux()) {
      gathered_ = sum;
      return put(number);
    }
    sent_.add(sum);
    throughput_ += std::abs(sum);
    latest_ = sum;
  }
  /// The producer's window `number` is complete.
  void put(std::int64_t number) noexcept {
    if (rule_.deferred) {
      if (waits_for_ != WaitsFor::nothing) enter(number - 1, latest_);
      waits_for_ = window_of(number + 1);
    } else {
      enter(number, gathered_);
    }
    latest_ = gathered_;
    gathered_ = 0.0;
  }
  /// For window n of the consumer; s from the window's start.
  [[nodiscard]] InputPolynomial open(std::int64_t window) noexcept {
    if (rule_.plain_flux()) return {latest_ / rule_.window_s};
    return open_any(window);
  }
  /// For the test that the ledger notices: the flux sampled at the start of the window instead of its average.
  [[nodiscard]] double sampled() const noexcept { return rule_.lag == 0 ? start_flux_ : latest_flux_; }
  /// Its producer is lost: nothing flows any more while integrals are missing.
  void isolate() noexcept { is_isolated_ = true; }
  void book_received(double integral) noexcept { received_.add(integral); }

  /// The latest integral; before the first, the advance.
  [[nodiscard]] const double* latest_at() const noexcept { return &latest_; }
  [[nodiscard]] LedgerEntry ledger() const noexcept {
    const double unknown = waits_for_ != WaitsFor::nothing ? latest_ : 0.0;  // sent, but not to be known yet
    const double in_transit = rule_.lag == 1 ? sent_.minus(handed_) + unknown : 0.0;
    return {sent_.value() + unknown, received_.value(), in_transit, throughput_, residual()};
  }
  [[nodiscard]] bool closes(double share) const noexcept { return std::abs(residual()) <= share * throughput_; }

 private:
  [[gnu::noinline]] InputPolynomial open_any(std::int64_t window) noexcept {
    if (rule_.deferred && waits_for_ == window_of(window)) {
      enter(window - 1, latest_);
      waits_for_ = WaitsFor::nothing;
    }
    if (rule_.lag == 1 && (missing(window) > 0 || makes_up_ > 0)) [[unlikely]]
      return open_late(missing(window));
    const int skip = rule_.lag == 1 ? integrals_.hidden(window - 1) : 0;
    const int points = std::min(integrals_.count() - skip, rule_.order + 1);
    if (points <= 0) return constant(window == 0 ? advance_ : integrals_.newest());  // lag 1, the first window
    if (rule_.order == 0) return constant(integrals_.value(skip));
    UnitPolynomial p = with_averages(integrals_, {points, skip}, window, rule_.window_s);
    const double planned = p.integral() * rule_.window_s;
    const double wanted = rule_.lag == 0 ? planned : owed(window, skip, planned);
    p.a0 += (wanted - planned) / rule_.window_s;
    if (rule_.lag == 1) hand_out(wanted);
    return p.over(rule_.window_s);
  }
  void enter(std::int64_t number, double integral) noexcept {
    sent_.add(integral);
    if (rule_.lag == 0) throughput_ += std::abs(integral);
    drop_what_a_jump_outdates(integrals_, rule_, number, integral);
    integrals_.put(number, integral);
  }
  void hand_out(double integral) noexcept {
    handed_.add(integral);
    throughput_ += std::abs(integral);
  }
  [[nodiscard]] InputPolynomial constant(double integral) noexcept {
    if (rule_.lag == 1) hand_out(integral);
    return {integral / rule_.window_s, 0.0, 0.0, 0.0};
  }
  [[nodiscard]] double residual() const noexcept {
    return rule_.lag == 1 ? handed_.minus(received_) : sent_.minus(received_);
  }
  /// Integrals that this window should know and that have not come.
  [[nodiscard]] std::int64_t missing(std::int64_t window) const noexcept {
    return window - 1 - (integrals_.count() > 0 ? integrals_.newest_number() : -1);
  }
  [[nodiscard]] InputPolynomial open_late(std::int64_t missing) noexcept {
    makes_up_ = std::max(makes_up_, missing);
    if (is_isolated_) return constant(0.0);
    const double newest = integrals_.newest();  // the advance before there is one
    const double ahead = rule_.order == 0 ? advance_ : newest;
    const double owed = ahead + sent_.minus(handed_) + static_cast<double>(missing - 1) * newest;
    const double wanted = newest + owed / static_cast<double>(makes_up_);
    if (missing == 0) --makes_up_;
    return constant(wanted);
  }
  /// What lag 1 hands out for this window: S_(n-1) + P_n less what has been handed out. While the start-up's versions
  /// reach further, what they say; what that was wrong by is made up for in the first window after them.
  [[nodiscard]] double owed(std::int64_t window, int skip, double planned) noexcept {
    const bool starts_up = rule_.order >= 2;  // others begin without versions
    if (starts_up && integrals_.newest_number() - skip >= window) return planned;
    const auto [d0, d1, d2, d3] = integrals_.differences(std::min(integrals_.count() - skip, int{rule_.order}), skip);
    const double sent_now = skip > 0 ? integrals_.newest() : 0.0;  // in this window already
    return sent_.minus(handed_) - sent_now + (d0 + d1 + d2 + d3);
  }

  // What every window touches stands in front: of plain ones, one line of the cache.
  CrossingRule rule_;
  double latest_ = 0.0, throughput_ = 0.0;
  NeumaierSum sent_, received_, handed_;
  double gathered_ = 0.0;
  History integrals_;
  double advance_ = 0.0, start_flux_ = 0.0, latest_flux_ = 0.0;
  std::int64_t makes_up_ = 0;  // over so many more windows with all integrals
  bool is_isolated_ = false;
  WaitsFor waits_for_ = WaitsFor::nothing;
};

}  // namespace takt
