// Groups that exchange more often than the macro-step: their releases, inputs, values that leave, and lateness.

#include <catch2/catch.hpp>

#include "tests/runtime/executive/run_simulated.hpp"
#include "tests/runtime/support/nested_bodies.hpp"

namespace {

using namespace takt;
using test::fresh_directory;
using test::run;
using test::SimulatedClock;
using test::TwoBodies;

constexpr std::int64_t ms = 1'000'000;

}  // namespace

namespace {

RunResults nested_with(Injection injection) {
  test::NestedBodies nested;
  SimulatedClock clock;
  return run(nested.description, {.paced = true, .macro_steps = 200, .injections = {injection}}, clock);
}

/// Notes when values are asked for and handed over.
class Watch final : public IoPort {
 public:
  Watch(SimulatedClock& clock, const TwoBodies<>& plant) : clock_(clock), plant_(plant) {}
  struct Moment {
    SimTime simulated;
    WallTime wall;
    double t1 = 0.0;  ///< of the plant
  };
  void start() override {}
  void latch(SimTime now, WallTime /*release*/, std::span<double> inputs) noexcept override {
    latched.push_back({now, clock_.time, 0.0});
    inputs[0] = static_cast<double>((now.ns() / (ms / 4)) % 7) * 10.0 + 1.0;  // another one at every release
  }
  void publish(SimTime now, WallTime /*due*/, const std::byte*) noexcept override {
    published.push_back({now, clock_.time, plant_.memory.first.x[0]});
  }
  void publish_safe(SimTime) noexcept override {}
  void stop() override {}
  std::vector<IoEvent> events() const override { return {}; }
  std::string statistics_json() const override { return "{}"; }
  std::vector<Moment> latched, published;

 private:
  SimulatedClock& clock_;
  const TwoBodies<>& plant_;
};

}  // namespace

TEST_CASE("a group inside is paced on its own grid, and its lateness is that of its own releases") {
  using Kind = Injection::Kind;
  const auto in_time = nested_with({.kind = Kind::late_wakeup, .macro_step = 50, .duration = WallDuration{ms / 5}});
  CHECK(in_time.overruns.overruns == 0);
  CHECK(in_time.subsystems[0].windows == 800);
  CHECK(in_time.subsystems[0].overruns == 0);
  const struct {
    Kind kind;
    OverrunCause cause;
  } cases[] = {{Kind::late_wakeup, OverrunCause::woken_late}, {Kind::long_computation, OverrunCause::computed_long}};
  for (const auto& c : cases) {
    const auto late = nested_with({.kind = c.kind, .macro_step = 50, .duration = WallDuration{3 * ms / 5}});
    REQUIRE(late.overruns.incidents.size() == 1);
    CHECK(late.overruns.incidents[0].cause == c.cause);
    CHECK(late.overruns.incidents[0].late.ns() == Approx(7 * ms / 20).epsilon(0.1));  // after 0.25 ms
    CHECK(late.overruns.incidents[0].subsystem == 0);
    CHECK(late.overruns.overruns == 2);  // of the releases at 0 and 0.25 ms; the third is in time again
    CHECK(late.overruns.inner_late == 2);
    CHECK(late.overruns.incidents[0].inner_late == 2);
    CHECK(late.overruns.worst_miss == WallDuration{});
    CHECK(late.overruns.worst_inner == late.overruns.incidents[0].worst);
    CHECK(late.overruns.dropped_periods == 0);
    CHECK(late.subsystems[0].overruns == 2);
  }
  // Half a macro-step: whole periods are dropped where it is too much, parts never.
  const auto long_one = nested_with({.kind = Kind::late_wakeup, .macro_step = 50, .duration = WallDuration{50 * ms}});
  CHECK(long_one.overruns.dropped_periods > 0);
  CHECK(long_one.macro_steps == 200);
}

TEST_CASE("a value of simulated time t leaves at wall time t, or as soon as it is known") {
  for (const Publish publish : {Publish::on_time, Publish::early}) {
    test::NestedBodies nested;
    SimulatedClock clock;
    Watch io(clock, nested.plant);
    const RigSettings rig{.publish = publish};
    const auto r = run(nested.description, {.paced = true, .macro_steps = 100, .rig = rig}, clock, {}, nullptr, &io);
    CHECK(r.overruns.overruns == 0);
    REQUIRE(io.published.size() == 401);
    REQUIRE(io.latched.size() == 399);  // the start keeps its values
    const WallTime origin = io.latched.front().wall - WallDuration{ms / 4};
    for (std::size_t k = 0; k < io.published.size(); ++k) {
      const Watch::Moment& moment = io.published[k];
      CHECK(moment.simulated == SimTime{static_cast<std::int64_t>(k) * ms / 4});
      const double ahead = static_cast<double>((origin - moment.wall).ns() + moment.simulated.ns()) / (ms / 4.0);
      if (k > 0) CHECK(ahead == Approx(publish == Publish::early ? 0.95 : 0.0).margin(0.1));
    }
    for (std::size_t k = 0; k < io.latched.size(); ++k)
      CHECK((io.latched[k].wall - origin).ns() ==
            Approx(static_cast<double>(io.latched[k].simulated.ns())).margin(5e4));
    CHECK(r.digest == [] {
      test::NestedBodies again;
      SimulatedClock other;
      Watch early(other, again.plant);
      return run(again.description, {.paced = true, .macro_steps = 100}, other, {}, nullptr, &early).digest;
    }());
  }
}

TEST_CASE("inputs that change within a macro-step are logged with their time and replayed to the same digest") {
  const auto directory = fresh_directory("nested_replay");
  std::string fed;
  {
    test::NestedBodies nested;
    SimulatedClock clock;
    Watch io(clock, nested.plant);
    Recorder recorder(nested.description, {.directory = directory});
    recorder.start();
    const auto r = run(nested.description, {.paced = true, .macro_steps = 50}, clock, {}, &recorder, &io);
    CHECK(recorder.finish(r.macro_steps).empty());
    fed = r.digest;
  }
  test::NestedBodies nested;
  const InputLog log = read_input_log(directory, nested.description);
  CHECK(log.changes.size() == 200);
  SimulatedClock clock;
  CHECK(run(nested.description, {.macro_steps = 50}, clock, InputScript(log.changes, 1)).digest == fed);
  test::NestedBodies late;
  auto moved = log.changes;
  for (ScriptedInput& change : moved) change.time = SimTime{(change.time.ns() + ms - 1) / ms * ms};
  CHECK(run(late.description, {.macro_steps = 50}, clock, InputScript(moved, 1)).digest != fed);
}

namespace {

/// Groups of these times inside one of 4 ns, a subsystem each; exchanges between the first two where asked for.
std::vector<std::pair<int, std::int64_t>> order_of(std::int64_t first_ns, std::int64_t second_ns, bool exchange) {
  SubsystemDescription subsystems[2] = {};
  const std::int64_t periods[] = {first_ns, second_ns};
  for (std::size_t k = 0; k < 2; ++k)
    subsystems[k].name = "s", subsystems[k].period_ns = subsystems[k].step_ns = periods[k];
  const GroupPlan groups[] = {{.name = "whole", .parent = 0, .period_ns = 4},
                              {.name = "a", .parent = 0, .period_ns = first_ns},
                              {.name = "b", .parent = 0, .period_ns = second_ns}};
  const WindowPlan windows[] = {{.subsystem = 0, .period_ns = first_ns, .group = 1},
                                {.subsystem = 1, .period_ns = second_ns, .group = 2}};
  const ExchangePlan exchanges[] = {{.producer = 0, .consumer = 1}};
  PlantDescription plant{};
  plant.name = "two", plant.macro_step_ns = 4;
  plant.subsystems = subsystems, plant.groups = groups, plant.windows = windows;
  if (exchange) plant.exchanges = exchanges;
  std::vector<std::pair<int, std::int64_t>> order;
  const Schedule schedule(plant);
  for (const Schedule::Slot& slot : schedule.slots()) {
    order.emplace_back(slot.subsystem, slot.start.ns());
    const Schedule::Instant& waits = schedule.instants()[slot.opens - 1];
    CHECK(slot.due >= slot.start + slot.step * slot.steps);
    CHECK(slot.due >= waits.start + waits.until_next);
  }
  return order;
}

}  // namespace

TEST_CASE("groups beside each other that exchange nothing take turns, each on its own grid") {
  using Order = std::vector<std::pair<int, std::int64_t>>;
  CHECK(order_of(1, 2, false) == Order{{0, 0}, {1, 0}, {0, 1}, {0, 2}, {1, 2}, {0, 3}});
  CHECK(order_of(2, 1, false) == Order{{0, 0}, {1, 0}, {1, 1}, {0, 2}, {1, 2}, {1, 3}});
  CHECK(order_of(1, 2, true) == Order{{0, 0}, {0, 1}, {0, 2}, {0, 3}, {1, 0}, {1, 2}});  // what is sent is whole
}

TEST_CASE("a run that ends within a macro-step is judged once, and nothing leaves after that") {
  for (const Publish publish : {Publish::on_time, Publish::early}) {
    test::NestedBodies nested;
    SimulatedClock clock;
    Watch io(clock, nested.plant);
    const Injection injection{
        .kind = Injection::Kind::long_computation, .macro_step = 50, .duration = WallDuration{3 * ms / 10}};
    const auto r = run(nested.description,
                       {.paced = true,
                        .macro_steps = 200,
                        .rig = {.policy = OverrunPolicy::stop, .publish = publish},
                        .injections = {injection}},
                       clock, {}, nullptr, &io);
    CHECK(r.failed);
    CHECK(r.macro_steps == 51);
    CHECK(r.overruns.overruns == 1);
    REQUIRE(r.overruns.incidents.size() == 1);
    CHECK(r.overruns.incidents[0].late < WallDuration{ms});
    CHECK(io.published.back().simulated <= SimTime{50 * ms + ms / 4});
  }
}

TEST_CASE("a late window has the policy of its group, of the next one around it, or of all") {
  // The first window of macro-step 50 takes so long that this and the next macro-steps end late.
  const auto late = [](OverrunPolicy policy, std::vector<GroupPolicy> groups, std::int64_t grace_ns = 0) {
    test::NestedBodies nested;
    SimulatedClock clock;
    const Injection injection{
        .kind = Injection::Kind::long_computation, .macro_step = 50, .duration = WallDuration{5 * ms / 2}};
    return run(nested.description,
               {.paced = true,
                .macro_steps = 200,
                .rig = {.policy = policy, .group_policies = groups, .grace_ns = grace_ns},
                .injections = {injection}},
               clock);
  };
  using enum OverrunPolicy;
  const RunResults counted = late(count, {}), skipped = late(skip, {});
  CHECK((counted.macro_steps == 200 && counted.overruns.dropped_periods == 0));
  CHECK((skipped.macro_steps == 200 && skipped.overruns.dropped_periods > 0));
  REQUIRE(counted.overruns.overruns > skipped.overruns.overruns);
  for (const char* group : {"inner", "whole"}) {
    INFO(group);
    const RunResults stops = late(count, {{group, stop}});
    CHECK((stops.failed && stops.macro_steps == 51));
    CHECK(late(stop, {{group, count}}).macro_steps == 200);
    const RunResults skips = late(count, {{group, skip}});
    CHECK(skips.overruns.dropped_periods == skipped.overruns.dropped_periods);
    CHECK(skips.overruns.overruns == skipped.overruns.overruns);
    const RunResults counts = late(skip, {{group, count}});
    CHECK(counts.overruns.dropped_periods == 0);
    CHECK(counts.overruns.overruns == counted.overruns.overruns);
    CHECK(skips.digest == counts.digest);
    CHECK(late(count, {{group, skip}}, 100 * ms).overruns.dropped_periods > 0);  // also while overruns are graced
  }
  CHECK(late(count, {{"whole", stop}, {"inner", count}}).macro_steps == 200);
  CHECK(late(stop, {{"another", count}}).macro_steps == 51);
}

TEST_CASE("a group that skips does so although others of the macro-step were late after it") {
  // A window of 1 ms and four of 1/4 ms beside it: the long one is late, and then the short ones are.
  const auto late = [](OverrunPolicy all, std::vector<GroupPolicy> given) {
    test::TwoBodies<> plant{{.window_ns = ms, .step_ns = ms / 8}};
    PlantDescription d = plant.description();
    std::vector<SubsystemDescription> subsystems(d.subsystems.begin(), d.subsystems.end());
    std::vector<WindowPlan> windows(d.windows.begin(), d.windows.end());
    std::vector<ExchangePlan> exchanges(d.exchanges.begin(), d.exchanges.end());
    const GroupPlan groups[] = {{.name = "slow", .parent = 0, .period_ns = ms},
                                {.name = "fast", .parent = 0, .period_ns = ms / 4}};
    subsystems[1].period_ns = windows[1].period_ns = ms / 4;
    windows[0].period_ns = ms;
    windows[0].group = 0, windows[1].group = 1;
    for (ExchangePlan& exchange : exchanges) exchange.period_ns = ms;
    d.subsystems = subsystems, d.windows = windows, d.exchanges = exchanges, d.groups = groups, d.macro_step_ns = ms;
    SimulatedClock clock;
    const Injection injection{
        .kind = Injection::Kind::long_computation, .macro_step = 50, .duration = WallDuration{5 * ms / 2}};
    const RunResults r = run(
        d,
        {.paced = true, .macro_steps = 200, .rig = {.policy = all, .group_policies = given}, .injections = {injection}},
        clock);
    return std::pair(r.overruns.overruns, r.overruns.dropped_periods);
  };
  using enum OverrunPolicy;
  const auto skipped = late(skip, {}), counted = late(count, {});
  REQUIRE((skipped.second == 2 && counted.second == 0 && counted.first > skipped.first));
  CHECK(late(count, {{"slow", skip}, {"fast", count}}) == skipped);
  CHECK(late(count, {{"fast", skip}}) == skipped);
  CHECK(late(skip, {{"slow", count}, {"fast", count}}) == counted);
}

TEST_CASE("overruns in a row are those of macro-steps, wherever in them they are") {
  test::NestedBodies nested;
  SimulatedClock clock;
  std::vector<Injection> injections;  // each makes the first of four stretches late; three are in time again
  for (std::uint64_t k = 50; k < 60; ++k)
    injections.push_back(
        {.kind = Injection::Kind::long_computation, .macro_step = k, .duration = WallDuration{3 * ms / 10}});
  const auto r =
      run(nested.description,
          {.paced = true, .macro_steps = 200, .rig = {.stop_after_consecutive = 5}, .injections = injections}, clock);
  CHECK(r.failed);
  CHECK(r.macro_steps == 55);
}

TEST_CASE("a window that is computed after later releases sees the inputs of its own") {
  // Fast first: the slow window runs when the last fast one has, and so do two windows of a second group.
  SubsystemDescription subsystems[3] = {};
  const std::int64_t periods[] = {1, 4, 2};
  for (std::size_t k = 0; k < 3; ++k)
    subsystems[k].name = "s", subsystems[k].period_ns = subsystems[k].step_ns = periods[k];
  const GroupPlan groups[] = {{.name = "slow", .parent = 0, .period_ns = 4},
                              {.name = "fast", .parent = 0, .period_ns = 1},
                              {.name = "middle", .parent = 0, .period_ns = 2}};
  const WindowPlan windows[] = {{.subsystem = 0, .period_ns = 1, .group = 1},
                                {.subsystem = 1, .period_ns = 4, .group = 0},
                                {.subsystem = 2, .period_ns = 2, .group = 2}};
  const InputRoute routes[] = {{.plant_input = 0, .consumer = 0, .input = 0},
                               {.plant_input = 0, .consumer = 1, .input = 0},
                               {.plant_input = 0, .consumer = 2, .input = 0}};
  PlantDescription plant{};
  plant.name = "three", plant.macro_step_ns = 4;
  plant.subsystems = subsystems, plant.groups = groups, plant.windows = windows, plant.input_routes = routes;
  const Schedule schedule(plant);
  REQUIRE(schedule.instants().size() == 4);
  double shown[1] = {-1.0};
  InputLatch latch(schedule, shown);
  latch.begin();
  std::vector<double> seen;
  std::uint32_t opened = 0;
  for (const Schedule::Slot& slot : schedule.slots()) {
    for (; opened < slot.opens; ++opened) {
      CHECK(schedule.instants()[opened].takes_inputs);
      latch.newest()[0] = 10.0 * opened;
      latch.take(opened);
    }
    seen.push_back(latch.seen_by(slot)[0]);
  }
  CHECK(seen == std::vector<double>{0.0, 10.0, 20.0, 30.0, 0.0, 0.0, 20.0});
  CHECK(shown[0] == 30.0);
  CHECK(schedule.next_taking(SimTime{5}) == SimTime{5});
  // Where times do not divide each other, inputs are taken at the multiples of each.
  subsystems[0].period_ns = subsystems[0].step_ns = 2, subsystems[1].period_ns = subsystems[1].step_ns = 3;
  subsystems[2].period_ns = subsystems[2].step_ns = 6;
  const GroupPlan other[] = {{.name = "whole", .parent = 0, .period_ns = 6},
                             {.name = "two", .parent = 0, .period_ns = 2},
                             {.name = "three", .parent = 0, .period_ns = 3}};
  const WindowPlan others[] = {{.subsystem = 0, .period_ns = 2, .group = 1},
                               {.subsystem = 1, .period_ns = 3, .group = 2},
                               {.subsystem = 2, .period_ns = 6, .group = 0}};
  plant.macro_step_ns = 6, plant.groups = other, plant.windows = others;
  const Schedule mixed(plant);
  const std::int64_t wanted[] = {0, 2, 2, 3, 4, 6, 6, 8, 8, 9};
  for (std::int64_t t = 0; t < 10; ++t) CHECK(mixed.next_taking(SimTime{t}) == SimTime{wanted[t]});
}
