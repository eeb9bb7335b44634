#pragma once
// Numbers for people.

#include <cstdio>
#include <string>

namespace takt {

/// printf for one number.
[[nodiscard]] inline std::string formatted(const char* format, double value) {
  char text[64];
  std::snprintf(text, sizeof text, format, value);
  return text;
}

/// Four significant digits: for axes, tables and legends.
[[nodiscard]] inline std::string short_number(double value) { return formatted("%.4g", value); }

/// A duration in the unit that suits it: "250 us", "1 ms", "180 s".
[[nodiscard]] inline std::string short_duration(double seconds) {
  if (seconds >= 1.0 || seconds == 0.0) return formatted("%.4g s", seconds);
  if (seconds >= 1e-3) return formatted("%.4g ms", seconds * 1e3);
  if (seconds >= 1e-6) return formatted("%.4g us", seconds * 1e6);
  return formatted("%.4g ns", seconds * 1e9);
}

}  // namespace takt
