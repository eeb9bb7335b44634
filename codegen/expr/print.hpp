#pragma once
// Expressions as straight-line C++: a list of `target = value;` with shared subexpressions in temporaries.
// Needs runtime/math/elementary.hpp, and table.hpp where tables occur. The bits are those of Graph::evaluate.

#include <cstddef>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "codegen/expr/expr.hpp"

namespace takt::codegen {

struct PrintRoot {
  std::string target;  ///< text before " = ", e.g. "m.choke_i" or "const double load_v"
  Expr value{};
};

struct PrintNames {
  std::function<std::string(SymbolId)> symbol;  ///< C++ name of a symbol, a primary expression of type double
  std::function<std::string(TableId)> table;    ///< C++ name of a takt::math::TableView; may be empty without tables
};

struct PrintOptions {
  std::string indent = "  ";
  std::string temporary = "t";       ///< temporaries are t0, t1, ...
  unsigned first_temporary = 0;
  std::size_t inline_limit = 64;     ///< a subexpression used once stays inline up to this many characters
  std::string math = "takt::math::"; ///< before function names
};

struct Printed {
  std::string statements;            ///< one statement per line, each ends with a newline
  unsigned next_temporary = 0;       ///< first_temporary of what follows in the same scope
};

/// Statements in the order of the roots; each temporary stands directly before the first root that needs it, so a root
/// may use symbols that earlier roots assign. A target must not be a symbol that an earlier statement has read.
/// Deterministic: depends on the graph's nodes and the roots only.
[[nodiscard]] Printed print_cpp(const Graph& graph, std::span<const PrintRoot> roots, const PrintNames& names,
                                const PrintOptions& options = {});

/// A double literal that reads back as the same bits: "1.0", "-2.5e-09", numeric_limits for inf and nan.
[[nodiscard]] std::string double_literal(double value);

/// Subexpressions that do not change during a run, taken out of expressions that do.
struct Hoisted {
  struct Constant {
    SymbolId symbol{};               ///< new symbol that stands for value
    Expr value{};                    ///< over constant symbols only; order of the list is order of computation
  };
  std::vector<Expr> roots;           ///< the given roots over the new symbols
  std::vector<Constant> constants;
};

/// Finds the largest subexpressions that depend only on symbols for which is_constant holds (parameters) and are more
/// than a number, a symbol or its negative. They can be computed once, in prepare().
/// @param prefix  path of the new symbols, which become prefix0, prefix1, ...; must make them unique in the graph
[[nodiscard]] Hoisted hoist(Graph& graph, const std::vector<Expr>& roots, const std::function<bool(SymbolId)>& is_constant,
                            const std::string& prefix);

}  // namespace takt::codegen
