#include "runtime/io/can/gateway_route.hpp"

#include <array>
#include <catch2/catch.hpp>

using namespace takt::can;
using takt::WallDuration;
using takt::WallTime;

namespace {

constexpr std::int64_t us = 1'000, ms = 1'000'000;
constexpr WallDuration grid{500 * us};

constexpr std::array<std::uint32_t, 2> group{0x0CF004FE, 0x0CF00403};
constexpr std::array<ForwardedIds, 4> ids{
    {{.first = 0x100, .last = 0x10F, .extended = false, .text = "0x100..0x10F"},
     {.first = 0x105, .last = 0x105, .extended = true, .text = "0x00000105"},
     {.first = 0x200,
      .last = 0x200,
      .extended = false,
      .text = "Other",
      .is_renamed = true,
      .id = 0x12345678,
      .id_extended = true},
     {.first = 0x0CF004FE, .last = 0x0CF004FE, .extended = true, .text = "EEC1", .group = group}}};

RoutePlan plan(std::uint32_t queue, std::int64_t spacing_ns) {
  return {.name = "body", .gateway = 0, .to = 1, .queue = queue, .spacing_ns = spacing_ns, .ids = ids};
}

WallTime at(std::int64_t ns) { return WallTime{} + WallDuration{1'000 * ms + ns}; }

Frame frame_of(std::uint32_t id, std::int64_t stamp_ns = 0, bool extended = false) {
  Frame frame;
  frame.id = id, frame.extended = extended, frame.stamp = at(stamp_ns);
  return frame;
}

}  // namespace

TEST_CASE("a route takes a message of J1939 from any source that the database does not name") {
  const RoutePlan route_plan = plan(8, 0);
  GatewayRoute route(route_plan, grid);
  for (const std::uint32_t id : {0x0CF004FEU, 0x18F00400U, 0x0CF00403U, 0x18F00403U, 0x0CF00500U})
    route.offer(frame_of(id, 0, true));
  route.offer(frame_of(0x0CF004FE & 0x7FF));
  CHECK(route.counts().taken == 2);  // the first two; 3 is another message, and so is another group
  Frame frame;
  REQUIRE(route.next(at(0), frame));
  route.forwarded(at(0));
  REQUIRE(route.next(at(0), frame));
  CHECK(frame.id == 0x18F00400U);  // from whom it is
}

TEST_CASE("a route takes the frames of its ids and size, at both ends of a range, in their order") {
  const RoutePlan route_plan = plan(8, 0);
  GatewayRoute route(route_plan, grid);
  for (const std::uint32_t id : {0x0FFU, 0x100U, 0x10FU, 0x110U, 0x200U, 0x201U}) route.offer(frame_of(id));
  for (const std::uint32_t id : {0x104U, 0x105U, 0x200U}) route.offer(frame_of(id, 0, true));
  std::vector<std::pair<std::uint32_t, bool>> left;
  for (Frame frame; route.next(at(0), frame); route.forwarded(at(0))) left.emplace_back(frame.id, frame.extended);
  CHECK(left ==
        std::vector<std::pair<std::uint32_t, bool>>{{0x100, false}, {0x10F, false}, {0x12345678, true}, {0x105, true}});
  CHECK((route.counts().taken == 4 && route.counts().forwarded == 4 && route.counts().waiting == 0));
}

TEST_CASE("what finds no room is dropped, the rest stays, and every frame is accounted for") {
  const RoutePlan route_plan = plan(3, 0);
  GatewayRoute route(route_plan, grid);
  for (std::uint32_t id = 0x100; id < 0x106; ++id) route.offer(frame_of(id));
  Frame frame;
  REQUIRE(route.next(at(0), frame));
  CHECK(frame.id == 0x100);
  REQUIRE(route.next(at(0), frame));  // the bus had no room: it is still there
  CHECK(frame.id == 0x100);
  route.forwarded(at(40 * us));
  REQUIRE(route.next(at(0), frame));
  CHECK(frame.id == 0x101);
  route.cut();
  const auto counts = route.counts();
  CHECK((counts.taken == 6 && counts.dropped == 3 && counts.forwarded == 1 && counts.cut == 1 && counts.waiting == 1));
  route.refused();
  CHECK((route.counts().refused == 1 && route.counts().waiting == 0 && !route.next(at(0), frame)));
  CHECK((route.latencies().counts().count() == 1 && route.latencies().counts().max() == 40 * us));
}

TEST_CASE("spacing is kept on the average, to half a step of the grid") {
  const RoutePlan route_plan = plan(1024, 2 * ms);
  GatewayRoute route(route_plan, grid);
  for (int k = 0; k < 1000; ++k) route.offer(frame_of(0x100));
  std::vector<std::int64_t> times;
  // Steps of the grid that come up to 0.2 ms late.
  for (std::int64_t step = 0; step < 400; ++step) {
    const std::int64_t now = step * 500 * us + (step * 7 % 5) * 50 * us;
    for (Frame frame; route.next(at(now), frame); route.forwarded(at(now))) times.push_back(now);
  }
  REQUIRE(times.size() > 90);  // 200 ms
  CHECK(times.size() <= 101);
  for (std::size_t k = 1; k < times.size(); ++k) CHECK(times[k] - times[k - 1] >= 2 * ms - 250 * us);
  CHECK(times.back() - times.front() >= static_cast<std::int64_t>(times.size() - 1) * 2 * ms - 250 * us);
}
