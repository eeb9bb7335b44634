#pragma once
// Numbers with units on the command line of a built plant. The generator's unit parser stays offline; here a value is
// meant in the unit of what it sets, so an SI prefix and a few common scales suffice.

#include <cstdint>
#include <string_view>

namespace takt {

/// "0.1", "100 mOhm", "25 degC", "50 km/h", "3000 rpm", "30 %" for a quantity of the given SI unit.
/// @throw std::runtime_error  what is wrong and what would do
[[nodiscard]] double parse_quantity(std::string_view text, std::string_view unit);

/// "180 s", "180", "500 ms", "2 min", "1 h"  in whole nanoseconds; positive.
/// @throw std::runtime_error
[[nodiscard]] std::int64_t parse_duration(std::string_view text);

}  // namespace takt
