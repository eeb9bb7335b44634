#pragma once
// Hash-consed expression DAG over real scalars. Equal expressions are the same node, so common
// subexpressions are found by construction; nodes are numbered in order of creation and every child
// has a smaller number than its parent, which gives one deterministic order for everything that is
// printed, and lets every walk run over ascending numbers without recursion. Nothing is ever
// removed; a Graph is an ordinary value.

#include <array>
#include <cstdint>
#include <deque>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace takt::codegen {

/// A scalar quantity an expression can name. Its path and unit are kept by the Graph.
enum class SymbolId : std::uint32_t {};
/// An expression node; valid for the Graph that made it.
enum class Expr : std::uint32_t {};
/// A lookup table of the Graph, over one argument (linear) or two (bilinear interpolation); ends
/// held.
enum class TableId : std::uint32_t {};

enum class Op : std::uint8_t {
  constant,
  symbol,
  add,
  sub,
  mul,
  div,
  neg,
  pow,
  sqrt,
  exp,
  log,
  sin,
  cos,
  tan,
  asin,
  acos,
  atan,
  atan2,
  tanh,
  abs,
  sign,
  min,
  max,
  floor,
  mod,
  // Conditions are 1 or 0; a value counts as true when it is > 0.5.
  less,
  less_equal,
  equal,
  logical_and,
  logical_or,
  logical_not,
  select,       ///< select(condition, if_true, if_false)
  table,        ///< table(table_id; x)
  table_slope,  ///< derivative of a table with respect to x (right-sided)
  table2,       ///< table2(table_id; x, y)
  table2_x,
  table2_y,
  table2_xy,  ///< its derivatives (right-sided)
};

struct Node {
  Op op = Op::constant;
  double value = 0.0;         ///< Op::constant
  std::uint32_t payload = 0;  ///< SymbolId or TableId
  Expr a{}, b{}, c{};         ///< operands; arity by op
};

struct Table {
  std::string name;       ///< for comments in the emitted code
  std::vector<double> x;  ///< strictly increasing, SI
  std::vector<double> y;  ///< values, SI: same length, or [x * second], row-major
  std::vector<double>
      second{};  ///< second axis of a two-dimensional table, strictly increasing, SI; else empty
};

struct Symbol {
  std::string path;  ///< e.g. "electric.smooth.v"; unique in the graph
  std::string unit;  ///< SI unit text, e.g. "V"; "1" without dimension
};

class Graph {
 public:
  // --- symbols and tables
  SymbolId make_symbol(std::string path, std::string unit);
  SymbolId find_or_make_symbol(const std::string& path, const std::string& unit);
  [[nodiscard]] const Symbol& symbol(SymbolId id) const;
  [[nodiscard]] std::size_t symbol_count() const;
  [[nodiscard]] std::optional<SymbolId> find_symbol(std::string_view path) const;
  TableId make_table(Table table);
  [[nodiscard]] const Table& table(TableId id) const;
  [[nodiscard]] std::size_t table_count() const;

  // --- building; simplifies on the way: constants folded, neutral elements dropped, -(-x), x-x,
  // x/x (x constant), 0*x
  Expr constant(double value);
  Expr use(SymbolId id);  ///< the expression that is this symbol
  Expr unary(Op op, Expr a);
  Expr binary(Op op, Expr a, Expr b);
  Expr select(Expr condition, Expr if_true, Expr if_false);
  Expr lookup(TableId table, Expr x);
  Expr lookup(TableId table, Expr x, Expr y);  ///< of a two-dimensional table
  Expr add(Expr a, Expr b) { return binary(Op::add, a, b); }
  Expr sub(Expr a, Expr b) { return binary(Op::sub, a, b); }
  Expr mul(Expr a, Expr b) { return binary(Op::mul, a, b); }
  Expr div(Expr a, Expr b) { return binary(Op::div, a, b); }
  Expr neg(Expr a) { return unary(Op::neg, a); }
  Expr zero() { return constant(0.0); }
  Expr one() { return constant(1.0); }

  /// The same node with other operands, simplified; operands the op does not have are ignored.
  Expr rebuild(const Node& node, Expr a, Expr b, Expr c);

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
  /// Every node the roots reach, each once, operands before users (ascending id): the order of all
  /// walks.
  [[nodiscard]] std::vector<Expr> reachable(const std::vector<Expr>& roots) const;
  /// True where the value is always 0 or 1: comparisons, logic, their constants and choices among
  /// them.
  [[nodiscard]] bool is_condition(Expr e) const;

  // --- working
  Expr differentiate(Expr e, SymbolId with_respect_to);
  /// Replaces symbols by expressions (not recursively into the replacements).
  Expr substitute(Expr e, const std::unordered_map<SymbolId, Expr>& replacements);
  /// e = coefficient*symbol + rest with coefficient and rest free of the symbol. False if e is not
  /// linear in it.
  bool split_linear(Expr e, SymbolId symbol, Expr& coefficient, Expr& rest);
  /// @param value_of  value of each symbol, SI
  [[nodiscard]] double evaluate(Expr e, const std::function<double(SymbolId)>& value_of) const;

  /// Plain text for people and tests, e.g. "r*(1 + alpha*(t - t_ref))*i".
  [[nodiscard]] std::string text(Expr e) const;

 private:
  Expr intern(const Node& node);
  [[nodiscard]] bool find(const Node& node, Expr& found) const;
  void insert(std::uint32_t index);
  void grow();
  Expr simplify_add(Expr a, Expr b);
  Expr simplify_sub(Expr a, Expr b);
  Expr simplify_mul(Expr a, Expr b);
  Expr simplify_div(Expr a, Expr b);
  Expr simplify_pow(Expr a, Expr b);
  Expr simplify_logic(Op op, Expr a, Expr b);
  Expr derivative_of(const Node& node, Expr self, const std::array<Expr, 3>& d);
  Expr table_of(Op op, std::uint32_t table, const std::vector<Expr>& arguments);
  Expr derivative_of_table2(const Node& node, const std::array<Expr, 3>& d);
  Expr derivative_of_power(const Node& node, Expr self, const std::array<Expr, 3>& d);
  [[nodiscard]] double apply(const Node& node, const std::array<double, 3>& operands) const;
  /// Nodes that e reaches and that may depend on nodes from `lowest` on: ids >= lowest, ascending.
  [[nodiscard]] std::vector<std::uint32_t> collect(const std::vector<Expr>& roots,
                                                   std::uint32_t lowest) const;
  [[nodiscard]] std::uint32_t node_of(SymbolId id) const;  ///< none if the symbol is not used
  [[nodiscard]] const Node& at(std::uint32_t index) const { return nodes_[index]; }

  static constexpr std::uint32_t none = 0xFFFF'FFFFU;
  std::vector<Node> nodes_;
  std::vector<std::uint32_t> slots_;         ///< open-addressed hash set of node indices
  std::deque<Symbol> symbols_;               ///< paths stay where they are: others refer to them
  std::vector<std::uint32_t> symbol_nodes_;  ///< node that uses the symbol, or none
  struct PathSlot {
    std::uint32_t hash = 0;  ///< part of it
    std::uint32_t symbol = none;
  };
  [[nodiscard]] std::size_t slot_of(std::string_view path,
                                    std::uint32_t hash) const;  ///< of the symbol, or a vacant one
  std::vector<PathSlot> path_slots_;  ///< open-addressed hash set of symbols by path
  std::vector<Table> tables_;
};

}  // namespace takt::codegen
