#pragma once
// Expressions -> typed statements of one function: shared subexpressions become locals, fixed ones
// coefficients.

#include <cstddef>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "codegen/code/block.hpp"
#include "codegen/emit/coefficients.hpp"
#include "codegen/emit/names.hpp"
#include "codegen/expr/expr.hpp"

namespace takt::codegen {

/// Builds the body of one function. Phases: count() every root that will stand there, then value()
/// and statements.
class Statements {
 public:
  /// @param coefficients  nullptr: everything is computed in place (prepare itself)
  Statements(const Graph& graph, Coefficients* coefficients)
      : graph_(graph), coefficients_(coefficients) {}

  /// The nodes of this function.
  [[nodiscard]] code::Values& values() { return values_; }
  [[nodiscard]] const code::Values& values() const { return values_; }
  /// What stands for a symbol in this function.
  void bind(SymbolId symbol, code::Value value) { symbols_[symbol] = value; }
  [[nodiscard]] bool is_bound(SymbolId symbol) const { return symbols_.contains(symbol); }
  /// What the symbol is bound to. @pre is_bound(symbol)
  [[nodiscard]] code::Value value_of(SymbolId symbol) const { return symbols_.at(symbol); }
  /// Announces a root, so that what is used more than once is computed once, and the quantity
  /// around it, which names the coefficients in it.
  void count(Expr root, const std::string* quantity = nullptr);
  /// Calls of exp, log and pow below the roots whose arguments are known now; several of one kind
  /// are made at once.
  /// @return whether there were any: others may have become ready
  bool batch_calls(const std::vector<Expr>& roots);
  /// Whether an expression reads neither an unknown symbol nor a call that batch_calls() would
  /// still make.
  [[nodiscard]] bool is_ready(Expr e);
  /// The number an expression stands for, preceded by the statements it needs.
  [[nodiscard]] code::Value value(Expr e);
  /// The same of a condition: a number is true above 0.5.
  [[nodiscard]] code::Value condition(Expr e);
  /// Where e gets a local before define(symbol, e), it is named after the symbol.
  void announce(SymbolId symbol, Expr e, const std::string& comment);
  /// const double NAME = e; binds the symbol to NAME. A symbol that only renames a local is bound
  /// to that.
  void define(SymbolId symbol, Expr e, const std::string& comment);
  /// A local of its own name with this value; inside a loop it lives there.
  /// @return what reads it
  code::Value local(const std::string& wished, code::Value value, const std::string& comment,
                    bool constant = true);
  /// The same of any type, not constant.
  code::Value object(std::string_view type, const std::string& wished, code::Value value);
  /// Locals become members of a struct `l`, so that the body can be cut into several functions.
  /// Call first.
  void spread() { spread_ = true; }
  [[nodiscard]] bool is_spread() const { return spread_; }
  /// The same, and what are numbers and truth values has no name but an index: l.value[12],
  /// l.truth[3]. Call first.
  void tabulate() { spread_ = tabulated_ = true; }
  [[nodiscard]] bool is_tabulated() const { return tabulated_; }
  /// Declarations of the members of `l`.
  [[nodiscard]] std::vector<std::string> members() const;
  /// Length of `l.value`, the numbers among them that have no names.
  [[nodiscard]] std::size_t numbered_values() const { return numbers_; }

  /// Between open_loop and close_loop, what depends on the varying symbols is computed inside the
  /// loop, the rest before it.
  void open_loop(const std::vector<SymbolId>& varying);
  void close_loop(code::Loop head);
  void close_loop(code::Branch head);
  /// Between open_branch and close_branch, everything that is not known yet is computed inside the
  /// branch and forgotten after it: what is seldom asked for costs nothing else. Branches do not
  /// nest, loops do not begin in them.
  void open_branch() { in_branch_ = true; }
  void close_branch(code::Value condition, bool unlikely);
  /// Where statements go now.
  [[nodiscard]] code::Block& block() { return in_branch_ ? branch_ : in_loop_ ? inner_ : outer_; }
  [[nodiscard]] code::Name note(std::string comment) { return values_.note(std::move(comment)); }
  /// Everything so far.
  [[nodiscard]] code::Block& body() { return outer_; }
  [[nodiscard]] const code::Block& body() const { return outer_; }
  /// What stands at the end, behind the pieces of what is cut.
  [[nodiscard]] code::Block& last() { return last_; }
  [[nodiscard]] const code::Block& last() const { return last_; }

 private:
  [[nodiscard]] code::Value make(Expr e);   ///< a double or a truth value, whatever it is
  [[nodiscard]] code::Value truth(Expr e);  ///< a truth value
  [[nodiscard]] code::Value make_operation(const Node& node);
  [[nodiscard]] code::Value make_product(const Node& node);
  [[nodiscard]] code::Value make_sum(const Node& node);
  [[nodiscard]] code::Value reciprocal(Expr e);
  [[nodiscard]] code::Value make_condition(const Node& node);
  [[nodiscard]] code::Value make_call(const Node& node);
  [[nodiscard]] code::Value materialise(Expr e, code::Value value);
  [[nodiscard]] code::Value as_number(code::Value value);
  [[nodiscard]] bool is_local(code::Value value) const;
  bool waits(Expr e, std::vector<Expr>& ready);
  void forget_waits();
  bool reads_unknown(Expr e);
  void make_calls(const std::vector<Expr>& calls);
  [[nodiscard]] bool is_atom(Expr e);
  [[nodiscard]] bool varies(Expr e);
  struct Declaration {
    std::string_view type;
    std::string name;
    code::Value value;
    std::string comment;
    bool constant = false;
  };
  code::Value store(code::Block& to, const Declaration& declared);
  [[nodiscard]] bool is_numbered(const code::Block& to) const {
    return tabulated_ && &to != &inner_;
  }
  code::Value store_numbered(code::Block& to, code::Value value);
  void keep(Expr e, code::Value name);
  [[nodiscard]] const code::Value* known(Expr e) const;
  [[nodiscard]] code::Block& home(Expr e) {
    return in_branch_ ? branch_ : varies(e) ? inner_ : outer_;
  }
  void end_loop();

  const Graph& graph_;
  Coefficients* coefficients_;
  code::Values values_;
  std::unordered_map<SymbolId, code::Value> symbols_;
  std::unordered_map<Expr, int> uses_, divisions_;
  std::unordered_map<Expr, code::Value> outer_names_, inner_names_, outer_reciprocals_,
      inner_reciprocals_, branch_names_, branch_reciprocals_;
  struct Announced {
    std::string name, comment;
  };
  std::unordered_map<Expr, Announced> announced_;
  std::unordered_map<Expr, bool> varies_, waiting_, unknown_;
  std::unordered_set<Expr> alone_;  ///< calls that found no other to go with
  std::unordered_map<SymbolId, bool> varying_;
  UniqueNames names_;
  code::Block outer_, inner_, branch_, last_;
  std::vector<std::string> members_;
  bool spread_ = false, tabulated_ = false;
  std::size_t numbers_ = 0, truths_ = 0;  ///< numbered members of `l`
  bool in_loop_ = false, in_branch_ = false;
  std::size_t temporaries_ = 0;
};

}  // namespace takt::codegen
