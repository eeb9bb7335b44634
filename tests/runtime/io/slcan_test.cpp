#include <catch2/catch.hpp>
#include <string>
#include <vector>

#include "runtime/io/can/dlc.hpp"
#include "runtime/io/can/slcan_session.hpp"

using namespace takt::can;
using End = ClientSession::End;

namespace {

std::string take(SlcanSession& session) {
  const std::string text(session.pending());
  session.consumed(text.size());
  return text;
}

/// All of it; the frames that the client has sent.
std::vector<Frame> feed(SlcanSession& session, std::string_view bytes) {
  std::vector<Frame> frames;
  while (!bytes.empty()) {
    std::optional<Frame> sent;
    bytes.remove_prefix(session.feed(bytes, {}, sent));
    if (sent) frames.push_back(*sent);
  }
  return frames;
}

Frame fd_frame(std::uint32_t id, bool extended, std::uint8_t length) {
  Frame frame;
  frame.id = id, frame.extended = extended, frame.fd = true, frame.len = length;
  for (std::size_t k = 0; k < length; ++k) frame.data[k] = static_cast<std::uint8_t>(k + 1);
  return frame;
}

}  // namespace

TEST_CASE("CAN FD has sixteen lengths") {
  CHECK((fd_length_code(8) == 8 && fd_length_code(9) == 9 && fd_length_code(64) == 15));
  CHECK((fd_length(13) == 16 && fd_length(33) == 48 && fd_length(0) == 0));
}

TEST_CASE("frames are written as python-can reads them") {
  Frame frame;
  frame.id = 0x12, frame.len = 2, frame.data[0] = 0xAB, frame.data[1] = 1;
  CHECK(slcan_message(frame).view() == "t0122AB01\r");
  frame.extended = true;
  CHECK(slcan_message(frame).view() == "T000000122AB01\r");
  frame.remote = true;
  CHECK(slcan_message(frame).view() == "R000000122\r");
  CHECK(slcan_message(fd_frame(0x7FF, false, 2)).view() == "d7FF20102\r");
  CHECK(slcan_message(fd_frame(1, false, 13)).view() == "d001A0102030405060708090A0B0C0D000000\r");  // padded
  Frame fast = fd_frame(0x1ABCDEF0, true, 64);
  fast.brs = true;
  CHECK(slcan_message(fast).view().substr(0, 14) == "B1ABCDEF0F0102");
  CHECK(slcan_message(fast).view().size() == 139);
}

TEST_CASE("frames survive the way through the text") {
  for (const std::uint8_t length : fd_lengths) {
    for (const bool extended : {false, true}) {
      for (int kind = 0; kind < 4; ++kind) {
        Frame sent = fd_frame(0x123, extended, length);
        sent.fd = kind >= 2, sent.brs = kind == 3, sent.remote = kind == 1;
        if (!sent.fd && length > 8) continue;
        if (sent.remote) sent.data = {};
        const std::string text(slcan_message(sent).view());
        const auto back = parse_slcan(std::string_view(text).substr(0, text.size() - 1));
        INFO(text);
        REQUIRE(back);
        CHECK((back->id == sent.id && back->extended == extended && back->len == length && back->data == sent.data));
        CHECK((back->fd == sent.fd && back->brs == sent.brs && back->remote == sent.remote));
      }
    }
  }
}

TEST_CASE("lines are read strictly") {
  for (const char* wrong : {"",
                            "t",
                            "t12",
                            "t123",
                            "t1231",
                            "t12311",
                            "t1231123",
                            "t8000",
                            "t1239112233445566778899",
                            "t123g",
                            "t12g0",
                            "T200000000",
                            "T1234",
                            "r12319",
                            "d1239",
                            "d123901",
                            "t 12 0",
                            "x1230",
                            "t123111 ",
                            "POST / HTTP/1.1"}) {
    INFO(wrong);
    CHECK_FALSE(parse_slcan(wrong));
  }
  CHECK(parse_slcan("t7FF0"));
  CHECK(parse_slcan("t7ff1aB"));
}

TEST_CASE("python-can opens the bus, sends and hears") {
  SlcanSession session({"can0", ""}, "< hi >");
  CHECK(feed(session, "C\rS6\rY2\r").empty());
  CHECK_FALSE(session.takes_frames({}));
  session.deliver(OutgoingFrame(fd_frame(1, false, 2), 0), {});
  CHECK(take(session) == "< hi >\r\r\r\r");  // the greeting of the other protocol is a line without meaning
  CHECK(feed(session, "t1000\r").empty());   // not open yet
  CHECK(take(session) == "\a");
  CHECK(feed(session, "O\rO\r").empty());
  CHECK(take(session) == "\r\r");
  session.deliver(OutgoingFrame(fd_frame(1, false, 2), 0), {});
  CHECK(take(session) == "d00120102\r");
  const auto frames = feed(session, "b1239000102030405060708090A0B\rr1232\r\r\nt00");
  REQUIRE(frames.size() == 2);
  CHECK((frames[0].fd && frames[0].brs && frames[0].len == 12 && frames[0].data[11] == 11));
  CHECK((frames[1].remote && frames[1].len == 2));
  CHECK(feed(session, "50\rV\rN\rF\r").at(0).id == 5);
  CHECK(take(session) == "\rV1013\rNTAKT\rF00\r");
  CHECK(feed(session, "C\r").empty());
  CHECK_FALSE(session.takes_frames({}));
  CHECK(session.end() == End::none);
  CHECK(session.counts().frames_from == 3);
}

TEST_CASE("whoever listens only sends nothing") {
  SlcanSession session({"can0", ""}, "");
  CHECK(feed(session, "L\rt1000\r").empty());
  CHECK(session.takes_frames({}));
  CHECK(take(session) == "\r\r\a");
}

TEST_CASE("lines without meaning are refused and counted; the first one ends the connection") {
  SlcanSession session({"can0", ""}, "");
  feed(session, "O\rnonsense\rt12\rZ1\r");
  CHECK(take(session) == "\r\r\a\a\a");
  CHECK((session.counts().garbage == 3 && session.end() == End::none));
  for (const char* first : {"OPTIONS / HTTP/1.1\r\nt1000\r", "TRACE / HTTP/1.1\r\n", "CONNECT a HTTP/1.1\r\n"}) {
    INFO(first);
    SlcanSession other({"can0", ""}, "");
    feed(other, first);
    CHECK((other.end() == End::not_the_protocol && other.counts().frames_from == 0));
  }
}

TEST_CASE("a line that never ends ends the connection") {
  SlcanSession session({"can0", ""}, "");
  feed(session, "O\rt100");
  CHECK(session.end() == End::none);
  feed(session, std::string(1000, '0'));
  CHECK(session.end() == End::line_too_long);
}

TEST_CASE("a bus with a token opens with it, and nobody guesses twice") {
  SlcanSession session({"can0", "secret-1"}, "");
  feed(session, "C\rssecret-1\rO\r");
  CHECK((session.takes_frames({}) && session.admitted() && session.end() == End::none));
  SlcanSession without({"can0", "secret-1"}, "");
  feed(without, "C\rO\r");
  CHECK((!without.takes_frames({}) && without.end() == End::without_token));
  SlcanSession wrong({"can0", "secret-1"}, "");
  feed(wrong, "ssecret-2\r");
  CHECK((!wrong.admitted() && wrong.end() == End::without_token));
}
