#include "runtime/io/can/safe_frames.hpp"

#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <catch2/catch.hpp>
#include <string>

#include "runtime/io/can/protection_states.hpp"

using namespace takt::can;
using takt::WallTime;

namespace {

constexpr std::int64_t period = 10'000'000;
constexpr std::array<RestPlan, 1> rest{
    {{.info = {.name = "Rest", .id = 0x12, .extended = false, .fd = false, .length = 1, .period_ns = period},
      .delay_ns = 0,
      .data = {7}}}};
constexpr BusPlan bus{.name = "can0",
                      .channel = "none",
                      .virtual_only = true,
                      .port = 0,
                      .token = "",
                      .grid_ns = 500'000,
                      .priority = 1,
                      .receive = {},
                      .send = {},
                      .rest = rest};

/// What a client of the virtual bus has been sent.
std::string received(int socket) {
  std::array<char, 4096> text{};
  const auto size = ::recv(socket, text.data(), text.size(), MSG_DONTWAIT);
  return size > 0 ? std::string(text.data(), static_cast<std::size_t>(size)) : "";
}

}  // namespace

TEST_CASE("a supervisor sends the rest bus where its plant's I/O thread does not") {
  auto last = std::make_shared<takt::SharedArray<LastFrame>>(1);
  SafeFrames frames({{.plan = bus,
                      .channel = "none",
                      .virtual_only = true,
                      .last = last,
                      .protection = std::make_shared<SendProtection>(bus)}});
  std::array<int, 2> ends{};
  REQUIRE(::socketpair(AF_UNIX, SOCK_STREAM, 0, ends.data()) == 0);
  frames.prepare();
  frames.adopt(0, ends[1]);
  WallTime now{1};
  const auto next = [&] {
    now += takt::WallDuration{period};
    return frames.send_due(now);
  };
  (*last)[0].store({7});
  CHECK(frames.send_all(now) == 0);  // sent since: perhaps the plant is alive but for its computing
  (*last)[0].store({7});
  CHECK(next() == 0);
  CHECK(received(ends[0]).empty());
  CHECK(next() == 1);  // nobody has sent it for a period
  CHECK_THAT(received(ends[0]), Catch::StartsWith("< frame 012 ") && Catch::EndsWith(" 07 >"));
  CHECK(frames.next_due() == now + takt::WallDuration{period});
  (*last)[0].store({7});
  CHECK(next() == 0);  // back again
  ::close(ends[0]);
}

TEST_CASE("a supervisor sends a rest bus that waits only if it had begun") {
  auto last = std::make_shared<takt::SharedArray<LastFrame>>(1);
  auto begun = std::make_shared<takt::SharedArray<std::atomic<bool>>>(1);
  SafeFrames frames({{.plan = bus,
                      .channel = "none",
                      .virtual_only = true,
                      .last = last,
                      .protection = std::make_shared<SendProtection>(bus),
                      .rest_has_begun = begun}});
  std::array<int, 2> ends{};
  REQUIRE(::socketpair(AF_UNIX, SOCK_STREAM, 0, ends.data()) == 0);
  frames.prepare();
  frames.adopt(0, ends[1]);
  WallTime now{1};
  CHECK(frames.send_all(now) == 0);
  now += takt::WallDuration{period};
  CHECK(frames.send_due(now) == 0);
  (*begun)[0].store(true);
  now += takt::WallDuration{period};
  CHECK(frames.send_due(now) == 1);
  ::close(ends[0]);
}
