#include "codegen/emit/statements.hpp"

#include <array>
#include <stdexcept>
#include <utility>

namespace takt::codegen {
namespace {

constexpr std::size_t longest_inline = 80;  // longer texts get a local, so that a line can be read

// Precedence of C++ operators as far as they occur; an atom binds tightest.
enum Precedence : int { ternary = 1, logical_or = 2, logical_and = 3, comparison = 5, sum = 6, product = 7, sign = 8, atom = 9 };

std::array<Expr, 3> operands(const Node& node) { return {node.a, node.b, node.c}; }

}  // namespace

Coefficients::Coefficients(const Graph& graph, std::unordered_map<SymbolId, bool> fixed_symbols)
    : graph_(graph), fixed_symbols_(std::move(fixed_symbols)) {}

bool Coefficients::is_fixed(Expr e) {
  if (const auto known = fixed_.find(e); known != fixed_.end()) return known->second;
  const Node& node = graph_.node(e);
  bool fixed = true;
  if (node.op == Op::symbol) {
    fixed = fixed_symbols_.contains(SymbolId{node.payload});
  } else {
    for (int place = 0; place < Graph::arity(node.op); ++place) {
      fixed = is_fixed(operands(node)[static_cast<std::size_t>(place)]) && fixed;
    }
  }
  fixed_.emplace(e, fixed);
  return fixed;
}

std::size_t Coefficients::index_of(Expr e) {
  const auto [entry, added] = index_.emplace(e, expressions_.size());
  if (added) expressions_.push_back(e);
  return entry->second;
}

void Statements::count(Expr root) {
  if (++uses_[root] > 1) return;
  if (coefficients_ != nullptr && coefficients_->is_fixed(root)) return;
  const Node& node = graph_.node(root);
  for (int place = 0; place < Graph::arity(node.op); ++place) count(operands(node)[static_cast<std::size_t>(place)]);
}

bool Statements::is_atom(Expr e) {
  const Op op = graph_.node(e).op;
  return op == Op::constant || op == Op::symbol || (coefficients_ != nullptr && coefficients_->is_fixed(e));
}

bool Statements::varies(Expr e) {
  if (!in_loop_) return false;
  if (const auto known = varies_.find(e); known != varies_.end()) return known->second;
  const Node& node = graph_.node(e);
  bool result = node.op == Op::symbol && varying_.contains(SymbolId{node.payload});
  for (int place = 0; place < Graph::arity(node.op); ++place) {
    result = varies(operands(node)[static_cast<std::size_t>(place)]) || result;
  }
  varies_.emplace(e, result);
  return result;
}

void Statements::keep(Expr e, const std::string& name) { (varies(e) ? inner_names_ : outer_names_)[e] = name; }

std::string Statements::materialise(Expr e, const std::string& text) {
  std::string name = "t" + std::to_string(++temporaries_);
  (varies(e) ? inner_ : outer_).line("const double " + name + " = " + text + ";");
  ++statements_;
  keep(e, name);
  return name;
}

std::string Statements::value(Expr e) { return print(e).text; }

std::string Statements::operand(Expr e, int precedence) {
  Piece piece = print(e);
  return piece.precedence < precedence ? "(" + piece.text + ")" : piece.text;
}

Statements::Piece Statements::print(Expr e) {
  const Node& node = graph_.node(e);
  if (node.op == Op::constant) return {double_literal(node.value), node.value < 0 ? sign : atom};
  if (coefficients_ != nullptr && coefficients_->is_fixed(e)) {
    return {"k[" + std::to_string(coefficients_->index_of(e)) + "]", atom};
  }
  if (node.op == Op::symbol) {
    const auto bound = symbols_.find(SymbolId{node.payload});
    if (bound == symbols_.end()) {
      throw std::logic_error("symbol used before it is known: " + graph_.symbol(SymbolId{node.payload}).path);
    }
    return {bound->second, atom};
  }
  for (const auto* names : {&inner_names_, &outer_names_}) {
    if (const auto known = names->find(e); known != names->end()) return {known->second, atom};
  }
  Piece piece = print_operation(e);
  // A value that does not change in the loop must not stay inside its text.
  const bool leaves_loop = in_loop_ && !varies(e);
  if (uses_[e] > 1 || piece.text.size() > longest_inline || leaves_loop) return {materialise(e, piece.text), atom};
  return piece;
}

Statements::Piece Statements::print_operation(Expr e) {
  const Node node = graph_.node(e);
  const auto infix = [&](const char* op, int left, int right, int own) {
    std::string a = operand(node.a, left);
    return Piece{a + op + operand(node.b, right), own};
  };
  switch (node.op) {
    case Op::add: return infix(" + ", sum, sum + 1, sum);
    case Op::sub: return infix(" - ", sum, sum + 1, sum);
    case Op::mul: return infix(" * ", product, product + 1, product);
    case Op::div: return infix(" / ", product, product + 1, product);
    case Op::neg: return {"-" + operand(node.a, sign + 1), sign};
    case Op::less: case Op::less_equal: case Op::equal: case Op::logical_and: case Op::logical_or: case Op::logical_not:
      return {test(e) + " ? 1.0 : 0.0", ternary};
    case Op::select: {
      const std::string choice = condition(node.a);
      const std::string yes = operand(node.b, ternary + 1);
      return {choice + " ? " + yes + " : " + operand(node.c, ternary), ternary};
    }
    default: return print_call(node);
  }
}

// Text of a truth value; always fit to stand before '?' and, in parentheses, beside && and ||.
std::string Statements::condition(Expr e) {
  const bool named = inner_names_.contains(e) || outer_names_.contains(e) || is_atom(e);
  if (named || uses_[e] > 1) return operand(e, comparison + 1) + " > 0.5";
  return test(e);
}

std::string Statements::test(Expr e) {
  const Node node = graph_.node(e);
  const auto compare = [&](const char* op) {
    std::string a = operand(node.a, comparison + 1);
    return a + op + operand(node.b, comparison + 1);
  };
  const auto join = [&](const char* op) {
    std::string a = condition(node.a);
    return "(" + a + ")" + op + "(" + condition(node.b) + ")";
  };
  switch (node.op) {
    case Op::less: return compare(" < ");
    case Op::less_equal: return compare(" <= ");
    case Op::equal: return compare(" == ");
    case Op::logical_and: return join(" && ");
    case Op::logical_or: return join(" || ");
    case Op::logical_not: return "!(" + condition(node.a) + ")";
    default: return operand(e, comparison + 1) + " > 0.5";
  }
}

Statements::Piece Statements::print_call(const Node& node) {
  const auto call = [&](const std::string& name) {
    std::string text = name + "(" + print(node.a).text;
    if (Graph::arity(node.op) > 1) text += ", " + print(node.b).text;
    return Piece{text + ")", atom};
  };
  switch (node.op) {
    case Op::pow:
      if (graph_.is_constant(node.b, 2.0) && is_atom(node.a)) {
        const std::string base = operand(node.a, atom);
        return {base + " * " + base, product};
      }
      return call("takt::math::pow");
    case Op::sqrt: return call("takt::math::sqrt");
    case Op::exp: return call("takt::math::exp");
    case Op::log: return call("takt::math::log");
    case Op::sin: return call("takt::math::sin");
    case Op::cos: return call("takt::math::cos");
    case Op::tan: return call("takt::math::tan");
    case Op::asin: return call("takt::math::asin");
    case Op::acos: return call("takt::math::acos");
    case Op::atan: return call("takt::math::atan");
    case Op::atan2: return call("takt::math::atan2");
    case Op::tanh: return call("takt::math::tanh");
    case Op::abs: return call("takt::math::abs");
    case Op::sign: return call("takt::math::sign");
    case Op::min: return call("takt::math::min");
    case Op::max: return call("takt::math::max");
    case Op::floor: return call("takt::math::floor");
    case Op::mod: return call("takt::math::mod");
    case Op::table: return {"takt::math::lookup(table_" + std::to_string(node.payload) + ", " + print(node.a).text + ")", atom};
    case Op::table_slope: return {"takt::math::slope(table_" + std::to_string(node.payload) + ", " + print(node.a).text + ")", atom};
    default: throw std::logic_error("operation without a C++ text");
  }
}

void Statements::define(SymbolId symbol, Expr e, const std::string& comment) {
  const bool known = is_atom(e) || inner_names_.contains(e) || outer_names_.contains(e);
  const std::string text = known ? value(e) : print_operation(e).text;
  const std::string name = unique(identifier_of(graph_.symbol(symbol).path));
  writer().line("const double " + name + " = " + text + ";" + (comment.empty() ? "" : "  // " + comment));
  ++statements_;
  if (!is_atom(e)) keep(e, name);
  bind(symbol, name);
}

void Statements::open_loop(const std::vector<SymbolId>& varying) {
  in_loop_ = true;
  varies_.clear();
  varying_.clear();
  inner_names_.clear();
  inner_ = Writer{};
  for (const SymbolId symbol : varying) varying_.emplace(symbol, true);
}

void Statements::close_loop(const std::string& head) {
  outer_.open(head);
  outer_.lines(inner_);
  outer_.close();
  in_loop_ = false;
  inner_names_.clear();
}

}  // namespace takt::codegen
