#pragma once
// The circuit of config/plants/inverter_power as its author writes it by hand: five storages, four unknown potentials,
// one map of a whole step per switch state.
//
//   rates     di/dt = (v_dc - r_s*i - p)/l,  dv/dt = (p - v)/(esr*c_link),
//             du_k/dt = ((a_k - star - u_k)/r - u_k/load)/c,  star = mean of (a_k - u_k): no current leaves it
//   legs      (g_high + g_low + 1/r)*a_k = g_high*p + (star + u_k)/r + j_high - j_low
//   link      (1/esr + sum g_high)*p = i + v/esr + sum (g_high*a_k - j_high)
// i source current, v voltage of the link's capacitor, u_k of the filters', p link, a_k phases. g, j: conductance and
// current at no voltage of a switch with its diode.

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

namespace by_hand {

using Two [[gnu::vector_size(16)]] = double;

constexpr double h = 1e-6, v_dc = 400.0, r_s = 10e-3, l_s = 10e-6, esr = 5e-3, c_link = 1e-3;
constexpr double r_f = 10.0, c_f = 15e-6, load = 50.0;
constexpr double r_on = 5e-3, alpha = 0.005, t_ref = 298.15, r_off = 100e3, v_f = 0.7, r_d = 5e-3;
constexpr double v_knee = v_f / (1.0 - r_d / r_off), v_ref = 400.0;

constexpr std::size_t states = 5, columns = states + 1;  // the last one is constant

/// Storages: i, v, u_a, u_b, u_c.
using State = std::array<double, states>;

/// Potentials: (a, b) and (c, p - c), so that all voltages of switches are one subtraction away.
struct Legs {
  Two ab, cd;
  [[nodiscard]] double p() const { return cd[0] + cd[1]; }
};

/// Voltages of the switches: (p - a, p - b), (a, b), (c, p - c).
struct Voltages {
  Two upper, lower, third;
  explicit Voltages(const Legs& y) : upper(y.p() - y.ab), lower(y.ab), third(y.cd) {}
  [[nodiscard]] double high(std::size_t k) const { return k < 2 ? upper[k] : third[1]; }
  [[nodiscard]] double low(std::size_t k) const { return k < 2 ? lower[k] : third[0]; }
  /// Of both diodes of a leg that is off: the lower one is the first to conduct.
  [[nodiscard]] double least() const {
    const Two both = upper < lower ? upper : lower, all = both < third ? both : third;
    return std::min(all[0], all[1]);
  }
};

inline State rates(const State& x, const Legs& y, double source = v_dc) {
  const double p = y.p(), a = y.ab[0] - x[2], b = y.ab[1] - x[3], c = y.cd[0] - x[4], star = (a + b + c) * (1.0 / 3.0);
  constexpr double leg = 1.0 / (r_f * c_f), out = 1.0 / (load * c_f);
  return {(source - r_s * x[0] - p) * (1.0 / l_s), (p - x[1]) * (1.0 / (esr * c_link)), (a - star) * leg - x[2] * out,
          (b - star) * leg - x[3] * out, (c - star) * leg - x[4] * out};
}

/// Power in the resistors: the source's, the capacitor's, those of filters and load.
inline double in_resistors(const State& x, const Legs& y) {
  const double p = y.p(), a = y.ab[0] - x[2], b = y.ab[1] - x[3], c = y.cd[0] - x[4], star = (a + b + c) * (1.0 / 3.0);
  return r_s * x[0] * x[0] + (p - x[1]) * (p - x[1]) * (1.0 / esr) +
         (a * a + b * b + c * c - 3.0 * star * star) * (1.0 / r_f) +
         (x[2] * x[2] + x[3] * x[3] + x[4] * x[4]) * (1.0 / load);
}
inline double stored_energy(const State& x) {
  return 0.5 * (l_s * x[0] * x[0] + c_link * x[1] * x[1] + c_f * (x[2] * x[2] + x[3] * x[3] + x[4] * x[4]));
}

/// Switches and diodes of three legs, high and low by turns: (conducts: bit k, diode: bit 6 + k).
using Key = std::uint32_t;
constexpr Key gate_bit(std::size_t leg, bool high) { return Key{1} << (2 * leg + (high ? 0 : 1)); }
constexpr Key diode_bit(std::size_t leg, bool high) { return gate_bit(leg, high) << 6; }
constexpr Key all_diodes = 0xfc0;

/// One switch state at the chips' temperatures of a window.
struct Map {
  Two step[5][columns];  ///< from x to (i, v), (u_a, u_b), (u_c, p), (a, b), (c, p - c) a whole step later
  Two now[2][columns];   ///< from x to (a, b), (c, p - c)
  Two g_upper, g_lower, g_third, j_upper, j_lower, j_third;  ///< of the switches, as Voltages has them

  [[nodiscard]] Legs legs(const State& x) const {
    Two y[2];
    for (std::size_t block = 0; block < 2; ++block) {
      y[block] = now[block][states];
      for (std::size_t k = 0; k < states; ++k) y[block] += now[block][k] * x[k];
    }
    return {y[0], y[1]};
  }
  /// Losses (upper a, b), (lower a, b), (lower c, upper c).
  [[nodiscard]] std::array<Two, 3> power(const Voltages& v) const {
    return {v.upper * (g_upper * v.upper + j_upper), v.lower * (g_lower * v.lower + j_lower),
            v.third * (g_third * v.third + j_third)};
  }
  void fill(Key key, const std::array<double, 6>& g_on);

 private:
  void fill_now(const std::array<double, 3>& g_high, const std::array<double, 3>& g_low,
                const std::array<double, 3>& j_high, const std::array<double, 3>& j_low);
  void fill_step();
};

/// @param g_on  of the channels, high and low by turns
inline void Map::fill(Key key, const std::array<double, 6>& g_on) {
  std::array<double, 3> g_high{}, g_low{}, j_high{}, j_low{};
  const auto conductance = [&](std::size_t leg, bool high) {
    return ((key & gate_bit(leg, high)) != 0 ? g_on[2 * leg + (high ? 0 : 1)] : 1.0 / r_off) +
           ((key & diode_bit(leg, high)) != 0 ? 1.0 / r_d : 1.0 / r_off);
  };
  for (std::size_t leg = 0; leg < 3; ++leg) {
    g_high[leg] = conductance(leg, true), g_low[leg] = conductance(leg, false);
    j_high[leg] = (key & diode_bit(leg, true)) != 0 ? v_f / r_d : 0.0;
    j_low[leg] = (key & diode_bit(leg, false)) != 0 ? v_f / r_d : 0.0;
  }
  g_upper = Two{g_high[0], g_high[1]}, g_lower = Two{g_low[0], g_low[1]}, g_third = Two{g_low[2], g_high[2]};
  j_upper = Two{j_high[0], j_high[1]}, j_lower = Two{j_low[0], j_low[1]}, j_third = Two{j_low[2], j_high[2]};
  fill_now(g_high, g_low, j_high, j_low);
  fill_step();
}

inline void Map::fill_now(const std::array<double, 3>& g_high, const std::array<double, 3>& g_low,
                          const std::array<double, 3>& j_high, const std::array<double, 3>& j_low) {
  constexpr double g_f = 1.0 / r_f;
  double to_p[3], to_star[3], driven[3], sum_p = 0.0, sum_u = 0.0, sum_driven = 0.0;
  double link = 1.0 / esr, injected = 0.0;
  for (std::size_t k = 0; k < 3; ++k) {  // a_k = to_p*p + to_star*(star + u_k) + driven
    const double inverse = 1.0 / (g_high[k] + g_low[k] + g_f);
    to_p[k] = g_high[k] * inverse, to_star[k] = g_f * inverse, driven[k] = (j_high[k] - j_low[k]) * inverse;
    sum_p += to_p[k], sum_driven += driven[k], sum_u += (g_high[k] + g_low[k]) * inverse;
    link += g_high[k] * ((g_low[k] + g_f) * inverse), injected += g_high[k] * driven[k] - j_high[k];
  }
  // star = per*(sum_p*p + sum_driven - sum of u_k*(1 - to_star))
  const double per = 1.0 / sum_u, star_to_p = per * sum_p;
  double through = 0.0;  // from the star to the link
  for (std::size_t k = 0; k < 3; ++k) through += g_high[k] * to_star[k];
  const double inverse = 1.0 / (link - through * star_to_p);
  for (std::size_t column = 0; column < columns; ++column) {
    const bool constant = column == states, filter = !constant && column >= 2;
    double star = constant ? per * sum_driven : 0.0, right = constant ? injected : 0.0;
    if (filter) star = -per * (1.0 - to_star[column - 2]), right = g_high[column - 2] * to_star[column - 2];
    if (column == 0) right = 1.0;
    if (column == 1) right = 1.0 / esr;
    const double p = (right + through * star) * inverse;
    star += star_to_p * p;
    double a[3];
    for (std::size_t k = 0; k < 3; ++k)
      a[k] = to_p[k] * p + to_star[k] * (star + (filter && column == 2 + k ? 1.0 : 0.0)) + (constant ? driven[k] : 0.0);
    now[0][column] = Two{a[0], a[1]};
    now[1][column] = Two{a[2], p - a[2]};
  }
}

/// Trapezoidal rule: (1 - h/2*J)*x1 = (1 + h/2*J)*x0 + h*b, and the potentials of x1.
inline void Map::fill_step() {
  double m[states][2 * states + 1];  // left side | right side, of the states and constant
  for (std::size_t column = 0; column < columns; ++column) {
    State unit{};
    if (column < states) unit[column] = 1.0;
    const State slope = rates(unit, {now[0][column], now[1][column]}, column < states ? 0.0 : v_dc);
    for (std::size_t row = 0; row < states; ++row) {
      const double part = 0.5 * h * slope[row];
      if (column < states)
        m[row][column] = unit[row] - part, m[row][states + column] = unit[row] + part;
      else
        m[row][2 * states] = 2.0 * part;
    }
  }
  for (std::size_t pivot = 0; pivot < states; ++pivot) {  // dominated by its diagonal
    const double inverse = 1.0 / m[pivot][pivot];
    for (std::size_t column = pivot; column <= 2 * states; ++column) m[pivot][column] *= inverse;
    for (std::size_t row = 0; row < states; ++row) {
      if (row == pivot) continue;
      const double factor = m[row][pivot];
      for (std::size_t column = pivot + 1; column <= 2 * states; ++column) m[row][column] -= factor * m[pivot][column];
    }
  }
  for (std::size_t column = 0; column < columns; ++column) {
    const auto x = [&](std::size_t row) { return m[row][states + column]; };
    const Legs y = [&] {
      Two sum[2];
      for (std::size_t block = 0; block < 2; ++block) {
        sum[block] = column == states ? now[block][states] : Two{0.0, 0.0};
        for (std::size_t k = 0; k < states; ++k) sum[block] += now[block][k] * x(k);
      }
      return Legs{sum[0], sum[1]};
    }();
    step[0][column] = Two{x(0), x(1)}, step[1][column] = Two{x(2), x(3)}, step[2][column] = Two{x(4), y.p()};
    step[3][column] = y.ab, step[4][column] = y.cd;
  }
}

}  // namespace by_hand
