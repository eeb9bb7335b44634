// The order of calls, conversions, states, partials, events: with FMUs made here (toy2.c, toy3.c).

#include "instance_sample.hpp"

using namespace takt::instance_sample;

TEST_CASE("a missing library, function or second instance is named") {
  Table table = toy(Version::v2, Kind::co_simulation);
  table.version = Version::v3;
  CHECK_THROWS_WITH(Instance(table), Contains("fmi3"));
  table.library = "/nowhere/a.so";
  CHECK_THROWS_WITH(Instance(table), Contains("/nowhere/a.so"));
  Table alone = toy(Version::v3, Kind::co_simulation);
  alone.can.only_once_per_process = true;
  const Instance first(alone);
  CHECK_THROWS_WITH(Instance(alone), Contains("one instance per process"));
}

TEST_CASE("a wrong token is refused with the FMU's message") {
  for (const Version version : {Version::v2, Version::v3}) {
    Table table = toy(version, Kind::co_simulation);
    table.token = "{other}";
    Instance instance(table);
    const Result made = instance.instantiate({});
    CHECK(made.status == Status::error);
    CHECK_THAT(describe(made, instance), Contains("wrong"));
  }
}

TEST_CASE("what the standard forbids in a mode is refused and not called") {
  Instance instance(toy(Version::v2, Kind::co_simulation));
  StepEnd end;
  CHECK(instance.do_step(0, 1e-3, end).status == Status::refused);
  CHECK(instance.exit_initialization().status == Status::refused);
  begin(instance);
  CHECK(instance.instantiate({}).status == Status::refused);
  CHECK(instance.set_time(0).status == Status::refused);
  CHECK(instance.enter_event_mode().status == Status::refused);
  CHECK(write(instance, x2, 2).status == Status::refused);  // initial = exact: before it steps
  CHECK(instance.do_step(0, 0, end).status == Status::refused);
  CHECK(instance.do_step(0, 1e-3, end).done());
  CHECK(instance.terminate().done());
  CHECK(instance.do_step(1e-3, 1e-3, end).status == Status::refused);
  CHECK(read(instance, x2) == 1 - 1e-3);
  CHECK(instance.reset().done());
  CHECK(instance.mode() == Mode::instantiated);
}

TEST_CASE("outputs are not read between a set and the next step") {
  for (const Version version : {Version::v2, Version::v3}) {
    Instance instance(toy(version, Kind::co_simulation));
    begin(instance, false);
    const Row e3{Type::float64, E, 0, 1, Use::tunable}, h3{Type::float64, H, 0, 1, Use::start_exact};
    const Row& set = version == Version::v2 ? u2 : e3;
    const Row& get = version == Version::v2 ? x2 : h3;
    read(instance, get);
    REQUIRE(write(instance, set, 0.5).done());
    RowSet rows(version, std::span(&get, 1));
    double value = 0;
    CHECK(instance.get(rows, {&value, 1}).status == Status::refused);
    StepEnd end;
    REQUIRE(instance.do_step(0, 1e-3, end).done());
    CHECK(instance.get(rows, {&value, 1}).done());
  }
}

TEST_CASE("discard, error and fatal are told apart, and what may follow") {
  const struct {
    int fault;
    Status status;
    Mode mode;
  } cases[] = {{5, Status::discard, Mode::discarded}, {6, Status::error, Mode::failed}, {7, Status::fatal, Mode::dead}};
  for (const auto& one : cases) {
    Instance instance(toy(Version::v2, Kind::co_simulation));
    REQUIRE(instance.instantiate({}).done());
    REQUIRE(write(instance, fault2, one.fault).done());
    REQUIRE(instance.enter_initialization({}).done());
    REQUIRE(instance.exit_initialization().done());
    Result result;
    StepEnd end;
    int k = 0;
    for (; result.done() && k <= 2000; ++k) result = instance.do_step(k * 1e-3, 1e-3, end);
    CHECK(k == 1001);
    CHECK(result.status == one.status);
    CHECK(instance.mode() == one.mode);
    CHECK_THAT(describe(result, instance), Contains("at step 1000 of toy"));
    if (one.status == Status::discard) CHECK(end.reached == 1.0);
    CHECK(instance.do_step(1, 1e-3, end).status == Status::refused);
    CHECK(instance.reset().done() == (one.status != Status::fatal));
  }
}

TEST_CASE("whole numbers, booleans and enumerations are exact or refused") {
  Instance instance(toy(Version::v3, Kind::co_simulation));
  REQUIRE(instance.instantiate({}).done());
  const Row small{Type::int8, SMALL, 0, 1, Use::start_exact}, big{Type::uint64, BIG, 0, 1, Use::start_exact},
      marked{Type::boolean, MARKED, 0, 1, Use::start_exact},
      surface{Type::enumeration, SURFACE, 0, 1, Use::start_exact},
      single{Type::float32, SINGLE, 0, 1, Use::start_exact}, gains{Type::float64, GAINS, 0, 3, Use::start_exact};
  CHECK(write(instance, small, -128).done());
  for (const double wrong : {-129.0, 128.0, 0.5, std::numeric_limits<double>::quiet_NaN(), HUGE_VAL}) {
    const Result result = write(instance, small, wrong);
    CHECK(result.status == Status::refused);
    CHECK(result.row == 0);
  }
  CHECK(write(instance, big, -1).status == Status::refused);
  CHECK(write(instance, big, 0x1p64).status == Status::refused);
  CHECK(write(instance, big, 0x1p60).done());
  CHECK(write(instance, marked, 2).status == Status::refused);
  CHECK(write(instance, marked, 1).done());
  CHECK(write(instance, surface, 3).done());
  CHECK(write(instance, single, 0.1).done());
  CHECK(write(instance, gains, 4).done());
  REQUIRE(instance.enter_initialization({}).done());
  CHECK(read(instance, small) == -128);
  CHECK(read(instance, marked) == 1);
  CHECK(read(instance, surface) == 3);
  CHECK(read(instance, single) == static_cast<double>(0.1F));
  CHECK(read(instance, gains) == 4);
  RowSet rows(Version::v3, std::span(&big, 1));
  double value = 0;
  CHECK(instance.get(rows, {&value, 1}).status ==
        Status::refused);  // 2^60: a double cannot tell it from its neighbours
  CHECK_THROWS(RowSet(Version::v2, std::span(&small, 1)));
}

TEST_CASE("texts are set and read") {
  Instance instance(toy(Version::v3, Kind::co_simulation));
  REQUIRE(instance.instantiate({}).done());
  REQUIRE(instance.set_string(NAME, "rubber", Use::start_exact).done());
  REQUIRE(instance.enter_initialization({}).done());
  const char* text = nullptr;
  REQUIRE(instance.get_string(NAME, text).done());
  CHECK(std::string(text) == "rubber");
}

TEST_CASE("impacts are located within a step, ticks hit exactly, a step event served") {
  for (const Tableau& method : tableaus) {
    Instance instance(toy(Version::v3, Kind::model_exchange));
    begin(instance);
    NoInputs inputs;
    ModelExchange model(instance, method, inputs);
    Seen seen;
    REQUIRE(model.start(0).result.done());
    model.watch(&seen);
    for (int k = 0; k < 100; ++k) REQUIRE(model.advance(k * 0.01, (k + 1) * 0.01).result.done());
    CHECK(model.counts().time_events == 10);
    CHECK(model.counts().step_events == 1);
    for (int tick = 1; tick <= 10; ++tick) CHECK(std::count(seen.times.begin(), seen.times.end(), 0.1 * tick) == 1);
    CHECK(read(instance, {Type::int32, TICKS}) == 10);
    CHECK(read(instance, {Type::boolean, MARKED}) == 1);
    if (method.order < 2) continue;  // Euler falls another way: its impacts are those of its own solution
    for (const double impact : impacts(1.0)) {
      const bool found =
          std::any_of(seen.times.begin(), seen.times.end(), [&](double t) { return std::abs(t - impact) < 1e-11; });
      INFO(method.name << " " << impact);
      CHECK(found);
    }
  }
}

TEST_CASE("a co-simulation returns early at its events") {
  Instance instance(toy(Version::v3, Kind::co_simulation));
  begin(instance);
  NoInputs inputs;
  CoSimulation slave(instance, inputs);
  Seen seen;
  REQUIRE(slave.start(0).result.done());
  slave.watch(&seen);
  for (int k = 0; k < 10; ++k) REQUIRE(slave.advance(k * 0.1, (k + 1) * 0.1).result.done());
  const std::vector<double> expected = impacts(1.0);
  REQUIRE(seen.times.size() == expected.size());
  for (std::size_t k = 0; k < expected.size(); ++k) CHECK(seen.times[k] == Approx(expected[k]).epsilon(1e-12));
}

TEST_CASE("a state continues with the same bits, also from bytes in another instance") {
  for (const Version version : {Version::v2, Version::v3})
    for (const Kind kind : {Kind::co_simulation, Kind::model_exchange}) {
      Instance instance(toy(version, kind)), other(toy(version, kind));
      NoInputs inputs;
      Driver driver(instance, tableaus[3], inputs), copied(other, tableaus[3], inputs);
      begin(instance), begin(other);
      REQUIRE(driver.start(0).result.done());
      REQUIRE(copied.start(0).result.done());
      const Row state = version == Version::v2 ? x2 : Row{Type::float64, H};
      const auto go = [&](Driver& on, Instance& of) {
        for (int k = 50; k < 100; ++k) REQUIRE(on.advance(k * 0.01, (k + 1) * 0.01).result.done());
        return read(of, state);
      };
      for (int k = 0; k < 50; ++k) REQUIRE(driver.advance(k * 0.01, (k + 1) * 0.01).result.done());
      SavedState saved, moved;
      const EventInfo next = driver.next_event();
      REQUIRE(instance.get_state(saved).done());
      std::vector<std::byte> bytes;
      REQUIRE(instance.serialize(saved, bytes).done());
      const double straight = go(driver, instance);
      REQUIRE(instance.set_state(saved).done());
      REQUIRE(driver.resume(0.5, next).result.done());
      CHECK(go(driver, instance) == straight);
      REQUIRE(other.deserialize(bytes, moved).done());
      REQUIRE(other.set_state(moved).done());
      REQUIRE(copied.resume(0.5, next).result.done());
      CHECK(go(copied, other) == straight);
      CHECK(instance.free_state(saved).done());
      CHECK(other.free_state(moved).done());
      bytes[0] = std::byte{0};
      CHECK(other.deserialize(bytes, moved).status == Status::refused);
    }
}

TEST_CASE("directional and adjoint derivatives") {
  Instance two(toy(Version::v2, Kind::model_exchange)), three(toy(Version::v3, Kind::model_exchange));
  begin(two), begin(three);
  const std::uint32_t der_x = 1, u = 2, der_h = DER_H, v = V;
  const double seed = 2;
  double sensitivity = 0;
  REQUIRE(two.directional({{&der_x, 1}, {&u, 1}, {&seed, 1}, {&sensitivity, 1}}).done());
  CHECK(sensitivity == 2);
  CHECK(two.adjoint({{&der_x, 1}, {&u, 1}, {&seed, 1}, {&sensitivity, 1}}).status == Status::refused);
  REQUIRE(three.directional({{&der_h, 1}, {&v, 1}, {&seed, 1}, {&sensitivity, 1}}).done());
  CHECK(sensitivity == 2);
  sensitivity = 0;
  REQUIRE(three.adjoint({{&der_h, 1}, {&v, 1}, {&seed, 1}, {&sensitivity, 1}}).done());
  CHECK(sensitivity == 2);
}

TEST_CASE("the thread's floating-point control is kept apart from the FMU's") {
  Instance instance(toy(Version::v2, Kind::co_simulation));
  REQUIRE(instance.instantiate({}).done());
  REQUIRE(write(instance, fault2, 11).done());  // it rounds up from its first step on
  REQUIRE(instance.enter_initialization({}).done());
  REQUIRE(instance.exit_initialization().done());
  takt::platform::FloatControl own = takt::platform::plain_float_control;
  own.mxcsr |= 0x8040;  // as on real-time threads: subnormal numbers are zero
  takt::platform::set_float_control(own);
  StepEnd end;
  const bool done = instance.do_step(0, 1e-3, end).done();
  const bool kept = takt::platform::float_control() == own;
  takt::platform::set_float_control(takt::platform::plain_float_control);
  CHECK(done);
  CHECK(kept);
  CHECK(instance.float_control_changes() == 1);
}

TEST_CASE("linearly implicit methods carry any step, and their order shows") {
  const double exact = std::cos(1.0);
  for (const bool partials : {true, false}) {
    const auto error = [&](double l, const char* method, int steps) {
      return std::abs(run_stiff({.l = l}, method, steps, partials).x.at(0) - exact);
    };
    CHECK(error(1e6, "ros1", 20) < 1e-6);  // at the end of a step it is where it should be
    CHECK(error(1e6, "ros2", 20) < 2e-4);
    CHECK(std::log2(error(1e6, "ros2", 20) / error(1e6, "ros2", 40)) == Approx(2.0).margin(0.1));
    CHECK(std::log2(error(2.0, "ros1", 100) / error(2.0, "ros1", 200)) == Approx(1.0).margin(0.1));
    CHECK(std::log2(error(2.0, "ros2", 100) / error(2.0, "ros2", 200)) == Approx(2.0).margin(0.1));
  }
}

TEST_CASE("van der Pol's equation by an implicit method is that of an explicit one with small steps") {
  const std::vector<double> mild = run_stiff({.mu = 5.0}, "rk4", 20000).x;
  const auto error = [&](int steps) { return std::abs(run_stiff({.mu = 5.0}, "ros2", steps).x.at(1) - mild.at(1)); };
  CHECK(std::log2(error(400) / error(800)) == Approx(2.0).margin(0.15));
  // Stiff: along the slow manifold b = a/(1 - a^2), to 1/mu.
  const std::vector<double> slow = run_stiff({.mu = 1e6, .a = 3.0}, "ros2", 100).x;
  CHECK(slow.at(2) == Approx(slow.at(1) / (1.0 - slow.at(1) * slow.at(1))).epsilon(1e-4));
  // ln a - a^2/2 - t is kept there, from a = 3
  const double kept = std::log(slow.at(1)) - 0.5 * slow.at(1) * slow.at(1) - (std::log(3.0) - 4.5);
  CHECK(kept == Approx(1.0).epsilon(1e-3));
}

TEST_CASE("a step that is too long on the way only is seen, and taken by an implicit method where that may be chosen") {
  // van der Pol's oscillator jumps at 0.04 s, to where b decays with 3000 1/s: too fast for steps of 2 ms
  const Parameters jumps{.mu = 1000.0, .a = 1.2, .b = -2.7};
  CHECK_THAT(run_stiff(jumps, "rk4", 500).reason, Contains("the method is not stable with this step"));
  CHECK(run_stiff(jumps, "rk4", 5000).reason.empty());
  const std::vector<double> chosen = run_stiff(jumps, "auto", 500).x;
  CHECK(chosen.at(2) == Approx(chosen.at(1) / (1.0 - chosen.at(1) * chosen.at(1))).epsilon(0.01));
  CHECK(run_stiff({.l = 1e6}, "auto", 20).x.at(0) == Approx(std::cos(1.0)).margin(2e-4));
}

TEST_CASE("what explodes and what chatters ends by name") {
  CHECK_THAT(run_stiff({.l = 1e6}, "heun", 100).reason, Contains("grown beyond 1e30"));
  CHECK_THAT(run_stiff({.relay = 1.0}, "rk4", 1000).reason, Contains("without end"));
  CHECK(run_stiff({.relay = 0.4}, "rk4", 1000).reason.empty());  // it does not come to 0
}
