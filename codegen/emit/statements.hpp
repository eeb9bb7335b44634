#pragma once
// Expressions -> C++ statements of one function: shared subexpressions become locals, fixed ones coefficients.

#include <cstddef>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "codegen/emit/coefficients.hpp"
#include "codegen/emit/names.hpp"
#include "codegen/emit/writer.hpp"
#include "codegen/expr/expr.hpp"
#include "codegen/expr/infix.hpp"

namespace takt::codegen {

/// Prints the body of one function. Phases: count() every root that will be printed, then value() and statements.
class Statements {
 public:
  /// @param coefficients  nullptr: print everything in place (prepare itself)
  Statements(const Graph& graph, Coefficients* coefficients) : graph_(graph), coefficients_(coefficients) {}

  /// C++ text of a symbol in this function.
  void bind(SymbolId symbol, std::string text) { symbols_[symbol] = std::move(text); }
  /// The same of a truth value.
  void bind_truth(SymbolId symbol, std::string text) {
    bind(symbol, std::move(text));
    truths_.insert(symbol);
  }
  [[nodiscard]] bool is_bound(SymbolId symbol) const { return symbols_.contains(symbol); }
  /// What the symbol is bound to. @pre is_bound(symbol)
  [[nodiscard]] const std::string& text_of(SymbolId symbol) const { return symbols_.at(symbol); }
  /// Announces a root, so that what is used more than once is computed once, and the quantity around it, which names
  /// the coefficients in it.
  void count(Expr root, const std::string* quantity = nullptr);
  /// Calls of exp, log and pow below the roots whose arguments are known now; several of one kind are made at once.
  /// @return whether there were any: others may have become ready
  bool batch_calls(const std::vector<Expr>& roots);
  /// Whether an expression reads neither an unknown symbol nor a call that batch_calls() would still make.
  [[nodiscard]] bool is_ready(Expr e);
  /// Text of an expression, preceded by the statements it needs.
  [[nodiscard]] std::string value(Expr e) { return number(e).text; }
  [[nodiscard]] Fragment number(Expr e);
  /// The same of a condition: a number is true above 0.5. It stands as an operand of ?: without parentheses.
  [[nodiscard]] std::string condition(Expr e) { return wrap(truth(e), Precedence::logical_or); }
  /// Where e gets a local before define(symbol, e), it is named after the symbol.
  void announce(SymbolId symbol, Expr e, const std::string& comment);
  /// const double NAME = e; binds the symbol to NAME. A symbol that only renames a local is bound to that.
  void define(SymbolId symbol, Expr e, const std::string& comment);
  /// A local of its own name with this value; inside a loop it lives there.
  /// @return the text that reads it
  std::string local(const std::string& wished, const std::string& value, const std::string& comment,
                    bool constant = true);
  /// The same of any type, not constant.
  std::string object(const std::string& type, const std::string& wished, const std::string& value);
  /// Locals become members of a struct `l`, so that the body can be cut into several functions. Call first.
  void spread() { spread_ = true; }
  [[nodiscard]] bool is_spread() const { return spread_; }
  /// The same, and what are numbers and truth values has no name but an index: l.value[12], l.truth[3]. Call first.
  void tabulate() { spread_ = tabulated_ = true; }
  [[nodiscard]] bool is_tabulated() const { return tabulated_; }
  /// Declarations of the members of `l`.
  [[nodiscard]] std::vector<std::string> members() const;
  /// Length of `l.value`, the numbers among them that have no names.
  [[nodiscard]] std::size_t numbered_values() const { return values_; }

  /// Between open_loop and close_loop, what depends on the varying symbols is printed inside the loop, the rest before
  /// it.
  void open_loop(const std::vector<SymbolId>& varying);
  void close_loop(const std::string& head);
  /// Between open_branch and close_branch, everything that is not known yet is printed inside the branch and forgotten
  /// after it: what is seldom asked for costs nothing else. Branches do not nest, loops do not begin in them.
  void open_branch();
  void close_branch(const std::string& head);
  /// Where statements go now.
  [[nodiscard]] Writer& writer() { return in_branch_ ? branch_ : in_loop_ ? inner_ : outer_; }
  [[nodiscard]] const Writer& text() const { return outer_; }

 private:
  [[nodiscard]] Fragment print(Expr e);  ///< as a double or a truth value, whatever it is
  [[nodiscard]] Fragment truth(Expr e);  ///< as a truth value
  [[nodiscard]] Fragment print_operation(const Node& node);
  [[nodiscard]] Fragment print_product(const Node& node);
  [[nodiscard]] Fragment print_sum(const Node& node);
  [[nodiscard]] Fragment reciprocal(Expr e);
  [[nodiscard]] Fragment print_condition(const Node& node);
  [[nodiscard]] Fragment print_call(const Node& node);
  [[nodiscard]] Fragment materialise(Expr e, const Fragment& value);
  bool waits(Expr e, std::vector<Expr>& ready);
  void forget_waits();
  bool reads_unknown(Expr e);
  void make_calls(const std::vector<Expr>& calls);
  [[nodiscard]] bool is_atom(Expr e);
  [[nodiscard]] bool varies(Expr e);
  struct Declaration {
    std::string type, name, value, comment;
    bool constant = false;
  };
  std::string store(Writer& to, const Declaration& declared);
  [[nodiscard]] bool is_numbered(const Writer& to) const { return tabulated_ && &to != &inner_; }
  std::string store_numbered(Writer& to, bool is_bool, const std::string& value);
  void keep(Expr e, Fragment name);
  [[nodiscard]] const Fragment* known(Expr e) const;
  [[nodiscard]] Writer& home(Expr e) { return in_branch_ ? branch_ : varies(e) ? inner_ : outer_; }

  const Graph& graph_;
  Coefficients* coefficients_;
  std::unordered_map<SymbolId, std::string> symbols_;
  std::unordered_set<SymbolId> truths_;
  std::unordered_map<Expr, int> uses_, divisions_;
  std::unordered_map<Expr, Fragment> outer_names_, inner_names_, outer_reciprocals_, inner_reciprocals_, branch_names_,
      branch_reciprocals_;
  struct Announced {
    std::string name, comment;
  };
  std::unordered_map<Expr, Announced> announced_;
  std::unordered_map<Expr, bool> varies_, waiting_, unknown_;
  std::unordered_set<Expr> alone_;  ///< calls that found no other to go with
  std::unordered_map<SymbolId, bool> varying_;
  UniqueNames names_;
  Writer outer_, inner_, branch_;
  std::vector<std::string> members_;
  bool spread_ = false, tabulated_ = false;
  std::size_t values_ = 0, truth_values_ = 0;  ///< numbered members of `l`
  bool in_loop_ = false, in_branch_ = false;
  std::size_t temporaries_ = 0;
};

}  // namespace takt::codegen
