#pragma once
// Both ends of a tap in one process, and the boundaries of a run between them.

#include <functional>
#include <vector>

#include "runtime/tap/service_end.hpp"
#include "runtime/tap/tap_port.hpp"
#include "tests/runtime/support/two_bodies.hpp"
#include "tests/runtime/tap/test_sink.hpp"

namespace takt::test {

inline constexpr std::int64_t ms = 1'000'000;

/// Time moves where the plant sleeps; then others have their turn.
struct HeldClock final : Clock {
  WallTime time{};
  std::function<void()> on_sleep = [] {};
  WallTime now() noexcept override { return time; }
  void sleep_until(WallTime until) noexcept override {
    time = until;
    on_sleep();
  }
  void spin_until(WallTime until) noexcept override { time = until; }
  std::uint64_t ticks() noexcept override { return static_cast<std::uint64_t>(time.ns()); }
};

/// Both ends of a tap in one process, and the boundaries of a run between them.
struct PortBench {
  explicit PortBench(TapPort::Settings settings = {.paced = true})
      : plant(bodies.description()),
        memory(plant, {.paced = settings.paced}),
        port(plant, *memory, clock, settings),
        service(*memory) {}

  /// The next boundary.
  void boundary() {
    looked_at = port.looks_at(sink.now);
    port.direct(sink.now, sink);
    sink.now += SimDuration{ms};
    (void)service.poll({});
  }
  void boundaries(int count) {
    for (int k = 0; k < count; ++k) boundary();
  }
  void subscribe(std::vector<std::uint32_t> rows, std::int64_t period) {
    (void)service.subscribe(
        rows, period, [this](const TapAnswer& a) { answers.push_back(a); },
        [this](const Sample& s) {
          times.push_back(s.time_ns);
          values.emplace_back(s.values.begin(), s.values.end());
        });
  }
  void send(TapCommand command) {
    service.send({&command, 1}, [this](const TapAnswer& a) { answers.push_back(a); });
  }

  TwoBodies<> bodies;
  PlantDescription plant;
  TapMemory memory;
  HeldClock clock;
  TapPort port;
  ServiceEnd service;
  TestSink sink;
  bool looked_at = false;
  std::vector<TapAnswer> answers;
  std::vector<std::int64_t> times;
  std::vector<std::vector<double>> values;
};

inline TapCommand set_heater(double watts) {
  return {.kind = TapCommand::Kind::act, .action = {.verb = Action::Verb::set, .target = 0, .value = watts}};
}

}  // namespace takt::test
