#pragma once
// Hash-consed expression DAG over real scalars. Equal expressions are the same node, so common
// subexpressions are found by construction; nodes are numbered in order of creation and every child has a
// smaller number than its parent, which gives one deterministic order for everything that is printed.

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace takt::codegen {

/// A scalar quantity an expression can name. Its path and unit are kept by the Graph.
enum class SymbolId : std::uint32_t {};
/// An expression node; valid for the Graph that made it.
enum class Expr : std::uint32_t {};
/// A one-dimensional lookup table of the Graph (linear interpolation, ends held).
enum class TableId : std::uint32_t {};

enum class Op : std::uint8_t {
  constant, symbol,
  add, sub, mul, div, neg,
  pow, sqrt, exp, log, sin, cos, tan, asin, acos, atan, atan2, tanh, abs, sign, min, max, floor, mod,
  // Conditions are 1 or 0; a value counts as true when it is > 0.5.
  less, less_equal, equal, logical_and, logical_or, logical_not,
  select,        ///< select(condition, if_true, if_false)
  table,         ///< table(table_id; x)
  table_slope,   ///< derivative of a table with respect to x (right-sided)
};

struct Node {
  Op op = Op::constant;
  double value = 0.0;            ///< Op::constant
  std::uint32_t payload = 0;     ///< SymbolId or TableId
  Expr a{}, b{}, c{};            ///< operands; arity by op
};

struct Table {
  std::string name;              ///< for comments in the emitted code
  std::vector<double> x;         ///< strictly increasing, SI
  std::vector<double> y;         ///< same length, SI
};

struct Symbol {
  std::string path;              ///< e.g. "electric.smooth.v"; unique in the graph
  std::string unit;              ///< SI unit text, e.g. "V"; "1" without dimension
};

class Graph {
 public:
  // --- symbols and tables
  SymbolId make_symbol(std::string path, std::string unit);
  [[nodiscard]] const Symbol& symbol(SymbolId id) const;
  [[nodiscard]] std::size_t symbol_count() const;
  TableId make_table(Table table);
  [[nodiscard]] const Table& table(TableId id) const;
  [[nodiscard]] std::size_t table_count() const;

  // --- building; simplifies on the way: constants folded, neutral elements dropped, -(-x), x-x, x/x (x constant), 0*x
  Expr constant(double value);
  Expr use(SymbolId id);                            ///< the expression that is this symbol
  Expr unary(Op op, Expr a);
  Expr binary(Op op, Expr a, Expr b);
  Expr select(Expr condition, Expr if_true, Expr if_false);
  Expr lookup(TableId table, Expr x);
  Expr add(Expr a, Expr b) { return binary(Op::add, a, b); }
  Expr sub(Expr a, Expr b) { return binary(Op::sub, a, b); }
  Expr mul(Expr a, Expr b) { return binary(Op::mul, a, b); }
  Expr div(Expr a, Expr b) { return binary(Op::div, a, b); }
  Expr neg(Expr a) { return unary(Op::neg, a); }
  Expr zero() { return constant(0.0); }
  Expr one() { return constant(1.0); }

  // --- looking
  [[nodiscard]] const Node& node(Expr e) const;
  [[nodiscard]] std::size_t size() const;
  [[nodiscard]] static int arity(Op op);
  [[nodiscard]] bool is_constant(Expr e) const;
  [[nodiscard]] bool is_constant(Expr e, double value) const;
  [[nodiscard]] bool depends_on(Expr e, SymbolId id) const;
  /// Symbols of e in ascending id.
  [[nodiscard]] std::vector<SymbolId> symbols_of(Expr e) const;
  [[nodiscard]] std::vector<SymbolId> symbols_of(const std::vector<Expr>& roots) const;

  // --- working
  Expr differentiate(Expr e, SymbolId with_respect_to);
  /// Replaces symbols by expressions (not recursively into the replacements).
  Expr substitute(Expr e, const std::unordered_map<SymbolId, Expr>& replacements);
  /// e = coefficient*symbol + rest with coefficient and rest free of the symbol. False if e is not linear in it.
  bool split_linear(Expr e, SymbolId symbol, Expr& coefficient, Expr& rest);
  /// @param value_of  value of each symbol, SI
  [[nodiscard]] double evaluate(Expr e, const std::function<double(SymbolId)>& value_of) const;

  /// Plain text for people and tests, e.g. "r*(1 + alpha*(t - t_ref))*i".
  [[nodiscard]] std::string text(Expr e) const;
};

}  // namespace takt::codegen
