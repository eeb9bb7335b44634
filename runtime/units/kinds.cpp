#include "runtime/units/kinds.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>

namespace takt {
namespace {

using Sort = QuantityKind::Sort;

constexpr Dimension per_second{{0, 0, -1, 0, 0, 0, 0}};
constexpr Dimension kelvin_dimension{{0, 0, 0, 0, 1, 0, 0}};
/// Nothing in a plant is colder; what is written smaller in K and added to a temperature is a difference.
constexpr double coldest_k = 100.0;
constexpr double same_weight = 1e-9;

std::string text_of(double value) {
  char buffer[32];
  const auto [end, status] = std::to_chars(buffer, buffer + sizeof buffer, value);
  return {buffer, end};
}

bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

/// How often an angle is in a unit of 1/s (rad/s: 1, rpm: 1), and hertz.
struct Turns {
  int angle = 0, hertz = 0;
};

Turns turns_of(std::string_view unit) {
  Turns turns;
  int sign = 1;
  for (std::size_t at = 0; at < unit.size();) {
    if (unit[at] == '/') sign = -1;
    if (unit[at] == '*') sign = 1;
    std::size_t end = at;
    while (end < unit.size() && is_letter(unit[end])) ++end;
    const std::string_view word = unit.substr(at, end - at);
    at = std::max(end, at + 1);
    if (word.ends_with("rad") || word == "deg" || word == "rev" || word == "rpm") turns.angle += sign;
    if (word.ends_with("Hz")) turns.hertz += sign;
  }
  return turns;
}

QuantityKind of_sort(Sort sort) { return {.sort = sort}; }

std::string name_of(const QuantityKind& kind) {
  if (kind.bare) return "the temperature " + text_of(kind.point) + " K";
  if (kind.sort == Sort::mixed) return "a temperature less or plus something that may be one, too";
  if (kind.sort != Sort::temperature) return "a value in K";
  if (std::fabs(kind.weight) < same_weight) return "a difference of temperatures";
  return std::fabs(kind.weight - 1.0) < same_weight ? "a temperature" : text_of(kind.weight) + " times a temperature";
}

std::string remedy_for(const QuantityKind& a, const QuantityKind& b) {
  const QuantityKind* bare = a.bare ? &a : b.bare ? &b : nullptr;
  if (bare == nullptr) return "differences are written in K: \"1 K\", not \"1 degC\"";
  return "write \"" + text_of(bare->span) + " K\" for a difference, \"" + text_of(bare->point) +
         " K\" for a temperature";
}

KindConflict temperatures(const QuantityKind& a, const QuantityKind& b, const std::string& joined) {
  return {name_of(a) + " is " + joined + " " + name_of(b), remedy_for(a, b)};
}

KindConflict turns_conflict() {
  return {"a frequency (Hz) counts turns, an angular velocity (rad/s, rpm) radians",
          "a turn is 2*pi: \"50 Hz\" turns at \"3000 rpm\" or \"2*pi*50 Hz\", and back it is w/(2*pi)"};
}

bool is_weighted(const QuantityKind& kind) { return kind.sort == Sort::temperature; }
bool has_weight(const QuantityKind& kind, double weight) {
  return is_weighted(kind) && std::fabs(kind.weight - weight) < same_weight;
}
/// Neither a temperature nor a difference, though something on a scale is in it: 20 degC + 5 degC.
bool is_nothing(const QuantityKind& kind) {
  return is_weighted(kind) && kind.scale && !has_weight(kind, 0.0) && !has_weight(kind, 1.0);
}

}  // namespace

QuantityKind temperature_kind(double weight) { return {.sort = Sort::temperature, .weight = weight}; }

QuantityKind kind_of_unit(std::string_view text) {
  const std::optional<Unit> unit = parse_unit(text);
  if (!unit) return {};
  if (unit->offset != 0.0) return {.sort = Sort::temperature, .weight = 1.0, .scale = true};
  if (unit->dimension != per_second) return {};
  const Turns turns = turns_of(text);
  if (turns.angle == 1 && turns.hertz == 0) return of_sort(Sort::angular);
  if (turns.angle == 0 && turns.hertz == 1) return of_sort(Sort::frequency);
  return {};
}

QuantityKind kind_of_literal(double si, std::string_view text) {
  QuantityKind kind = kind_of_unit(text);
  const std::optional<Unit> unit = parse_unit(text);
  if (!unit) return kind;
  if (unit->offset != 0.0) {
    kind.bare = true;
    kind.point = si;
    kind.span = from_si(si, *unit) * unit->factor;
  } else if (unit->dimension == kelvin_dimension) {
    kind.small = std::fabs(si) < coldest_k;
  }
  return kind;
}

QuantityKind sum_of_kinds(const QuantityKind& a, const QuantityKind& b, KindSum of,
                          std::optional<KindConflict>& conflict) {
  const auto [sign, kelvin] = of;
  if (a.turns() || b.turns()) return common_kind(a, b, conflict);
  if (is_weighted(a) && is_weighted(b)) {
    const bool both = a.bare && b.bare && sign > 0;
    if (both || (a.bare && has_weight(b, 0.0)) || (b.bare && has_weight(a, 0.0)))
      conflict = temperatures(a, b, sign > 0 ? "added to" : "taken with");
    return {.sort = Sort::temperature, .weight = a.weight + sign * b.weight, .scale = a.scale || b.scale};
  }
  if (!kelvin) return {};
  if (a.sort == Sort::mixed || b.sort == Sort::mixed) return of_sort(Sort::mixed);
  const QuantityKind &known = is_weighted(a) ? a : b, &other = is_weighted(a) ? b : a;
  if (is_weighted(known)) {
    if (other.small) {
      QuantityKind kind = known;
      kind.bare = false;
      if (&known == &b) kind.weight *= sign;
      return kind;
    }
    if (!has_weight(known, 0.0)) return of_sort(Sort::mixed);
    // From a difference only a difference can be taken.
    return &known == &a && sign < 0 ? temperature_kind(0.0) : QuantityKind{};
  }
  if (a.small && b.small) return {.small = true};
  return sign < 0 && !b.small ? of_sort(Sort::mixed) : QuantityKind{};
}

QuantityKind common_kind(const QuantityKind& a, const QuantityKind& b, std::optional<KindConflict>& conflict) {
  if (a.turns() || b.turns()) {
    if (a.turns() && b.turns() && a.sort != b.sort) conflict = turns_conflict();
    return a.turns() ? a : b;
  }
  QuantityKind kind = is_weighted(a) ? a : b;
  const bool differ = is_weighted(a) && is_weighted(b) && !has_weight(a, b.weight);
  const bool unclear = (a.bare && b.sort == Sort::mixed) || (b.bare && a.sort == Sort::mixed);
  if (differ || unclear || (is_nothing(a) && !is_weighted(b)) || (is_nothing(b) && !is_weighted(a)))
    conflict = temperatures(a, b, "compared with");
  if (a.sort == Sort::mixed || b.sort == Sort::mixed) return of_sort(Sort::mixed);
  kind.bare = false;
  kind.small = a.small && b.small;
  return kind;
}

QuantityKind scaled_kind(const QuantityKind& kind, std::optional<double> factor) {
  if (kind.sort == Sort::mixed) return kind;
  if (!is_weighted(kind)) return {.small = kind.small && factor};
  if (has_weight(kind, 0.0)) return kind;
  if (!factor) return {};
  return {.sort = Sort::temperature, .weight = kind.weight * *factor, .scale = kind.scale};
}

std::optional<KindConflict> wrong_kind(const QuantityKind& given, const QuantityKind& wanted) {
  std::optional<KindConflict> conflict;
  if (given.turns() && wanted.turns() && given.sort != wanted.sort) return turns_conflict();
  if (is_nothing(given) || (is_weighted(wanted) && is_weighted(given) && !has_weight(given, wanted.weight)))
    return KindConflict{"this is " + name_of(given) + ", not " +
                            (is_weighted(wanted) ? name_of(wanted) : "a temperature or a difference of two"),
                        remedy_for(given, wanted)};
  return conflict;
}

}  // namespace takt
