#pragma once
// Instants at which functions of the time jump or bend, by interval arithmetic: a reference run
// stops there. What plants are built with finds them in closed forms
// (codegen/dae/algebra/time_instants.hpp); nothing of it is used here.

#include <vector>

#include "codegen/model/network.hpp"
#include "codegen/reference/value_ranges.hpp"

namespace takt::codegen {

/// Source of the method: R. E. Moore, Interval Analysis, Prentice-Hall 1966: an interval over which
/// no argument can pass a place where it turns holds no such instant; others are halved.
class TurningPoints {
 public:
  using ValueOf = ValueRanges::ValueOf;

  /// @param values  whose instants are looked for
  TurningPoints(const Network& network, const std::vector<Expr>& values, ValueOf value_of);

  /// The first instant in (from, to], s, to some rounding; infinity where there is none, or where
  /// too many intervals would have to be halved.
  [[nodiscard]] double first(double from, double to) const;

 private:
  /// Turns where its argument passes zero, an integer, or a corner of the table.
  struct Turn {
    enum class At : std::uint8_t { zero, integer, corner } at;
    ValueRanges ranges;  ///< of what passes it
    const std::vector<double>* corners = nullptr;
  };
  [[nodiscard]] bool may_turn(const Turn& turn, double from, double to) const;

  ValueOf value_of_;
  std::vector<Turn> turns_;
};

}  // namespace takt::codegen
