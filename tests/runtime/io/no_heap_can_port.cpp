// No allocation in latch(), publish() and publish_safe(): the malloc of heap_guard ends the program in a real-time
// section.
#include <unistd.h>

#include <cstdio>
#include <filesystem>
#include <limits>
#include <new>
#include <string>
#include <vector>

#include "bus_can0.hpp"
#include "rig.hpp"
#include "runtime/executive/realtime_section.hpp"
#include "runtime/io/can/bus.hpp"
#include "runtime/io/can/socketcand_client.hpp"
#include "runtime/plant/wall_clock.hpp"
#include "tests/runtime/io/sample_plant.hpp"

int main(int argc, char**) {
  const auto plant = sample::describe();
  const auto traces = std::filesystem::temp_directory_path() / ("takt_no_heap_" + std::to_string(::getpid()));
  std::filesystem::create_directories(traces);
  const auto io = takt::rig::make_io(
      plant, {.paced = true, .overrides = {{"can0.port", "0"}, {"can0.trace", "candump,mf4"}}, .directory = traces});
  io->start();
  takt::can::SocketcandClient client("127.0.0.1", sample::port_of(*io), "can0");
  auto inputs = sample::start_values();
  sample::Memory memory;
  takt::rig::bus_can0::Command command;
  takt::can::Frame frame;
  const auto faults = io->outside_faults();
  std::vector<std::uint64_t> words;
  for (const takt::OutsideFault& fault : faults) {
    const char* const text = fault.path.find(".node.") != std::string::npos ? "stopped"
                             : fault.path.ends_with(".bus")                 ? "babble 0x123 1 ms"
                                                                            : "delay 1 ms";
    words.push_back(fault.pack(fault.of, text));
  }
  if (faults.empty()) return 2;
  bool seen = false, timed_out = false, sent = false;
  // Frames, time-outs, their events, and the way back; ends when each has been seen.
  for (std::int64_t now = 0; now < 60'000'000'000 && !(seen && timed_out && sent); now += 1'000'000) {
    if (now < 500'000'000) {
      command.torque = 7;
      encode(command, frame);
      (void)client.send(frame);
    }
    client.wait(takt::wall_now() + takt::WallDuration{1'000'000});
    while (client.receive(frame)) sent = true;
    memory.alarm = static_cast<double>(now / 1'000'000 % 2);
    memory.level = 1e6, memory.w = std::numeric_limits<double>::quiet_NaN();  // counted: their signals do not hold them
    {
      const takt::RealtimeSection section;
      for (std::uint32_t k = 0; k < faults.size(); ++k)  // every second time
        io->disturb(k, now / 1'000'000 % 2 == 0 ? words[k] : 0);
      io->latch(takt::SimTime{now}, takt::wall_now(), inputs);
      io->publish(takt::SimTime{now}, takt::wall_now(), reinterpret_cast<const std::byte*>(&memory));
      if (argc > 1) ::operator delete(::operator new(1));  // the guard itself is tested: must end the program
    }
    seen = seen || inputs[sample::torque] == 7.0;
    timed_out = timed_out || (seen && inputs[sample::torque] == -1.0);
  }
  {
    const takt::RealtimeSection section;
    io->publish_safe({});
  }
  io->stop();
  const bool traced = std::filesystem::file_size(traces / "bus_can0.log") > 0;
  std::filesystem::remove_all(traces);
  if (!traced) return 3;
  std::printf("received %d, timed out %d, sent %d\n", seen, timed_out, sent);
  return seen && timed_out && sent ? 0 : 1;
}
