#include "codegen/fmu/xml_values.hpp"

#include <array>
#include <limits>

namespace takt::codegen::xml {
namespace {

constexpr std::string_view blanks = " \t\r\n";

bool is_digit(char c) { return c >= '0' && c <= '9'; }

/// Of a number that a double does not hold: whether it is too small, not too large.
bool is_tiny(std::string_view digits) {
  const std::size_t e = digits.find_first_of("eE");
  if (e != std::string_view::npos) return e + 1 < digits.size() && digits[e + 1] == '-';
  return digits.substr(0, digits.find('.')).find_first_not_of("+-0") == std::string_view::npos;
}

/// Of the day of "YYYY-MM-DD...", whose form has been looked at: whether its month has it.
bool is_day_of_month(std::string_view date, std::size_t year_digits) {
  const auto two = [&](std::size_t at) { return (date[at] - '0') * 10 + (date[at + 1] - '0'); };
  const int century_year = two(year_digits - 2), month = two(year_digits + 1),
            day = two(year_digits + 4);
  const bool in_fourth_century = two(year_digits - 4) % 4 == 0;
  const bool is_leap = century_year % 4 == 0 && (century_year != 0 || in_fourth_century);
  constexpr std::array days{31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
  if (month < 1 || day < 1) return false;
  return day <= days[static_cast<std::size_t>(month - 1)] + (month == 2 && is_leap ? 1 : 0);
}

/// Takes `count` digits and what must follow them.
bool take_digits(std::string_view& text, std::size_t count, char after, int most) {
  int value = 0;
  for (std::size_t k = 0; k < count; ++k) {
    if (k >= text.size() || !is_digit(text[k])) return false;
    value = value * 10 + (text[k] - '0');
  }
  text.remove_prefix(count);
  if (value > most) return false;
  if (after == 0) return true;
  if (!text.starts_with(after)) return false;
  text.remove_prefix(1);
  return true;
}

}  // namespace

std::string_view trimmed(std::string_view text) {
  const std::size_t begin = text.find_first_not_of(blanks);
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(blanks) - begin + 1);
}

std::vector<std::string_view> words(std::string_view text) {
  std::vector<std::string_view> result;
  for (std::size_t begin = text.find_first_not_of(blanks); begin != std::string_view::npos;) {
    const std::size_t end = std::min(text.find_first_of(blanks, begin), text.size());
    result.push_back(text.substr(begin, end - begin));
    begin = text.find_first_not_of(blanks, end);
  }
  return result;
}

std::optional<double> number(std::string_view text) {
  text = trimmed(text);
  constexpr double infinity = std::numeric_limits<double>::infinity();
  if (text == "INF" || text == "+INF") return infinity;
  if (text == "-INF") return -infinity;
  if (text == "NaN") return std::numeric_limits<double>::quiet_NaN();
  if (text.empty() || text.find_first_not_of("0123456789+-.eE") != std::string_view::npos)
    return std::nullopt;
  std::string_view digits = text;
  if (digits.starts_with('+')) digits.remove_prefix(1);
  if (digits.starts_with('-') && text.starts_with('+')) return std::nullopt;
  double value = 0.0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
  if (digits.empty() || end != digits.data() + digits.size() ||
      error == std::errc::invalid_argument)
    return std::nullopt;
  if (error == std::errc::result_out_of_range)
    return is_tiny(digits) ? std::optional(0.0) : std::nullopt;
  return value;
}

std::optional<bool> boolean(std::string_view text) {
  text = trimmed(text);
  if (text == "true" || text == "1") return true;
  if (text == "false" || text == "0") return false;
  return std::nullopt;
}

std::optional<std::string> bytes(std::string_view text) {
  text = trimmed(text);
  if (text.size() % 2 != 0) return std::nullopt;
  std::string result;
  for (std::size_t at = 0; at < text.size(); at += 2) {
    if (text.substr(at, 2).find_first_not_of("0123456789abcdefABCDEF") != std::string_view::npos)
      return std::nullopt;
    unsigned value = 0;
    std::from_chars(text.data() + at, text.data() + at + 2, value, 16);
    result += static_cast<char>(static_cast<unsigned char>(value));
  }
  return result;
}

bool is_date_time(std::string_view text) {
  text = trimmed(text);
  if (text.starts_with('-')) text.remove_prefix(1);
  const std::size_t year = text.find('-');
  if (year == std::string_view::npos || year < 4 || year > 9) return false;
  const std::string_view date = text;
  if (!take_digits(text, year, '-', 999'999'999) || !take_digits(text, 2, '-', 12) ||
      !take_digits(text, 2, 'T', 31) || !take_digits(text, 2, ':', 24) ||
      !take_digits(text, 2, ':', 59) || !take_digits(text, 2, 0, 59) ||
      !is_day_of_month(date, year))
    return false;
  if (date.substr(year + 7, 2) == "24" && date.substr(year + 9, 6) != ":00:00") return false;
  if (text.starts_with('.')) {
    const std::size_t end = std::min(text.find_first_not_of("0123456789", 1), text.size());
    if (end == 1) return false;
    text.remove_prefix(end);
  }
  if (text.empty() || text == "Z") return true;
  if (text[0] != '+' && text[0] != '-') return false;
  text.remove_prefix(1);
  return take_digits(text, 2, ':', 14) && take_digits(text, 2, 0, 59) && text.empty();
}

}  // namespace takt::codegen::xml
