// Newton blocks that plain iterations do not solve: exponentials, flat laws, folds, no solution at all.

#include "runtime/solver/newton.hpp"

#include <catch2/catch.hpp>
#include <cmath>

namespace {

struct Law {
  double (*residual)(double);
  double (*slope)(double);
  double (*terms)(double);
  double (*argument)(double) = nullptr;  // of an exponential
  double argument_slope = 0.0;
};

struct Solution {
  double x;
  takt::NewtonDamping damping;
  int evaluations = 0;
};

/// As emitted code does it.
Solution solve(const Law& law, double x, int plain = 4) {
  Solution s{x, {plain, law.argument != nullptr}};
  takt::NewtonUnknown tried{x, 0.01};
  const int most = plain + takt::newton_limited + takt::newton_damped + (law.argument ? takt::newton_from_low : 0);
  for (int iteration = 0; iteration <= most; ++iteration) {
    const double residual = law.residual(s.x), here = std::abs(residual);
    ++s.evaluations;
    const takt::NewtonMove move = s.damping.judge(iteration, here);
    if (s.damping.looks(iteration)) {
      s.damping.look(residual, law.terms(s.x));
      if (s.damping.holds(here)) break;
    }
    const double step = residual / law.slope(s.x);
    if (move == takt::NewtonMove::limited && law.argument) {
      s.damping.begin_limit();
      s.damping.limit(law.argument(s.x), -law.argument_slope * step);
    }
    if (move == takt::NewtonMove::lower) {
      s.damping.begin_lower();
      if (s.damping.is_highest(law.argument(s.x), law.argument_slope * law.argument_slope))
        tried.slope = law.argument_slope;
    }
    s.damping.watch(residual, step);
    const bool settled = s.damping.whole(move) && takt::newton_settled(s.x, step, 1.0);
    s.x = tried.next(move, s.damping.share, s.x, step);
    if (settled) s.damping.settle();
    if (s.damping.solved || move == takt::NewtonMove::undo) break;
  }
  return s;
}

constexpr double thermal = 0.02585;
const Law junction{.residual = [](double v) { return 1e-14 * (std::exp(v / thermal) - 1.0) + 1e-6 * v - 10.0; },
                   .slope = [](double v) { return 1e-14 / thermal * std::exp(v / thermal) + 1e-6; },
                   .terms = [](double v) { return 1e-14 * (std::exp(v / thermal) + 1.0) + 1e-6 * std::abs(v) + 10.0; },
                   .argument = [](double v) { return v / thermal; },
                   .argument_slope = 1.0 / thermal};

}  // namespace

TEST_CASE("a junction is found from rest, where its slope is a millionth of what it will be") {
  const Solution s = solve(junction, 0.0);
  CHECK(s.damping.solved);
  CHECK(s.x == Approx(thermal * std::log(10.0 / 1e-14)).epsilon(1e-6));
  CHECK(s.evaluations < 30);
}

TEST_CASE("a junction is found from far above, also from where it overflows") {
  for (const double start : {2.0, 5.0, 18.0, 52.8, 400.0}) {
    const Solution s = solve(junction, start);
    CHECK(s.damping.solved);
    CHECK(s.x == Approx(thermal * std::log(10.0 / 1e-14)).epsilon(1e-6));
    CHECK(s.evaluations < 80);
  }
}

TEST_CASE("a junction is found without limiting as well, by damping") {
  Law law = junction;
  law.argument = nullptr;
  law.residual = [](double v) { return 1e-6 * (std::exp(v / thermal) - 1.0) + 1e-2 * v - 0.1; };
  law.slope = [](double v) { return 1e-6 / thermal * std::exp(v / thermal) + 1e-2; };
  law.terms = [](double v) { return 1e-6 * (std::exp(v / thermal) + 1.0) + 1e-2 * std::abs(v) + 0.1; };
  const Solution s = solve(law, -3.0);
  CHECK(s.damping.solved);
  CHECK(std::abs(law.residual(s.x)) <= 1e-6 * law.terms(s.x));
}

TEST_CASE("an equation that turns back is noticed, and what has no solution is never called solved") {
  const Law fold{.residual = [](double v) { return v * v * v - v + 0.4; },
                 .slope = [](double v) { return 3.0 * v * v - 1.0; },
                 .terms = [](double v) { return std::abs(v * v * v) + std::abs(v) + 0.4; }};
  CHECK(solve(fold, 0.6).damping.turned);
  const Law none{.residual = [](double v) { return v * v + 1.0; },
                 .slope = [](double v) { return 2.0 * v; },
                 .terms = [](double v) { return v * v + 1.0; }};
  for (const double start : {-3.0, 0.1, 7.0}) CHECK_FALSE(solve(none, start).damping.solved);
}

TEST_CASE("what damping has led near is solved by whole steps, where the terms are no measure of the rounding") {
  const Law law{.residual = [](double v) { return std::atan(v - 1.0) + 1e-17; },
                .slope = [](double v) { return 1.0 / (1.0 + (v - 1.0) * (v - 1.0)); },
                .terms = [](double v) { return std::abs(std::atan(v - 1.0)); }};  // it vanishes with the residual
  for (const double start : {-3.0, 4.0, 30.0}) {
    const Solution s = solve(law, start);
    CHECK(s.damping.solved);
    CHECK(std::abs(s.x - 1.0) <= 1e-11);
  }
}

TEST_CASE("overflow is no solution") {
  const Law overflow{.residual = [](double v) { return std::exp(800.0 + v) - 1.0; },
                     .slope = [](double v) { return std::exp(800.0 + v); },
                     .terms = [](double v) { return std::exp(800.0 + v) + 1.0; }};
  const Solution s = solve(overflow, 0.0);
  CHECK_FALSE(s.damping.solved);
}

TEST_CASE("a law that is flat, or infinitely steep, where it begins is solved all the same") {
  const Law friction{.residual = [](double q) { return 5.0 * std::abs(q) * q + 80.0; },
                     .slope = [](double q) { return 10.0 * std::abs(q); },
                     .terms = [](double q) { return 5.0 * q * q + 80.0; },
                     .argument = nullptr};
  const Solution flat = solve(friction, 0.0);
  CHECK(flat.damping.solved);
  CHECK(flat.x == Approx(-4.0).epsilon(1e-6));
  CHECK_FALSE(flat.damping.turned);
  const Law orifice{.residual = [](double p) { return std::copysign(std::sqrt(std::abs(p)), p) - 0.3; },
                    .slope = [](double p) { return p == 0.0 ? std::nan("") : 0.5 / std::sqrt(std::abs(p)); },
                    .terms = [](double p) { return std::sqrt(std::abs(p)) + 0.3; },
                    .argument = nullptr};
  const Solution steep = solve(orifice, 0.0);
  CHECK(steep.damping.solved);
  CHECK(steep.x == Approx(0.09).epsilon(1e-6));
}

TEST_CASE("what holds where a law is flat stays there") {
  const Law friction{.residual = [](double q) { return 5.0 * std::abs(q) * q; },
                     .slope = [](double q) { return 10.0 * std::abs(q); },
                     .terms = [](double q) { return 5.0 * q * q; },
                     .argument = nullptr};
  const Solution s = solve(friction, 0.0);
  CHECK(s.damping.solved);
  CHECK(s.x == 0.0);
}

TEST_CASE("a law that is flat where it begins and turns there is not called monotonic") {
  const Law fold{.residual = [](double i) { return i * i - 4.0; },
                 .slope = [](double i) { return 2.0 * i; },
                 .terms = [](double i) { return i * i + 4.0; },
                 .argument = nullptr};
  CHECK(solve(fold, 0.0).damping.turned);
}

namespace {

/// Two equations of two unknowns at a point, their slopes by x and y, and the magnitudes of their terms.
struct Pair {
  double first, second;
  double first_x, first_y, second_x, second_y;
  double first_terms, second_terms;
};

/// As emitted code does it.
template <class Equations>
Solution solve_pair(const Equations& equations, double& x, double& y) {
  Solution s{0.0, {4}};
  takt::NewtonUnknown tried_x{x, 0.01}, tried_y{y, 0.01618};
  for (int iteration = 0; iteration <= 4 + takt::newton_limited + takt::newton_damped; ++iteration) {
    const Pair at = equations(x, y);
    const double here = std::abs(at.first) + std::abs(at.second);
    ++s.evaluations;
    const takt::NewtonMove move = s.damping.judge(iteration, here);
    if (s.damping.looks(iteration)) {
      s.damping.look(at.first, at.first_terms);
      s.damping.look(at.second, at.second_terms);
      if (s.damping.holds(here)) break;
    }
    const double determinant = at.first_x * at.second_y - at.first_y * at.second_x;
    const double dx = (at.first * at.second_y - at.first_y * at.second) / determinant;
    const double dy = (at.first_x * at.second - at.first * at.second_x) / determinant;
    const bool settled = s.damping.whole(move) && takt::newton_settled(x, dx, 1.0) && takt::newton_settled(y, dy, 1.0);
    x = tried_x.next(move, s.damping.share, x, dx);
    y = tried_y.next(move, s.damping.share, y, dy);
    if (settled) s.damping.settle();
    if (s.damping.solved || move == takt::NewtonMove::undo) break;
  }
  s.x = x;
  return s;
}

struct Regulated {
  double supply, slope, gain, set, most;
};

/// A pipe (supply - p = q*|q| + slope*q) and a valve behind it that keeps p at a set value, between shut and wide open:
/// 0 = q - max(0, min(q + gain*(p - set), most)), as emitted code does it.
Solution solve(const Regulated& of, double& q) {
  double at_rest = 0.0;
  return solve_pair(
      [&of](double p, double flow) {
        const double regulating = flow + of.gain * (p - of.set);
        const bool regulates = regulating > 0.0 && regulating < of.most;
        return Pair{.first = of.supply - p - flow * std::abs(flow) - of.slope * flow,
                    .second = flow - std::max(0.0, std::min(regulating, of.most)),
                    .first_x = -1.0,
                    .first_y = -2.0 * std::abs(flow) - of.slope,
                    .second_x = regulates ? -of.gain : 0.0,
                    .second_y = regulates ? 0.0 : 1.0,
                    .first_terms = of.supply + std::abs(p) + flow * flow,
                    .second_terms = std::abs(flow) + of.most};
      },
      at_rest, q);
}

}  // namespace

TEST_CASE("a valve that regulates is found behind kinks where cut steps end") {
  int beyond = 0, unsolved = 0;
  for (int k = 0; k < 400; ++k) {
    const auto drawn = [&](double place, double least, double span) {
      return least * std::pow(span, std::abs(std::fmod(std::sin(place * (k + 1)) * 43758.5453, 1.0)));
    };
    const Regulated of{.supply = drawn(1.3, 10.0, 1e3),
                       .slope = drawn(2.7, 1e-6, 1e5),
                       .gain = drawn(0.9, 1e-2, 1e4),
                       .set = drawn(3.1, 1.0, 1e3),
                       .most = drawn(1.9, 1.0, 1e3)};
    double q = 0.01;
    const Solution s = solve(of, q);
    beyond += s.evaluations > 4 + takt::newton_cut + 1 && s.damping.solved;
    INFO("supply " << of.supply << " slope " << of.slope << " gain " << of.gain << " set " << of.set << " most "
                   << of.most << " -> " << s.x << ", " << q);
    const double wide =
        -0.5 * of.slope + std::sqrt(0.25 * of.slope * of.slope + of.supply - std::min(of.set, of.supply));
    const double right = std::min(wide, of.most);
    if (s.damping.solved) CHECK(q == Approx(right).margin(1e-6 * of.most));
    unsolved += !s.damping.solved;
  }
  CHECK(beyond > 20);
  CHECK(unsolved < 50);  // of 400: pieces that Newton's method goes round and round
}

namespace {

struct Amplifier {
  double first, second;  ///< what it amplifies the difference of
  double ratio, gain, limit, leak;
};

/// An amplifier of differences with limits, against a ground that gives way: n at its inverting input, g the ground.
/// 0 = out(n) - clamp(gain*(p - n), g - limit, g + limit), 0 = p - g - 1e3*i, p = second - 1e3*i, i the ground's.
Solution solve(const Amplifier& of, double& n, double& g) {
  return solve_pair(
      [&of](double input, double ground) {
        const double out = input - of.ratio * (of.first - input), out_n = 1.0 + of.ratio;
        const double i = of.leak * ground - 1e-4 * (out - ground), i_n = -1e-4 * out_n, i_g = of.leak + 1e-4;
        const double p = of.second - 1e3 * i, wish = of.gain * (p - input);
        const bool above = wish > ground + of.limit, below = wish < ground - of.limit, inside = !above && !below;
        return Pair{.first = out - (above   ? ground + of.limit
                                    : below ? ground - of.limit
                                            : wish),
                    .second = p - ground - 1e3 * i,
                    .first_x = out_n - (inside ? of.gain * (-1e3 * i_n - 1.0) : 0.0),
                    .first_y = inside ? of.gain * 1e3 * i_g : -1.0,
                    .second_x = -2e3 * i_n,
                    .second_y = -2e3 * i_g - 1.0,
                    .first_terms = std::abs(out) + of.limit,
                    .second_terms = std::abs(of.second) + std::abs(ground) + 1e3 * std::abs(i)};
      },
      n, g);
}

}  // namespace

TEST_CASE("the narrow range of an amplifier is found between its limits") {
  int bisected = 0, unsolved = 0;
  for (int k = 0; k < 400; ++k) {
    const auto drawn = [&](double place) { return std::abs(std::fmod(std::sin(place * (k + 1)) * 43758.5453, 1.0)); };
    const Amplifier of{.first = 8.0 * drawn(1.3) - 4.0,
                       .second = 8.0 * drawn(2.7) - 4.0,
                       .ratio = std::pow(10.0, drawn(0.9)),
                       .gain = std::pow(10.0, 3.0 + 3.0 * drawn(3.1)),
                       .limit = 15.0,
                       .leak = std::pow(10.0, -1.0 - 4.0 * drawn(1.9))};
    double n = 20.0 * drawn(0.3) - 10.0, g = drawn(0.7);
    const Solution s = solve(of, n, g);
    bisected += s.damping.phase == takt::NewtonDamping::Phase::bisected && s.damping.solved;
    unsolved += !s.damping.solved;
  }
  CHECK(bisected > 20);
  CHECK(unsolved == 0);
}
