#pragma once
// In which formats the frames of a bus are kept.

#include <cstdint>
#include <optional>
#include <string_view>

namespace takt {

/// A set of bits; 0: nothing is kept.
using TraceFormats = std::uint8_t;
inline constexpr TraceFormats trace_candump = 1, trace_mf4 = 2;

inline constexpr std::string_view trace_format_rule = "\"candump\", \"mf4\", or both";

/// One word of a rig file or a command line; nullopt: it is none.
[[nodiscard]] inline std::optional<TraceFormats> trace_format_of(std::string_view word) noexcept {
  if (word == "candump") return trace_candump;
  if (word == "mf4") return trace_mf4;
  return std::nullopt;
}

/// Words with commas between them; "off": nothing is kept.  nullopt: one of them is no format
[[nodiscard]] inline std::optional<TraceFormats> trace_formats_of(std::string_view words) noexcept {
  if (words == "off") return TraceFormats{0};
  unsigned formats = 0;
  for (;;) {
    const std::size_t comma = words.find(',');
    const auto format = trace_format_of(words.substr(0, comma));
    if (!format) return std::nullopt;
    formats |= *format;
    if (comma == std::string_view::npos) return static_cast<TraceFormats>(formats);
    words.remove_prefix(comma + 1);
  }
}

}  // namespace takt
