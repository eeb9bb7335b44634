// libFuzzer entry of the log reader of `takt can`: every line, in its order; what is read is written and read again.

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "tools/takt/can_log.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace takt::tools;
  std::string_view text(reinterpret_cast<const char*>(data), size);
  (void)foreign_log(text);
  LogReader reader;
  while (!text.empty()) {
    const auto end = text.find('\n');
    const auto line = text.substr(0, end);
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
    LoggedFrame logged;
    if (reader.read(line, logged) != LogReader::Line::frame) continue;
    const auto& frame = logged.frame;
    if (frame.len > (frame.fd ? 64 : 8) || (frame.remote && frame.fd)) std::abort();
    if (frame.id > (frame.extended ? 0x1FFFFFFFU : 0x7FFU)) std::abort();
    const auto again = parse_frame_text(frame_text(frame));
    if (!again || again->id != frame.id || again->extended != frame.extended || again->fd != frame.fd ||
        again->brs != frame.brs || again->remote != frame.remote || again->len != frame.len ||
        again->data != frame.data)
      std::abort();
  }
  return 0;
}
