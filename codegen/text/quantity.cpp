#include "codegen/text/quantity.hpp"

#include <array>
#include <charconv>
#include <cmath>

#include "codegen/text/nearest.hpp"

namespace takt::codegen {
namespace {

std::string_view trim(std::string_view text) {
  const auto blank = [](char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; };
  while (!text.empty() && blank(text.front())) text.remove_prefix(1);
  while (!text.empty() && blank(text.back())) text.remove_suffix(1);
  return text;
}

bool is_digit(char c) { return c >= '0' && c <= '9'; }

std::string quoted(std::string_view text) { return '"' + std::string(text.substr(0, 80)) + '"'; }

/// digits * 10^exponent, exactly; up to 18 digits.
struct Decimal {
  std::int64_t digits = 0;
  int exponent = 0;
  std::size_t length = 0;  ///< bytes read; 0: no decimal number
};

Decimal read_decimal(std::string_view text) {
  Decimal number;
  std::size_t at = 0;
  int count = 0;
  bool point = false;
  for (; at < text.size(); ++at) {
    if (text[at] == '.' && !point) {
      point = true;
      continue;
    }
    if (!is_digit(text[at])) break;
    if (number.digits > 99'999'999'999'999'999) return {};
    number.digits = 10 * number.digits + (text[at] - '0');
    number.exponent -= point ? 1 : 0;
    ++count;
  }
  if (count == 0) return {};
  if (at < text.size() && (text[at] == 'e' || text[at] == 'E')) {
    int exponent = 0;
    const char* first = text.data() + at + 1;
    if (at + 1 < text.size() && *first == '+') ++first;
    const auto [end, status] = std::from_chars(first, text.data() + text.size(), exponent);
    if (status != std::errc{} || exponent > 100 || exponent < -100) return {};
    number.exponent += exponent;
    at = static_cast<std::size_t>(end - text.data());
  }
  number.length = at;
  return number;
}

struct TimeUnit {
  std::string_view name;
  std::int64_t nanoseconds;
};
constexpr std::array<TimeUnit, 9> time_units{{{"ns", 1},
                                              {"us", 1'000},
                                              {"\u00B5s", 1'000},
                                              {"\u03BCs", 1'000},
                                              {"ms", 1'000'000},
                                              {"s", 1'000'000'000},
                                              {"min", 60'000'000'000},
                                              {"h", 3'600'000'000'000},
                                              {"ks", 1'000'000'000'000}}};

tl::expected<std::int64_t, std::string> scaled(Decimal number, std::int64_t nanoseconds,
                                               std::string_view text) {
  std::int64_t value = number.digits;
  // Powers of ten out of the unit first, so that no product overflows before it must.
  while (number.exponent < 0 && nanoseconds % 10 == 0) {
    nanoseconds /= 10;
    ++number.exponent;
  }
  while (number.exponent < 0 && value % 10 == 0) {
    value /= 10;
    ++number.exponent;
    if (value == 0) return 0;
  }
  if (__builtin_mul_overflow(value, nanoseconds, &value))
    return tl::make_unexpected(quoted(text) + " is longer than 292 years");
  while (number.exponent < 0 && value % 10 == 0) {
    value /= 10;
    ++number.exponent;
  }
  if (number.exponent < 0)
    return tl::make_unexpected(quoted(text) + " is not a whole number of nanoseconds");
  for (; number.exponent > 0 && value != 0; --number.exponent) {
    if (__builtin_mul_overflow(value, std::int64_t{10}, &value)) {
      return tl::make_unexpected(quoted(text) + " is longer than 292 years");
    }
  }
  return value;
}

}  // namespace

tl::expected<Quantity, std::string> parse_quantity(std::string_view text) {
  const std::string_view whole = trim(text);
  const bool signed_number = !whole.empty() && (whole.front() == '-' || whole.front() == '+');
  const std::string_view number = signed_number ? trim(whole.substr(1)) : whole;
  double value = 0.0;
  const bool starts =
      !number.empty() &&
      (is_digit(number[0]) || (number[0] == '.' && number.size() > 1 && is_digit(number[1])));
  const auto [end, status] =
      starts ? std::from_chars(number.data(), number.data() + number.size(), value)
             : std::from_chars_result{number.data(), std::errc::invalid_argument};
  if (status != std::errc{}) return tl::make_unexpected(quoted(text) + " is no number with a unit");
  if (signed_number && whole.front() == '-') value = -value;
  const std::string_view unit_text =
      trim(number.substr(static_cast<std::size_t>(end - number.data())));
  if (unit_text.empty()) return Quantity{value, Unit{}};
  const std::optional<Unit> unit = parse_unit(unit_text);
  if (!unit && unit_text.size() > 1 && unit_text[0] == ',' && is_digit(unit_text[1]))
    return tl::make_unexpected(quoted(text) + " has a comma; decimals are written with a point");
  if (!unit) {
    const std::string near = nearest_unit(unit_text);
    return tl::make_unexpected(quoted(unit_text) + " is no unit" +
                               (near.empty() ? "" : "; did you mean " + quoted(near) + "?"));
  }
  return Quantity{to_si(value, *unit), *unit};
}

tl::expected<std::int64_t, std::string> parse_duration_ns(std::string_view text) {
  const std::string_view whole = trim(text);
  const Decimal number = read_decimal(whole);
  if (number.length == 0)
    return tl::make_unexpected(quoted(text) + " is no duration; write for instance \"50 us\"");
  const std::string_view unit = trim(whole.substr(number.length));
  for (const TimeUnit& time : time_units) {
    if (time.name == unit) return scaled(number, time.nanoseconds, text);
  }
  if (unit.empty())
    return tl::make_unexpected(quoted(text) +
                               " has no unit; a duration needs s, ms, us, ns, min or h");
  return tl::make_unexpected(quoted(unit) + " is no unit of time; use s, ms, us, ns, min or h");
}

std::string period_text(std::int64_t period_ns) {
  if (period_ns % 1'000'000'000 == 0) return std::to_string(period_ns / 1'000'000'000) + "s";
  if (period_ns % 1'000'000 == 0) return std::to_string(period_ns / 1'000'000) + "ms";
  if (period_ns % 1'000 == 0) return std::to_string(period_ns / 1'000) + "us";
  return std::to_string(period_ns) + "ns";
}

std::string duration_text(std::int64_t nanoseconds) {
  const double value = static_cast<double>(nanoseconds);
  const double size = std::fabs(value);
  if (size >= 1e9) return number_text(value / 1e9) + " s";
  if (size >= 1e6) return number_text(value / 1e6) + " ms";
  if (size >= 1e3) return number_text(value / 1e3) + " us";
  return number_text(value) + (nanoseconds == 0 ? " s" : " ns");
}

std::string rounded_text(double value, std::string_view unit) {
  constexpr std::array prefixes{"f", "p", "n", "u", "m", "", "k", "M", "G", "T"};
  constexpr int none = 5;
  if (value == 0.0 || !std::isfinite(value)) return number_text(value) + " " + std::string(unit);
  const double last_digit = std::pow(10.0, std::floor(std::log10(std::fabs(value))) - 2.0);
  const double rounded = std::round(value / last_digit) * last_digit;
  const double thousands = std::floor(std::log10(std::fabs(rounded)) / 3.0 + 1e-9);
  const int group =
      static_cast<int>(std::fmin(std::fmax(thousands, -none), prefixes.size() - 1.0 - none));
  std::array<char, 32> buffer{};
  const auto [end, status] =
      std::to_chars(buffer.data(), buffer.data() + buffer.size(), rounded / std::pow(1000.0, group),
                    std::chars_format::general, 3);
  return std::string(buffer.data(), end) + " " + prefixes[static_cast<std::size_t>(group) + none] +
         std::string(unit);
}

std::string number_text(double value) {
  std::array<char, 32> buffer{};
  const auto [end, status] = std::to_chars(buffer.data(), buffer.data() + buffer.size(), value);
  return {buffer.data(), end};
}

}  // namespace takt::codegen
