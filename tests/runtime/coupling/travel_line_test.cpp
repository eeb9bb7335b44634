// What lies between the ends of a line, alone: when samples arrive, and where their energy is.

#include "runtime/coupling/travel_line.hpp"

#include <catch2/catch.hpp>
#include <cmath>
#include <numbers>
#include <vector>

namespace {

using takt::TravelLine;

constexpr double window_s = 50e-6;

/// One line, its memory and account.
struct Line {
  Line(double travel_s, double power, std::int64_t parts)
      : rule(TravelLine::rule_of(window_s, travel_s, power, parts)),
        samples(TravelLine::capacity_of(rule)),
        line(rule, samples.data()) {}
  TravelLine::Rule rule;
  std::vector<double> samples;
  TravelLine line;
  TravelLine::Account account;
};

/// f at the samples of window `number`.
template <class Function>
void put(Line& line, std::int64_t number, const Function& f) {
  std::vector<double> leaving;
  for (std::int64_t part = 0; part < line.rule.parts; ++part)
    leaving.push_back(f(static_cast<double>(number * line.rule.parts + part + 1) * line.rule.sample_s));
  line.line.put(line.account, number, leaving.data());
}

double wave(double t) { return t < 0.0 ? 3.0 : 2.0 * std::sin(2.0 * std::numbers::pi * 1000.0 * t) - 1.0; }

}  // namespace

TEST_CASE("what left a multiple of the samples ago arrives bit for bit, whoever runs first") {
  for (const double travel_s : {50e-6, 60e-6, 170e-6})
    for (const bool producer_first : {true, false}) {
      Line line(travel_s, 0.25, 5);
      line.line.begin(line.account, 3.0, wave(0.0));
      std::vector<double> arriving(6);
      const auto behind = static_cast<std::int64_t>(std::llround(travel_s / 10e-6));
      for (std::int64_t number = 0; number < 40; ++number) {
        if (producer_first) put(line, number, wave);
        (void)line.line.open(line.account, number, arriving.data());
        if (!producer_first) put(line, number, wave);
        for (std::int64_t part = 0; part <= 5; ++part) {
          const std::int64_t sample = number * 5 + part - behind;
          CHECK(arriving[static_cast<std::size_t>(part)] ==
                (sample < 0 ? 3.0 : wave(static_cast<double>(sample) * line.rule.sample_s)));
        }
      }
      const takt::LedgerEntry ledger = line.line.ledger(line.account);
      CHECK(ledger.throughput > 0.0);
      CHECK(ledger.closes());
      CHECK_FALSE(line.line.interpolates());
    }
}

TEST_CASE("energy under way is what has left and not arrived") {
  Line line(200e-6, 0.5, 5);
  line.line.begin(line.account, 4.0, 4.0);
  std::vector<double> arriving(6);
  CHECK(line.line.open(line.account, 0, arriving.data()) == Approx(0.5 * 16.0 * 200e-6).epsilon(1e-14));
  for (std::int64_t number = 0; number < 4; ++number) {
    if (number > 0) (void)line.line.open(line.account, number, arriving.data());
    put(line, number, [](double) { return 0.0; });
  }
  // Between the last 4 and the first 0 the value goes straight down; its energy is by the trapezoidal rule.
  CHECK(line.line.open(line.account, 4, arriving.data()) == Approx(0.5 * 0.5 * 16.0 * 10e-6).epsilon(1e-14));
  put(line, 4, [](double) { return 0.0; });
  CHECK(line.line.ledger(line.account).in_transit == 0.0);
  CHECK(line.line.ledger(line.account).closes());
}

TEST_CASE("between samples what arrives is interpolated, and the ledger tells what that has lost") {
  Line line(53e-6, 1.0, 5);
  CHECK(line.line.interpolates());
  line.line.begin(line.account, wave(0.0), wave(0.0));
  std::vector<double> arriving(6);
  for (std::int64_t number = 0; number < 2000; ++number) {
    put(line, number, wave);
    (void)line.line.open(line.account, number, arriving.data());
    if (number < 3) continue;
    for (std::int64_t part = 0; part <= 5; ++part) {
      const double t = static_cast<double>(number * 5 + part) * 10e-6 - 53e-6;
      const double before = std::floor(t / 10e-6) * 10e-6, share = (t - before) / 10e-6;
      const double straight = (1.0 - share) * wave(before) + share * wave(before + 10e-6);
      CHECK(arriving[static_cast<std::size_t>(part)] == Approx(straight).margin(1e-12));
    }
  }
  // Of the swinging part 1 - s*(1 - s)*(w*d)^2 is left, s = 0.7: its power is 2 of 3.
  const takt::LedgerEntry ledger = line.line.ledger(line.account);
  const double angle = 2.0 * std::numbers::pi * 1000.0 * 10e-6;
  CHECK(ledger.residual / ledger.throughput == Approx(2.0 / 3.0 * 0.7 * 0.3 * angle * angle).epsilon(0.01));
}

TEST_CASE("a delay that rounding keeps from being whole is whole") {
  CHECK_FALSE(Line(0.1 * 3.0 * 1e-3, 1.0, 5).line.interpolates());
  CHECK(Line(0.3e-3 * (1.0 + 1e-7), 1.0, 5).line.interpolates());
}
