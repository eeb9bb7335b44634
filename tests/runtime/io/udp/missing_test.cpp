// What the inputs of a frame get while it stays away.
#include <catch2/catch.hpp>

#include "runtime/io/udp/plant_side.hpp"
#include "runtime/io/udp/sender.hpp"
#include "tests/runtime/io/udp/sample_udp.hpp"

using namespace takt::udp;
using takt::SimTime;
using takt::WallTime;

namespace {

constexpr std::int64_t ms = 1'000'000;

/// The frame Command with a policy of its own.
struct Bench {
  explicit Bench(Missing missing) : plan(sample_udp::receive[0]), ring(64, 2), side(0, log) {
    plan.missing = missing;
    side.receives(plan, ring, sample_udp::describe());
  }
  void come(std::int64_t at_ms, double torque, double enable, std::int64_t stamp_ns = 0) {
    ValueRing::Row* row = ring.begin();
    REQUIRE(row != nullptr);
    row->stamp = WallTime{at_ms * ms}, row->time_ns = (stamp_ns > 0 ? stamp_ns : at_ms * ms) + 77;
    row->values[0] = torque, row->values[1] = enable;
    ring.push();
  }
  double torque_at(std::int64_t at_ms) {
    side.latch(SimTime{at_ms * ms}, WallTime{at_ms * ms}, inputs);
    return inputs[sample_udp::torque];
  }

  FramePlan plan;
  ValueRing ring;
  TimeOutLog log;
  PlantSide side;
  std::array<double, sample_udp::inputs> inputs = sample_udp::start_values();
};

}  // namespace

TEST_CASE("safe: the last values up to the time-out, then the safe ones, and back") {
  Bench bench(Missing::safe);
  CHECK(bench.torque_at(0) == 5.0);    // start value
  CHECK(bench.torque_at(60) == -1.0);  // never seen within 50 ms
  bench.come(70, 10.0, 1.0);
  CHECK(bench.torque_at(71) == 10.0);
  CHECK(bench.torque_at(120) == 10.0);
  CHECK(bench.torque_at(121) == -1.0);
  CHECK(bench.inputs[sample_udp::enable] == 0.0);
  bench.come(130, 12.0, 1.0);
  CHECK(bench.torque_at(131) == 12.0);
  REQUIRE(bench.log.size() == 4);
  CHECK((bench.log[0].is == TimeOut::Is::never_seen && bench.log[1].is == TimeOut::Is::back &&
         bench.log[2].is == TimeOut::Is::timed_out && bench.log[3].is == TimeOut::Is::back));
  CHECK(bench.side.counts(0).timeouts == 2);
}

TEST_CASE("hold: the last values for ever, and the time-out is told all the same") {
  Bench bench(Missing::hold);
  bench.come(0, 10.0, 1.0);
  CHECK(bench.torque_at(1) == 10.0);
  CHECK(bench.torque_at(5'000) == 10.0);
  CHECK(bench.side.counts(0).timeouts == 1);
}

TEST_CASE("extrapolate: floats along the last two frames within their range, whole numbers hold") {
  Bench bench(Missing::extrapolate);
  bench.come(0, 10.0, 1.0);
  CHECK(bench.torque_at(1) == 10.0);
  bench.come(10, 20.0, 2.0);
  CHECK(bench.torque_at(10) == 20.0);
  CHECK(bench.torque_at(15) == Approx(25.0));
  CHECK(bench.inputs[sample_udp::enable] == 2.0);
  CHECK(bench.torque_at(60) == Approx(70.0));
  CHECK(bench.torque_at(61) == -1.0);  // 51 ms old
  bench.come(70, 150.0, 3.0);
  CHECK(bench.torque_at(70) == 150.0);
  CHECK(bench.torque_at(80) == 150.0);  // 60 ms between two frames, more than the time-out: no line
  bench.come(80, 190.0, 3.0);
  CHECK(bench.torque_at(90) == 200.0);  // the end of its range: 100 in the frame
}

TEST_CASE(
    "extrapolate: no line from stamps that do not go with the clock, or are not there, nor back from the range's end") {
  Bench bench(Missing::extrapolate);
  bench.come(0, 10.0, 1.0);
  bench.come(10, 20.0, 1.0, 10);  // ms
  CHECK(bench.torque_at(15) == 20.0);
  bench.come(20, 210.0, 1.0);  // beyond its range, 200: taken as it is
  CHECK(bench.torque_at(25) == 210.0);
  // Frames that come in a bunch: their arrivals say nothing about when they were made.
  static constexpr std::array<FieldPlan, 1> no_time{
      {{.name = "torque", .type = FieldType::f64, .at = 0, .path = "torque"}}};
  const FramePlan plan{
      .name = "Bare", .length = 8, .fields = no_time, .timeout_ns = 50 * ms, .missing = Missing::extrapolate};
  ValueRing ring(4, 1);
  PlantSide side(0, bench.log);
  side.receives(plan, ring, sample_udp::describe());
  for (const std::int64_t at : {std::int64_t{0}, std::int64_t{1'000}}) {
    ValueRing::Row* const row = ring.begin();
    row->stamp = WallTime{at}, row->values[0] = static_cast<double>(at);
    ring.push();
  }
  side.latch(SimTime{20 * ms}, WallTime{20 * ms}, bench.inputs);
  CHECK(bench.inputs[sample_udp::torque] == 1'000.0);
}

TEST_CASE("what comes while nobody latches does not fill the ring, and the first release has the newest") {
  Bench bench(Missing::safe);
  for (std::int64_t at = 0; at < 200; ++at) {  // the ring has 64 rows
    bench.come(at, static_cast<double>(at), 1.0);
    if (at % 50 == 49) bench.side.hear_meanwhile();
  }
  CHECK(bench.torque_at(200) == 199.0);
  CHECK((bench.log.size() == 0 && bench.side.counts(0).used == 0));
}

TEST_CASE("no number after a time-out leaves the safe value, not the one from before") {
  Bench bench(Missing::safe);
  bench.come(0, 10.0, 1.0);
  CHECK(bench.torque_at(1) == 10.0);
  CHECK(bench.torque_at(60) == -1.0);
  bench.come(70, std::numeric_limits<double>::quiet_NaN(), 2.0);
  CHECK(bench.torque_at(71) == -1.0);
  CHECK(bench.inputs[sample_udp::enable] == 2.0);
}

TEST_CASE("a number with a safe value is sent until that is, by the plant and by its supervisor") {
  static constexpr std::array<FieldPlan, 1> fields{
      {{.name = "alive", .type = FieldType::u8, .at = 0, .constant = 1.0, .safe = 0.0}}};
  static constexpr std::array<FramePlan, 1> send{
      {{.name = "Alive", .length = 1, .fields = fields, .period_ns = 1'000'000}}};
  BusPlan bus = sample_udp::bus("127.0.0.1:1");
  bus.send = send;
  TimeOutLog log;
  PlantSide side(0, log);
  ValueRing ring(4, 1);
  side.sends(send[0], ring, sample_udp::describe());
  CHECK((side.sent_offsets().empty() && side.senders().empty()));
  const auto memory = std::make_shared<SentMemory>(bus);
  FrameWriter plant(bus, 0, memory), supervisor(bus, 0, memory);
  const auto sent = [&] {
    const ValueRing::Row* const row = ring.front();
    REQUIRE(row != nullptr);
    const auto bytes = plant.write({row->values, 1}, row->time_ns);
    ring.pop();
    return bytes[0];
  };
  side.publish(SimTime{}, WallTime{}, nullptr);
  CHECK(sent() == 1);
  CHECK(supervisor.write_safe()[0] == 0);
  side.publish_safe(SimTime{ms}, WallTime{ms});
  CHECK(sent() == 0);
}

TEST_CASE("a release sees what had arrived by then, and no number leaves the input as it was") {
  Bench bench(Missing::safe);
  bench.come(5, 10.0, 1.0);
  bench.come(7, std::numeric_limits<double>::quiet_NaN(), 2.0);
  CHECK(bench.torque_at(4) == 5.0);
  CHECK(bench.torque_at(6) == 10.0);
  CHECK(bench.inputs[sample_udp::enable] == 1.0);
  CHECK(bench.torque_at(8) == 10.0);
  CHECK(bench.inputs[sample_udp::enable] == 2.0);
}

TEST_CASE("the plant sends on its grid, and says which names it does not know") {
  TimeOutLog log;
  PlantSide side(0, log);
  ValueRing ring(16, 2);
  const auto plant = sample_udp::describe();
  side.sends(sample_udp::send[0], ring, plant);
  sample_udp::Memory memory{.level = 3, .w = 8};
  for (std::int64_t k = 0; k < 8; ++k)
    side.publish(SimTime{k * ms}, WallTime{k}, reinterpret_cast<const std::byte*>(&memory));
  side.publish_safe(SimTime{8 * ms}, WallTime{8});
  std::vector<std::pair<std::int64_t, double>> sent;
  for (; const ValueRing::Row* row = ring.front(); ring.pop()) sent.emplace_back(row->time_ns / ms, row->values[0]);
  using Sent = decltype(sent);
  CHECK(sent == Sent{{0, 5.0}, {2, 5.0}, {4, 5.0}, {6, 5.0}, {8, -1.0}});
  CHECK(side.sent_offsets() == std::vector<std::size_t>{8, 0});
  static constexpr std::array<FieldPlan, 1> unknown{
      {{.name = "x", .type = FieldType::f64, .at = 0, .path = "plant.x"}}};
  static constexpr FramePlan frame{.name = "X", .length = 8, .fields = unknown};
  CHECK_THROWS_WITH(side.sends(frame, ring, plant), Catch::Contains("no signal plant.x"));
  CHECK_THROWS_WITH(side.receives(frame, ring, plant), Catch::Contains("no input plant.x"));
}
