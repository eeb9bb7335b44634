// What another clock shows, out of answers over a network with any delays.

#include "runtime/hosts/clock_offset.hpp"

#include <catch2/catch.hpp>
#include <random>

using takt::hosts::ClockOffset;

namespace {

/// Another clock, ahead by so much, and faster.
struct Other {
  std::int64_t ahead = 0;
  double ppm = 0.0;
  [[nodiscard]] std::int64_t at(std::int64_t now) const {
    return now + ahead + static_cast<std::int64_t>(static_cast<double>(now) * ppm * 1e-6);
  }
};

struct Network {
  std::mt19937 random{3};
  std::int64_t least = 200'000, more = 3'000'000;
  std::int64_t journey() { return least + static_cast<std::int64_t>(random() % static_cast<std::uint64_t>(more)); }
};

ClockOffset::Answer ask(Network& network, const Other& other, std::int64_t now) {
  const std::int64_t there = now + network.journey(), away = there + 40'000, back = away + network.journey();
  return {.asked = now, .heard = back, .received = other.at(there), .sent = other.at(away)};
}

}  // namespace

TEST_CASE("an offset is wrong by half the quickest round trip at most, and follows a clock that drifts") {
  for (const std::int64_t ahead : {std::int64_t{-7'000'000'000}, std::int64_t{0}, std::int64_t{123'456'789'012}})
    for (const double ppm : {-100.0, 0.0, 100.0}) {
      INFO("ahead " << ahead << ", ppm " << ppm);
      Network network;
      ClockOffset clock;
      const Other other{ahead, ppm};
      std::int64_t now = 1'000'000'000;
      for (int i = 0; i < 2000; ++i, now += 50'000'000) {
        clock.add(ask(network, other, now));
        if (!clock.is_known()) continue;
        const std::int64_t right = other.at(now) - now;
        REQUIRE(std::abs(clock.offset() - right) <= clock.usual_round_trip() / 2 + 200'000);
      }
      CHECK(clock.jumps() == 0);
      CHECK(clock.drift_ppm() == Approx(ppm).margin(40.0));
      CHECK(std::abs(clock.drift_ppm() - ppm) <= clock.drift_within_ppm() + 0.1);
      CHECK(clock.drift_within_ppm() < 100.0);
      CHECK(clock.smallest_round_trip() >= 400'000);
      CHECK(clock.largest_round_trip() <= 6'400'000);
    }
}

TEST_CASE("a clock that has been set is noticed after three answers, whatever was known before") {
  for (const std::int64_t jump : {std::int64_t{-5'000'000}, std::int64_t{5'000'000}, std::int64_t{3'600'000'000'000}}) {
    Network network;
    network.more = 600'000;
    ClockOffset clock;
    Other other{17, 0.0};
    std::int64_t now = 0;
    for (int i = 0; i < 40; ++i, now += 50'000'000) clock.add(ask(network, other, now));
    other.ahead += jump;
    for (int i = 0; i < 3; ++i, now += 50'000'000) clock.add(ask(network, other, now));
    CHECK(std::abs(clock.offset() - other.ahead) <= 800'000);
    CHECK(clock.jumps() == 1);
    for (int i = 0; i < 40; ++i, now += 50'000'000) clock.add(ask(network, other, now));
    CHECK(clock.jumps() == 1);
  }
}

TEST_CASE("answers that cannot be are not taken") {
  ClockOffset clock;
  for (int i = 0; i < 20; ++i) {
    clock.add({.asked = 100, .heard = 50, .received = 0, .sent = 0});
    clock.add({.asked = 100, .heard = 200, .received = 10, .sent = 5});
    clock.add({.asked = 100, .heard = 200, .received = 0, .sent = 500});
  }
  CHECK_FALSE(clock.is_known());
}
