#include "runtime/solver/state_events.hpp"

#include <catch2/catch.hpp>
#include <cmath>

#include "runtime/solver/explicit_rk.hpp"
#include "runtime/solver/rkc.hpp"
#include "runtime/solver/rosenbrock.hpp"

namespace {

using takt::Window;

/// What every subsystem with events has.
template <std::size_t states, std::size_t events, std::size_t sets>
struct WithEvents {
  static constexpr std::size_t state_count = states, quadrature_count = 1, event_count = events, set_count = sets;
  static constexpr int most_events = 8;
  std::array<double, states> x{};
  std::array<double, 1> q{};
  std::array<double, 2> newton{};
  std::array<double, 5> energy{};
  double alert = 0.0, restless = 0.0;
  std::array<double, events> armed{}, watched{}, occurred{}, crowded{};
};

template <class S, class Method = takt::Rk4>
void run(S& s, double until_s, std::int64_t step_ns, const auto& look) {
  const auto end = static_cast<std::int64_t>(std::llround(until_s * 1e9));
  for (std::int64_t at = 0; at < end; at += 2 * step_ns) {
    takt::run<Method>(s, Window{at, step_ns, 2});
    look(static_cast<double>(at + 2 * step_ns) / 1e9);
  }
}

constexpr double g = 9.81, kept = 0.7;

/// Falls from 1 m and leaves the floor with 0.7 of its speed; the integral of its speed is sent.
struct Ball : WithEvents<2, 1, 2> {
  Ball() { x = {1.0, 0.0}; }
  static constexpr std::array<takt::EventSet, 2> event_sets{{{0, 0}, {0, 1}}};
  static constexpr std::array<bool, 1> follows{false};
  bool lands = true;  ///< on the floor exactly, not where it was found
  void evaluate(double, double, const double* z, double* dz, double* dq) noexcept {
    dz[0] = dq[0] = z[1];
    dz[1] = -g;
  }
  void indicators(double, double, const double* z, double* e) noexcept { e[0] = -z[0]; }
  void effects(double, double, const double* z, double* to) noexcept {
    to[0] = lands ? 0.0 : z[0];
    to[1] = -kept * z[1];
  }
  void contents(double, double, const double* z, double* stored) noexcept { *stored = g * z[0] + 0.5 * z[1] * z[1]; }
  void linearise(double t, double s, const double* z, double* dz, double* dq) noexcept { evaluate(t, s, z, dz, dq); }
  double gh = 0.0;
  void factor(double at) noexcept { gh = at; }
  void solve(double* b) const noexcept { b[0] += gh * b[1]; }
  void quadrature_slopes(const double* k, double* dq) const noexcept { dq[0] = k[1]; }
};

struct Flight {
  double height = 0.0, energy = 0.0;
};
/// By the closed form, before it has come to rest (2.56 s).
Flight closed(double t) {
  const double fall = std::sqrt(2.0 / g);
  if (t < fall) return {1.0 - 0.5 * g * t * t, g};
  double speed = kept * g * fall, begin = fall;
  for (; t >= begin + 2.0 * speed / g; speed *= kept) begin += 2.0 * speed / g;
  const double in = t - begin;
  return {speed * in - 0.5 * g * in * in, 0.5 * speed * speed};
}

template <class Run>
void bounces(double tolerance, const Run& run) {
  Ball ball;
  double travelled = 0.0, worst = 0.0, lost = 0.0;
  for (int window = 0; window < 60; ++window) {
    run(ball, Window{window * 40'000'000LL, 20'000'000, 2});
    travelled += ball.q[0];
    const Flight flight = closed((window + 1) * 0.04);
    worst = std::max(worst, std::fabs(ball.x[0] - flight.height));
    lost = std::max(lost, std::fabs(ball.energy[1] - (g - flight.energy)));
  }
  CHECK(worst < tolerance);
  CHECK(lost < 10.0 * tolerance);
  CHECK(travelled == Approx(ball.x[0] - 1.0).margin(1e-9));  // the trials that were taken back send nothing
  CHECK(ball.occurred[0] == 8.0);
  CHECK(ball.crowded[0] == 0.0);
}

/// A room that cools through its wall; on below 18, off above 22. State 1 is the heating.
struct Room : WithEvents<2, 2, 2> {
  Room() { x = {10.0, 0.0}; }
  static constexpr std::array<takt::EventSet, 2> event_sets{{{0, 1}, {1, 1}}};
  static constexpr std::array<bool, 2> follows{true, true};
  void evaluate(double, double, const double* z, double* dz, double* dq) noexcept {
    dz[0] = 30.0 * z[1] - z[0];
    dz[1] = 0.0;
    dq[0] = z[1];
  }
  void indicators(double, double, const double* z, double* e) noexcept {
    e[0] = z[1] > 0.5 ? -1.0 : 18.0 - z[0];
    e[1] = z[1] > 0.5 ? z[0] - 22.0 : -1.0;
  }
  void effects(double, double, const double*, double* to) noexcept { to[0] = 1.0, to[1] = 0.0; }
};

/// Counts how often a sine comes above a level.
struct Crossings : WithEvents<1, 1, 1> {
  static constexpr std::array<takt::EventSet, 1> event_sets{{{0, 0}}};
  static constexpr std::array<bool, 1> follows{false};
  double level = 0.0;
  void evaluate(double, double, const double*, double* dz, double* dq) noexcept { dz[0] = dq[0] = 0.0; }
  void indicators(double t, double, const double*, double* e) noexcept { e[0] = std::sin(t) - level; }
  void effects(double, double, const double* z, double* to) noexcept { to[0] = z[0] + 1.0; }
};

/// Two at one instant set state 1, a third comes true by the first and reads what the first has set; then two that
/// undo each other.
struct Chain : WithEvents<3, 5, 5> {
  static constexpr std::array<takt::EventSet, 5> event_sets{{{0, 1}, {1, 1}, {2, 2}, {3, 1}, {4, 1}}};
  static constexpr std::array<bool, 5> follows{false, false, false, true, true};
  double undone_from = 1e9;
  void evaluate(double, double, const double*, double* dz, double* dq) noexcept {
    dz[0] = 1.0;
    dz[1] = dz[2] = dq[0] = 0.0;
  }
  void indicators(double, double, const double* z, double* e) noexcept {
    e[0] = e[1] = z[0] - 0.35;
    e[2] = z[1] - 1.0;
    e[3] = z[0] > undone_from && z[1] > 2.5 ? 1.0 : -1.0;
    e[4] = z[0] > undone_from && z[1] < 2.5 ? 1.0 : -1.0;
  }
  void effects(double, double, const double* z, double* to) noexcept {
    to[0] = 2.0, to[1] = 7.0, to[2] = 10.0 * z[1], to[3] = 1.0, to[4] = 3.0;
  }
};

}  // namespace

TEST_CASE("a ball bounces as the closed form says, by every method, and what it loses is accounted for") {
  bounces(1e-9, [](Ball& s, const Window& w) { takt::run<takt::Rk4>(s, w); });
  bounces(1e-9, [](Ball& s, const Window& w) { takt::run<takt::Heun>(s, w); });
  bounces(1e-9, [](Ball& s, const Window& w) { takt::run_rkc<4>(s, w); });
  bounces(1e-9, [](Ball& s, const Window& w) { takt::run_rosenbrock<2>(s, w); });
}

TEST_CASE("a ball that comes to rest is told, and what it takes stays bounded") {
  for (const bool lands : {true, false}) {
    Ball ball;
    ball.lands = lands;
    run(ball, 2.4, 20'000'000, [&](double t) {
      if (t < 2.35) CHECK(ball.crowded[0] == 0.0);
    });
    run(ball, 0.6, 20'000'000, [](double) {});
    CHECK(ball.crowded[0] > 0.0);
    CHECK(ball.alert == 1.0);
    CHECK(ball.occurred[0] < 12.0 * 50.0);
  }
}

TEST_CASE("a room is heated between two thresholds as the closed form says, from the first step on") {
  Room room;
  double worst = 0.0;
  const double until_warm = std::log(20.0 / 8.0), off = std::log(22.0 / 18.0), on = std::log(12.0 / 8.0);
  run(room, 6.0, 50'000'000, [&](double t) {
    double expected = 30.0 - 20.0 * std::exp(-t);
    if (t > until_warm) {
      const double in = std::fmod(t - until_warm, off + on);
      expected = in < off ? 22.0 * std::exp(-in) : 30.0 - 12.0 * std::exp(-(in - off));
    }
    worst = std::max(worst, std::fabs(room.x[0] - expected));
  });
  CHECK(worst < 2e-5);
  CHECK(room.occurred[0] + room.occurred[1] == 2.0 + 2.0 * std::floor((6.0 - until_warm) / (off + on)) +
                                                   (std::fmod(6.0 - until_warm, off + on) > off ? 1.0 : 0.0));
  CHECK(room.crowded[0] + room.crowded[1] + room.restless == 0.0);
}

TEST_CASE("each crossing is counted once, and a peak within a step is not missed") {
  for (const double level : {0.0, 0.5, 0.9, 0.99}) {
    Crossings sine;
    sine.level = level;
    run(sine, 60.0, 250'000'000, [](double) {});  // a peak above 0.99 lasts 0.28 s
    CHECK(sine.x[0] == 10.0);
  }
}

TEST_CASE("of two events at one instant the first decides, what comes true by it follows, and undoing ends") {
  Chain chain;
  run(chain, 1.0, 100'000'000, [](double) {});
  CHECK(chain.x[1] == 2.0);
  CHECK(chain.x[2] == 20.0);  // read just before it occurred
  CHECK(chain.occurred == std::array<double, 5>{1.0, 1.0, 1.0, 0.0, 0.0});
  CHECK(chain.restless == 0.0);
  chain.undone_from = 1.05;
  run(chain, 0.4, 100'000'000, [](double) {});
  CHECK(chain.restless > 0.0);
  CHECK(chain.occurred[3] + chain.occurred[4] <= 4.0 * 10.0 * 8.0);  // steps, instants of a step, rounds
}
