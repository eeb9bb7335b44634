#include "runtime/executive/executive.hpp"

#include <catch2/catch.hpp>
#include <filesystem>
#include <fstream>
#include <set>

#include "tests/runtime/executive/run_simulated.hpp"
#include "tests/runtime/support/two_bodies.hpp"

namespace {

using namespace takt;
using test::fresh_directory;
using test::run;
using test::SimulatedClock;
using test::TwoBodies;

constexpr std::int64_t ms = 1'000'000;

std::string digest(const Executive::Options& options, InputScript script = {}, std::int64_t read_cost = 10) {
  TwoBodies<> plant;
  SimulatedClock clock;
  clock.read_cost = WallDuration{read_cost};
  return run(plant.description(), options, clock, std::move(script)).digest;
}

RunResults with(Injection injection) {
  TwoBodies<> plant;
  SimulatedClock clock;
  return run(plant.description(), {.paced = true, .macro_steps = 200, .injections = {injection}}, clock);
}

/// Feeds the heater with a pattern, as if from a bus.
class Pattern final : public IoPort {
 public:
  void start() override {}
  void latch(SimTime now, WallTime /*release*/, std::span<double> inputs) noexcept override {
    inputs[0] = static_cast<double>((now.ns() / (7 * ms)) % 5) * 0.1 + 0.05;  // never the start value
    ++latched;
  }
  void publish(SimTime now, WallTime /*due*/, const std::byte*) noexcept override { published.insert(now); }
  void publish_safe(SimTime) noexcept override { ++safe; }
  void stop() override {}
  std::vector<IoEvent> events() const override { return {}; }
  std::string statistics_json() const override { return "{}"; }
  int latched = 0, safe = 0;
  std::set<SimTime> published;
};

}  // namespace

TEST_CASE("a free run reaches its time and the closed solution") {
  TwoBodies<> plant;
  SimulatedClock clock;
  const auto r = run(plant.description(), {.macro_steps = 400}, clock);
  CHECK(r.simulated_s == Approx(0.4));
  CHECK(r.stopped_because.empty());
  CHECK_FALSE(r.failed);
  CHECK(std::abs(plant.memory.first.x[0] - plant.exact_t1(0.4)) < 1e-3);
  REQUIRE(r.subsystems.size() == 2);
  CHECK(r.subsystems[0].windows == 400);
  CHECK(r.ledger_closes);
  // Heat is exchanged, none is supplied or lost; the lag of one direction leaves nothing in transit here.
  CHECK(std::abs(r.energy.residual()) < 1e-9 * 1100.0);
  CHECK(clock.sleeps == 0);
}

TEST_CASE("the digest does not depend on pace or clock, but on every value") {
  const std::string reference = digest({.macro_steps = 300});
  CHECK(reference.size() == 16);
  CHECK(digest({.paced = true, .macro_steps = 300}) == reference);
  CHECK(digest({.paced = true, .macro_steps = 300}, {}, 1500) == reference);
  CHECK(digest({.macro_steps = 299}) != reference);
  CHECK(digest({.macro_steps = 300}, InputScript({{.time = SimTime{299 * ms}, .input = 0, .value = 1e-300}}, 1)) !=
        reference);
}

TEST_CASE("the digest does not depend on the order of the subsystems in the description") {
  TwoBodies<> plant;
  SimulatedClock clock;
  auto d = plant.description();
  const auto reference = run(d, {.macro_steps = 100}, clock).digest;
  // The same plan with the subsystems listed the other way round.
  TwoBodies<> other;
  d = other.description();
  const SubsystemDescription subsystems[] = {d.subsystems[1], d.subsystems[0]};
  WindowPlan windows[] = {d.windows[0], d.windows[1]};
  ExchangePlan exchanges[] = {d.exchanges[1], d.exchanges[0]};
  InputRoute routes[] = {d.input_routes[0]};
  for (auto& w : windows) w.subsystem = 1 - w.subsystem;
  for (auto& e : exchanges) e.producer = 1 - e.producer, e.consumer = 1 - e.consumer;
  routes[0].consumer = 0;
  d.subsystems = subsystems, d.windows = windows, d.exchanges = exchanges, d.input_routes = routes;
  CHECK(run(d, {.macro_steps = 100}, clock).digest == reference);
}

TEST_CASE("a paced run without trouble has no overruns and sleeps in each macro-step") {
  TwoBodies<> plant;
  SimulatedClock clock;
  const auto r = run(plant.description(), {.paced = true, .macro_steps = 1000}, clock);
  CHECK(r.overruns.overruns == 0);
  CHECK(clock.sleeps == 1000);
  CHECK(r.wall_s == Approx(1.01).margin(0.02));
  CHECK(r.wakeup_us.p50 == Approx(20.0).epsilon(0.02));
}

TEST_CASE("each injected trouble is one incident with its cause") {
  using Kind = Injection::Kind;
  const struct {
    Kind kind;
    OverrunCause cause;
    bool digest_void;
  } cases[] = {{Kind::long_computation, OverrunCause::computed_long, false},
               {Kind::late_wakeup, OverrunCause::woken_late, false},
               {Kind::blocked_exchange, OverrunCause::blocked, true}};
  for (const auto& c : cases) {
    const auto r = with({.kind = c.kind, .macro_step = 50, .duration = WallDuration{3'500'000}});
    REQUIRE(r.overruns.incidents.size() == 1);
    CHECK(r.overruns.incident_count == 1);
    CHECK(r.overruns.incidents[0].macro_step == 50);
    CHECK(r.overruns.incidents[0].cause == c.cause);
    CHECK(r.overruns.overruns == r.overruns.incidents[0].windows_late);
    CHECK(r.digest_void == c.digest_void);
    CHECK(r.overruns.dropped_periods == 0);
  }
  // A wait within the slack delays nothing.
  const auto r = with({.kind = Kind::blocked_exchange, .macro_step = 50, .duration = WallDuration{400'000}});
  CHECK(r.overruns.overruns == 0);
  CHECK(r.blocked_s == Approx(4e-4).epsilon(0.01));
  CHECK_FALSE(r.digest_void);
}

TEST_CASE("policy stop ends the run in order at the first overrun outside the grace period") {
  for (const std::int64_t grace : {std::int64_t{0}, 60 * ms}) {
    TwoBodies<> plant;
    SimulatedClock clock;
    Pattern io;
    const RigSettings rig{.policy = OverrunPolicy::stop, .grace_ns = grace};
    const Injection injection{.kind = Injection::Kind::late_wakeup, .macro_step = 50, .duration = WallDuration{2 * ms}};
    const auto r = run(plant.description(), {.paced = true, .macro_steps = 200, .rig = rig, .injections = {injection}},
                       clock, {}, nullptr, &io);
    CHECK(r.failed == (grace == 0));
    CHECK(r.macro_steps == (grace == 0 ? 51u : 200u));
    CHECK(io.safe == 1);
  }
}

TEST_CASE(
    "policy skip falls behind by whole macro-steps, computes none of them late, and the digest is that of any run") {
  const std::string reference = digest({.macro_steps = 200});
  for (const std::int64_t late_us : {200, 1200, 3500, 50'000}) {
    for (const auto kind : {Injection::Kind::long_computation, Injection::Kind::late_wakeup}) {
      TwoBodies<> plant;
      SimulatedClock clock;
      const Injection injection{.kind = kind, .macro_step = 50, .duration = WallDuration{late_us * 1000}};
      const auto r =
          run(plant.description(),
              {.paced = true, .macro_steps = 200, .rig = {.policy = OverrunPolicy::skip}, .injections = {injection}},
              clock);
      CHECK(r.digest == reference);
      CHECK_FALSE(r.digest_void);
      CHECK(r.macro_steps == 200);
      // Late by more than one macro-step: that one is, and no other, as the next ones wait for the grid.
      CHECK(r.overruns.overruns == (late_us < 1000 ? 0 : 1));
      const double behind = static_cast<double>(late_us) / 1000.0;
      const auto least = static_cast<std::uint64_t>(late_us < 1000 ? 0 : std::floor(behind));
      CHECK(r.overruns.dropped_periods >= least);
      CHECK(r.overruns.dropped_periods <= least + (late_us < 1000 ? 0 : 1 + least / 10));  // 6 % of rest
    }
  }
}

TEST_CASE("where wall time is regained, simulated time jumps over what was dropped, and the digest is void") {
  for (const auto policy : {OverrunPolicy::count, OverrunPolicy::skip}) {
    const auto directory = fresh_directory("regain");
    TwoBodies<> plant;
    SimulatedClock clock;
    Pattern io;
    const auto d = plant.description();
    Recorder recorder(d, {.directory = directory});
    recorder.start();
    const Injection injection{
        .kind = Injection::Kind::late_wakeup, .macro_step = 50, .duration = WallDuration{50 * ms + 500'000}};
    const auto r = run(
        d, {.paced = true, .macro_steps = 200, .rig = {.policy = policy, .regain = true}, .injections = {injection}},
        clock, {}, &recorder, &io);
    CHECK(recorder.finish(r.macro_steps + r.jumped_periods, r.jumped_periods).empty());
    const InputLog log = read_input_log(directory, d);
    CHECK(log.macro_steps == 200);
    REQUIRE(log.warnings.size() == 1);
    CHECK(log.warnings[0].find("time jumped over " + std::to_string(r.jumped_periods)) != std::string::npos);
    CHECK(r.jumped_periods == r.overruns.dropped_periods);
    CHECK(r.jumped_periods > 35);
    CHECK(r.macro_steps == 200 - r.jumped_periods);
    CHECK(r.simulated_s == Approx(0.2));
    CHECK(r.wall_s == Approx(0.2).margin(2e-3));
    CHECK(r.digest_void);
    CHECK(r.ledger_closes);
    // Nothing flows in what is jumped over: energy is that of the macro-steps that were computed.
    CHECK(std::abs(r.energy.residual()) < 1e-9 * 1100.0);
    // What is published and recorded stays on the grid: the values of macro-step 50 leave when the clock is there
    // again.
    CHECK(io.published.size() == r.macro_steps + 1);
    CHECK(*io.published.rbegin() == SimTime{200 * ms});
    std::ifstream in(directory / "signals.csv");
    std::string line;
    std::getline(in, line);
    double before = -0.001;
    std::uint64_t rows = 0, gaps = 0;
    for (; std::getline(in, line); ++rows) {
      const double time = std::stod(line);
      gaps += time - before > 0.0015 ? 1 : 0;
      CHECK(time > before);
      before = time;
    }
    CHECK(rows == r.macro_steps + 1);
    CHECK(gaps == 1);
    CHECK(before == Approx(0.2));
  }
}

TEST_CASE("simulated time never jumps beyond the end of the run") {
  TwoBodies<> plant;
  SimulatedClock clock;
  const Injection injection{.kind = Injection::Kind::late_wakeup, .macro_step = 190, .duration = WallDuration{50 * ms}};
  const auto r = run(plant.description(),
                     {.paced = true,
                      .macro_steps = 200,
                      .rig = {.policy = OverrunPolicy::skip, .regain = true},
                      .injections = {injection}},
                     clock);
  CHECK(r.simulated_s == Approx(0.2));
  CHECK(r.jumped_periods == 8);  // 190 is late, the one after the jump is the last
  CHECK(r.macro_steps == 192);
  CHECK(r.overruns.dropped_periods >= 49);
  // Dropped before the last macro-step: there is nothing to jump over, and the digest is that of any run.
  const Injection last{.kind = Injection::Kind::late_wakeup, .macro_step = 198, .duration = WallDuration{5 * ms}};
  SimulatedClock other;
  TwoBodies<> again;
  const auto whole = run(
      again.description(),
      {.paced = true, .macro_steps = 200, .rig = {.policy = OverrunPolicy::skip, .regain = true}, .injections = {last}},
      other);
  CHECK((whole.macro_steps == 200 && whole.jumped_periods == 0 && whole.overruns.dropped_periods > 0));
  CHECK_FALSE(whole.digest_void);
  CHECK(whole.digest == digest({.macro_steps = 200}));
}

TEST_CASE("limits on lateness and on overruns in a row end the run under any policy") {
  const auto steps = [](RigSettings rig) {
    TwoBodies<> plant;
    SimulatedClock clock;
    const Injection injection{
        .kind = Injection::Kind::long_computation, .macro_step = 50, .duration = WallDuration{4'500'000}};
    return run(plant.description(), {.paced = true, .macro_steps = 200, .rig = rig, .injections = {injection}}, clock)
        .macro_steps;
  };
  CHECK(steps({.stop_after_consecutive = 3}) == 53);
  CHECK(steps({.stop_after_consecutive = 30}) == 200);
  CHECK(steps({.stop_above_ns = 3 * ms}) == 51);
  CHECK(steps({.stop_above_ns = 9 * ms}) == 200);
}

TEST_CASE("a solution that is no longer finite ends the run and names the state") {
  TwoBodies<> plant;
  SimulatedClock clock;
  plant.memory.conductance = 1e9;  // far beyond the stable step
  const auto r = run(plant.description(), {.macro_steps = 100'000}, clock);
  CHECK(r.failed);
  CHECK(r.macro_steps < 1000);
  CHECK(r.stopped_because.find("first.t") != std::string::npos);
}

TEST_CASE("a run fed from outside and its replay from the input log have the same digest") {
  const auto directory = fresh_directory("replay");
  std::string fed;
  {
    TwoBodies<> plant;
    SimulatedClock clock;
    Pattern io;
    const auto d = plant.description();
    Recorder recorder(d, {.directory = directory});
    recorder.start();
    const auto r = run(d, {.paced = true, .macro_steps = 500}, clock, {}, &recorder, &io);
    CHECK(recorder.finish(r.macro_steps).empty());
    fed = r.digest;
    CHECK(io.latched == 499);  // the first macro-step keeps the start values
    CHECK(io.published.size() == 501);
    CHECK(io.safe == 1);
  }
  TwoBodies<> plant;
  const auto d = plant.description();
  const InputLog log = read_input_log(directory, d);
  CHECK(log.macro_steps == 500);
  CHECK(log.changes.size() == 73);  // the start value, then each 7 ms of 500, from step 1 on
  SimulatedClock clock;
  CHECK(run(d, {.macro_steps = log.macro_steps}, clock, InputScript(log.changes, 1)).digest == fed);
  CHECK(run(d, {.macro_steps = log.macro_steps}, clock).digest != fed);
}

TEST_CASE("recorded rows are complete, exact and in order, whatever the ring's size") {
  for (const std::size_t words : {64u, 1u << 16}) {
    const auto directory = fresh_directory("rows");
    TwoBodies<> plant;
    SystemClock clock;
    const auto d = plant.description();
    Recorder recorder(d, {.directory = directory, .ring_words = words});
    recorder.start();
    const auto r = run(d, {.macro_steps = 2000}, clock, {}, &recorder);
    CHECK(recorder.finish(r.macro_steps).empty());
    RunResults results;
    recorder.report(results);
    CHECK(results.rows_recorded == 2001);
    CHECK(results.rows_dropped == 0);
    std::ifstream in(directory / "signals.csv");
    std::string line;
    REQUIRE(std::getline(in, line));
    CHECK(line == "time [s],first.t [K],second.t [K],first.heat [W]");
    double time = -0.001, t1 = 0.0;
    int rows = 0;
    while (std::getline(in, line)) {
      double next = 0.0;
      REQUIRE(std::sscanf(line.c_str(), "%lf,%lf", &next, &t1) == 2);
      REQUIRE(next == Approx(time + 0.001));
      time = next;
      ++rows;
    }
    CHECK(rows == 2001);
    CHECK(t1 == plant.memory.first.x[0]);  // shortest digits that read back to the same bits
    CHECK(results.signals.size() == 3);
  }
}

TEST_CASE("sampled fluxes break the ledger") {
  TwoBodies<> plant;
  SimulatedClock clock;
  CHECK_FALSE(run(plant.description(), {.macro_steps = 100, .sample_fluxes = true}, clock).ledger_closes);
}

TEST_CASE("run-time events are reported with how often they happened, those that did not as well") {
  TwoBodies<> plant;
  SimulatedClock clock;
  const RunResults results = run(plant.description(), {.macro_steps = 200}, clock);
  REQUIRE(results.subsystems[0].events.empty());
  const auto& events = results.subsystems[1].events;
  REQUIRE(events.size() == 2);
  CHECK(events[0].code == "W001");
  CHECK(events[0].text == "second is warm");
  CHECK(events[1].count == 0);
  // T2 from T1 and the heat both hold together.
  const auto& m = plant.memory;
  int warm = 0;
  for (int window = 1; window <= 200; ++window) {
    const double t1 = plant.exact_t1(window * 1e-3);
    warm += m.t2_start + (m.t1_start - t1) * m.capacity1 / m.capacity2 > 320.0 ? 1 : 0;
  }
  REQUIRE(warm > 50);
  REQUIRE(warm < 195);
  CHECK(std::abs(static_cast<int>(events[0].count) - warm) <= 1);  // the limit may be crossed at a window's end
}

TEST_CASE("a request to stop ends the run at the next macro-step") {
  TwoBodies<> plant;
  SimulatedClock clock;
  Executive executive(plant.description(), {}, {.clock = clock});
  executive.prepare();
  executive.request_stop();
  executive.run();
  RunResults r;
  executive.report(r);
  CHECK(r.macro_steps == 0);
  CHECK_FALSE(r.failed);
  CHECK_FALSE(r.stopped_because.empty());
}

TEST_CASE("a plan that contradicts itself is refused") {
  TwoBodies<> plant;
  const auto d = plant.description();
  for (int fault = 0; fault < 4; ++fault) {
    PlantDescription bad = d;
    std::vector<WindowPlan> windows(d.windows.begin(), d.windows.end());
    if (fault == 0) windows.pop_back();
    if (fault == 1) windows[0].subsystem = windows[1].subsystem;
    if (fault == 2) windows[0].period_ns = 700'000;
    if (fault == 3) windows[0].core = 1;
    bad.windows = windows;
    CHECK_THROWS_AS(Schedule(bad), std::invalid_argument);
  }
}
