// libFuzzer entry of the slcan server: the input is what a client sends, in pieces as its bytes say, after "O" or as it
// comes; a second client listens. Real sockets, the real bus. Whatever is read as a frame must be written as one.

#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "runtime/io/can/slcan_session.hpp"
#include "runtime/io/can/virtual_bus.hpp"

namespace {

using namespace takt::can;

void check(const Frame& frame) {
  if (frame.len > (frame.fd ? 64 : 8) || frame.id > (frame.extended ? 0x1FFFFFFFU : 0x7FFU)) std::abort();
  const SlcanText text = slcan_message(frame);
  const auto again = parse_slcan(text.view().substr(0, text.size - 1));
  if (!again || again->id != frame.id || again->extended != frame.extended || again->fd != frame.fd ||
      again->brs != frame.brs || again->remote != frame.remote || again->len != frame.len || again->data != frame.data)
    std::abort();
}

void through_session(std::string_view text) {
  SlcanSession session({"can0", "a-token-0"}, "< hi >");
  while (!text.empty() && session.end() == ClientSession::End::none) {
    std::optional<Frame> frame;
    const std::size_t taken = session.feed(text, {}, frame);
    if (taken == 0 || taken > text.size()) std::abort();
    text.remove_prefix(taken);
    if (!frame) continue;
    check(*frame);
    session.deliver(OutgoingFrame(*frame, 0), {});
  }
  if (session.pending().size() > SlcanSession::queue_bytes) std::abort();
}

void through_bus(VirtualBus& bus, std::string_view text, bool is_open) {
  std::array<int, 2> talker{}, listener{};
  if (::socketpair(AF_UNIX, SOCK_STREAM, 0, talker.data()) != 0) std::abort();
  if (::socketpair(AF_UNIX, SOCK_STREAM, 0, listener.data()) != 0) std::abort();
  bus.adopt(talker[0]);
  bus.adopt(listener[0]);
  (void)!::send(listener[1], "O\r", 2, MSG_NOSIGNAL | MSG_DONTWAIT);
  if (is_open) (void)!::send(talker[1], "O\r", 2, MSG_NOSIGNAL | MSG_DONTWAIT);
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
  through_bus(bus, text, size % 2 == 0);
  return 0;
}
