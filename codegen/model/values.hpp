#pragma once
// Values of the plant file: expressions lowered, parameters resolved on demand, durations, counts.
// Internal to codegen/model.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "codegen/model/workspace.hpp"

namespace takt::codegen {

/// Lowers an expression that stands in the plant file. E codes; nothing where it is wrong.
[[nodiscard]] std::optional<Named> lower_expression(Workspace& work,
                                                    const SourceExpression& expression,
                                                    const Reading& reading);

/// String, number or switch of the plant file.
[[nodiscard]] std::optional<Named> lower_value(Workspace& work, const TomlValue& value,
                                               const Reading& reading);

/// What a path means, seen from a line of the plant file; also parameters, inputs, `time`, `i`.
/// Nothing where unknown.
[[nodiscard]] std::optional<Named> find_name(Workspace& work, std::string_view name,
                                             const Reading& reading);

/// Names people could have meant, for hints; long lists help nobody and cost time.
[[nodiscard]] std::vector<std::string> value_candidates(const Workspace& work,
                                                        const Reading& reading);

/// Resolves a value once; afterwards its state is done or failed (reported).
void resolve(Workspace& work, Slot& slot);

/// Value of an expression of parameters; marks them structural. M030 where it depends on more.
[[nodiscard]] std::optional<double> structural_value(Workspace& work, Expr value,
                                                     const Location& where, std::string_view what);

/// Value of an expression of parameters; nothing where it depends on more.
[[nodiscard]] std::optional<double> parameter_value(const Workspace& work, Expr value);

/// A duration, also as an expression of parameters; positive. M007, U003, S001.
[[nodiscard]] std::optional<std::int64_t> read_duration(Workspace& work, const TomlValue& value,
                                                        const Reading& reading,
                                                        std::string_view what);

/// A whole number within limits.
struct Count {
  std::string_view what;  ///< "the order", for messages
  int lowest, highest;
};

/// M022.
[[nodiscard]] std::optional<int> read_count(Workspace& work, const TomlValue& value,
                                            const Reading& reading, const Count& count);

/// Replaces "[i]", "[i+1]", "[ 3 ]" in a path by numbers; nothing where an index is malformed,
/// negative, or `i` has no meaning.
[[nodiscard]] std::optional<std::string> with_indices(std::string_view path,
                                                      const std::optional<double>& index);

/// A unit and its text.
struct WantedUnit {
  const Unit& unit;
  std::string_view text;
};

/// A value of the plant file, for messages.
struct GivenValue {
  const Location& where;
  std::string_view what;              ///< "the start value of 'v'"
  bool literal_without_unit = false;  ///< a bare number
};

/// Checks that a value has the dimension of a unit (U004, U005).
[[nodiscard]] bool check_dimension(Workspace& work, const Named& value, const WantedUnit& wanted,
                                   const GivenValue& given);

}  // namespace takt::codegen
