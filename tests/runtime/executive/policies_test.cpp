// Every policy under every kind of fault, in simulated time: what is counted, why, where the grid is afterwards, and
// what becomes of the digest, as written down before.

#include <array>
#include <catch2/catch.hpp>
#include <optional>
#include <set>
#include <string>

#include "runtime/program/evidence.hpp"
#include "tests/runtime/executive/run_simulated.hpp"
#include "tests/runtime/support/two_bodies.hpp"

namespace {

using namespace takt;

constexpr std::int64_t ms = 1'000'000, h = ms;
constexpr std::uint64_t macro_steps = 200, faulty = 50;
constexpr WallDuration fault{3'500'000};

/// Loses the CPU for the time of the fault, as a window of the faulty macro-step ends.
class StolenClock final : public Clock {
 public:
  explicit StolenClock(bool steals) : steals_(steals) {}
  WallTime now() noexcept override { return clock_.now(); }
  void sleep_until(WallTime until) noexcept override { clock_.sleep_until(until); }
  void spin_until(WallTime until) noexcept override {
    clock_.spin_until(until);
    if (++releases_ == faulty + 1) release_ = until;
  }
  std::uint64_t ticks() noexcept override { return clock_.ticks(); }
  std::uint64_t ticks_in_passing() noexcept override {
    if (steals_ && release_) clock_.time += fault, steals_ = false;
    return clock_.ticks();
  }
  [[nodiscard]] WallTime time() const noexcept { return clock_.time; }

 private:
  test::SimulatedClock clock_;
  bool steals_;
  std::uint64_t releases_ = 0;
  std::optional<WallTime> release_;
};

enum class Fault : std::uint8_t { none, late_wakeup, long_window, blocked, stolen };
enum class Rule : std::uint8_t { count, count_little, skip, skip_regain, stop };

/// The grid of what leaves: wall time of each publish() after the first release.
class Grid final : public IoPort {
 public:
  explicit Grid(const StolenClock& clock) : clock_(clock) {}
  void start() override {}
  void latch(SimTime, WallTime, std::span<double>) noexcept override {}
  void publish(SimTime, WallTime /*due*/, const std::byte*) noexcept override { last_ = clock_.time(); }
  void publish_safe(SimTime) noexcept override {}
  void stop() override {}
  std::vector<IoEvent> events() const override { return {}; }
  std::string statistics_json() const override { return "{}"; }
  [[nodiscard]] WallTime last() const noexcept { return last_; }

 private:
  const StolenClock& clock_;
  WallTime last_;
};

RunResults run(Fault kind, Rule rule, WallTime* last_sent = nullptr) {
  test::TwoBodies<> plant;
  StolenClock clock(kind == Fault::stolen);
  Grid grid(clock);
  Executive::Options options{.paced = true, .macro_steps = macro_steps};
  options.rig.policy = rule == Rule::stop                                ? OverrunPolicy::stop
                       : rule == Rule::skip || rule == Rule::skip_regain ? OverrunPolicy::skip
                                                                         : OverrunPolicy::count;
  options.rig.regain = rule == Rule::skip_regain;
  if (rule == Rule::count_little) options.rig.max_catch_up = 1;
  const auto inject = [&](Injection::Kind what) { options.injections = {{what, faulty, fault}}; };
  if (kind == Fault::late_wakeup) inject(Injection::Kind::late_wakeup);
  if (kind == Fault::long_window) inject(Injection::Kind::long_computation);
  if (kind == Fault::blocked) inject(Injection::Kind::blocked_exchange);
  RunResults results = test::run(plant.description(), std::move(options), clock, {}, nullptr, &grid);
  if (last_sent != nullptr) *last_sent = grid.last();
  // What the kernel would have counted: of a CPU that the host takes, that alone.
  HostEvidence evidence;
  const WallTime end = clock.time() + WallDuration{100 * ms};
  const WallTime at = results.overruns.incidents.empty() ? end : results.overruns.incidents.front().release;
  for (WallTime t{900 * ms}; t < end; t = t + WallDuration{50 * ms})
    evidence.samples.push_back({.time = t,
                                .steal = kind == Fault::stolen && t > at ? fault : WallDuration{},
                                .run_delay = {},
                                .kept_from_idle = {},
                                .idle = {},
                                .taker = -1});
  attribute(results.overruns, std::array{evidence});
  return results;
}

struct Expected {
  Fault fault;
  Rule rule;
  std::uint64_t overruns, dropped, computed, jumped;
  std::int64_t end_ms;  ///< wall time at which the last value leaves, after the first release
  bool is_void;
};

}  // namespace

TEST_CASE("every policy under every fault: counts, cause, grid, digest") {
  // A fault of 3.5 ms at a release every 1 ms. Late or long (or stolen): macro-steps 50, 51 and 52 end late, 53 ends in
  // time. count computes them all and is back on the grid; with one step of catching up, 52 gives up three periods: its
  // release would be at 52, it is 53.5, and half a period and the busy-wait are kept free. skip: 51 gives up three.
  // Held back, a window goes on at its deadline without the exchange: one late macro-step, void.
  const Expected cases[] = {
      {Fault::none, Rule::count, 0, 0, 200, 0, 200, false},
      {Fault::late_wakeup, Rule::count, 3, 0, 200, 0, 200, false},
      {Fault::late_wakeup, Rule::count_little, 2, 3, 200, 0, 203, false},
      {Fault::late_wakeup, Rule::skip, 1, 3, 200, 0, 203, false},
      {Fault::late_wakeup, Rule::skip_regain, 1, 3, 197, 3, 200, true},
      {Fault::late_wakeup, Rule::stop, 1, 0, 51, 0, -1, false},
      {Fault::long_window, Rule::count, 3, 0, 200, 0, 200, false},
      {Fault::long_window, Rule::count_little, 2, 3, 200, 0, 203, false},
      {Fault::long_window, Rule::skip, 1, 3, 200, 0, 203, false},
      {Fault::long_window, Rule::skip_regain, 1, 3, 197, 3, 200, true},
      {Fault::long_window, Rule::stop, 1, 0, 51, 0, -1, false},
      {Fault::blocked, Rule::count, 1, 0, 200, 0, 200, true},
      {Fault::blocked, Rule::count_little, 1, 0, 200, 0, 200, true},
      {Fault::blocked, Rule::skip, 1, 1, 200, 0, 201, true},
      {Fault::blocked, Rule::skip_regain, 1, 1, 199, 1, 200, true},
      {Fault::blocked, Rule::stop, 1, 0, 51, 0, -1, true},
      {Fault::stolen, Rule::count, 3, 0, 200, 0, 200, false},
      {Fault::stolen, Rule::count_little, 2, 3, 200, 0, 203, false},
      {Fault::stolen, Rule::skip, 1, 3, 200, 0, 203, false},
      {Fault::stolen, Rule::skip_regain, 1, 3, 197, 3, 200, true},
      {Fault::stolen, Rule::stop, 1, 0, 51, 0, -1, false},
  };
  const OverrunCause causes[] = {OverrunCause::unexplained, OverrunCause::woken_late, OverrunCause::computed_long,
                                 OverrunCause::blocked, OverrunCause::stolen_by_host};
  WallTime undisturbed;
  const std::string digest = run(Fault::none, Rule::count, &undisturbed).digest;
  for (const Expected& e : cases) {
    INFO("fault " << static_cast<int>(e.fault) << ", rule " << static_cast<int>(e.rule));
    WallTime last;
    const RunResults r = run(e.fault, e.rule, &last);
    CHECK(r.overruns.overruns == e.overruns);
    CHECK(r.overruns.dropped_periods == e.dropped);
    CHECK(r.macro_steps == e.computed);
    CHECK(r.jumped_periods == e.jumped);
    CHECK(r.digest_void == e.is_void);
    const bool whole = r.macro_steps == macro_steps;
    if (e.jumped == 0 && whole) CHECK(r.digest == digest);  // injected waits hold nothing back
    if (e.jumped > 0) CHECK(r.digest != digest);
    CHECK(r.failed == (e.rule == Rule::stop));
    CHECK(r.simulated_s == Approx(e.rule == Rule::stop ? 0.051 : 0.2));
    CHECK(r.ledger_closes);
    if (e.end_ms >= 0) {
      const std::int64_t later = (last - undisturbed).ns();
      CHECK(std::abs(later - (e.end_ms - 200) * ms) < ms / 20);
    }
    if (e.fault == Fault::none) continue;
    REQUIRE(r.overruns.incidents.size() == 1);
    CHECK(r.overruns.incidents.front().macro_step == faulty);
    CHECK(r.overruns.incidents.front().windows_late == e.overruns);
    CHECK(r.overruns.incidents.front().dropped == e.dropped);
    CHECK(r.overruns.incidents.front().cause == causes[static_cast<std::size_t>(e.fault)]);
    for (std::size_t i = 0; i < overrun_cause_count; ++i)
      CHECK(r.overruns.by_cause[i] ==
            (i == static_cast<std::size_t>(causes[static_cast<std::size_t>(e.fault)]) ? 1 : 0));
  }
}
