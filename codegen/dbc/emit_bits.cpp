#include "codegen/dbc/emit_bits.hpp"

#include <array>
#include <map>

namespace takt::codegen {

void write_bits(Writer& text, const DbcMessage& message, const std::string& name) {
  constexpr std::array<const char*, 4> types{"unsigned_integer", "signed_integer", "float32",
                                             "float64"};
  std::map<std::size_t, std::size_t> places;  // of usable signals
  for (std::size_t k = 0; k < message.signals.size(); ++k)
    if (message.signals[k].usable) places.emplace(k, places.size());
  std::vector<std::string> rows, ranges;
  for (const auto& [k, place] : places) {
    const DbcSignal& signal = message.signals[k];
    Aggregate row;
    row.text("name", signal.name).number("start", signal.start).number("length", signal.length);
    row.number("big_endian", signal.order == ByteOrder::big);
    row.code("type",
             std::string("can::SignalBits::Type::") + types[static_cast<std::size_t>(signal.type)]);
    row.number("factor", signal.factor).number("offset", signal.offset);
    const auto chooser = signal.multiplexed_by ? places.find(*signal.multiplexed_by) : places.end();
    if (chooser != places.end()) {
      row.number("chosen_by", chooser->second);
      row.code("pages", "std::span(pages::" + name + ").subspan(" + std::to_string(ranges.size()) +
                            ", " + std::to_string(signal.mux_values.size()) + ")");
      for (const MuxRange& range : signal.mux_values)
        ranges.push_back("{" + std::to_string(range.first) + "U, " + std::to_string(range.last) +
                         "U}");
    }
    rows.push_back(row.code());
  }
  if (!ranges.empty()) {
    text.line("namespace pages {");
    write_array(text, {"can::RawRange", name}, ranges);
    text.line("}  // namespace pages");
  }
  write_array(text, {"can::SignalBits", name}, rows);
}

}  // namespace takt::codegen
