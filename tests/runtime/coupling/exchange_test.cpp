#include "runtime/coupling/exchange.hpp"

#include <catch2/catch.hpp>
#include <stdexcept>

#include "tests/runtime/support/two_bodies.hpp"

namespace {

using takt::Exchanges;
using takt::test::TwoBodies;
using takt::test::TwoBodiesOptions;

template <class Plant>
void simulate(Plant& plant, Exchanges& exchanges, std::int64_t duration_ns) {
  const auto d = plant.description();
  for (std::int64_t now = 0; now < duration_ns; now += d.macro_step_ns) {
    for (const auto& window : d.windows) {
      const auto& s = d.subsystems[window.subsystem];
      exchanges.feed(window.subsystem);
      s.run(d.memory + s.offset, {now, s.step_ns, static_cast<std::int32_t>(s.period_ns / s.step_ns)});
      exchanges.collect(window.subsystem);
    }
  }
}

double error(TwoBodiesOptions options) {
  options.step_ns = options.window_ns / 4;
  TwoBodies<takt::Rk4> plant(options);
  const auto d = plant.description();
  Exchanges exchanges(d, {});
  REQUIRE(exchanges.settle() == -1);
  simulate(plant, exchanges, 400'000'000);
  return std::abs(plant.memory.first.x[0] - plant.exact_t1(0.4));
}

double observed_order(std::uint8_t order, bool first_runs_first) {
  return std::log2(error({.window_ns = 4'000'000, .order = order, .first_runs_first = first_runs_first}) /
                   error({.window_ns = 2'000'000, .order = order, .first_runs_first = first_runs_first}));
}

}  // namespace

TEST_CASE("the coupled solution converges with the order of the exchange") {
  // The integration (order 4, four micro-steps a window) adds nothing visible.
  CHECK(observed_order(0, true) == Approx(1.0).margin(0.1));
  CHECK(observed_order(1, true) == Approx(2.0).margin(0.1));
  CHECK(observed_order(0, false) == Approx(1.0).margin(0.1));
  CHECK(observed_order(1, false) == Approx(2.0).margin(0.1));
}

TEST_CASE("the ledger closes for both directions and fails for sampled fluxes") {
  for (const bool first_runs_first : {true, false}) {
    for (const bool sample : {false, true}) {
      TwoBodies<> plant({.first_runs_first = first_runs_first});
      const auto d = plant.description();
      Exchanges exchanges(d, {.sample_fluxes = sample});
      exchanges.settle();
      simulate(plant, exchanges, 1'000'000'000);
      const auto ledger = exchanges.ledger(1);
      CHECK(ledger.throughput > 60.0);  // the bodies come close to each other: 66.7 J
      CHECK(ledger.closes() == !sample);
      if (!sample) CHECK(std::abs(ledger.residual) <= 1e-13 * ledger.throughput);
    }
  }
}

TEST_CASE("hosts that do not wait come to the same rest, whoever is behind meanwhile, whoever runs first") {
  for (const std::uint8_t order : {std::uint8_t{0}, std::uint8_t{1}})
    for (const bool first_runs_first : {true, false})
      for (const int slow : {-1, 0, 1}) {
        INFO("order " << int{order} << ", first runs first " << first_runs_first << ", slow " << slow);
        TwoBodies<> plant({.order = order, .first_runs_first = first_runs_first});
        auto d = plant.description();
        std::vector<takt::ExchangePlan> apart(d.exchanges.begin(), d.exchanges.end());
        for (takt::ExchangePlan& exchange : apart) exchange.lag = 1;
        d.exchanges = apart;
        const std::vector<std::uint16_t> hosts{0, 1};
        Exchanges exchanges(d, {.workers = hosts, .apart = true});
        REQUIRE(exchanges.settle() == -1);
        std::int64_t done[2] = {0, 0};
        for (std::int64_t now = 0; now < 8000; ++now)
          for (std::uint16_t s = 0; s < 2; ++s) {
            const auto& own = d.subsystems[s];
            const std::int64_t behind = s == slow && now >= 100 && now < 200 ? now / 7 % 5 : 0;
            for (; done[s] <= now - behind; ++done[s]) {
              exchanges.feed(s);
              own.run(d.memory + own.offset,
                      {done[s] * own.period_ns, own.step_ns, static_cast<std::int32_t>(own.period_ns / own.step_ns)});
              exchanges.collect(s);
            }
          }
        std::uint64_t late = 0;
        for (std::size_t i = 0; i < exchanges.mail_routes().size(); ++i) {
          late += exchanges.mail(i).late().windows;
          CHECK(exchanges.mail(i).taken() <= exchanges.mail(i).sent());
        }
        CHECK((late > 50) == (slow >= 0));
        const double advance = order == 0 ? 3.0 * 100.0 * 1e-3 : 0.0;  // J, what the first window was given
        CHECK(plant.memory.first.x[0] == Approx((1100.0 + advance) / 3.0).epsilon(1e-10));
        CHECK(plant.memory.second.x[0] == Approx((1100.0 + advance) / 3.0).epsilon(1e-10));
        CHECK(exchanges.ledger(1).closes());
      }
}

TEST_CASE("the start settles through a chain of outputs and inputs") {
  TwoBodies<> plant;
  const auto d = plant.description();
  Exchanges exchanges(d, {});
  CHECK(exchanges.settle() == -1);
  CHECK(plant.memory.first_outputs[1] == 3.0 * (400.0 - 300.0));  // computed with the other's start temperature
  CHECK(plant.memory.second_inputs[0].c0 == 300.0);
}

TEST_CASE("a plan that contradicts itself is refused before it runs") {
  TwoBodies<> plant;
  auto d = plant.description();
  takt::ExchangePlan bad[] = {d.exchanges[0]};
  d.exchanges = bad;
  bad[0].input = 1;
  CHECK_THROWS_AS(Exchanges(d, {}), std::invalid_argument);
  bad[0].input = 0, bad[0].producer = 9;
  CHECK_THROWS_AS(Exchanges(d, {}), std::invalid_argument);
  bad[0].producer = 1, bad[0].order = 4;
  CHECK_THROWS_AS(Exchanges(d, {}), std::invalid_argument);
}
