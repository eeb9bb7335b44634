#include "codegen/dbc/emit_bits.hpp"

#include <array>
#include <map>

#include "codegen/text/escape.hpp"
#include "codegen/text/literal.hpp"

namespace takt::codegen {

std::string emit_bits(const DbcMessage& message, const std::string& name) {
  constexpr std::array<const char*, 4> types{"unsigned_integer", "signed_integer", "float32", "float64"};
  std::map<std::size_t, std::size_t> places;  // of usable signals
  for (std::size_t k = 0; k < message.signals.size(); ++k)
    if (message.signals[k].usable) places.emplace(k, places.size());
  std::string rows, pages;
  std::size_t ranges = 0;
  for (const auto& [k, place] : places) {
    const DbcSignal& signal = message.signals[k];
    rows += "    {.name = " + string_literal(signal.name) + ", .start = " + std::to_string(signal.start) +
            ", .length = " + std::to_string(signal.length) +
            ", .big_endian = " + (signal.order == ByteOrder::big ? "true" : "false") +
            ", .type = can::SignalBits::Type::" + types[static_cast<std::size_t>(signal.type)] +
            ", .factor = " + double_literal(signal.factor) + ", .offset = " + double_literal(signal.offset);
    const auto chooser = signal.multiplexed_by ? places.find(*signal.multiplexed_by) : places.end();
    if (chooser != places.end()) {
      rows += ", .chosen_by = " + std::to_string(chooser->second) + ", .pages = std::span(pages::" + name +
              ").subspan(" + std::to_string(ranges) + ", " + std::to_string(signal.mux_values.size()) + ")";
      for (const MuxRange& range : signal.mux_values)
        pages += "    {" + std::to_string(range.first) + "U, " + std::to_string(range.last) + "U},\n";
      ranges += signal.mux_values.size();
    }
    rows += "},\n";
  }
  std::string out;
  if (ranges > 0)
    out = "namespace pages {\nconstexpr std::array<can::RawRange, " + std::to_string(ranges) + "> " + name + "{{\n" +
          pages + "}};\n}  // namespace pages\n";
  return out + "constexpr std::array<can::SignalBits, " + std::to_string(places.size()) + "> " + name + "{" +
         (rows.empty() ? "" : "{\n" + rows + "}") + "};\n";
}

}  // namespace takt::codegen
