#pragma once
// Numbers with units as whole strings, and exact durations.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <tl/expected.hpp>

#include "codegen/text/units.hpp"

namespace takt::codegen {

struct Quantity {
  double value = 0.0;  ///< SI
  Unit unit;           ///< as written; dimension 1 and factor 1 where there is none
};

/// A whole string as one quantity: "5 mOhm", "-10 degC", "3 1/s", "0.3". The error is a sentence
/// without code (U001, U002).
[[nodiscard]] tl::expected<Quantity, std::string> parse_quantity(std::string_view text);

/// A whole string as a duration: "50 us", "0.5 ms", "1 min". Decimal arithmetic, so 0.1 us is
/// exactly 100 ns.
/// @return nanoseconds; an error sentence (U003) where it is no duration, not a whole number of ns,
/// or beyond int64
[[nodiscard]] tl::expected<std::int64_t, std::string> parse_duration_ns(std::string_view text);

/// Nanoseconds for people: "50 us", "1.5 ms", "2 s".
[[nodiscard]] std::string duration_text(std::int64_t nanoseconds);

/// For names: "1500us", the largest unit of which it is a whole number.
[[nodiscard]] std::string period_text(std::int64_t period_ns);

/// Three significant digits with a prefix, for people: rounded_text(0.00471, "F") is "4.71 mF".
[[nodiscard]] std::string rounded_text(double value, std::string_view unit);

/// A double as the shortest text that reads back as the same double.
[[nodiscard]] std::string number_text(double value);

}  // namespace takt::codegen
