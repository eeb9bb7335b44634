#pragma once
// Expressions over values in plant memory: a tree in one array, whose depth the parser bounds.

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "runtime/plant/time.hpp"
#include "runtime/scenario/written_unit.hpp"
#include "runtime/units/kinds.hpp"
#include "runtime/units/units.hpp"

namespace takt {

struct ExpressionNode {
  static constexpr std::size_t most = 512;  ///< of one expression
  enum class Kind : std::uint8_t {
    number,
    value,  ///< at `offset` of plant memory
    time,   ///< simulated, s
    negate,
    add,
    subtract,
    multiply,
    divide,
    power,
    absolute,
    root,
    least,
    greatest,
    less,
    less_equal,
    equal,
    unequal,
    both,     ///< and
    either,   ///< or
    inverse,  ///< not
    choice    ///< if(a, b, c)
  };
  Kind kind = Kind::number;
  std::uint32_t a = 0, b = 0, c = 0;  ///< indices of operands, which stand before this node
  bool turned = false;                ///< of a comparison: a stands on the right in the text, which has > or >=
  double number = 0.0;
  std::size_t offset = 0;
};

/// Of an expression that somebody else has made: kinds that there are, operands that stand before their node and belong
/// to no other one, so that it takes no longer than it has nodes, and values within plant memory. Real-time.
[[nodiscard]] bool is_well_formed(std::span<const ExpressionNode> nodes, std::size_t memory_size) noexcept;

/// Conditions are 1 or 0.
struct Evaluation {
  double value = 0.0;
  bool finite = true;  ///< no comparison that was made had an operand that is NaN or infinite
  /// Never true of what cannot be compared.
  [[nodiscard]] bool holds() const noexcept { return finite && value != 0.0; }
};

class Expression {
 public:
  std::vector<ExpressionNode> nodes;  ///< the last one is the whole
  std::vector<std::uint32_t> rows;    ///< of the table of plant memory that it reads, in order of appearance
  std::string text;
  WrittenUnits written;  ///< units of its numbers
  Dimension dimension;
  QuantityKind kind{};     ///< of a quantity: what its dimension does not tell
  Dimension compared{};    ///< of both sides, where the whole is a comparison
  bool condition = false;  ///< else a quantity of `dimension`
  bool observes = false;   ///< it reads what has to be brought up to date

  /// `and`, `or` and `if` look at no operand that does not matter.
  /// Real-time: bounded by the number of nodes, no heap.
  [[nodiscard]] Evaluation evaluate(const std::byte* memory, SimTime now) const noexcept;

  /// The whole is a comparison.
  [[nodiscard]] bool compares() const noexcept;
  /// What it compares is computed, so that the values it reads do not show it: not a signal with a number.
  [[nodiscard]] bool compares_computed() const noexcept;
  /// What a comparison compares its only signal with, where that is a number.
  [[nodiscard]] std::optional<double> threshold() const noexcept;
  /// In the order of the text. @pre compares()
  /// Real-time: as evaluate().
  struct Sides {
    double left = 0.0, right = 0.0;
  };
  [[nodiscard]] Sides sides(const std::byte* memory, SimTime now) const noexcept;
};

}  // namespace takt
