#pragma once
// What dimensions do not tell apart, and what is told apart all the same. A frequency (Hz) counts turns, an angular
// velocity (rad/s, rpm) radians: both are in 1/s. A temperature and a difference of temperatures are both in K.
//
// Literals and declared units have a kind, and sums, comparisons, min, max and if keep it. What has none, such as 1/s,
// goes with everything. Products and functions have none, so that 2*pi*f is an angular velocity where one is wanted;
// only a temperature scaled by a number keeps count: (a + b)/2 of two temperatures is one, a - b a difference.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "runtime/units/units.hpp"

namespace takt {

struct QuantityKind {
  enum class Sort : std::uint8_t {
    open,         ///< nothing is known
    frequency,    ///< Hz
    angular,      ///< rad/s, rpm, deg/s
    temperature,  ///< `weight` temperatures: 1 is a temperature, 0 a difference, 2 the sum of two
    mixed         ///< a temperature less something in K: a temperature or a difference
  } sort = Sort::open;
  double weight = 0.0;
  bool small = false;  ///< open: a literal in K so small that in a sum it is a difference
  bool scale = false;  ///< temperature: something on a scale with an offset (degC) is in it
  bool bare = false;   ///< temperature: a literal on such a scale
  double point = 0.0;  ///< of a bare one: the temperature, K
  double span = 0.0;   ///< of a bare one: as a difference, K

  [[nodiscard]] bool turns() const { return sort == Sort::frequency || sort == Sort::angular; }
};

/// Why two kinds do not go together, and what to write.
struct KindConflict {
  std::string cause, remedy;
};

/// Of what is declared in a unit: "Hz", "rpm", "degC". Open for all others; K may be either.
[[nodiscard]] QuantityKind kind_of_unit(std::string_view unit);
/// Of a literal. @param si  its value
[[nodiscard]] QuantityKind kind_of_literal(double si, std::string_view unit);
[[nodiscard]] QuantityKind temperature_kind(double weight);

struct KindSum {
  int sign;     ///< 1: a sum, -1: a difference
  bool kelvin;  ///< both sides are in K
};
[[nodiscard]] QuantityKind sum_of_kinds(const QuantityKind& a, const QuantityKind& b, KindSum of,
                                        std::optional<KindConflict>& conflict);
/// Of what is compared, or chosen from.
[[nodiscard]] QuantityKind common_kind(const QuantityKind& a, const QuantityKind& b,
                                       std::optional<KindConflict>& conflict);
/// Of a quantity times a number; none: a number that is not known here.
[[nodiscard]] QuantityKind scaled_kind(const QuantityKind& kind, std::optional<double> factor);
/// What a value of one kind cannot be given to.
[[nodiscard]] std::optional<KindConflict> wrong_kind(const QuantityKind& given, const QuantityKind& wanted);

}  // namespace takt
