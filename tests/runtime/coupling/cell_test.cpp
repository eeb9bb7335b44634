#include "runtime/coupling/cell.hpp"

#include <catch2/catch.hpp>

using takt::FluxCell;
using takt::NeumaierSum;
using takt::PotentialCell;

TEST_CASE("a linear signal is read exactly by order 1, ahead and behind") {
  // u(t) = 2 + 5 t, versions every 10 ms
  PotentialCell cell;
  cell.reset(0, 2.0);
  cell.put(10'000'000, 2.05);
  cell.put(20'000'000, 2.1);
  const auto ahead = cell.read(20'000'000, 1, 1);
  CHECK(ahead.at(0.0) == Approx(2.1).epsilon(1e-15));
  CHECK(ahead.at(0.01) == Approx(2.15).epsilon(1e-14));
  const auto behind = cell.read(10'000'000, 0, 1);
  CHECK(behind.at(0.0) == 2.05);  // the older version itself, no rounding
  CHECK(behind.at(0.01) == Approx(2.1).epsilon(1e-14));
}

TEST_CASE("order 0 and the start-up hold the newest version") {
  PotentialCell cell;
  cell.reset(0, 7.0);
  CHECK(cell.read(0, 1, 1).at(0.5) == 7.0);
  cell.put(1'000'000, 9.0);
  CHECK(cell.read(0, 0, 0).at(0.0005) == 9.0);
}

TEST_CASE("a flux that lags hands over an advance first and keeps it out of the balance") {
  FluxCell cell;
  cell.reset(4.0, 500'000'000, 1);
  double received = 0.0;
  for (const double sent : {3.0, 1.0, 2.5}) {
    received = cell.average() * 0.5;
    cell.book_received(received);
    cell.put(sent, 0.0);
  }
  const auto ledger = cell.ledger();
  CHECK(ledger.sent == 6.5);
  CHECK(ledger.received == 2.0 + 3.0 + 1.0);
  CHECK(ledger.in_transit == 2.5 - 2.0);
  CHECK(ledger.residual == 0.0);
  CHECK(ledger.throughput == 6.5);
  CHECK(ledger.closes());
}

TEST_CASE("a flux that is lost is noticed relative to the throughput") {
  FluxCell cell;
  cell.reset(0.0, 1'000'000'000, 0);
  cell.put(1.0, 1.0);
  cell.book_received(1.0 - 5e-13);
  CHECK(cell.ledger().closes());
  cell.put(1.0, 1.0);
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
