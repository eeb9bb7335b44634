#include <catch2/catch.hpp>
#include <memory>

#include "runtime/io/can/latency.hpp"
#include "runtime/io/can/socketcand_client.hpp"
#include "runtime/io/can/socketcand_session.hpp"

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

/// All of it; the frames that the client has sent.
std::vector<Frame> feed(SocketcandSession& session, std::string_view bytes, WallTime now = {}) {
  std::vector<Frame> frames;
  while (!bytes.empty()) {
    std::optional<Frame> sent;
    bytes.remove_prefix(session.feed(bytes, now, sent));
    if (sent) frames.push_back(*sent);
  }
  return frames;
}

void deliver(SocketcandSession& session, const Frame& sent, WallTime now, std::int64_t time_of_day_us) {
  session.deliver(OutgoingFrame(sent, time_of_day_us), now);
}

/// A session in raw mode, its greetings taken.
std::unique_ptr<SocketcandSession> raw_session() {
  auto session = std::make_unique<SocketcandSession>(BusAccess{"can0", ""});
  feed(*session, "< open can0 >< rawmode >");
  REQUIRE(take(*session) == "< hi >< ok >< ok >");
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
  SocketcandSession session({"can0", ""});
  const auto some = frame(1, false, {1});
  deliver(session, some, {}, 0);
  CHECK(take(session) == "< hi >");
  feed(session, "< open can1 >");
  CHECK(take(session) == "< error could not open bus >");
  CHECK(feed(session, "< send 1 1 1 >").empty());
  CHECK(take(session) == "< error open a bus first >");
  feed(session, "< open can0 >");
  deliver(session, some, {}, 0);
  CHECK(take(session) == "< ok >");
  feed(session, "< rawmode >", WallTime{10 * ms});
  deliver(session, some, WallTime{10 * ms}, 0);
  CHECK(take(session) == "< ok >");  // alone, as python-can wants it
  deliver(session, some, WallTime{10 * ms} + SocketcandSession::settle, 7);
  CHECK(take(session) == "< frame 001 0.000007 01 >");
}

TEST_CASE("a client that sends is ready at once") {
  const auto raw = raw_session();
  SocketcandSession& session = *raw;
  const auto frames = feed(session, "< send 123 1 5 >", WallTime{1});
  REQUIRE(frames.size() == 1);
  deliver(session, frames[0], WallTime{2}, 0);
  CHECK(take(session) == "< frame 123 0.000000 05 >");
}

TEST_CASE("echo, statistics and nonsense") {
  const auto raw = raw_session();
  SocketcandSession& session = *raw;
  feed(session, "< echo >< statistics 20 >< nonsense >< send what >");
  CHECK(take(session) == "< echo >");  // in raw mode errors would read as error frames: silence
  CHECK(session.counts().garbage == 2);
  feed(session, "< send 1 2 1 2 >");
  deliver(session, frame(2, false, {1}), WallTime{5 * ms}, 0);
  take(session);
  session.tick(WallTime{10 * ms});
  CHECK(take(session).empty());
  session.tick(WallTime{20 * ms});
  CHECK(take(session) == "< stat 2 1 1 1 >");
}

TEST_CASE("what does not begin with the protocol, or never ends, ends the connection") {
  using End = ClientSession::End;
  SocketcandSession session({"can0", ""});
  feed(session, "<< open can0 >");
  CHECK(session.end() == End::not_the_protocol);
  const auto raw = raw_session(), noisy = raw_session();
  feed(*raw, "<" + std::string(MessageCutter::max_message + 1, 'x'));
  CHECK(raw->end() == End::line_too_long);
  CHECK(feed(*noisy, "noise < send 1 0 >").size() == 1);  // counted, as before
  CHECK((noisy->end() == End::none && noisy->counts().garbage == 5));
}

TEST_CASE("a bus with a token is opened with it") {
  SocketcandSession session({"can0", "secret-1"});
  feed(session, "< open can0/secret-1 >");
  CHECK(take(session) == "< hi >< ok >");
  CHECK(session.admitted());
  for (const char* wrong : {"< open can0 >", "< open can0/ >", "< open can0/secret-2 >", "< open can0/secret-1x >"}) {
    INFO(wrong);
    SocketcandSession other({"can0", "secret-1"});
    feed(other, wrong);
    CHECK((!other.admitted() && other.end() == ClientSession::End::without_token));
  }
}

TEST_CASE("a slow client loses frames, counted, and its queue stays bounded") {
  const auto raw = raw_session();
  SocketcandSession& session = *raw;
  feed(session, "< send 1 0 >");
  for (int k = 0; k < 10'000; ++k) deliver(session, frame(1, false, {1, 2, 3, 4, 5, 6, 7, 8}), WallTime{1}, 0);
  CHECK(session.pending().size() <= SocketcandSession::queue_bytes);
  CHECK(session.counts().dropped > 0);
  const auto all = take(session);
  CHECK(all.ends_with(" >"));  // whole messages only
  deliver(session, frame(1, false, {9}), WallTime{1}, 0);
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
