// libFuzzer entry of the DBC parser, and of what is built on a database: walking codec and emitted sources.

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "codegen/dbc/codec.hpp"
#include "codegen/dbc/dbc.hpp"
#include "codegen/dbc/dbc_bits.hpp"
#include "codegen/dbc/emit_codec.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace takt::codegen;
  Diagnostics diagnostics;
  const auto dbc = parse_dbc({reinterpret_cast<const char*>(data), size}, "fuzz", diagnostics);
  for (const auto& diagnostic : diagnostics.all()) {
    if (diagnostic.where.line == 0 || diagnostic.where.column == 0) std::abort();  // every finding has a place
  }
  for (const auto& message : dbc.messages) {
    if (message.id > 0x1FFFFFFF || (!message.extended && message.id > 0x7FF)) std::abort();
    if (!message.usable) continue;
    if (message.is_one_frame() && message.length > (message.fd ? 64 : 8)) std::abort();
    const std::vector<std::uint8_t> ones(message.length, 0xFF);
    const auto values = decode_message(message, ones);
    if (values.size() != message.signals.size()) std::abort();
    const auto back = encode_message(message, values);
    if (back.size() != message.length) std::abort();
    const auto raws = decode_raw(message, ones);
    for (std::size_t k = 0; k < raws.size(); ++k) {
      const auto& signal = message.signals[k];
      if (!raws[k]) continue;
      const auto text = value_text(signal, *raws[k]);
      if (whole_scale(signal) && raw_of_text(signal, text) != *raws[k]) std::abort();  // whole numbers are exact
    }
    for (const auto& signal : message.signals) {
      if (signal.usable && !fits(signal, message.length)) std::abort();
    }
  }
  if (size < 4096) {
    const std::string text = emit_codecs(dbc, "fuzz").bytes();
    if (text.find("}  // namespace fuzz") == std::string::npos) std::abort();
  }
  return 0;
}
