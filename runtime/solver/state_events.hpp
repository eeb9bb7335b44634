#pragma once
// Events with memory inside the steps of any method: at the instant at which an indicator comes to be > 0 states take
// other values. A step in which that happens is computed as far as that instant, and the rest from there.
//
// The instant is sought on the cubic Hermite interpolant of the states between the ends of the step,
//   x(theta) = x0 + h01 (x1 - x0) + h10 l f0 + h11 l f1,  f the rates at the ends, l the length,
// on which the indicators themselves are evaluated (algebra included), by secants (Illinois) that keep a sign change.
// Source: E. Hairer, S. P. Norsett, G. Wanner, Solving Ordinary Differential Equations I, 2nd ed., sec. II.6; L. F.
// Shampine, S. Thompson, Event location for ordinary differential equations, Comput. Math. Appl. 39 (2000), 43-54.
// Limit: an indicator that rises and falls again within a quarter of a step may be missed.
//
// An event is armed while its indicator is below zero, and occurs once when it comes above. One that has just occurred
// is armed anew when it has been below again, also within the same step (a ball that bounces). All that occur at one
// instant read the values just before it; of two that set the same state the first in order decides. What becomes true
// by that occurs next, at the same instant, in at most most_events rounds (X032). A step is cut at most most_events
// times; what comes true in the rest occurs at its end (X033). S has, beside what explicit_rk.hpp asks for,
//   static constexpr std::size_t event_count, set_count;   static constexpr int most_events;
//   static constexpr std::array<takt::EventSet, set_count> event_sets;       in order of priority
//   static constexpr std::array<bool, event_count> follows;                  occurs wherever its indicator is > 0
//   double armed[event_count], watched[event_count], occurred[event_count], crowded[event_count], restless;
//   void indicators(double t, double s, const double* z, double* e) noexcept;
//   void effects(double t, double s, const double* z, double* to) noexcept;  of each event set, its value
//   void contents(double t, double s, const double* z, double* stored) noexcept;   J; where energy is accounted for

#include <array>
#include <cstddef>
#include <limits>

#include "runtime/math/elementary.hpp"
#include "runtime/solver/sizes.hpp"
#include "runtime/solver/time_instants.hpp"

namespace takt {

/// Cuts of a micro-step at events, and rounds of events at one instant.
inline constexpr int most_event_cuts = 8;

/// A state that an event sets.
struct EventSet {
  std::size_t event, state;
};

namespace detail {

/// Where a step begins, s: simulated time, the same from the start of the window; its length.
struct StepStart {
  double t, offset, h;
};

/// Of a step: begin and length, s after the step's begin.
struct Part {
  double from, length;
};

template <class S>
concept HasEvents = requires {
  S::event_count;
};

/// What a step that is taken back has counted and left for the next.
template <class S>
struct BeforeStep {
  explicit BeforeStep(const S& s) noexcept : x(s.x), newton(s.newton), alert(s.alert) {
    if constexpr (requires { s.unsolved; }) unsolved = s.unsolved, turned = s.turned;
    if constexpr (requires { s.warm; }) warm = s.warm;
  }
  void back(S& s) const noexcept {
    s.x = x, s.newton = newton, s.alert = alert;
    if constexpr (requires { s.unsolved; }) s.unsolved = unsolved, s.turned = turned;
    if constexpr (requires { s.warm; }) s.warm = warm;
  }
  struct None {};
  static auto blocks() noexcept {
    if constexpr (requires(S & s) { s.unsolved; })
      return decltype(S::unsolved){};
    else
      return None{};
  }
  static auto unknowns() noexcept {
    if constexpr (requires(S & s) { s.warm; })
      return decltype(S::warm){};
    else
      return None{};
  }
  decltype(S::x) x;
  decltype(S::newton) newton;
  double alert;
  decltype(blocks()) unsolved{}, turned{};
  decltype(unknowns()) warm{};
};

/// Real-time: cover() is bounded by 2*most_events + 2 steps of the method, and for each of them 2 evaluations of the
/// rates and `most_looks` of the indicators for each event; no heap, no system call.
template <class S>
class EventSteps {
 public:
  explicit EventSteps(S& s) noexcept : s_(s) {}

  [[nodiscard]] S& subsystem() noexcept { return s_; }
  void begin_step(const StepStart& step) noexcept { step_ = step, cuts_ = 0; }

  /// Computes a part of the step. advance(part): one step of the method from s.x on; accept(length): it counts.
  template <class Advance, class Accept>
  void cover(const Part& part, Advance&& advance, Accept&& accept) noexcept {
    const double end = part.from + part.length, least = snapped * step_.h;
    double at = part.from;
    look(at, s_.x.data(), here_);
    begin();
    if (const Events due = risen(here_); any(due)) occur(at, due);
    while (at < end) {
      const Part rest{at, end - at};
      const BeforeStep<S> before(s_);
      advance(rest);
      look(end, s_.x.data(), ahead_);
      Found found = first(rest, before.x.data());
      if (found.after < rest.length - least && cuts_ < S::most_events) {
        ++cuts_;
        before.back(s_);
        if (found.after > 0.0) {
          advance(Part{at, found.after});
          accept(found.after);
          at += found.after;
        }
        look(at, s_.x.data(), here_);
      } else {
        if (found.after < rest.length - least) crowd(found.due);
        accept(rest.length);
        at = end;
        s_.watched = here_;
        here_ = ahead_;
        const Events now = risen(here_);
        for (std::size_t k = 0; k < n; ++k) found.due[k] = found.due[k] || now[k];
      }
      settle(found.due);
      if (any(found.due)) occur(at, found.due);
    }
  }

 private:
  static constexpr std::size_t n = S::event_count;
  static constexpr int most_secants = 24, most_halvings = 14;
  static constexpr double armed = 1.0, above = -1.0, fresh = 2.0;  ///< of s.armed; 0: not looked at yet
  static constexpr bool accounts = requires(S & s, double* stored) { s.contents(0.0, 0.0, s.x.data(), stored); };
  using Indicators = std::array<double, n>;
  using Events = std::array<bool, n>;
  using States = Numbers<S::state_count>;

  struct Found {
    double after = std::numeric_limits<double>::infinity();  ///< the begin, s
    Events due{};
  };
  /// Shares of a step's length between which an indicator comes above zero, and what it is there.
  struct Bracket {
    double low, high, below, beyond;
  };

  [[nodiscard]] static bool any(const Events& events) noexcept {
    for (const bool one : events)
      if (one) return true;
    return false;
  }
  void look(double at, const double* x, Indicators& e) noexcept {
    s_.indicators(step_.t + at, step_.offset + at, x, e.data());
  }
  /// The first look of a run: what is true already does not occur, but modes follow their indicators.
  void begin() noexcept {
    for (std::size_t k = 0; k < n; ++k) {
      if (s_.armed[k] != 0.0) continue;
      s_.armed[k] = S::follows[k] || !(here_[k] > 0.0) ? armed : above;
      s_.watched[k] = here_[k];
    }
  }
  /// Also where something jumped at the begin of a part: an input, a function of the time.
  [[nodiscard]] Events risen(const Indicators& e) noexcept {
    Events due{};
    for (std::size_t k = 0; k < n; ++k) due[k] = s_.armed[k] == armed && e[k] > 0.0;
    return due;
  }
  /// Those that are below zero may occur again.
  void settle(const Events& due) noexcept {
    for (std::size_t k = 0; k < n; ++k)
      if (!due[k] && s_.armed[k] != armed)
        s_.armed[k] = here_[k] < 0.0 ? armed : s_.armed[k] == fresh ? above : s_.armed[k];
  }
  void crowd(const Events& due) noexcept {
    for (std::size_t k = 0; k < n; ++k)
      if (due[k]) s_.crowded[k] += 1.0;
    s_.alert = 1.0;
  }

  // --- where
  /// Before the end of a part that leads from `from` to s.x.
  [[nodiscard]] Found first(const Part& part, const double* from) noexcept {
    Found found;
    std::array<double, n> after;
    bool drawn = false;
    for (std::size_t k = 0; k < n; ++k) {
      after[k] = found.after;
      if (!may_rise(k)) continue;
      if (!drawn) draw(part, from), drawn = true;
      if (const Bracket bracket = bracket_of(k, part); bracket.high > 0.0)
        after[k] = locate(k, part, bracket) * part.length;
      else if (s_.armed[k] == armed && here_[k] > 0.0)
        after[k] = 0.0;
    }
    for (const double one : after) found.after = math::min(found.after, one);
    for (std::size_t k = 0; k < n; ++k) found.due[k] = after[k] <= found.after + snapped * step_.h;
    if (!(found.after < std::numeric_limits<double>::infinity())) found.due = {};
    return found;
  }
  /// It does by the end, or is so near to zero that it may in between.
  [[nodiscard]] bool may_rise(std::size_t k) const noexcept {
    if (s_.armed[k] == fresh) return !(ahead_[k] < 0.0);
    if (s_.armed[k] != armed) return false;
    const double change = math::max(math::abs(ahead_[k] - here_[k]), math::abs(here_[k] - s_.watched[k]));
    return ahead_[k] > 0.0 || math::max(here_[k], ahead_[k]) > -change;
  }
  void draw(const Part& part, const double* from) noexcept {
    Numbers<S::quadrature_count> dq;
    for (std::size_t m = 0; m < S::state_count; ++m) x0_[m] = from[m], x1_[m] = s_.x[m];
    const double end = part.from + part.length;
    s_.evaluate(step_.t + part.from, step_.offset + part.from, x0_.data(), f0_.data(), dq.data());
    s_.evaluate(step_.t + end, step_.offset + end, x1_.data(), f1_.data(), dq.data());
  }
  [[nodiscard]] double between(std::size_t k, const Part& part, double share) noexcept {
    const double rest = 1.0 - share, l = part.length;
    const double h01 = share * share * (3.0 - 2.0 * share), h10 = share * rest * rest * l,
                 h11 = -share * share * rest * l;
    States x;  // as a sum of changes: what is held stays as it is, to the last bit
    for (std::size_t m = 0; m < S::state_count; ++m)
      x[m] = x0_[m] + (h01 * (x1_[m] - x0_[m]) + (h10 * f0_[m] + h11 * f1_[m]));
    Indicators e;
    look(part.from + share * l, x.data(), e);
    return e[k];
  }
  /// high = 0: it does not rise.
  [[nodiscard]] Bracket bracket_of(std::size_t k, const Part& part) noexcept {
    if (s_.armed[k] == fresh) return behind_dip(k, part);
    if (here_[k] > 0.0) return {0.0, 0.0, 0.0, 0.0};
    double low = 0.0, below = here_[k];
    for (const double share : {0.25, 0.5, 0.75}) {
      const double e = between(k, part, share);
      if (e > 0.0) return {low, share, below, e};
      low = share, below = e;
    }
    if (ahead_[k] > 0.0) return {low, 1.0, below, ahead_[k]};
    return {0.0, 0.0, 0.0, 0.0};
  }
  /// One that has just occurred: down below where it is, and up again.
  [[nodiscard]] Bracket behind_dip(std::size_t k, const Part& part) noexcept {
    const double floor = math::min(here_[k], 0.0);
    double high = 1.0, beyond = ahead_[k];
    for (int halving = 0; halving < most_halvings; ++halving) {
      const double low = 0.5 * high, e = between(k, part, low);
      if (e < floor) return {low, high, e, beyond};
      high = low, beyond = e;
    }
    return {0.0, 0.0, 0.0, 0.0};
  }
  /// The share at which it is above zero, or as good as.
  [[nodiscard]] double locate(std::size_t k, const Part& part, Bracket b) noexcept {
    constexpr double close = 1e-14;
    for (int round = 0; round < most_secants && b.high - b.low > close && b.beyond > 0.0; ++round) {
      double next = b.high - b.beyond * (b.high - b.low) / (b.beyond - b.below);
      if (round % 4 == 3 || !(next > b.low && next < b.high)) next = 0.5 * (b.low + b.high);
      const double e = between(k, part, next);
      if (e >= 0.0) {
        b.high = next, b.beyond = e, b.below *= 0.5;
      } else {
        b.low = next, b.below = e, b.beyond *= 0.5;
      }
    }
    return b.high;
  }

  // --- what
  void occur(double at, Events due) noexcept {
    for (int round = 0; any(due); ++round) {
      if (round == S::most_events) {
        s_.restless += 1.0;
        s_.alert = 1.0;
        return;
      }
      set(at, due);
      const Indicators before = here_;
      look(at, s_.x.data(), here_);
      Events next{};
      for (std::size_t k = 0; k < n; ++k) {
        if (due[k]) s_.occurred[k] += 1.0;
        const bool moved = here_[k] != before[k];
        if (due[k]) s_.armed[k] = S::follows[k] || (moved && !(here_[k] > 0.0)) ? armed : fresh;
        next[k] = s_.armed[k] == armed && here_[k] > 0.0;
        s_.watched[k] = here_[k];
      }
      settle(due);
      due = next;
    }
  }
  void set(double at, const Events& due) noexcept {
    std::array<double, S::set_count> to;
    std::array<bool, S::state_count> taken{};
    const double before = contents(at);
    s_.effects(step_.t + at, step_.offset + at, s_.x.data(), to.data());
    for (std::size_t j = 0; j < S::set_count; ++j) {
      const auto [event, state] = S::event_sets[j];
      if (!due[event] || taken[state]) continue;
      s_.x[state] = to[j];
      taken[state] = true;
    }
    if constexpr (accounts) {
      const double lost = before - contents(at);
      s_.energy[1] += lost;
      s_.energy[4] += math::abs(lost);
    }
  }
  [[nodiscard]] double contents(double at) noexcept {
    double stored = 0.0;
    if constexpr (accounts) s_.contents(step_.t + at, step_.offset + at, s_.x.data(), &stored);
    return stored;
  }

  S& s_;
  StepStart step_{};
  int cuts_ = 0;
  Indicators here_{}, ahead_{};  ///< where the part begins, where it ends
  States x0_{}, x1_{}, f0_{}, f1_{};
};

struct NoEvents {
  explicit NoEvents(auto&) noexcept {}
};
template <class S>
struct EventStepsFor {
  using Type = NoEvents;
};
template <HasEvents S>
struct EventStepsFor<S> {
  using Type = EventSteps<S>;
};
template <class S>
using EventStepsOf = typename EventStepsFor<S>::Type;

/// One micro-step, cut where functions of the time jump and at events. advance(part, sum) adds its mean quadrature
/// rates to `sum`, which is the step's with their shares of it.
template <class S, class Advance, class Sum>
inline void step_with_events(EventSteps<S>& events, const StepStart& step, Advance&& advance, Sum& sum) noexcept {
  events.begin_step(step);
  S& s = events.subsystem();
  const auto nq = quadratures_of(s);
  Numbers<S::quadrature_count> rates(nq);
  const auto cover = [&](double from, double length) noexcept {
    events.cover(
        {from, length},
        [&](const Part& part) noexcept {
          for (std::size_t m = 0; m < nq; ++m) rates[m] = 0.0;
          advance(part, rates);
        },
        [&](double covered) noexcept {
          for (std::size_t m = 0; m < nq; ++m) sum[m] += rates[m] * (covered / step.h);
        });
  };
  if constexpr (CutsSteps<S>) {
    if (!is_whole(s, step.t, step.h)) return in_pieces(s, step.t, step.h, cover);
  }
  cover(0.0, step.h);
}

}  // namespace detail
}  // namespace takt
