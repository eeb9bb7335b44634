// No allocation in latch(), publish() and publish_safe(): malloc ends the program while this thread says so.
#include <cstdio>
#include <cstdlib>
#include <ctime>

#include "bus_can0.hpp"
#include "rig.hpp"
#include "runtime/io/can/bus.hpp"
#include "runtime/io/can/socketcand_client.hpp"
#include "tests/runtime/io/sample_plant.hpp"

namespace {

thread_local bool forbidden = false;

void judge() {
  if (!forbidden) return;
  forbidden = false;
  std::fputs("allocation in a call of the real-time thread\n", stderr);
  std::_Exit(3);
}

}  // namespace

extern "C" {
void* __libc_malloc(std::size_t);
void __libc_free(void*);
void* malloc(std::size_t size) {
  judge();
  return __libc_malloc(size);
}
void free(void* memory) {
  if (memory != nullptr) judge();
  __libc_free(memory);
}
}

int main(int argc, char**) {
  const auto plant = sample::describe();
  const auto io = takt::rig::make_io(plant, {.paced = true, .overrides = {{"can0.port", "0"}}});
  io->start();
  takt::can::SocketcandClient client("127.0.0.1", sample::port_of(*io), "can0");
  auto inputs = sample::start_values();
  sample::Memory memory;
  takt::rig::bus_can0::Command command;
  takt::can::Frame frame;
  bool seen = false, timed_out = false, sent = false;
  // Frames, time-outs, their events, and the way back; ends when each has been seen.
  for (std::int64_t now = 0; now < 60'000'000'000 && !(seen && timed_out && sent); now += 1'000'000) {
    if (now < 500'000'000) {
      command.torque = 7;
      encode(command, frame);
      (void)client.send(frame);
    }
    client.wait(takt::can::monotonic_ns() + 1'000'000);
    while (client.receive(frame)) sent = true;
    memory.alarm = static_cast<double>(now / 1'000'000 % 2);
    forbidden = true;
    io->latch(now, inputs);
    io->publish(now, reinterpret_cast<const std::byte*>(&memory));
    if (argc > 1) std::free(std::malloc(1));  // the guard itself is tested: must end the program
    forbidden = false;
    seen = seen || inputs[sample::torque] == 7.0;
    timed_out = timed_out || (seen && inputs[sample::torque] == -1.0);
  }
  forbidden = true;
  io->publish_safe(0);
  forbidden = false;
  io->stop();
  std::printf("received %d, timed out %d, sent %d\n", seen, timed_out, sent);
  return seen && timed_out && sent ? 0 : 1;
}
