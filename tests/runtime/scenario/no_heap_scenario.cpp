// No allocation while a scenario is played: the malloc of heap_guard ends the program in a real-time section.

#include <cstdio>
#include <new>

#include "runtime/executive/realtime_section.hpp"
#include "tests/runtime/scenario/bench_plant.hpp"

namespace {

constexpr const char* text = R"(
[[step]]
set = { torque = "1 N*m" }
ramp = { torque = { to = "9 N*m", over = "20 ms" } }
until = "torque > 8 N*m"
[[step]]
sine = { enable = { mean = 0, amplitude = 1, frequency = "100 Hz", over = "20 ms" } }
never = "electric.link.v < 1 V"
band = { signal = "electric.link.v", reference = { points = [["0 s", "400 V"], ["1 s", "400 V"]] }, relative = "1 %", for = "30 ms" }
[[step]]
repeat = 3
[[step.step]]
when = "if(translational.car.v^2 > 1 m^2/s^2, time, 0 s) > 1 ms or enable > 2"
expect = "max(translational.car.v, 1 m/s) > 3 m/s"
within = "40 ms"
for = "2 ms"
)";

class CountingSink final : public takt::ActionSink {
 public:
  takt::SimTime act(const takt::Action&, std::uint16_t) noexcept override {
    ++actions;
    return now;
  }
  void stop(const char*) noexcept override { stopped = true; }
  takt::SimTime now;
  int actions = 0;
  bool stopped = false;
};

}  // namespace

int main(int argc, char**) {
  takt::test::BenchPlant bench;
  const takt::ScenarioProgram program = takt::read_scenario(text, "text", bench.plant);
  takt::Scenario scenario(program, bench.plant, {});
  CountingSink sink;
  int calls = 0;
  scenario.start(sink);
  for (std::int64_t ms = 0; ms < 200 && !sink.stopped; ++ms) {
    sink.now = takt::SimTime{ms * 1'000'000};
    bench.memory.speed = 0.1 * static_cast<double>(ms);
    bench.memory.torque = 0.2 * static_cast<double>(ms);
    const takt::RealtimeSection section;
    if (scenario.looks_at(sink.now) || scenario.may_act_at(sink.now)) scenario.direct(sink.now, sink), ++calls;
    if (argc > 1) ::operator delete(::operator new(1));  // the guard itself is tested: must end the program
  }
  {
    const takt::RealtimeSection section;
    scenario.end(sink.now);
  }
  const takt::ScenarioResult result = scenario.result();
  std::printf("%d calls, %d actions, %zu expectations, %s\n", calls, sink.actions, result.expectations.size(),
              result.because.c_str());
  return calls > 30 && sink.actions > 20 && result.verdict == takt::ScenarioResult::Verdict::passed ? 0 : 1;
}
