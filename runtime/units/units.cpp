#include "runtime/units/units.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <vector>

#include "runtime/units/nearest.hpp"
#include "runtime/units/unit_table.hpp"

namespace takt {
namespace {

constexpr int deepest_unit = 16;
constexpr int largest_exponent = 60;

/// A unit under construction: factor = numerator / denominator.
struct Ratio {
  Dimension dimension;
  double numerator = 1.0;
  double denominator = 1.0;
  double offset = 0.0;
};

bool is_letter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (static_cast<unsigned char>(c) & 0x80U) != 0;
}
bool is_digit(char c) { return c >= '0' && c <= '9'; }

std::optional<Ratio> find_unit(std::string_view name) {
  for (const NamedUnit& unit : named_units()) {
    if (unit.name == name) return Ratio{unit.dimension, unit.numerator, unit.denominator, unit.offset};
  }
  for (const Prefix& prefix : prefixes()) {
    if (!name.starts_with(prefix.name)) continue;
    const std::string_view rest = name.substr(prefix.name.size());
    for (const NamedUnit& unit : named_units()) {
      if (unit.takes_prefix && unit.name == rest) {
        return Ratio{unit.dimension, unit.numerator * prefix.numerator, unit.denominator * prefix.denominator};
      }
    }
  }
  return std::nullopt;
}

/// a * b^sign; fails where an exponent leaves its range or an offset unit is combined.
std::optional<Ratio> combine(const Ratio& a, const Ratio& b, int sign) {
  if (a.offset != 0.0 || b.offset != 0.0) return std::nullopt;
  Ratio product;
  for (std::size_t base = 0; base < a.dimension.exponent.size(); ++base) {
    const int exponent = a.dimension.exponent[base] + sign * b.dimension.exponent[base];
    if (std::abs(exponent) > largest_exponent) return std::nullopt;
    product.dimension.exponent[base] = static_cast<std::int8_t>(exponent);
  }
  product.numerator = a.numerator * (sign > 0 ? b.numerator : b.denominator);
  product.denominator = a.denominator * (sign > 0 ? b.denominator : b.numerator);
  return product;
}

std::optional<Ratio> power(const Ratio& base, int exponent) {
  if (exponent == 1) return base;
  std::optional<Ratio> result = Ratio{};
  for (int times = 0; times < std::abs(exponent) && result; ++times)
    result = combine(*result, base, exponent < 0 ? -1 : 1);
  return result;
}

/// Recursive descent that keeps the longest valid beginning: product := factor (('*' | '/') factor)*.
class UnitParser {
 public:
  explicit UnitParser(std::string_view text) : text_(text) {}

  std::optional<Ratio> product(int depth) {
    std::optional<Ratio> result = factor(depth);
    while (result && at_ < text_.size() && (text_[at_] == '*' || text_[at_] == '/')) {
      const std::size_t before = at_;
      const int sign = text_[at_++] == '*' ? 1 : -1;
      // In "5 V/1 Ohm" the 1 is the next number; that of "1/s" stands first.
      const bool is_number = at_ < text_.size() && text_[at_] == '1';
      const std::optional<Ratio> next = is_number ? std::nullopt : factor(depth);
      const std::optional<Ratio> combined = next ? combine(*result, *next, sign) : std::nullopt;
      if (!combined) {
        at_ = before;
        break;
      }
      result = combined;
    }
    return result;
  }
  [[nodiscard]] std::size_t consumed() const { return at_; }

 private:
  std::optional<Ratio> factor(int depth) {
    const std::optional<Ratio> base = atom(depth);
    if (!base || at_ >= text_.size() || text_[at_] != '^') return base;
    const std::size_t before = at_;
    const std::optional<int> exponent = integer();
    const std::optional<Ratio> raised = exponent ? power(*base, *exponent) : std::nullopt;
    if (!raised) at_ = before;
    return raised ? raised : base;
  }

  /// "^2", "^-1"; not "^0.5", which is a power of the quantity.
  std::optional<int> integer() {
    std::size_t at = at_ + 1;
    const bool negative = at < text_.size() && text_[at] == '-';
    at += negative ? 1U : 0U;
    const std::size_t first = at;
    int value = 0;
    for (; at < text_.size() && is_digit(text_[at]) && value < 100; ++at) value = 10 * value + (text_[at] - '0');
    if (at == first || continues_word(at)) return std::nullopt;
    at_ = at;
    return negative ? -value : value;
  }

  std::optional<Ratio> atom(int depth) {
    if (at_ >= text_.size() || depth > deepest_unit) return std::nullopt;
    if (text_[at_] == '(') return parenthesis(depth);
    const std::size_t first = at_;
    std::size_t end = first;
    if (text_[end] == '%' || text_[end] == '1') {
      ++end;
    } else {
      while (end < text_.size() && is_letter(text_[end])) ++end;
    }
    if (end == first || (text_[first] != '%' && continues_word(end))) return std::nullopt;
    std::optional<Ratio> unit = find_unit(text_.substr(first, end - first));
    if (unit) at_ = end;
    return unit;
  }

  std::optional<Ratio> parenthesis(int depth) {
    const std::size_t before = at_++;
    std::optional<Ratio> inner = product(depth + 1);
    if (inner && at_ < text_.size() && text_[at_] == ')') {
      ++at_;
      return inner;
    }
    at_ = before;
    return std::nullopt;
  }

  /// What follows makes the word a name, an index, a call or a decimal number, no unit.
  [[nodiscard]] bool continues_word(std::size_t at) const {
    if (at >= text_.size()) return false;
    const char c = text_[at];
    return is_letter(c) || is_digit(c) || c == '_' || c == '.' || c == '[' || c == '(';
  }

  std::string_view text_;
  std::size_t at_ = 0;
};

std::string generic_text(const Dimension& dimension) {
  // Base units first that have positive exponents, then divisions: kg*m^2/s^3/A.
  static constexpr std::array<std::string_view, 7> names{"m", "kg", "s", "A", "K", "mol", "cd"};
  static constexpr std::array<std::size_t, 7> order{1, 0, 2, 3, 4, 5, 6};
  std::string above, below;
  for (const std::size_t base : order) {
    const std::int8_t exponent = dimension.exponent[base];
    if (exponent == 0) continue;
    std::string& side = exponent > 0 ? above : below;
    if (exponent < 0)
      side += '/';
    else if (!side.empty())
      side += '*';
    side += names[base];
    if (std::abs(exponent) > 1) side += '^' + std::to_string(std::abs(exponent));
  }
  return (above.empty() ? "1" : above) + below;
}

std::vector<std::string> unit_words() {
  static constexpr std::array<std::string_view, 6> common{"k", "M", "m", "u", "n", "p"};
  std::vector<std::string> words;
  for (const NamedUnit& unit : named_units()) words.emplace_back(unit.name);
  for (const NamedUnit& unit : named_units()) {
    if (!unit.takes_prefix) continue;
    for (const std::string_view prefix : common) words.push_back(std::string(prefix) + std::string(unit.name));
  }
  return words;
}

std::string nearest_word(std::string_view word, const std::vector<std::string>& words) {
  for (const UnitSynonym& synonym : unit_synonyms()) {
    if (synonym.word == word) return std::string(synonym.unit);
  }
  return nearest_name(word, words);
}

}  // namespace

std::optional<Unit> parse_unit_prefix(std::string_view text, std::size_t& length) {
  UnitParser parser(text);
  const std::optional<Ratio> ratio = parser.product(0);
  length = ratio ? parser.consumed() : 0;
  if (!ratio) return std::nullopt;
  const Unit unit{ratio->dimension, ratio->numerator / ratio->denominator, ratio->offset};
  if (!std::isfinite(unit.factor) || unit.factor == 0.0) {
    length = 0;
    return std::nullopt;
  }
  return unit;
}

std::optional<Unit> parse_unit(std::string_view text) {
  std::size_t length = 0;
  const std::optional<Unit> unit = parse_unit_prefix(text, length);
  return length == text.size() ? unit : std::nullopt;
}

std::string dimension_text(const Dimension& dimension) {
  for (const std::string_view text : display_units()) {
    const std::optional<Unit> unit = parse_unit(text);
    if (unit && unit->dimension == dimension) return std::string(text);
  }
  return generic_text(dimension);
}

std::string nearest_unit(std::string_view text) {
  if (parse_unit(text)) return std::string(text);
  static const std::vector<std::string> words = unit_words();
  std::string mended;
  for (std::size_t at = 0; at < text.size();) {
    if (!is_letter(text[at])) {
      if (text[at] != ' ') mended += text[at];
      ++at;
      continue;
    }
    std::size_t end = at;
    while (end < text.size() && is_letter(text[end])) ++end;
    const std::string_view word = text.substr(at, end - at);
    const std::string near = parse_unit(word) ? std::string(word) : nearest_word(word, words);
    if (near.empty()) return {};
    mended += near;
    at = end;
  }
  return parse_unit(mended) ? mended : std::string{};
}

double to_si(double value, const Unit& unit) {
  const double shifted = value + unit.offset;
  if (unit.factor >= 1.0) return shifted * unit.factor;
  // 1e-9 is no double, 1e9 is: dividing by the exact inverse rounds once.
  const double inverse = std::nearbyint(1.0 / unit.factor);
  const bool exact = inverse < 9e15 && 1.0 / inverse == unit.factor;
  return exact ? shifted / inverse : shifted * unit.factor;
}

double from_si(double value, const Unit& unit) { return value / unit.factor - unit.offset; }

}  // namespace takt
