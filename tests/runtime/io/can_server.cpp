// The sample rig on its virtual bus for a while: can_server SECONDS. Prints "port N", then the plant inputs each time
// they change, and the statistics at the end. The plant's temperature rises by 1 K per 10 ms.
#include <cstdio>
#include <cstdlib>
#include <ctime>

#include "rig.hpp"
#include "runtime/io/can/bus.hpp"
#include "runtime/plant/wall_clock.hpp"
#include "tests/runtime/io/sample_plant.hpp"

int main(int argc, char** argv) {
  const double seconds = argc > 1 ? std::atof(argv[1]) : 5.0;
  const takt::WallTime end = takt::wall_now() + takt::WallDuration{static_cast<std::int64_t>(seconds * 1e9)};
  const auto plant = sample::describe();
  const auto io = takt::rig::make_io(plant, {.paced = true, .overrides = {{"can0.port", "0"}}});
  io->start();
  std::printf("port %d\n", sample::port_of(*io));
  auto inputs = sample::start_values();
  auto before = inputs;
  sample::Memory memory{.alarm = 0, .level = 1, .share = 0.5, .t = 273.15, .w = 10};
  for (takt::SimTime now; takt::wall_now() < end; now += takt::SimDuration{1'000'000}) {
    io->latch(now, takt::wall_now(), inputs);
    if (inputs != before) {
      for (const double value : inputs) std::printf("%.17g ", value);
      std::printf("\n");
      std::fflush(stdout);
      before = inputs;
    }
    memory.t += 0.1;
    io->publish(now, takt::wall_now(), reinterpret_cast<const std::byte*>(&memory));
    const timespec pause{0, 1'000'000};
    nanosleep(&pause, nullptr);
  }
  io->stop();
  std::printf("%s\n", io->statistics_json().c_str());
  return 0;
}
