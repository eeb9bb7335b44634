// No allocation in latch(), publish(), disturb() and publish_safe(): the malloc of heap_guard ends the program in a
// real-time section.
#include <cstdio>
#include <new>

#include "runtime/executive/realtime_section.hpp"
#include "runtime/io/udp/field.hpp"
#include "runtime/io/udp/udp_port.hpp"
#include "runtime/io/udp/udp_socket.hpp"
#include "runtime/plant/wall_clock.hpp"
#include "tests/runtime/io/udp/sample_udp.hpp"

int main(int argc, char** argv) {
  using namespace takt::udp;
  const auto plant = sample_udp::describe();
  const Endpoint any{"test", "lo", 0, {0x7F000001, 9}};
  const std::string peer_text = text(UdpSocket(any).own());
  const std::array<BusPlan, 1> buses{sample_udp::bus(peer_text.c_str())};
  UdpPort port(plant, buses, {.paced = true, .overrides = {}});
  port.start();
  const std::string told = port.events().at(0).text;
  const auto own = static_cast<std::uint16_t>(std::stoi(told.substr(told.find(':', 5) + 1)));
  UdpSocket peer({"test", "lo", read_address(peer_text)->port, {0x7F000001, own}});
  auto inputs = sample_udp::start_values();
  sample_udp::Memory memory;
  const auto faults = port.outside_faults();
  const std::uint64_t delay = faults[0].pack(nullptr, "delay 1 ms");
  bool seen = false, timed_out = false, sent = false;
  // Frames, time-outs, and the way back; ends when each has been seen.
  for (std::int64_t now = 0; now < 60'000'000'000 && !(seen && timed_out && sent); now += 1'000'000) {
    std::array<std::uint8_t, 21> frame{};
    store_bits(static_cast<std::uint64_t>(now / 1'000'000), frame.data(), 4, false);
    frame[20] = 200;
    if (now < 300'000'000) (void)peer.send(frame);
    const timespec pause{0, 1'000'000};
    nanosleep(&pause, nullptr);
    sent = sent || !peer.receive().empty();
    {
      const takt::RealtimeSection section;
      for (std::uint32_t k = 0; k < 3; ++k) port.disturb(k, now / 1'000'000 % 8 == 0 ? delay : 0);
      port.latch(takt::SimTime{now}, takt::wall_now(), inputs);
      port.publish(takt::SimTime{now}, takt::wall_now(), reinterpret_cast<const std::byte*>(&memory));
      if (argc > 1 && argv[1] == std::string_view("offend")) ::operator delete(::operator new(1));
    }
    seen = seen || inputs[sample_udp::enable] == 200.0;
    timed_out = timed_out || (seen && inputs[sample_udp::enable] == 0.0);
  }
  {
    const takt::RealtimeSection section;
    port.publish_safe({});
  }
  port.stop();
  std::printf("received %d, timed out %d, sent %d\n", seen, timed_out, sent);
  return seen && timed_out && sent ? 0 : 1;
}
