#include "codegen/expr/print.hpp"

#include <algorithm>
#include <cmath>
#include <unordered_map>

#include "codegen/expr/infix.hpp"
#include "codegen/expr/op_words.hpp"
#include "codegen/text/quantity.hpp"

namespace takt::codegen {
namespace {

class Printer {
 public:
  Printer(const Graph& graph, std::span<const PrintRoot> roots, const PrintNames& names, const PrintOptions& options)
      : graph_(graph), roots_(roots), names_(names), options_(options), next_(options.first_temporary) {
    std::vector<Expr> values;
    for (const PrintRoot& root : roots) values.push_back(root.value);
    walk_ = graph.reachable(values);
    pieces_.resize(walk_.size());
    count_uses();
  }

  Printed print() {
    for (const PrintRoot& root : roots_) {
      for (const std::size_t position : first_needed_by(root.value)) make(position);
      out_ += options_.indent + root.target + " = " + as_value(piece(root.value).fragment).text + ";\n";
    }
    return {std::move(out_), next_};
  }

 private:
  struct Piece {
    Fragment fragment;
    std::uint32_t uses = 0;
    bool reached = false;
  };

  [[nodiscard]] std::size_t position(Expr e) const {
    return static_cast<std::size_t>(std::lower_bound(walk_.begin(), walk_.end(), e) - walk_.begin());
  }
  Piece& piece(Expr e) { return pieces_[position(e)]; }

  void count_uses() {
    for (const Expr e : walk_) {
      const Node& n = graph_.node(e);
      const int operands = Graph::arity(n.op);
      if (operands > 0) ++piece(n.a).uses;
      if (operands > 1) ++piece(n.b).uses;
      if (operands > 2) ++piece(n.c).uses;
    }
    for (const PrintRoot& root : roots_) ++piece(root.value).uses;
  }

  /// Nodes of the root that no earlier root has needed, operands first.
  std::vector<std::size_t> first_needed_by(Expr root) {
    std::vector<std::size_t> found;
    std::vector<Expr> stack;
    const auto visit = [&](Expr e) {
      const std::size_t at = position(e);
      if (pieces_[at].reached) return;
      pieces_[at].reached = true;
      found.push_back(at);
      stack.push_back(e);
    };
    visit(root);
    while (!stack.empty()) {
      const Node& n = graph_.node(stack.back());
      stack.pop_back();
      const int operands = Graph::arity(n.op);
      if (operands > 0) visit(n.a);
      if (operands > 1) visit(n.b);
      if (operands > 2) visit(n.c);
    }
    std::sort(found.begin(), found.end());
    return found;
  }

  void make(std::size_t at) {
    const Node& n = graph_.node(walk_[at]);
    Piece& self = pieces_[at];
    self.fragment = fragment(n);
    const bool leaf = Graph::arity(n.op) == 0;
    const bool negated_leaf = n.op == Op::neg && Graph::arity(graph_.node(n.a).op) == 0;
    const bool is_long = self.fragment.text.size() > options_.inline_limit;
    if (leaf || negated_leaf || (self.uses < 2 && !is_long)) return;
    if (self.uses == 1 && is_only_root_value(at)) return;  // stands alone in its own statement
    std::string name = options_.temporary + std::to_string(next_++);
    out_ += options_.indent + (self.fragment.is_bool ? "const bool " : "const double ") + name + " = " +
            self.fragment.text + ";\n";
    self.fragment = {std::move(name), Precedence::primary, self.fragment.is_bool};
  }

  [[nodiscard]] bool is_only_root_value(std::size_t at) {
    if (root_values_.empty()) {
      for (const PrintRoot& root : roots_) root_values_.push_back(root.value);
      std::sort(root_values_.begin(), root_values_.end());
    }
    return std::binary_search(root_values_.begin(), root_values_.end(), walk_[at]);
  }

  static Fragment as_value(const Fragment& f) {
    if (!f.is_bool) return f;
    return {wrap(f, Precedence::logical_or) + " ? 1.0 : 0.0", Precedence::choice, false};
  }
  static Fragment as_bool(const Fragment& f) {
    if (f.is_bool) return f;
    return {wrap(f, Precedence::sum) + " > 0.5", Precedence::relation, true};
  }
  Fragment value(Expr e) { return as_value(piece(e).fragment); }
  Fragment truth(Expr e) { return as_bool(piece(e).fragment); }

  Fragment call(std::string_view function, std::initializer_list<std::string> arguments) const {
    std::string text = options_.math + std::string(function) + '(';
    bool first = true;
    for (const std::string& argument : arguments) {
      if (!first) text += ", ";
      first = false;
      text += argument;
    }
    return {text + ')', Precedence::primary, false};
  }

  Fragment fragment(const Node& n) {
    switch (n.op) {
      case Op::constant: return {double_literal(n.value), n.value < 0.0 ? Precedence::sign : Precedence::primary, false};
      case Op::symbol: return {names_.symbol(static_cast<SymbolId>(n.payload)), Precedence::primary, false};
      case Op::add: return join(value(n.a), " + ", value(n.b), Precedence::sum);
      case Op::sub: return join(value(n.a), " - ", value(n.b), Precedence::sum);
      case Op::mul: return join(value(n.a), "*", value(n.b), Precedence::product);
      case Op::div: return join(value(n.a), "/", value(n.b), Precedence::product);
      case Op::neg: return {'-' + wrap(value(n.a), Precedence::primary), Precedence::sign, false};
      case Op::table: return call("lookup", {names_.table(static_cast<TableId>(n.payload)), value(n.a).text});
      case Op::table_slope: return call("slope", {names_.table(static_cast<TableId>(n.payload)), value(n.a).text});
      case Op::select: return choice(n);
      case Op::less: case Op::less_equal: case Op::equal: case Op::logical_and: case Op::logical_or:
      case Op::logical_not: return condition(n);
      default: break;
    }
    return Graph::arity(n.op) == 1 ? call(function_word(n.op), {value(n.a).text})
                                   : call(function_word(n.op), {value(n.a).text, value(n.b).text});
  }

  Fragment choice(const Node& n) {
    return {wrap(truth(n.a), Precedence::logical_or) + " ? " + wrap(value(n.b), Precedence::sum) + " : " +
                wrap(value(n.c), Precedence::sum),
            Precedence::choice, false};
  }

  Fragment condition(const Node& n) {
    Fragment result;
    switch (n.op) {
      case Op::less: result = join(value(n.a), " < ", value(n.b), Precedence::relation); break;
      case Op::less_equal: result = join(value(n.a), " <= ", value(n.b), Precedence::relation); break;
      case Op::equal: result = join(value(n.a), " == ", value(n.b), Precedence::equality); break;
      case Op::logical_not: result = {'!' + wrap(truth(n.a), Precedence::primary), Precedence::sign, true}; break;
      // Operands in parentheses: compilers warn of && within || without them.
      case Op::logical_and: result = {wrap(truth(n.a), Precedence::equality) + " && " + wrap(truth(n.b), Precedence::equality),
                                      Precedence::logical_and}; break;
      default: result = {wrap(truth(n.a), Precedence::equality) + " || " + wrap(truth(n.b), Precedence::equality),
                         Precedence::logical_or}; break;
    }
    result.is_bool = true;
    return result;
  }

  const Graph& graph_;
  std::span<const PrintRoot> roots_;
  const PrintNames& names_;
  const PrintOptions& options_;
  std::vector<Expr> walk_;
  std::vector<Piece> pieces_;
  std::vector<Expr> root_values_;
  std::string out_;
  unsigned next_ = 0;
};

}  // namespace

std::string double_literal(double value) {
  if (std::isnan(value)) return "std::numeric_limits<double>::quiet_NaN()";
  if (std::isinf(value)) return value > 0.0 ? "std::numeric_limits<double>::infinity()" : "-std::numeric_limits<double>::infinity()";
  std::string text = number_text(value);
  if (text.find_first_of(".e") == std::string::npos) text += ".0";
  return text;
}

Printed print_cpp(const Graph& graph, std::span<const PrintRoot> roots, const PrintNames& names,
                  const PrintOptions& options) {
  return Printer(graph, roots, names, options).print();
}

}  // namespace takt::codegen
