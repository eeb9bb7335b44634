#pragma once
// Linear combinations of equations that name only certain variables.

#include <map>
#include <vector>

#include "codegen/expr/expr.hpp"
#include "codegen/topology/exact_number.hpp"

namespace takt::codegen {

using LinearRow =
    std::map<SymbolId, ExactNumber>;  ///< 0 = sum of coefficient * symbol; without zeros

/// Eliminates the first symbols of `order` from all rows but one each, and removes that one; then
/// rows that vanish.
/// @return what is left: combinations without any symbol of `order`
[[nodiscard]] std::vector<LinearRow> combinations_without(std::vector<LinearRow> rows,
                                                          const std::vector<SymbolId>& order);

struct PivotedRow {
  SymbolId pivot{};  ///< in no other row
  LinearRow row;
};

/// Gives each row a symbol of its own: the first of `order` that will do.
/// @param left  rows that name no symbol of `order`
[[nodiscard]] std::vector<PivotedRow> pivoted(std::vector<LinearRow> rows,
                                              const std::vector<SymbolId>& order,
                                              std::vector<LinearRow>& left);

}  // namespace takt::codegen
