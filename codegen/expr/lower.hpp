#pragma once
// From the parsed text of an expression to a node of a Graph, with names resolved and dimensions
// checked. Functions: sin cos tan asin acos atan atan2 exp log sqrt abs sign min max (two or more)
// tanh floor mod pow clamp(x, low, high) if(condition, a, b) step(x) (1 where x >= 0); the constant
// pi; and tables of the resolver.

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "codegen/expr/expr.hpp"
#include "codegen/expr/turning.hpp"
#include "codegen/text/diagnostics.hpp"
#include "codegen/text/expression.hpp"
#include "codegen/text/units.hpp"
#include "runtime/units/kinds.hpp"

namespace takt::codegen {

/// A value and its dimension; nullopt where it is not known, which switches the check off for what
/// it meets.
struct Lowered {
  Expr value{};
  std::optional<Dimension> dimension;
  QuantityKind kind{};               ///< what its dimension does not tell
  std::optional<Turning> product{};  ///< of a product or a sum, as an angle
};

struct TableUse {
  TableId table{};
  std::optional<Dimension> x;  ///< dimension its argument must have
  std::optional<Dimension> y;  ///< dimension of its value
  std::optional<Dimension>
      second{};  ///< of a two-dimensional table: dimension of its second argument
  QuantityKind x_kind{}, y_kind{}, second_kind{};
};

/// What names mean where an expression stands. Nothing is called like pi or, where it is a table,
/// like a function (predefined.hpp).
struct Resolver {
  std::function<std::optional<Lowered>(std::string_view)>
      name;  ///< a dotted name; nullopt: unknown
  std::function<std::optional<TableUse>(std::string_view)>
      table;  ///< a name called with its one argument or two; may be empty
  std::function<std::optional<Lowered>(std::string_view, const Lowered&)>
      property;  ///< of a medium at a temperature; may be empty
  std::function<std::vector<std::string>()>
      candidates;  ///< all names, for "did you mean"; may be empty
};

/// The tree of a text and where its first character stands.
struct ParsedText {
  const Ast& ast;
  const Location& where;
};

/// Literals: a number with unit has its dimension, one without has dimension 1, and 0 without unit
/// fits every dimension.
/// @return nullopt after reporting E01x; several mistakes of one expression are all reported
[[nodiscard]] std::optional<Lowered> lower(const ParsedText& text, Graph& graph,
                                           const Resolver& resolver, Diagnostics& diagnostics);

}  // namespace takt::codegen
