// udp_frames OWN_PORT PEER_PORT FRAMES: the plant's end of udp_frames.py. It takes frames as the I/O thread of a UDP
// bus does, compares each with what its counter says, answers it, and prints what it has counted, as JSON.

#include <poll.h>

#include <cmath>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <optional>
#include <string>

#include "runtime/io/udp/receiver.hpp"
#include "runtime/io/udp/sender.hpp"
#include "runtime/io/udp/udp_port.hpp"
#include "runtime/io/udp/udp_socket.hpp"
#include "runtime/plant/wall_clock.hpp"
#include "runtime/stats/histogram.hpp"

namespace {

using namespace takt::udp;

constexpr std::array<FieldPlan, 5> fields{{
    {.name = "counter", .type = FieldType::u32, .use = FieldUse::counter, .at = 0},
    {.name = "time", .type = FieldType::i64, .use = FieldUse::time, .at = 4},
    {.name = "number", .type = FieldType::f64, .at = 12, .path = "number"},
    {.name = "third", .type = FieldType::f32, .at = 20, .path = "third"},
    {.name = "low", .type = FieldType::i16, .at = 24, .path = "low"},
}};
constexpr std::array<FramePlan, 1> receive{
    {{.name = "Question", .length = 26, .fields = fields, .timeout_ns = 1'000'000'000, .late_ns = 10'000'000}}};
constexpr std::array<FramePlan, 1> send{{{.name = "Answer", .length = 26, .fields = fields, .period_ns = 1'000'000}}};

/// What the peer writes into the frame with this number.
bool is_right(const double* values, double number) {
  return values[0] == number && values[1] == static_cast<double>(static_cast<float>(number / 3.0)) &&
         values[2] == std::fmod(number, 65'536.0) - 32'768.0;
}

struct Memory {
  double number = 1.0, third = 2.0, low = 3.0;
};
constexpr std::array<takt::MemoryEntry, 3> table{{{"low", "1", takt::Role::signal, 0, offsetof(Memory, low)},
                                                  {"number", "1", takt::Role::signal, 0, offsetof(Memory, number)},
                                                  {"third", "1", takt::Role::signal, 0, offsetof(Memory, third)}}};
constexpr std::array<takt::PlantInputDescription, 3> inputs_of_plant{
    {{"low", "1", 0, 0}, {"number", "1", 0, 0}, {"third", "1", 0, 0}}};

int cost() {
  takt::PlantDescription plant{};
  plant.macro_step_ns = 1'000'000, plant.table = table, plant.plant_inputs = inputs_of_plant;
  std::optional<UdpSocket> peer(std::in_place, Endpoint{"peer", "lo", 0, {0x7F000001, 9}});
  const Address at = peer->own();
  const std::string peer_text = text(at);
  const std::array<BusPlan, 1> buses{{{.name = "bench",
                                       .interface = "lo",
                                       .port = 5033,
                                       .peer = peer_text.c_str(),
                                       .big_endian = true,
                                       .grid_ns = 500'000,
                                       .priority = 1,
                                       .receive = receive,
                                       .send = send}}};
  peer.reset();
  peer.emplace(Endpoint{"peer", "lo", at.port, {0x7F000001, 5033}});
  UdpPort port(plant, buses, {.paced = true});
  port.start();
  FrameWriter writer(buses[0], 0, std::make_shared<SentMemory>(buses[0]));
  Memory memory;
  std::array<double, 3> inputs{};
  takt::Histogram both, clock;
  for (std::int64_t step = 0; step < 5'000; ++step) {
    (void)peer->send(writer.write(inputs, step));
    const timespec pause{0, 700'000};
    nanosleep(&pause, nullptr);
    const takt::WallTime first = takt::wall_now(), second = takt::wall_now();
    port.latch(takt::SimTime{step * 1'000'000}, second, inputs);
    port.publish(takt::SimTime{step * 1'000'000}, second, reinterpret_cast<const std::byte*>(&memory));
    const takt::WallTime end = takt::wall_now();
    clock.record(static_cast<std::uint64_t>((second - first).ns()));
    both.record(static_cast<std::uint64_t>((end - second).ns()));
  }
  port.stop();
  const takt::Percentiles ns = takt::percentiles(both, 1.0), of_clock = takt::percentiles(clock, 1.0);
  std::printf(
      "latch and publish: p50 %.0f ns, p99 %.0f ns, p99.9 %.0f ns; of that reading the clock: p50 %.0f ns\n%s\n",
      ns.p50, ns.p99, ns.p999, of_clock.p50, port.statistics_json().c_str());
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc == 2 && std::string(argv[1]) == "cost") return cost();
  if (argc != 4) return 2;
  const std::string peer = std::string("127.0.0.1:") + argv[2];
  const BusPlan bus{.name = "bench",
                    .interface = "lo",
                    .port = static_cast<std::uint16_t>(std::atoi(argv[1])),
                    .peer = peer.c_str(),
                    .big_endian = true,
                    .grid_ns = 500'000,
                    .priority = 1,
                    .receive = receive,
                    .send = send};
  UdpSocket socket({bus.name, bus.interface, bus.port, *read_address(peer)});
  Receiver receiver(bus, 256);
  FrameWriter writer(bus, 0, std::make_shared<SentMemory>(bus));
  std::puts("ready");
  std::fflush(stdout);
  const auto wanted = static_cast<std::uint64_t>(std::atoll(argv[3]));
  std::uint64_t heard = 0, compared = 0, differ = 0, answered = 0;
  pollfd polled{0, POLLIN, 0};
  polled.fd = socket.descriptor();
  while (heard<wanted&& ::poll(&polled, 1, 5'000)> 0)
    for (const Datagram& datagram : socket.receive()) {
      ++heard;
      receiver.hear(datagram.data(), datagram.arrival);
      for (const ValueRing::Row* row = nullptr; (row = receiver.ring(0).front()) != nullptr; receiver.ring(0).pop()) {
        const double number = row->values[0];
        ++compared, differ += is_right(row->values, number) ? 0U : 1U;
      }
      const double number = static_cast<double>(answered);
      const std::array<double, 3> values{number, number / 3.0, std::fmod(number, 65'536.0) - 32'768.0};
      answered += socket.send(writer.write(values, static_cast<std::int64_t>(answered))) ? 1U : 0U;
    }
  const Sequence::Counts& counts = *receiver.sequence(0);
  std::printf(
      "{\"heard\": %llu, \"compared\": %llu, \"differ\": %llu, \"answered\": %llu, \"lost\": %llu, \"overtaken\": "
      "%llu, "
      "\"doubled\": %llu, \"doubtful\": %llu, \"late\": %llu, \"dropped_by_kernel\": %llu}\n",
      static_cast<unsigned long long>(heard), static_cast<unsigned long long>(compared),
      static_cast<unsigned long long>(differ), static_cast<unsigned long long>(answered),
      static_cast<unsigned long long>(counts.lost), static_cast<unsigned long long>(counts.overtaken),
      static_cast<unsigned long long>(counts.doubled), static_cast<unsigned long long>(counts.doubtful),
      static_cast<unsigned long long>(receiver.counts(0).late),
      static_cast<unsigned long long>(socket.dropped_by_kernel()));
  return 0;
}
