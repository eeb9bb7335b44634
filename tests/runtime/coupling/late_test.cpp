// What crosses between hosts that do not wait for each other, and comes too late.

#include <atomic>
#include <catch2/catch.hpp>
#include <cmath>
#include <random>
#include <thread>
#include <vector>

#include "runtime/coupling/cell.hpp"
#include "runtime/coupling/mail.hpp"

using takt::FluxCell;
using takt::Mail;
using takt::PotentialCell;

namespace {

constexpr double h = 0.01;

double integral(const takt::InputPolynomial& p) { return h * (p.c0 + h * (p.c1 / 2 + h * (p.c2 / 3 + h * p.c3 / 4))); }

FluxCell flux_of(std::uint8_t order, double start) {
  FluxCell cell;
  cell.reset(start, {.window_s = h, .lag = 1, .order = order});
  return cell;
}

void put(FluxCell& cell, std::int64_t number, double value) {
  cell.gather(value);
  cell.put(number);
}

}  // namespace

TEST_CASE("nothing that was sent too late is lost, at any order, whatever the delays") {
  std::mt19937 random(7);
  std::uniform_real_distribution<double> any(-1.0, 1.0);
  for (std::uint8_t order = 0; order <= 3; ++order)
    for (int turn = 0; turn < 50; ++turn) {
      INFO("order " << int{order} << ", turn " << turn);
      FluxCell late = flux_of(order, 0.3), punctual = flux_of(order, 0.3);
      std::vector<double> sent;
      std::int64_t there = 0;
      double handed = 0.0;
      for (int window = 0; window < 200; ++window) {
        if (window > 0) sent.push_back(any(random) + std::sin(0.1 * window));
        if (window > 0) put(punctual, window - 1, sent.back());
        const bool comes = window >= 120 || random() % 3 == 0;
        while (comes && there < static_cast<std::int64_t>(sent.size())) {
          put(late, there, sent[static_cast<std::size_t>(there)]);
          ++there;
        }
        const double got = integral(late.open(window));
        late.book_received(got);
        handed += got;
        punctual.book_received(integral(punctual.open(window)));
      }
      CHECK(std::abs(late.ledger().residual) <= 1e-12 * late.ledger().throughput);
      CHECK(late.ledger().sent == Approx(punctual.ledger().sent).epsilon(1e-12));
      CHECK(handed == Approx(late.ledger().received).epsilon(1e-12));
      // As if nothing had been late: what is on its way is the same.
      CHECK(late.ledger().in_transit == Approx(punctual.ledger().in_transit).margin(1e-12 * late.ledger().throughput));
    }
}

TEST_CASE("what is late by one window in each is followed one window later; a constant flux stays one") {
  for (std::uint8_t order = 0; order <= 3; ++order) {
    FluxCell cell = flux_of(order, 2.0);
    for (int window = 0; window < 60; ++window) {
      if (window > 1 && window < 20) put(cell, window - 2, 2.0 * h);
      if (window == 40)
        for (int number = 18; number < 40; ++number) put(cell, number, 2.0 * h);
      if (window > 40) put(cell, window - 1, 2.0 * h);
      CHECK(integral(cell.open(window)) == Approx(2.0 * h).epsilon(1e-12));
    }
  }
}

TEST_CASE("what a host that stood still has sent is made up for over as many windows as it was silent") {
  FluxCell cell = flux_of(0, 1.0);
  for (int window = 0; window < 10; ++window) {
    if (window > 0) put(cell, window - 1, 1.0 * h);
    (void)cell.open(window);
  }
  for (int window = 10; window < 30; ++window) CHECK(integral(cell.open(window)) == Approx(h));  // guessed
  for (int number = 9; number < 29; ++number) put(cell, number, 3.0 * h);                        // it was not so
  double largest = 0.0, all = 0.0;
  for (int window = 30; window < 60; ++window) {
    put(cell, window - 1, 1.0 * h);
    const double got = integral(cell.open(window));
    largest = std::max(largest, got), all += got;
  }
  CHECK(largest < 3.5 * h);
  CHECK(all == Approx(30 * h + 20 * 2.0 * h));
}

TEST_CASE("a potential that is late is a line for two versions, then a constant") {
  for (std::uint8_t order = 1; order <= 3; ++order) {
    PotentialCell cell;
    cell.reset(0.0, {.window_s = h, .lag = 1, .order = order});
    for (int n = 1; n <= 6; ++n) cell.put(n, 2.0 * n * h);
    CHECK(cell.open(6).at(0.5 * h) == Approx(2.0 * 6.5 * h));
    CHECK(cell.open(8).at(0.5 * h) == Approx(2.0 * 8.5 * h));
    CHECK(cell.open(9).at(0.5 * h) == Approx(2.0 * 6 * h));
    CHECK(cell.open(900).at(h) == Approx(2.0 * 6 * h));
    cell.put(7, 2.0 * 7 * h);
    CHECK(cell.open(7).at(0.5 * h) == Approx(2.0 * 7.5 * h));
  }
}

TEST_CASE("from a host that is lost nothing flows any more, and the account says what it owes") {
  FluxCell cell = flux_of(1, 1.0);
  for (int window = 0; window < 10; ++window) {
    if (window > 0) put(cell, window - 1, 1.0 * h);
    cell.book_received(integral(cell.open(window)));
  }
  cell.isolate();
  for (int window = 11; window < 20; ++window) {
    const double got = integral(cell.open(window));
    CHECK(got == 0.0);
    cell.book_received(got);
  }
  CHECK(cell.ledger().closes());
}

TEST_CASE("messages between threads that do not wait arrive whole and in order, or are refused a place") {
  double source = 0.0;
  Mail mail({{.source = &source, .cell = 0, .flux = false}, {.source = &source, .cell = 1, .flux = true}}, 16);
  mail.begin(0, 0.0), mail.begin(1, 0.0);
  constexpr int most = 200'000;
  std::thread sender([&] {
    for (int i = 0; i < most;) {
      if (!mail.has_room()) continue;
      source = ++i;
      mail.gather();
      mail.send_if_room();
    }
  });
  int wrong = 0;
  for (int i = 0; i < most;) {
    if (mail.taken() == mail.sent()) continue;
    const double* message = mail.next();
    ++i;
    wrong += message[0] != i || message[1] != i ? 1 : 0;
    mail.drop();
  }
  sender.join();
  CHECK(wrong == 0);
  CHECK_FALSE(mail.has_lost());
  for (int i = 0; i < 17; ++i) mail.gather(), mail.send_if_room();
  CHECK(mail.has_lost());
}
