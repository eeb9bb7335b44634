// libFuzzer entry of the socketcand server: the input is what a client sends, in pieces as its bytes say; a second
// client listens. Real sockets, the real bus. The session and the client's parser get the same bytes, too.

#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "runtime/io/can/socketcand_session.hpp"
#include "runtime/io/can/virtual_bus.hpp"

namespace {

using namespace takt::can;

void check(const Frame& frame) {
  if (frame.len > 8 || frame.id > (frame.extended ? 0x1FFFFFFFU : 0x7FFU)) std::abort();
}

void through_session(std::string_view text) {
  if (const auto frame = parse_frame(text)) check(*frame);
  SocketcandSession session({"can0", ""});
  while (!text.empty()) {
    std::optional<Frame> frame;
    const std::size_t taken = session.feed(text, {}, frame);
    if (taken == 0 || taken > text.size()) std::abort();
    text.remove_prefix(taken);
    if (!frame) continue;
    check(*frame);
    session.deliver(OutgoingFrame(*frame, 0), takt::WallTime{} + SocketcandSession::settle * 2);
  }
  session.tick(takt::WallTime{1'000'000'000});
  if (session.pending().size() > SocketcandSession::queue_bytes) std::abort();
}

void through_bus(VirtualBus& bus, std::string_view text) {
  std::array<int, 2> talker{}, listener{};
  if (::socketpair(AF_UNIX, SOCK_STREAM, 0, talker.data()) != 0) std::abort();
  if (::socketpair(AF_UNIX, SOCK_STREAM, 0, listener.data()) != 0) std::abort();
  bus.adopt(talker[0]);
  bus.adopt(listener[0]);
  constexpr std::string_view hello = "< open can0 >< rawmode >< send 0 0 >";
  (void)!::send(listener[1], hello.data(), hello.size(), MSG_NOSIGNAL | MSG_DONTWAIT);
  while (!text.empty()) {
    const std::size_t piece = std::min<std::size_t>(text.size(), 1U + static_cast<unsigned char>(text[0]));
    (void)!::send(talker[1], text.data(), piece, MSG_NOSIGNAL | MSG_DONTWAIT);
    text.remove_prefix(piece);
    bus.wait({});
    for (Frame frame; bus.receive(frame);) check(frame);
  }
  ::close(talker[1]);
  ::close(listener[1]);
  for (int k = 0; k < 64; ++k) bus.wait({});
  for (Frame frame; bus.receive(frame);) check(frame);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static VirtualBus bus({.channel = "can0"});
  const std::string_view text(reinterpret_cast<const char*>(data), std::min<std::size_t>(size, 16 * 1024));
  through_session(text);
  through_bus(bus, text);
  return 0;
}
