#include "runtime/io/udp/receiver.hpp"

#include <catch2/catch.hpp>
#include <cstring>
#include <random>

#include "runtime/io/udp/field.hpp"
#include "runtime/io/udp/sender.hpp"
#include "tests/runtime/io/udp/sample_udp.hpp"

using namespace takt::udp;
using takt::WallTime;

namespace {

constexpr std::int64_t ms = 1'000'000;

std::vector<std::uint8_t> command(std::uint32_t counter, double torque, bool big_endian = false) {
  std::vector<std::uint8_t> bytes(21);
  store_bits(counter, bytes.data(), 4, big_endian);
  store_bits(std::uint64_t{counter} * ms, bytes.data() + 4, 8, big_endian);
  store_bits(std::bit_cast<std::uint64_t>(torque), bytes.data() + 12, 8, big_endian);
  bytes[20] = 1;
  return bytes;
}

/// Rows that have gone on to the plant.
std::vector<double> torques(Receiver& receiver) {
  std::vector<double> all;
  for (; const ValueRing::Row* row = receiver.ring(0).front(); receiver.ring(0).pop()) all.push_back(row->values[0]);
  return all;
}

}  // namespace

TEST_CASE("values arrive in SI, in either byte order") {
  for (const bool big : {false, true}) {
    const BusPlan bus = sample_udp::bus("127.0.0.1:1", big);
    Receiver receiver(bus, 16);
    for (std::uint32_t n = 0; n < 4; ++n) receiver.hear(command(n, 10.0 + n, big), WallTime{n * ms});
    CHECK(torques(receiver) == std::vector<double>{22, 24, 26});  // times 2; the first of a sequence is none yet
    CHECK(receiver.counts(0).frames == 3);
  }
}

TEST_CASE("a peer with the other byte order is not taken, by its constant or its counter") {
  const BusPlan bus = sample_udp::bus("127.0.0.1:1");
  Receiver receiver(bus, 16);
  for (std::uint32_t n = 0; n < 300; ++n) receiver.hear(command(n, 10.0, true), WallTime{n * ms});
  CHECK((receiver.counts(0).frames == 0 && receiver.sequence(0)->swapped > 250));
  receiver.hear(std::vector<std::uint8_t>{0x54, 0x43, 0, 0, 0}, WallTime{});
  receiver.hear(std::vector<std::uint8_t>{0x55, 0x43, 0, 0, 0}, WallTime{});
  CHECK((receiver.refused().wrong_constant == 2 && receiver.refused().wrong_order == 1));
}

TEST_CASE("what is no number, beyond its range, or too much for the ring is counted") {
  const BusPlan bus = sample_udp::bus("127.0.0.1:1");
  Receiver receiver(bus, 4);
  for (std::uint32_t n = 0; n < 10; ++n)
    receiver.hear(command(n, n == 1 ? std::numeric_limits<double>::quiet_NaN() : n == 2 ? 101.0 : 1.0), WallTime{n});
  const Receiver::Counts& counts = receiver.counts(0);
  CHECK((counts.frames == 9 && counts.not_numbers == 1 && counts.out_of_range == 1 && counts.ring_full == 5));
}

TEST_CASE("a value that never was a number is named, be it too large for the plant alone") {
  const BusPlan bus = sample_udp::bus("127.0.0.1:1");
  Receiver receiver(bus, 64);
  CHECK(receiver.never_numbers(0).empty());                                              // nothing came
  for (std::uint32_t n = 0; n < 10; ++n) receiver.hear(command(n, 1e308), WallTime{n});  // times 2
  CHECK((receiver.counts(0).not_numbers == 9 && receiver.never_numbers(0) == "torque"));
  receiver.hear(command(10, 1.0), WallTime{10});
  CHECK(receiver.never_numbers(0).empty());
}

TEST_CASE("faults: frames are dropped, late, or frozen under a counter that goes on") {
  const BusPlan bus = sample_udp::bus("127.0.0.1:1");
  Receiver receiver(bus, 64);
  receiver.prepare();
  std::uint32_t n = 0;
  const auto hear = [&](int count) {
    for (const std::uint32_t end = n + static_cast<std::uint32_t>(count); n < end; ++n)
      receiver.hear(command(n, n), WallTime{n * ms}), receiver.hear_delayed(WallTime{n * ms});
  };
  hear(10);
  receiver.fault(0).inject(word_of(read_fault("drop x3")));
  hear(10);
  CHECK(receiver.sequence(0)->lost == 3);
  receiver.fault(0).inject(word_of(read_fault("delay 20 ms x2")));
  hear(40);
  CHECK((receiver.sequence(0)->lost == 3 && receiver.sequence(0)->overtaken == 2 && receiver.counts(0).late == 2));
  (void)torques(receiver);
  receiver.fault(0).inject(word_of(read_fault("freeze")));
  hear(3);
  CHECK(torques(receiver) == std::vector<double>{120, 120, 120});
  receiver.fault(0).inject(0);
  hear(1);
  CHECK(torques(receiver) == std::vector<double>{126});
  CHECK((receiver.sequence(0)->lost == 3 && receiver.met(0) == 8));
  CHECK(text(fault_of(word_of(read_fault("delay 20 ms x2")))) == "delay 20 ms x2");
  for (const char* wrong : {"", "drup", "delay", "delay 0 s", "delay 61 s", "drop x0", "drop x1024", "delay 5 V"})
    CHECK_THROWS(read_fault(wrong));
}

TEST_CASE("whatever comes, each datagram is counted in one place") {
  const BusPlan bus = sample_udp::bus("127.0.0.1:1");
  Receiver receiver(bus, 16);
  std::mt19937 random(3);
  std::uint64_t heard = 0;
  for (int k = 0; k < 300'000; ++k, ++heard) {
    std::vector<std::uint8_t> bytes;
    switch (random() % 4) {
      case 0:
        bytes =
            command(static_cast<std::uint32_t>(random() % 3 == 0 ? random() : heard), static_cast<double>(random()));
        break;
      case 1:
        bytes = {0x43, 0x54, static_cast<std::uint8_t>(random()), 1, 2};
        break;
      default:
        bytes.resize(random() % 3 == 0 ? (random() % 2 == 0 ? 21 : 5) : random() % (most_bytes + 2));
        for (std::uint8_t& byte : bytes) byte = static_cast<std::uint8_t>(random());
    }
    receiver.hear(bytes, WallTime{static_cast<std::int64_t>(random())});
    for (std::size_t frame = 0; frame < 2; ++frame)
      if (random() % 8 == 0)
        while (receiver.ring(frame).front() != nullptr) receiver.ring(frame).pop();
  }
  std::uint64_t counted = receiver.refused().wrong_length + receiver.refused().wrong_constant;
  for (std::size_t frame = 0; frame < 2; ++frame) {
    const Sequence::Counts& sequence = *receiver.sequence(frame);
    counted += receiver.counts(frame).frames + sequence.overtaken + sequence.doubled + sequence.doubtful;
  }
  CHECK(counted == heard);
}

TEST_CASE("what one side writes the other reads, and the supervisor counts on") {
  const BusPlan bus = sample_udp::bus("127.0.0.1:1");
  const auto memory = std::make_shared<SentMemory>(bus);
  FrameWriter plant(bus, 0, memory), supervisor(bus, 0, memory);
  CHECK(supervisor.write_safe().empty());  // level has no safe value and was never sent
  const std::array<double, 2> values{7.5, 300.0};
  const auto bytes = plant.write(values, 42);
  REQUIRE(bytes.size() == 18);
  CHECK(load_bits(bytes.data(), 2, false) == 0);
  CHECK(load_bits(bytes.data() + 2, 8, false) == 42);
  CHECK(value_of(load_bits(bytes.data() + 10, 4, false), FieldType::f32) == 7.5);
  CHECK((bytes[14] == 255 && static_cast<std::int8_t>(bytes[15]) == -7 && bytes[16] == 0 && bytes[17] == 0));
  CHECK(plant.counts().saturated == 1);
  const auto safe = supervisor.write_safe();
  CHECK(load_bits(safe.data(), 2, false) == 1);
  CHECK(value_of(load_bits(safe.data() + 10, 4, false), FieldType::f32) == -1.0);
  CHECK(safe[14] == 255);
  CHECK(load_bits(plant.write(values, 43).data(), 2, false) == 2);
}
