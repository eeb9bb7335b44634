// libFuzzer entry of the slcan server: the input is what a client sends, in pieces as its bytes say, after "O" or as it
// comes; a second client listens. Real sockets, the real bus. Whatever is read as a frame must be written as one.

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "runtime/io/can/slcan_session.hpp"
#include "tests/runtime/io/fuzz_bus.hpp"

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

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static VirtualBus bus({.channel = "can0"});
  const std::string_view text(reinterpret_cast<const char*>(data), std::min<std::size_t>(size, 16 * 1024));
  through_session(text);
  through_bus(bus, text, {"O\r", size % 2 == 0 ? "O\r" : ""}, check);
  return 0;
}
