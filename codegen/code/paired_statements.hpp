#pragma once
// Straight-line code two doubles at a time: statements that differ only in which of two neighbours
// they read become one over takt::TwoDoubles. Compilers do that themselves where results stand next
// to each other in memory, and seldom where they stay in registers. Every lane is computed by the
// same operations as before: the same bits.

#include <array>
#include <cstddef>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "codegen/code/block.hpp"

namespace takt::codegen::code {

/// An array that is read in pairs: array[2*k] and array[2*k + 1] are both lanes of pairs[k]. An
/// array of pairs is both.
struct Lanes {
  Value array{}, pairs{};
};

/// Definitions of constants and assignments of array elements of one function.
/// Call order: read(), pair(), then PairedCode for what is wanted.
class PairedStatements {
 public:
  /// @return nothing where any statement is of another kind
  [[nodiscard]] static std::optional<PairedStatements> read(Values& values,
                                                            std::span<const Statement* const> body,
                                                            std::vector<Lanes> lanes);
  /// Pairs the assignments to neighbours of these arrays, and what they read.
  /// @return false where they wait for each other in a circle
  [[nodiscard]] bool pair(std::span<const Value> arrays);

  [[nodiscard]] bool assigns(Value array, std::size_t index) const {
    return statements_.contains(element_of(array, index));
  }
  /// What is assigned. @pre assigns(array, index)
  [[nodiscard]] Value assigned(Value array, std::size_t index) const {
    return statements_.at(element_of(array, index)).value;
  }
  /// Pairs of what does not change while coefficients stay: values read f.pairs[index].
  [[nodiscard]] const std::vector<std::array<Place, 2>>& invariants() const { return invariants_; }
  /// Whether any statement reads this variable.
  [[nodiscard]] bool reads(Value variable) const;

 private:
  friend class PairedCode;
  /// A variable, 0; or an array, its index + 1.
  using Target = std::pair<Value, std::uint32_t>;
  struct Single {
    Name type{};  ///< none: an assignment
    Value value{};
    std::string comment;
  };
  /// Where a value stands as one half of two.
  struct Half {
    Value pair{};
    std::uint32_t lane = 0;
  };
  /// What a pair reads: lanes that are neighbours, and values that are put together for it.
  struct Reads {
    std::size_t vectors = 0, gathered = 0;
  };
  explicit PairedStatements(Values& values) : values_(&values) {}
  [[nodiscard]] static Target element_of(Value array, std::size_t index) {
    return {array, static_cast<std::uint32_t>(index) + 1};
  }
  [[nodiscard]] Target target_of(Value place) const;
  [[nodiscard]] bool take(const Statement& statement);
  [[nodiscard]] bool is_truth(const Single& single) const;
  [[nodiscard]] std::optional<Value> merged(const Target& first, const Target& second);
  [[nodiscard]] std::optional<Value> merged_values(Value first, Value second, Reads& reads);
  [[nodiscard]] std::optional<Value> merged_places(Value first, Value second, Reads& reads);
  [[nodiscard]] Value invariant_of(const Place& first, const Place& second);
  /// What computes it: the pair that it is a half of, or itself.
  [[nodiscard]] Target source_of(const Target& target) const;
  /// The statement of a source; nullptr where none computes it.
  [[nodiscard]] const Single* statement_of(const Target& source) const;
  [[nodiscard]] bool waits_in_circle(const Target& target, std::map<Target, int>& state) const;
  /// pairs[k], and which of both.
  [[nodiscard]] std::optional<std::pair<Target, std::uint32_t>> lane_of(Value place) const;

  Values* values_;
  std::map<Target, Single> statements_;  ///< by what they define
  std::map<Target, Single> pairs_;       ///< by the name of both halves
  std::map<Target, Half> halves_;        ///< of what has been paired
  std::set<std::pair<Target, Target>> failed_;
  std::vector<Lanes> lanes_;
  std::map<std::pair<std::string, std::string>, std::size_t> invariant_;
  std::vector<std::array<Place, 2>> invariants_;
};

/// Statements that compute what is asked for, two at a time where they have been paired.
class PairedCode {
 public:
  /// @param to  gets the definitions, each before what reads it
  PairedCode(const PairedStatements& statements, Block& to)
      : statements_(statements), values_(*statements.values_), to_(to) {}

  /// The value of array[2*block] and array[2*block + 1] as one; nothing where they are none.
  [[nodiscard]] std::optional<Value> pair_value(Value array, std::size_t block);
  [[nodiscard]] Value value(Value array, std::size_t index);

 private:
  using Target = PairedStatements::Target;
  void define(const Target& target);
  void define_reads(Value value);
  [[nodiscard]] Value scalar(Value place);
  [[nodiscard]] Value local_of(const Target& target);
  [[nodiscard]] Value with_scalars(Value value);

  const PairedStatements& statements_;
  Values& values_;
  Block& to_;
  std::set<Target> defined_;
};

}  // namespace takt::codegen::code
