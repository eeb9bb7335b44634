// libFuzzer entry of the socketcand server: the input is what a client sends, in pieces as its bytes say; a second
// client listens. Real sockets, the real bus. The session and the client's parser get the same bytes, too.

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "runtime/io/can/socketcand_session.hpp"
#include "tests/runtime/io/fuzz_bus.hpp"

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

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static VirtualBus bus({.channel = "can0"});
  const std::string_view text(reinterpret_cast<const char*>(data), std::min<std::size_t>(size, 16 * 1024));
  through_session(text);
  through_bus(bus, text, {"< open can0 >< rawmode >< send 0 0 >", ""}, check);
  return 0;
}
