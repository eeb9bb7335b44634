#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <catch2/catch.hpp>

#include "runtime/io/can/latency.hpp"
#include "runtime/io/can/socketcand_client.hpp"
#include "runtime/io/can/socketcand_session.hpp"
#include "runtime/io/can/virtual_bus.hpp"

using namespace takt::can;
using takt::WallDuration;
using takt::WallTime;

namespace {

constexpr std::int64_t ms = 1'000'000;

Frame frame(std::uint32_t id, bool extended, std::initializer_list<std::uint8_t> data) {
  Frame f;
  f.id = id;
  f.extended = extended;
  for (const auto byte : data) f.data[f.len++] = byte;
  return f;
}

std::string take(SocketcandSession& session) {
  const std::string text(session.pending());
  session.consumed(text.size());
  return text;
}

/// A session in raw mode, its greetings taken.
SocketcandSession raw_session(WallTime now = {}) {
  SocketcandSession session("can0");
  std::vector<Frame> frames;
  session.feed("< open can0 >< rawmode >", now, frames);
  REQUIRE(take(session) == "< hi >< ok >< ok >");
  return session;
}

}  // namespace

TEST_CASE("messages are written as python-can reads them") {
  CHECK(frame_message(frame(0x12, false, {0xAB, 1}), 1'000'002).view() == "< frame 012 1.000002 AB01 >");
  CHECK(frame_message(frame(0x12, true, {}), 12).view() == "< frame 00000012 0.000012  >");
  CHECK(send_message(frame(0x7FF, false, {0xA, 0xFF})).view() == "< send 7FF 2 0A FF >");
}

TEST_CASE("send messages are read strictly") {
  const auto good = parse_send("123 2 a FF");
  REQUIRE(good);
  CHECK((good->id == 0x123 && !good->extended && good->len == 2 && good->data[0] == 0xA && good->data[1] == 0xFF));
  const auto extended = parse_send("1FFFFFFF 0");
  REQUIRE(extended);
  CHECK((extended->id == 0x1FFFFFFF && extended->extended && extended->len == 0));
  for (const char* wrong : {"", "123", "123 2 1", "123 1 1 2", "800 0", "FFFFFFFF 0", "123456789 0",
                            "123 9 1 2 3 4 5 6 7 8 9", "12x 0", "123 1 100", "123 -1", "123 1 g"}) {
    INFO(wrong);
    CHECK_FALSE(parse_send(wrong));
  }
}

TEST_CASE("frames survive the way through the text") {
  for (const auto& sent :
       {frame(0, false, {}), frame(0x7FF, false, {1, 2, 3, 4, 5, 6, 7, 8}), frame(0x1ABCDEF0, true, {0, 255})}) {
    const std::string text(frame_message(sent, 5).view());
    const auto back = parse_frame(std::string_view(text).substr(8, text.size() - 9));
    REQUIRE(back);
    CHECK((back->id == sent.id && back->extended == sent.extended && back->len == sent.len && back->data == sent.data));
  }
}

TEST_CASE("the cutter finds messages in any pieces and throws garbage away") {
  MessageCutter cutter;
  const std::string text = "noise< one >  <two><thr< three >";
  std::vector<std::string> found;
  for (const char c : text) {
    std::string_view piece(&c, 1);
    cutter.feed(piece);
    if (cutter.complete()) found.emplace_back(cutter.message());
  }
  CHECK(found == std::vector<std::string>{"one", "two", "three"});
  CHECK(cutter.garbage() == 6);  // "noise" and the message that never ended
  const std::string endless = "<" + std::string(10'000, 'x') + "< ok >";
  std::string_view left = endless;
  while (!left.empty()) left.remove_prefix(cutter.feed(left));
  REQUIRE(cutter.complete());
  CHECK(cutter.message() == "ok");
}

TEST_CASE("no frame reaches a client before it is ready") {
  std::vector<Frame> frames;
  SocketcandSession session("can0");
  const auto some = frame(1, false, {1});
  session.deliver(some, {}, 0);
  CHECK(take(session) == "< hi >");
  session.feed("< open can1 >", {}, frames);
  CHECK(take(session) == "< error could not open bus >");
  session.feed("< send 1 1 1 >", {}, frames);
  CHECK(take(session) == "< error open a bus first >");
  session.feed("< open can0 >", {}, frames);
  session.deliver(some, {}, 0);
  CHECK(take(session) == "< ok >");
  session.feed("< rawmode >", WallTime{10 * ms}, frames);
  session.deliver(some, WallTime{10 * ms}, 0);
  CHECK(take(session) == "< ok >");  // alone, as python-can wants it
  session.deliver(some, WallTime{10 * ms} + SocketcandSession::settle, 7);
  CHECK(take(session) == "< frame 001 0.000007 01 >");
  CHECK(frames.empty());
}

TEST_CASE("a client that sends is ready at once") {
  auto session = raw_session();
  std::vector<Frame> frames;
  session.feed("< send 123 1 5 >", WallTime{1}, frames);
  REQUIRE(frames.size() == 1);
  session.deliver(frames[0], WallTime{2}, 0);
  CHECK(take(session) == "< frame 123 0.000000 05 >");
}

TEST_CASE("echo, statistics and nonsense") {
  auto session = raw_session();
  std::vector<Frame> frames;
  session.feed("< echo >< statistics 20 >< nonsense >< send what >", {}, frames);
  CHECK(take(session) == "< echo >");  // in raw mode errors would read as error frames: silence
  CHECK(session.garbage() == 2);
  session.feed("< send 1 2 1 2 >", {}, frames);
  session.deliver(frame(2, false, {1}), WallTime{5 * ms}, 0);
  take(session);
  session.tick(WallTime{10 * ms});
  CHECK(take(session).empty());
  session.tick(WallTime{20 * ms});
  CHECK(take(session) == "< stat 2 1 1 1 >");
}

TEST_CASE("a slow client loses frames, counted, and its queue stays bounded") {
  auto session = raw_session();
  std::vector<Frame> frames;
  session.feed("< send 1 0 >", {}, frames);
  for (int k = 0; k < 10'000; ++k) session.deliver(frame(1, false, {1, 2, 3, 4, 5, 6, 7, 8}), WallTime{1}, 0);
  CHECK(session.pending().size() <= SocketcandSession::queue_bytes);
  CHECK(session.dropped() > 0);
  const auto all = take(session);
  CHECK(all.ends_with(" >"));  // whole messages only
  session.deliver(frame(1, false, {9}), WallTime{1}, 0);
  CHECK(take(session) == "< frame 001 0.000000 09 >");
}

TEST_CASE("received frames are taken in order and dropped beyond the limit until all are taken") {
  ReceivedFrames received(2);
  Frame taken;
  REQUIRE_FALSE(received.take(taken));
  REQUIRE(received.push(frame(1, false, {})));
  REQUIRE(received.push(frame(2, false, {})));
  REQUIRE_FALSE(received.push(frame(3, false, {})));
  REQUIRE(received.take(taken));
  REQUIRE(taken.id == 1);
  REQUIRE_FALSE(received.empty());
  REQUIRE(received.take(taken));
  REQUIRE(taken.id == 2);
  REQUIRE(received.empty());
  REQUIRE_FALSE(received.take(taken));
  REQUIRE(received.push(frame(4, false, {})));
}

TEST_CASE("pending text keeps whole messages and reuses the room of what was sent") {
  PendingText text(8);
  REQUIRE(text.append("abcdef"));
  REQUIRE_FALSE(text.append("ghi"));
  REQUIRE(text.pending() == "abcdef");
  text.consumed(4);
  REQUIRE(text.append("ghi"));
  REQUIRE(text.pending() == "efghi");
  text.consumed(5);
  REQUIRE(text.append("12345678"));
}

TEST_CASE("clients of the virtual bus see the bus and each other, but not themselves") {
  VirtualBus bus("vbus", 0);
  std::array<std::array<int, 2>, 2> pairs{};
  for (auto& pair : pairs) {
    REQUIRE(::socketpair(AF_UNIX, SOCK_STREAM, 0, pair.data()) == 0);
    bus.adopt(pair[0]);
  }
  const auto write = [&](std::size_t client, std::string_view text) {
    REQUIRE(::send(pairs[client][1], text.data(), text.size(), MSG_NOSIGNAL) == static_cast<ssize_t>(text.size()));
    bus.wait({});
    bus.wait({});
  };
  const auto read = [&](std::size_t client) {
    bus.wait({});
    std::array<char, 1024> bytes{};
    const auto size = ::recv(pairs[client][1], bytes.data(), bytes.size(), MSG_DONTWAIT);
    return std::string(bytes.data(), size > 0 ? static_cast<std::size_t>(size) : 0U);
  };
  for (const std::size_t client : {0U, 1U}) write(client, "< open vbus >< rawmode >< send 7FF 0 >");
  (void)read(0);
  (void)read(1);
  Frame received;
  while (bus.receive(received)) {
  }
  write(0, "< send 111 1 A >");
  REQUIRE(bus.receive(received));
  CHECK((received.id == 0x111 && received.data[0] == 0xA && received.stamp > WallTime{}));
  CHECK_FALSE(bus.receive(received));
  CHECK(read(0).empty());
  CHECK(read(1).starts_with("< frame 111 "));
  CHECK(bus.send(frame(0x222, false, {1})));
  CHECK(read(0).starts_with("< frame 222 "));
  CHECK(read(1).starts_with("< frame 222 "));
  Frame fd = frame(1, false, {1});
  fd.fd = true;
  CHECK_FALSE(bus.send(fd));
  ::close(pairs[0][1]);  // a client that goes away harms nobody
  bus.wait({});
  CHECK(bus.send(frame(0x223, false, {1})));
  CHECK(read(1).starts_with("< frame 223 "));
  ::close(pairs[1][1]);
}

TEST_CASE("a client that does not find its server says so") {
  CHECK_THROWS_WITH(SocketcandClient("127.0.0.1", 1, "can0"), Catch::Contains("cannot connect"));
  CHECK_THROWS_WITH(SocketcandClient("nowhere.example", 1, "can0"), Catch::Contains("IPv4"));
  CHECK_THROWS_AS(open_bus("socketcand:127.0.0.1:x/can0", {}), std::invalid_argument);
  CHECK_THROWS_WITH(open_bus("nosuchcan0", {}), Catch::Contains("bus nosuchcan0"));
}

TEST_CASE("latencies are counted in wall time") {
  Latencies latencies;
  for (std::int64_t k = 1; k <= 1000; ++k) latencies.record(WallDuration{k * 1000});
  CHECK(latencies.counts().percentile(0.5) == Approx(500e3).epsilon(0.01));
  latencies.record(WallDuration{-5});
  CHECK(latencies.counts().count() == 1001);
  CHECK(static_cast<double>(latencies.counts().max()) == Approx(1e6));
}
