#include "runtime/io/can/rest_bus.hpp"

#include <array>
#include <catch2/catch.hpp>

using namespace takt::can;
using takt::WallTime;

namespace {

constexpr std::int64_t ms = 1'000'000;

bool decode_level(const Frame& frame, double* values) noexcept {
  if (frame.len < 1) return false;
  values[0] = frame.data[0] == 0xFF ? absent : frame.data[0];  // not in this page
  return true;
}

constexpr std::array<SignalPlan, 1> level{
    {{.signal = "Other.level", .path = "level", .scale = 100, .offset = 0, .constant = 0, .safe = absent}}};
constexpr std::array<ReceivePlan, 2> receive{
    {{.info = {.name = "First", .id = 0x10, .extended = false, .fd = false, .length = 1, .period_ns = 0},
      .timeout_ns = 0,
      .signals = level,
      .decode = decode_level},
     {.info = {.name = "Other", .id = 0x11, .extended = false, .fd = false, .length = 1, .period_ns = 0},
      .timeout_ns = 0,
      .signals = level,
      .decode = decode_level}}};
constexpr std::array<SendPlan, 1> send{
    {{.info = {.name = "Own", .id = 0x20, .extended = false, .fd = false, .length = 1, .period_ns = 0},
      .period_ns = 10 * ms,
      .on_change = false,
      .spacing_ns = 0,
      .signals = {},
      .encode = nullptr}}};
constexpr std::array<RestPlan, 2> rest{
    {{.info = {.name = "Rest", .id = 0x21, .extended = false, .fd = false, .length = 1, .period_ns = 10 * ms},
      .delay_ns = 0},
     {.info = {.name = "Later", .id = 0x22, .extended = false, .fd = false, .length = 1, .period_ns = 10 * ms},
      .delay_ns = 5 * ms}}};

BusPlan bus_that(const RestStart& start) {
  return {.name = "can0",
          .channel = "none",
          .virtual_only = true,
          .port = 0,
          .token = "",
          .grid_ns = 500'000,
          .priority = 1,
          .receive = receive,
          .send = send,
          .rest = rest,
          .rest_start = start};
}

Frame frame_of(std::uint32_t id, bool extended = false) {
  Frame frame;
  frame.id = id;
  frame.extended = extended;
  frame.len = 1;
  return frame;
}

Frame other(std::uint8_t value, std::uint16_t index = 1) {
  Frame frame = make_frame(receive[index].info);
  frame.plan = index;
  frame.data[0] = value;
  return frame;
}

}  // namespace

TEST_CASE("until it begins nothing of the rest bus is due, from then on each message after its delay") {
  const BusPlan plan = bus_that({.kind = RestStart::Kind::heard});
  RestBus bus(plan);
  CHECK((bus.waits() && !bus.began()));
  bus.start_node(0, WallTime{});
  CHECK_FALSE(bus.take_due(0, WallTime{100 * ms}));
  bus.begin(WallTime{100 * ms});
  CHECK((!bus.waits() && bus.began() == WallTime{100 * ms}));
  CHECK((bus.take_due(0, WallTime{100 * ms}) && !bus.take_due(1, WallTime{104 * ms})));
  CHECK((!bus.take_due(0, WallTime{109 * ms}) && bus.take_due(1, WallTime{105 * ms})));
}

TEST_CASE("a frame of anybody else begins it, one with an id of the plant's own does not") {
  const BusPlan plan = bus_that({.kind = RestStart::Kind::heard});
  RestBus bus(plan);
  CHECK((bus.is_called_by(frame_of(0x700)) && bus.is_called_by(frame_of(0x11))));
  CHECK((!bus.is_called_by(frame_of(0x20)) && !bus.is_called_by(frame_of(0x22))));
  CHECK(bus.is_called_by(frame_of(0x20, true)));
  CHECK_FALSE(bus.is_allowed_by(other(1)));
  bus.begin(WallTime{});
  CHECK_FALSE(bus.is_called_by(frame_of(0x700)));  // once
}

TEST_CASE("a condition is about its message, in units of the database, and not about signals that are not there") {
  const BusPlan plan = bus_that(
      {.kind = RestStart::Kind::when, .message = 1, .signal = 0, .comparison = Comparison::at_least, .value = 2});
  RestBus bus(plan);
  CHECK_FALSE(bus.is_called_by(frame_of(0x700)));
  CHECK((!bus.is_allowed_by(other(1)) && bus.is_allowed_by(other(2))));
  CHECK_FALSE(bus.is_allowed_by(other(2, 0)));
  CHECK_FALSE(bus.is_allowed_by(other(0xFF)));
  bus.begin(WallTime{});
  CHECK_FALSE(bus.is_allowed_by(other(2)));
}

TEST_CASE("what is no number compares with nothing") {
  using enum Comparison;
  for (const Comparison comparison : {less, at_most, greater, at_least, equal, not_equal})
    CHECK_FALSE(holds(absent, comparison, 0.0));
  CHECK((holds(1, less, 2) && holds(2, at_most, 2) && holds(3, greater, 2) && holds(2, at_least, 2) &&
         holds(2, equal, 2) && holds(1, not_equal, 2)));
  CHECK_FALSE((holds(2, less, 2) || holds(3, at_most, 2) || holds(2, greater, 2) || holds(1, at_least, 2) ||
               holds(1, equal, 2) || holds(2, not_equal, 2)));
}
