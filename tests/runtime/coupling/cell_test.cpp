#include "runtime/coupling/cell.hpp"

#include <array>
#include <catch2/catch.hpp>
#include <cmath>
#include <cstdint>

using takt::FluxCell;
using takt::NeumaierSum;
using takt::PotentialCell;

namespace {

double cubic(double t) { return 2.0 + 5.0 * t - 30.0 * t * t + 400.0 * t * t * t; }
double cubic_integral(double t) { return 2.0 * t + 2.5 * t * t - 10.0 * t * t * t + 100.0 * t * t * t * t; }

/// Integral of a polynomial of s over [0, h].
double integral(const takt::InputPolynomial& p, double h) {
  return h * (p.c0 + h * (p.c1 / 2 + h * (p.c2 / 3 + h * p.c3 / 4)));
}

constexpr double h = 0.01;

}  // namespace

TEST_CASE("a polynomial of the cell's order is read exactly, ahead and behind") {
  for (const auto lag : std::array<std::uint8_t, 2>{0, 1}) {
    PotentialCell cell;
    cell.reset(cubic(0.0), {.window_s = h, .lag = lag, .order = 3});
    for (int n = 1; n <= 5; ++n) cell.put(n, cubic(n * h));
    const int window = lag == 0 ? 4 : 5;  // from 40 or 50 ms
    const auto p = cell.open(window);
    CHECK(p.at(0.0) == cubic(window * h));  // the version itself, no rounding
    for (const double s : {0.3 * h, h}) CHECK(p.at(s) == Approx(cubic(window * h + s)).epsilon(1e-12));
    const auto later = p.from(0.4 * h);
    CHECK(later.at(0.2 * h) == Approx(p.at(0.6 * h)).epsilon(1e-14));
  }
}

TEST_CASE("order 0 holds, and the start-up climbs to the order as versions come") {
  PotentialCell cell;
  cell.reset(7.0, {.window_s = h, .lag = 1, .order = 1});
  CHECK(cell.open(0).at(0.005) == 7.0);
  cell.put(1, 9.0);
  CHECK(cell.open(1).at(h) == Approx(11.0));
  PotentialCell held;
  held.reset(7.0, {.window_s = h, .lag = 0, .order = 0});
  held.put(1, 9.0);
  CHECK(held.open(0).at(0.005) == 9.0);
}

TEST_CASE("a run before the start gives the first windows their order") {
  PotentialCell before, cell;
  const takt::CrossingRule rule{.window_s = h, .lag = 1, .order = 3};
  before.reset(cubic(0.0), rule);
  for (int n = 1; n <= 4; ++n) before.put(n, cubic(n * h));
  cell.reset(cubic(0.0), rule);
  cell.begin_with_first(before);
  for (int n = 0; n < 8; ++n) {
    CHECK(cell.open(n).at(0.7 * h) == Approx(cubic((n + 0.7) * h)).epsilon(1e-12));
    cell.put(n + 1, cubic((n + 1) * h));
  }
}

TEST_CASE("a smooth extrapolation goes on where the last one ended") {
  PotentialCell cell, plain;
  const auto value = [](int n) { return n * n % 7 * 1.0; };
  cell.reset(value(0), {.window_s = h, .lag = 1, .order = 1, .smooth = true});
  plain.reset(value(0), {.window_s = h, .lag = 1, .order = 1});
  double end = 0.0, jumps = 0.0;
  for (int n = 1; n <= 20; ++n) {
    cell.put(n, value(n)), plain.put(n, value(n));
    const auto p = cell.open(n);
    const auto q = plain.open(n);
    if (n > 1) {
      CHECK(p.at(0.0) == Approx(end).margin(1e-12));
      jumps += std::abs(q.at(0.0) - end);
    }
    CHECK(p.at(h) == Approx(q.at(h)).margin(1e-12));  // where it leads is the same
    end = p.at(h);
  }
  CHECK(jumps > 1.0);
}

TEST_CASE("versions from before a jump are left out of higher orders") {
  PotentialCell cell;
  cell.reset(1.0, {.window_s = h, .lag = 1, .order = 3});
  for (int n = 1; n <= 5; ++n) cell.put(n, 1.0 + 1e-3 * n);
  cell.put(6, 5.0), cell.put(7, 5.001), cell.put(8, 5.002);
  // With the versions before it would be 1 through the jump: beyond 9 at the window's end.
  CHECK(cell.open(8).at(h) == Approx(5.003).epsilon(1e-6));
}

TEST_CASE("a flux of the cell's order is handed over as it is, lag or not") {
  for (const auto lag : std::array<std::uint8_t, 2>{0, 1}) {
    FluxCell before, cell;
    const takt::CrossingRule rule{.window_s = h, .lag = lag, .order = 3};
    const auto sent = [](int n) { return cubic_integral((n + 1) * h) - cubic_integral(n * h); };
    const auto put = [&](FluxCell& to, int n) { to.gather(sent(n)), to.put(n); };
    before.reset(cubic(0.0), rule);
    for (int n = 0; n < 4; ++n) put(before, n);
    cell.reset(cubic(0.0), rule);
    cell.begin_with_first(before);
    for (int n = 0; n < 9; ++n) {
      if (lag == 0) put(cell, n);
      const auto p = cell.open(n);
      // With a lag, what is handed over falls behind by one difference of the highest order once the start-up ends.
      if (lag == 0 || n != 4) CHECK(p.at(0.25 * h) == Approx(cubic((n + 0.25) * h)).epsilon(1e-9));
      cell.book_received(integral(p, h));
      if (lag == 1) put(cell, n);
    }
    const double highest = lag == 0 ? 0.0 : std::abs(sent(3) - 3.0 * sent(2) + 3.0 * sent(1) - sent(0));
    CHECK(cell.ledger().closes());
    CHECK(std::abs(cell.ledger().in_transit) < 1.001 * highest + 1e-9 * cell.ledger().throughput);
  }
}

TEST_CASE("what the start-up of a flux was wrong by arrives one exchange later, whatever the order") {
  for (const std::uint8_t order : {std::uint8_t{2}, std::uint8_t{3}})
    for (const bool deferred : {false, true}) {
      FluxCell before, cell;
      const takt::CrossingRule rule{.window_s = h, .lag = 1, .order = order, .deferred = deferred};
      const auto put = [&](FluxCell& to, int n, double sent) { to.gather(sent), to.put(n); };
      before.reset(0.0, rule);
      for (int n = 0; n <= order + 1; ++n) put(before, n, 0.0);  // the start-up saw nothing of it
      cell.reset(0.0, rule);
      cell.begin_with_first(before);
      for (int n = 0; n < 12; ++n) {
        cell.book_received(integral(cell.open(n), h));
        put(cell, n, 2.0);
        if (n > order + 2) CHECK(std::abs(cell.ledger().in_transit) <= 2.0 * (1.0 + 1e-12));  // one window's
      }
      CHECK(cell.ledger().closes());
      CHECK(cell.ledger().sent == Approx(24.0));
    }
}

TEST_CASE("a consumer that lags does not read what its producer has done already") {
  // decoupled: lag 1 whoever runs first; on several cores nobody knows who does.
  for (const auto order : std::array<std::uint8_t, 4>{0, 1, 2, 3}) {
    const takt::CrossingRule rule{.window_s = h, .lag = 1, .order = order};
    PotentialCell potential[2];
    FluxCell flux[2];
    for (int side : {0, 1}) potential[side].reset(cubic(0.0), rule), flux[side].reset(cubic(0.0), rule);
    for (int n = 0; n < 8; ++n) {
      takt::InputPolynomial p[2], q[2];
      const auto produce = [&](int side) {
        potential[side].put(n + 1, cubic((n + 1) * h));
        flux[side].gather(cubic_integral((n + 1) * h) - cubic_integral(n * h)), flux[side].put(n);
      };
      produce(1);
      for (const int side : {0, 1}) p[side] = potential[side].open(n), q[side] = flux[side].open(n);
      produce(0);
      CHECK(p[0].at(0.4 * h) == p[1].at(0.4 * h));
      CHECK(q[0].at(0.4 * h) == Approx(q[1].at(0.4 * h)).epsilon(1e-13));
    }
  }
}

TEST_CASE("a flux that lags hands over an advance first and keeps it out of the balance") {
  FluxCell cell;
  cell.reset(4.0, {.window_s = 0.5, .lag = 1, .order = 0});
  int n = 0;
  for (const double sent : {3.0, 1.0, 2.5}) {
    cell.book_received(cell.open(n).at(0.0) * 0.5);
    cell.gather(0.75 * sent), cell.gather(0.25 * sent);  // two windows of the producer
    cell.put(n++);
  }
  const auto ledger = cell.ledger();
  CHECK(ledger.sent == 6.5);
  CHECK(ledger.received == 2.0 + 3.0 + 1.0);
  CHECK(ledger.in_transit == 2.5 - 2.0);
  CHECK(ledger.residual == 0.0);
  CHECK(ledger.throughput == 6.0);
  CHECK(ledger.closes());
}

TEST_CASE("what an extrapolated flux gets wrong is made good, whatever the flux does") {
  std::uint32_t random = 1;
  for (const auto order : std::array<std::uint8_t, 3>{1, 2, 3}) {
    FluxCell cell;
    cell.reset(0.3, {.window_s = h, .lag = 1, .order = order});
    double largest = 0.0;
    for (int n = 0; n < 10000; ++n) {
      random = random * 1664525u + 1013904223u;
      const double sent = (n / 100 % 2 == 0 ? 5.0 : -1.0) + 1e-9 * random;  // jumps and noise
      cell.book_received(integral(cell.open(n), h));
      cell.gather(sent), cell.put(n);
      largest = std::max(largest, std::abs(cell.ledger().in_transit));
    }
    CHECK(cell.ledger().closes());
    CHECK(largest < 100.0);  // a few windows' worth, not thousands
  }
}

TEST_CASE("a flux that is lost is noticed relative to the throughput") {
  FluxCell cell;
  cell.reset(0.0, {.window_s = 1.0, .lag = 0, .order = 0});
  cell.gather(1.0), cell.put(0);
  cell.book_received(1.0 - 5e-13);
  CHECK(cell.ledger().closes());
  cell.gather(1.0), cell.put(1);
  cell.book_received(1.0 - 1e-11);
  CHECK_FALSE(cell.ledger().closes());
}

TEST_CASE("a compensated sum keeps what a plain sum loses") {
  NeumaierSum sum;
  double plain = 0.0;
  for (const double term : {1.0, 1e100, 1.0, -1e100}) sum.add(term), plain += term;
  CHECK(sum.value() == 2.0);
  CHECK(plain == 0.0);
  NeumaierSum tenths;
  for (int i = 0; i < 10'000'000; ++i) tenths.add(0.1);
  CHECK(std::abs(tenths.value() - 1e6) < 1e-9);  // 0.1 itself is off by 5.6e-18 * 1e7 = 5.6e-11
}
