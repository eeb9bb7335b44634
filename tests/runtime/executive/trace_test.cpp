// What a run leaves as its trace, in simulated time.

#include <catch2/catch.hpp>
#include <fstream>
#include <map>

#include "runtime/io/record/trace_file.hpp"
#include "tests/runtime/executive/run_simulated.hpp"
#include "tests/runtime/support/two_bodies.hpp"

namespace {

using namespace takt;
using test::SimulatedClock;
using test::TwoBodies;

struct Traced {
  RunResults results;
  RunTracePointer trace;
};

Traced traced(Executive::Options options) {
  TwoBodies<> plant;
  SimulatedClock clock;
  Executive executive(plant.description(), std::move(options), {.clock = clock});
  REQUIRE(executive.prepare().empty());
  executive.run();
  Traced run;
  executive.report(run.results);
  run.trace = executive.take_trace();
  return run;
}

using Counts = std::map<TraceKind, std::uint64_t>;

/// By macro-step.
std::map<std::uint64_t, Counts> counts(const RunTrace& trace) {
  std::map<std::uint64_t, Counts> found;
  for (const TraceTrack& track : trace.tracks)
    for (const TraceRing::Block& block : track.ring.blocks())
      for (const TraceEvent& event : block.events) ++found[event.macro_step][event.kind];
  return found;
}

constexpr SimDuration ms{1'000'000};

}  // namespace

TEST_CASE("a trace holds every window, release and macro-step, and changes nothing") {
  const Executive::Options options{.paced = true, .macro_steps = 200};
  const Traced without = traced(options);
  CHECK(without.trace == nullptr);
  Executive::Options with = options;
  with.trace_last = ms * 1000;
  const Traced run = traced(with);
  REQUIRE(run.trace != nullptr);
  CHECK(run.results.digest == without.results.digest);
  const auto found = counts(*run.trace);
  REQUIRE(found.size() == 200);
  for (const auto& [k, kinds] : found) {
    CHECK(kinds.at(TraceKind::window) == 2);
    CHECK(kinds.at(TraceKind::woken) == 1);
    CHECK(kinds.at(TraceKind::step) == 1);
    CHECK(kinds.count(TraceKind::overrun) == 0);
  }
}

TEST_CASE("events of a macro-step lie one after another, between its release and its deadline") {
  const Traced run = traced({.paced = true, .macro_steps = 50, .trace_last = ms * 1000});
  std::int64_t before = 0;
  for (const TraceRing::Block& block : run.trace->tracks.front().ring.blocks())
    for (const TraceEvent& event : block.events) {
      const std::int64_t end = run.trace->time_of(event.end).ns();
      CHECK(end >= before);
      if (event.kind == TraceKind::window) CHECK(run.trace->time_of(event.begin).ns() >= before);
      if (event.kind == TraceKind::woken)
        CHECK(end >= static_cast<std::int64_t>(event.begin));  // not before its release
      before = end;
    }
}

TEST_CASE("what lies around an overrun stays when the ring has wrapped, the end is complete, the rest is counted") {
  const std::uint64_t late = 300, steps = 5000;
  const Traced run = traced({.paced = true,
                             .macro_steps = steps,
                             .injections = {{.macro_step = late, .duration = WallDuration{1'500'000}}},
                             .trace_last = ms * 40});
  REQUIRE(run.results.overruns.incident_count == 1);
  const auto found = counts(*run.trace);
  CHECK(found.at(late).at(TraceKind::overrun) == 1);
  for (std::uint64_t k = late - KeptPlaces::before; k <= late + KeptPlaces::after; ++k)
    CHECK(found.at(k).at(TraceKind::window) == 2);
  for (std::uint64_t k = steps - 40; k < steps; ++k) CHECK(found.at(k).at(TraceKind::window) == 2);
  CHECK(found.count(2000) == 0);

  const auto directory = test::fresh_directory("trace");
  const TraceResult written = write_trace(directory / "trace.pftrace", *run.trace, run.results);
  CHECK(written.file == "trace.pftrace");
  CHECK(written.places == 1);
  CHECK(written.from_s <= (static_cast<double>(steps) - 40) * 1e-3);
  CHECK(written.events + written.lost == run.trace->tracks.front().ring.added());
  std::ifstream file(directory / "trace.pftrace", std::ios::binary);
  const std::string text{std::istreambuf_iterator<char>(file), {}};
  CHECK(text.find("overrun: computed long") != std::string::npos);
  CHECK_FALSE(std::filesystem::exists(directory / "trace.pftrace.part"));
}

TEST_CASE("a free run is traced where it is asked for") {
  const Traced run = traced({.macro_steps = 100, .trace_last = ms * 1000});
  const auto found = counts(*run.trace);
  REQUIRE(found.size() == 100);
  CHECK(found.at(99).at(TraceKind::window) == 2);
}

TEST_CASE("a trace longer than there is memory is as long as there is memory") {
  const Traced run = traced({.macro_steps = 100, .trace_last = SimDuration{3600'000'000'000}});
  CHECK(run.trace->tracks.front().ring.added() > 0);
  SimulatedClock clock;
  TwoBodies<> plant;
  const PlantDescription description = plant.description();
  const Schedule schedule(description);
  const WorkPlan work(description, schedule, Placement(description.subsystems.size(), 0));
  const auto trace = make_run_trace(work, schedule, {.last = SimDuration{3600'000'000'000'000}, .macro_step = ms});
  TraceRing& ring = trace->tracks.front().ring;
  for (std::size_t i = 0; i < 3 * most_trace_events; ++i) ring.add({.macro_step = i});
  std::size_t there = 0;
  for (const TraceRing::Block& block : ring.blocks()) there += block.events.size();
  CHECK(there <= most_trace_events);
  CHECK(there > most_trace_events / 2);
}
