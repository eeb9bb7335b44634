// The inverter of config/plants/inverter_power written by hand, as fast as one person makes it in an afternoon: the
// yardstick for the generated code. Explicit Euler at 1 us on straight-line elimination; natural sampling against a
// triangle with dead time; edges inside a step by blending the results of the switch states by their share;
// antiparallel diodes by the sign of the voltages; conduction losses of six switches with temperature-dependent
// resistance. usage: by_hand STEPS   prints the RMS of phase a over the last 20 ms, the losses,
// and what a step took
#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>

namespace {

constexpr double h = 1e-6, v_source = 400.0, r_s = 10e-3, l_s = 10e-6, r_esr = 5e-3, c_dc = 1e-3;
constexpr double r_f = 10.0, c_f = 15e-6, r_load = 50.0, g_off = 2e-5, v_f = 0.7, g_d = 200.0;
constexpr double pi = 3.14159265358979323846, m = 0.8, f_pwm = 10e3, dead_time = 2e-6;

struct State {
  double il = 0, vc = v_source, v[3] = {};
};

struct Leg {
  double duty_before = 0.5, turn_on = 1e30;
  bool comparator = true, high = true, low = false, diode_high = false, diode_low = false;
};

struct Inverter {
  State x;
  Leg leg[3];
  double g_on[6], loss[6] = {};

  /// One Euler step of the whole length from x with the present switches; diodes from the voltages of the last one.
  State step(double* power) {
    double gh[3], gl[3], jh[3], jl[3], a0[3], a1[3], as[3];
    for (int k = 0; k < 3; ++k) {
      gh[k] = (leg[k].high ? g_on[2 * k] : g_off) + (leg[k].diode_high ? g_d : g_off);
      gl[k] = (leg[k].low ? g_on[2 * k + 1] : g_off) + (leg[k].diode_low ? g_d : g_off);
      jh[k] = leg[k].diode_high ? g_d * v_f : 0.0;
      jl[k] = leg[k].diode_low ? g_d * v_f : 0.0;
    }
    // Leg node a = a0 + a1*d + as*s, d the DC link, s the star; the star carries no current: the sum of (a - s - v)/r_f
    // is 0.
    double sum0 = 0, sum1 = 0, sums = 0;
    for (int k = 0; k < 3; ++k) {
      const double inverse = 1.0 / (gh[k] + gl[k] + 1.0 / r_f);
      a0[k] = (jh[k] - jl[k] + x.v[k] / r_f) * inverse;
      a1[k] = gh[k] * inverse;
      as[k] = inverse / r_f;
      sum0 += a0[k] - x.v[k];
      sum1 += a1[k];
      sums += 1.0 - as[k];
    }
    const double per = 1.0 / sums;  // s = (sum0 + sum1*d)*per
    double g = 1.0 / r_esr, i = x.il + x.vc / r_esr;
    for (int k = 0; k < 3; ++k) {
      g += gh[k] * (1.0 - a1[k] - as[k] * sum1 * per);
      i += gh[k] * (a0[k] + as[k] * sum0 * per) - jh[k];
    }
    const double d = i / g, s = (sum0 + sum1 * d) * per;
    State next = x;
    next.il += h / l_s * (v_source - r_s * x.il - d);
    next.vc += h / c_dc * (d - x.vc) / r_esr;
    for (int k = 0; k < 3; ++k) {
      const double a = a0[k] + a1[k] * d + as[k] * s, vh = d - a;
      next.v[k] += h / c_f * ((a - s - x.v[k]) / r_f - x.v[k] / r_load);
      power[2 * k] = vh * (gh[k] * vh + jh[k]);
      power[2 * k + 1] = a * (gl[k] * a + jl[k]);
      leg[k].diode_high = vh < -v_f;
      leg[k].diode_low = a < -v_f;
    }
    return next;
  }
};

struct Edge {
  double at;
  int leg;
  bool flip;
};

}  // namespace

int main(int argc, char** argv) {
  const long steps = argc > 1 ? std::atol(argv[1]) : 100000;
  static Inverter inverter;
  std::fill(inverter.g_on, inverter.g_on + 6, 200.0);
  const double cosine = std::cos(2 * pi * 50 * h), sine = std::sin(2 * pi * 50 * h);
  double c = 1, s = 0, squares = 0;
  long counted = 0;
  const auto begin = std::chrono::steady_clock::now();
  for (long n = 0; n < steps; ++n) {
    if (n % 1000 == 0) {  // temperatures move slowly
      for (int k = 0; k < 6; ++k) inverter.g_on[k] = 200.0 / (1.0 + 0.005 * 1e-3 * inverter.loss[k]);
    }
    const double next_s = s * cosine + c * sine, next_c = c * cosine - s * sine;
    s = next_s, c = next_c;
    const double place = static_cast<double>((n + 1) % 100) * h * f_pwm;
    const double carrier = place < 0.5 ? 2 * place : 2 - 2 * place;
    const double duties[3] = {0.5 + 0.5 * m * s, 0.5 + 0.5 * m * (-0.5 * s - 0.86602540378443865 * c),
                              0.5 + 0.5 * m * (-0.5 * s + 0.86602540378443865 * c)};
    Edge edges[6];
    int count = 0;
    for (int k = 0; k < 3; ++k) {
      Leg& leg = inverter.leg[k];
      const double above = duties[k] - carrier;
      if ((above > 0) != leg.comparator) edges[count++] = {leg.duty_before / (leg.duty_before - above), k, true};
      if (leg.turn_on < 1.0) edges[count++] = {leg.turn_on, k, false};
      leg.turn_on -= 1.0;
      leg.duty_before = above;
    }
    double power[6];
    if (count == 0) {
      inverter.x = inverter.step(power);
      for (int k = 0; k < 6; ++k) inverter.loss[k] += h * power[k];
    } else {
      std::sort(edges, edges + count, [](const Edge& a, const Edge& b) { return a.at < b.at; });
      State sum{0, 0, {0, 0, 0}};
      double at = 0;
      for (int e = 0; e <= count; ++e) {
        const double end = e < count ? edges[e].at : 1.0, share = end - at;
        State part = inverter.step(power);
        part = inverter.step(power);  // diodes agree with the switches
        sum.il += share * part.il;
        sum.vc += share * part.vc;
        for (int k = 0; k < 3; ++k) sum.v[k] += share * part.v[k];
        for (int k = 0; k < 6; ++k) inverter.loss[k] += share * h * power[k];
        at = end;
        if (e == count) break;
        Leg& leg = inverter.leg[edges[e].leg];
        if (edges[e].flip) {
          leg.comparator = !leg.comparator;
          leg.high = leg.low = false;
          leg.turn_on = edges[e].at + dead_time / h - 1.0;
        } else {
          (leg.comparator ? leg.high : leg.low) = true;
          leg.turn_on = 1e30;
        }
      }
      inverter.x = sum;
    }
    if (n >= steps - 20000) {
      squares += inverter.x.v[0] * inverter.x.v[0];
      ++counted;
    }
  }
  const std::chrono::duration<double, std::nano> took = std::chrono::steady_clock::now() - begin;
  double total = 0;
  for (const double loss : inverter.loss) total += loss;
  std::printf("rms %.4f V, losses %.6f J\n%.4f ns a step\n", std::sqrt(squares / static_cast<double>(counted)), total,
              took.count() / static_cast<double>(steps));
  return 0;
}
