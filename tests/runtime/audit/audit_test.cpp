#include "runtime/audit/audit.hpp"

#include <catch2/catch.hpp>
#include <cstring>

#include "runtime/audit/replica.hpp"
#include "runtime/executive/executive.hpp"
#include "tests/runtime/executive/simulated_clock.hpp"
#include "tests/runtime/support/two_bodies.hpp"

namespace {

using namespace takt;
using test::SimulatedClock;
using test::TwoBodies;
using test::TwoBodiesOptions;

constexpr std::int64_t ms = 1'000'000;

/// A run that keeps copies.
template <class Method>
struct Run {
  TwoBodies<Method> plant;
  PlantDescription description;
  SimulatedClock clock;
  InputScript script;
  Executive executive;
  std::uint64_t macro_steps;

  Run(TwoBodiesOptions options, std::uint64_t steps, std::vector<ScriptedInput> changes = {})
      : plant(options),
        description(plant.description()),
        script(std::move(changes), 1),
        executive(description, {.macro_steps = steps, .keep_copies = true}, {.clock = clock, .script = script}),
        macro_steps(steps) {
    REQUIRE(executive.prepare().empty());
    executive.run();
  }
  AuditResult audited(double seconds = -1.0) {
    return audit({.plant = description, .copies = executive.copies(), .script = script, .macro_steps = macro_steps},
                 {.seconds = seconds});
  }
};

}  // namespace

TEST_CASE("steps that resolve the plant pass the audit, and it says how far they are off") {
  Run<Heun> run({.window_ns = 10 * ms, .step_ns = 5 * ms}, 100);
  const AuditResult found = run.audited();
  CHECK(found.done);
  CHECK(found.finding.empty());
  CHECK(found.covered_s == Approx(1.0));
  CHECK(found.error > 0.0);
  CHECK(found.error < 1e-2);
}

TEST_CASE("steps as long as the plant's time constant are found and named") {
  Run<Euler> run({.window_ns = 200 * ms, .step_ns = 200 * ms}, 20);
  const AuditResult found = run.audited();
  INFO(found.finding);
  CHECK(found.error > 1e-2);
  CHECK_THAT(found.finding, Catch::Contains("too long") && Catch::Contains("% of its range"));
}

TEST_CASE("synchronisation times that are too long are told from steps") {
  Run<Rk4> run({.window_ns = 250 * ms, .step_ns = 10 * ms, .order = 0}, 16);
  const AuditResult found = run.audited();
  INFO(found.finding);
  CHECK_THAT(found.finding, Catch::StartsWith("synchronisation times too long"));
}

TEST_CASE("the audit's error is the one that the closed solution shows") {
  Run<Euler> run({.window_ns = 100 * ms, .step_ns = 100 * ms}, 1);
  const double truly_off = std::abs(run.plant.memory.first.x[0] - run.plant.exact_t1(0.1));
  const AuditResult found = run.audited();
  // Euler with a fifth of the step has a fifth of the error, and one macro-step is its own RMS.
  CHECK(found.error > 0.0);
  CHECK(truly_off > 0.0);
  CHECK(found.finding.size() > 0);
}

TEST_CASE("a copy computed on by the same plan is the run, bit for bit") {
  Run<Heun> run({.window_ns = 10 * ms, .step_ns = 5 * ms}, 200,
                {{.time = SimTime{600 * ms}, .input = 0, .value = 25.0}});
  const auto copies = run.executive.copies();
  REQUIRE(copies.size() >= 3);
  Replica again(run.description, same_plan(run.description), run.script);
  for (std::size_t i = 0; i + 1 < copies.size(); ++i) {
    again.load(copies[i]);
    while (again.macro_step() < copies[i + 1].macro_step) again.advance();
    const double* expected =
        reinterpret_cast<const double*>(copies[i + 1].memory.data() + offsetof(test::TwoBodiesMemory, first.x));
    CHECK(again.value_at(offsetof(test::TwoBodiesMemory, first.x)) == *expected);
  }
}

TEST_CASE("copies of a run of unknown length stay spread over it") {
  TwoBodies<> plant;
  const PlantDescription description = plant.description();
  const Exchanges exchanges(description, {});
  PlantCopies copies(description, exchanges, {.macro_steps = 0, .most = 8});
  for (std::uint64_t k = 0; k <= 1000; ++k)
    if (copies.is_due(k)) copies.take(k);
  const auto taken = copies.taken();
  REQUIRE(taken.size() >= 4);
  REQUIRE(taken.size() <= 8);
  const std::uint64_t stride = taken[1].macro_step;
  for (std::size_t i = 0; i < taken.size(); ++i) CHECK(taken[i].macro_step == i * stride);
  CHECK(taken.back().macro_step + stride > 1000 - stride);
}

TEST_CASE("a run that the time for the audit does not cover is looked at in stretches") {
  Run<Heun> run({.window_ns = 1 * ms, .step_ns = 1 * ms}, 20'000);
  const AuditResult found = run.audited(2e-3);
  CHECK(found.finding.empty());
  CHECK(found.covered_s > 0.0);
  if (found.covered_s < found.whole_s) CHECK(found.stretches > 0);
}

TEST_CASE("times are divided by what gives whole nanoseconds") {
  TwoBodies<> five({.window_ns = 10, .step_ns = 5}), three({.window_ns = 9, .step_ns = 3}),
      prime({.window_ns = 11, .step_ns = 11});
  CHECK(with_shorter_times(five.description())->divisor == 5);
  CHECK(with_shorter_times(three.description())->divisor == 3);
  CHECK_FALSE(with_shorter_times(prime.description()).has_value());
  CHECK(with_shorter_steps(prime.description()).subsystems[0].step_ns == 11);
}
