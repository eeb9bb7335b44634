#pragma once
// The inverter of config/plants/inverter_power by hand: whole steps, steps cut at edges, energies of edges.
//
// Whole steps are one product each, and losses are sums of squares that are multiplied by conductances when a run of
// them ends. Where an edge falls into a step, the storages go on along a parabola, which is exact for the trapezoidal
// rule's straight rates; all legs have a filter's resistor, so nothing decays fast and no damping is needed after
// edges.

#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>

#include "hand_circuit.hpp"
#include "hand_modulator.hpp"

namespace by_hand {

/// Piecewise linear, from losses.csv. J over A.
struct Energy {
  std::array<double, 5> joule;
  static constexpr std::array<double, 5> ampere{0, 5, 10, 20, 40};
  [[nodiscard]] double at(double i) const {
    if (!(i > 0.0)) return 0.0;
    std::size_t k = 0;
    while (k < 3 && i > ampere[k + 1]) ++k;
    return joule[k] + (joule[k + 1] - joule[k]) * (i - ampere[k]) / (ampere[k + 1] - ampere[k]);
  }
};
constexpr Energy turn_on_energy{{0, 60e-6, 130e-6, 310e-6, 800e-6}};
constexpr Energy turn_off_energy{{0, 40e-6, 90e-6, 220e-6, 600e-6}};
constexpr Energy recovery_energy{{0, 80e-6, 120e-6, 180e-6, 300e-6}};

class Inverter {
 public:
  static constexpr std::size_t chips = 6;
  static constexpr long window_steps = 1000;

  State x{0.0, v_dc, 0.0, 0.0, 0.0};
  std::array<double, chips> temperature{};            ///< K, set before a window
  std::array<double, chips> heat{};                   ///< J in the last window, high and low by turns
  std::array<double, chips> switching{}, recovery{};  ///< J since start
  double supplied = 0.0, dissipated = 0.0;            ///< J since start, by the source, in resistors
  std::array<long, 4> counted{};                      ///< whole steps, cut steps, edges, maps

  /// @param now  micro-steps since start
  void window(long now) {
    for (std::size_t k = 0; k < used_; ++k) slot_[keys_[k]] = 0;
    used_ = 0;
    for (std::size_t k = 0; k < chips; ++k) g_on_[k] = 1.0 / (r_on * (1.0 + alpha * (temperature[k] - t_ref)));
    heat_ = {};
    heat = {};
    enter(key_);
    long n = 0;
    for (long vertex = 0; vertex < window_steps; vertex += half_period) {
      modulator_.plan(vertex, now + vertex);
      const long end = vertex + half_period;
      while (n < end) {
        const double next = modulator_.next();
        const long quiet = next < static_cast<double>(end) ? static_cast<long>(next) : end;
        if (n < quiet && (key_ & all_diodes) == 0) n += whole(quiet - n);
        if (n < quiet || (n < end && quiet < end)) cut(static_cast<double>(n++));
      }
    }
    modulator_.shift(static_cast<double>(window_steps));
    const std::array<double, chips> losses{heat_[0][0], heat_[1][0], heat_[0][1],
                                           heat_[1][1], heat_[2][1], heat_[2][0]};
    for (std::size_t k = 0; k < chips; ++k) heat[k] += losses[k];
  }

 private:
  /// A whole step from x.
  struct Ahead {
    Two source, filters, rest;  ///< (i, v), (u_a, u_b), (u_c, p)
    Legs y;
    [[nodiscard]] State x() const { return {source[0], source[1], filters[0], filters[1], rest[0]}; }
  };
  static Ahead step(const Map& map, const Two& source, const Two& filters, double u_c) {
    Two sum[5];
#pragma GCC unroll 5
    for (std::size_t block = 0; block < 5; ++block)
      sum[block] = map.step[block][5] + map.step[block][0] * source[0] + map.step[block][1] * source[1] +
                   map.step[block][2] * filters[0] + map.step[block][3] * filters[1] + map.step[block][4] * u_c;
    return {sum[0], sum[1], sum[2], {sum[3], sum[4]}};
  }

  /// Squares whose sums over whole steps are losses once they are multiplied by conductances.
  struct Squares {
    Two upper{}, lower{}, third{};                                 ///< of switches, as Voltages has them
    Two source{}, link{}, filters{}, rest{}, phases{}, phase_c{};  ///< of resistors; lanes 0, 1, both, 0, both, 0 count
    double star = 0.0;
    Two sum_source{};
    /// @param share  of the squares
    void add(const Ahead& at, const Voltages& v, double share) {
      const Two across_link = at.rest - at.source, ab = at.y.ab - at.filters, c = at.y.cd - at.rest;
      const double sum = ab[0] + ab[1] + c[0];
      upper += share * v.upper * v.upper, lower += share * v.lower * v.lower, third += share * v.third * v.third;
      source += share * at.source * at.source, link += share * across_link * across_link;
      filters += share * at.filters * at.filters, rest += share * at.rest * at.rest;
      phases += share * ab * ab, phase_c += share * c * c;
      star += share * sum * sum, sum_source += share * at.source;
    }
    [[nodiscard]] double in_resistors() const {
      return r_s * source[0] + link[1] * (1.0 / esr) + (filters[0] + filters[1] + rest[0]) * (1.0 / load) +
             (phases[0] + phases[1] + phase_c[0] - star * (1.0 / 3.0)) * (1.0 / r_f);
    }
  };

  /// Up to `count` whole steps without a diode that conducts, before or after. @return how many
  long whole(long count) {
    const Map& map = *map_;
    Ahead here{Two{x[0], x[1]}, Two{x[2], x[3]}, Two{x[4], y_.p()}, y_};
    Voltages v(here.y);
    Squares sum;
    sum.add(here, v, 0.5);
    long done = 0;
    for (; done < count; ++done) {
      const Ahead next = step(map, here.source, here.filters, here.rest[0]);
      const Voltages at(next.y);
      if (at.least() < -v_knee) break;
      here = next, v = at;
      sum.add(here, v, 1.0);
    }
    sum.add(here, v, -0.5);
    x = here.x(), y_ = here.y;
    heat_[0] += h * map.g_upper * sum.upper;
    heat_[1] += h * map.g_lower * sum.lower;
    heat_[2] += h * map.g_third * sum.third;
    supplied += h * v_dc * sum.sum_source[0];
    dissipated += h * sum.in_resistors();
    counted[0] += done;
    return done;
  }

  /// One micro-step with edges of gates or diodes.
  void cut(double n) {
    constexpr double snap = 1e-6;
    ++counted[1];
    double at = 0.0;
    for (int part = 0; part < 64 && at < 1.0 - snap; ++part) {
      const double edge = modulator_.next() - n;
      if (edge <= at + snap) {
        act(n + at + snap);
        continue;
      }
      const Ahead next = step(*map_, Two{x[0], x[1]}, Two{x[2], x[3]}, x[4]);
      double share = std::min(edge, 1.0) - at;
      const Key due = turning(next.y, share);
      accept(next, share);
      at += share;
      if (due != 0) turn(key_ ^ due);
    }
  }
  /// The first `share` of a whole step.
  void accept(const Ahead& next, double share) {
    const State slope = rates(x, y_), end = next.x();
    const std::array<Two, 3> before = map_->power(Voltages(y_));
    const double i = x[0], power = in_resistors(x, y_);
    for (std::size_t k = 0; k < states; ++k) x[k] += share * (h * slope[k] + share * (end[k] - x[k] - h * slope[k]));
    y_.ab += share * (next.y.ab - y_.ab), y_.cd += share * (next.y.cd - y_.cd);
    const std::array<Two, 3> after = map_->power(Voltages(y_));
    for (std::size_t k = 0; k < 3; ++k) heat_[k] += 0.5 * h * share * (before[k] + after[k]);
    supplied += 0.5 * h * share * v_dc * (i + x[0]);
    dissipated += 0.5 * h * share * (power + in_resistors(x, y_));
  }

  /// > 0 where a diode is not as its voltage asks.
  [[nodiscard]] double violation(const Voltages& v, std::size_t leg, bool high) const {
    const double above = (high ? v.high(leg) : v.low(leg)) + v_knee;
    return (key_ & diode_bit(leg, high)) != 0 ? above : -above;
  }
  /// Diodes that turn within `share`, which then ends where the first of them does.
  Key turning(const Legs& next, double& share) const {
    const Voltages to(next);
    if ((key_ & all_diodes) == 0 && !(to.least() < -v_knee)) return 0;
    const Voltages from(y_);
    Key due = 0;
    for (std::size_t leg = 0; leg < 3; ++leg)
      for (const bool high : {true, false}) {
        const double e0 = violation(from, leg, high), e1 = violation(to, leg, high);
        if (!(e1 > 0.0)) continue;
        const double at = e0 < 0.0 ? e0 / (e0 - e1) : 0.0;
        if (at < share) due = 0;
        if (at <= share) due |= diode_bit(leg, high), share = at;
      }
    return due;
  }

  void act(double until) {
    Key key = key_;
    for (std::size_t leg = 0; leg < 3; ++leg) {
      Leg& modulator = modulator_.legs[leg];
      while (modulator.next() <= until) modulator.act();
      key &= ~(gate_bit(leg, true) | gate_bit(leg, false));
      if (modulator.high) key |= gate_bit(leg, true);
      if (modulator.low) key |= gate_bit(leg, false);
    }
    if (key != key_) turn(key);
  }
  /// To another switch state; diodes follow. Energies lost are those of the currents switched.
  void turn(Key key) {
    ++counted[2];
    const Key old = key_;
    const Voltages before(y_);
    const Map& was = *map_;
    enter(key);
    for (int round = 0; round < 8; ++round) {
      const Voltages v(y_);
      if ((key_ & all_diodes) == 0 && !(v.least() < -v_knee)) break;
      Key flips = 0;
      for (std::size_t leg = 0; leg < 3; ++leg)
        for (const bool high : {true, false})
          if (violation(v, leg, high) > 1e-12) flips |= diode_bit(leg, high);
      if (flips == 0) break;
      enter(key_ ^ flips);
    }
    lose(old, {before, Voltages(y_)}, was);
  }
  void enter(Key key) {
    key_ = key;
    if (slot_[key] == 0) {
      if (used_ == maps_.size()) {
        for (std::size_t k = 0; k < used_; ++k) slot_[keys_[k]] = 0;
        used_ = 0;
      }
      maps_[used_].fill(key, g_on_);
      keys_[used_] = key;
      slot_[key] = static_cast<std::uint8_t>(++used_);
      ++counted[3];
    }
    map_ = &maps_[slot_[key] - 1U];
    y_ = map_->legs(x);
  }
  static double current(const Map& map, const Voltages& v, std::size_t leg, bool high) {
    const std::size_t lane = leg < 2 ? leg : (high ? 1 : 0);
    const Two& g = leg == 2 ? map.g_third : (high ? map.g_upper : map.g_lower);
    const Two& j = leg == 2 ? map.j_third : (high ? map.j_upper : map.j_lower);
    return (high ? v.high(leg) : v.low(leg)) * g[lane] + j[lane];
  }
  void lose(Key old, const std::array<Voltages, 2>& v, const Map& was) {
    for (std::size_t leg = 0; leg < 3; ++leg)
      for (const bool high : {true, false}) {
        const std::size_t chip = 2 * leg + (high ? 0 : 1);
        const auto voltage = [&](std::size_t at) {
          return std::max(high ? v[at].high(leg) : v[at].low(leg), 0.0) / v_ref;
        };
        double lost = 0.0;
        if (((key_ ^ old) & gate_bit(leg, high)) != 0) {
          lost = (key_ & gate_bit(leg, high)) != 0 ? turn_on_energy.at(current(*map_, v[1], leg, high)) * voltage(0)
                                                   : turn_off_energy.at(current(was, v[0], leg, high)) * voltage(1);
          switching[chip] += lost;
        }
        if ((old & ~key_ & diode_bit(leg, high)) != 0) {
          const double of_diode = recovery_energy.at(-current(was, v[0], leg, high)) * voltage(1);
          recovery[chip] += of_diode, lost += of_diode;
        }
        heat[chip] += lost;
      }
  }

  Modulator modulator_;
  Key key_ = gate_bit(0, true) | gate_bit(1, true) | gate_bit(2, true);
  Legs y_{};
  const Map* map_ = nullptr;
  std::array<Two, 3> heat_{};
  std::array<double, chips> g_on_{};
  std::array<Map, 64> maps_{};
  std::array<std::uint8_t, 4096> slot_{};  ///< 1 + place of a switch state's map; 0: none
  std::array<Key, 64> keys_{};
  std::size_t used_ = 0;
};

}  // namespace by_hand
