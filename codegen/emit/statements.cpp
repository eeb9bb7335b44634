#include "codegen/emit/statements.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <stdexcept>
#include <string_view>
#include <utility>

#include "codegen/expr/op_words.hpp"
#include "codegen/text/literal.hpp"

namespace takt::codegen {
namespace {

constexpr std::size_t most_inline = 7;  // texts of more operands get a local, so that a line can be read

/// Names and numbers in a text, however long: copies of a part differ in the length of their names and must not in
/// their code.
std::size_t operands_in(std::string_view text) {
  std::size_t count = 0;
  bool inside = false;
  for (const char c : text) {
    const bool begins = std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_';
    const bool word = begins || (inside && (c == '.' || c == ':' || c == '[' || c == ']'));
    count += word && !inside ? 1u : 0u;
    inside = word;
  }
  return count;
}

/// The name of a local: what is read from memory is copied, since stores may come between.
bool is_local(std::string_view text) {
  if (text.starts_with("l.value[")) return text.find(']') + 1 == text.size();
  if (text.starts_with("l.")) text.remove_prefix(2);
  return std::all_of(text.begin(), text.end(), [](unsigned char c) { return std::isalnum(c) != 0 || c == '_'; }) &&
         std::isdigit(static_cast<unsigned char>(text.front())) == 0;
}

std::array<Expr, 3> operands(const Node& node) { return {node.a, node.b, node.c}; }

}  // namespace

void Statements::count(Expr root, const std::string* quantity) {
  if (++uses_[root] > 1) return;
  if (coefficients_ != nullptr) quantity = coefficients_->serve(root, quantity);
  if (coefficients_ != nullptr && coefficients_->is_fixed(root)) return;
  const Node& node = graph_.node(root);
  if (node.op == Op::div) ++divisions_[node.b];
  for (int place = 0; place < Graph::arity(node.op); ++place)
    count(operands(node)[static_cast<std::size_t>(place)], quantity);
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

void Statements::keep(Expr e, Fragment name) {
  (in_branch_ ? branch_names_ : varies(e) ? inner_names_ : outer_names_)[e] = std::move(name);
}

const Fragment* Statements::known(Expr e) const {
  for (const auto* names : {&branch_names_, &inner_names_, &outer_names_}) {
    if (const auto found = names->find(e); found != names->end()) return &found->second;
  }
  return nullptr;
}

std::string Statements::store(Writer& to, const Declaration& declared) {
  const auto& [type, name, value, comment, constant] = declared;
  const bool member = spread_ && &to == &outer_;
  if (member) members_.push_back(type + " " + name);
  const std::string target = member ? "l." + name : (constant ? "const " : "") + type + " " + name;
  to.line(target + " = " + value + ";" + (comment.empty() ? "" : "  // " + comment));
  return member ? "l." + name : name;
}

std::string Statements::store_numbered(Writer& to, bool is_bool, const std::string& value) {
  std::string target =
      is_bool ? "l.truth[" + std::to_string(truth_values_++) + "]" : "l.value[" + std::to_string(values_++) + "]";
  to.line(target + " = " + value + ";");
  return target;
}

std::vector<std::string> Statements::members() const {
  std::vector<std::string> all = members_;
  if (truth_values_ > 0) all.push_back("bool truth[" + std::to_string(truth_values_) + "]");
  return all;
}

std::string Statements::local(const std::string& wished, const std::string& value, const std::string& comment,
                              bool constant) {
  if (is_numbered(writer())) return store_numbered(writer(), false, value);
  return store(writer(), {"double", names_.make(wished), value, comment, constant});
}

std::string Statements::object(const std::string& type, const std::string& wished, const std::string& value) {
  return store(writer(), {type, names_.make(wished), value, "", false});
}

Fragment Statements::materialise(Expr e, const Fragment& value) {
  if (is_numbered(home(e))) {
    Fragment numbered{store_numbered(home(e), value.is_bool, value.text), Precedence::primary, value.is_bool};
    keep(e, numbered);
    return numbered;
  }
  const auto announced = announced_.find(e);
  const bool named = announced != announced_.end() && &home(e) == &outer_ && !value.is_bool;
  const std::string wished = named ? names_.make(announced->second.name) : "t" + std::to_string(++temporaries_);
  const std::string text = store(
      home(e), {value.is_bool ? "bool" : "double", wished, value.text, named ? announced->second.comment : "", true});
  Fragment name{text, Precedence::primary, value.is_bool};
  keep(e, name);
  return name;
}

Fragment Statements::number(Expr e) {
  Fragment piece = print(e);
  if (!piece.is_bool) return piece;
  return {wrap(piece, Precedence::logical_or) + " ? 1.0 : 0.0", Precedence::choice, false};
}

Fragment Statements::truth(Expr e) {
  Fragment piece = print(e);
  if (piece.is_bool) return piece;
  return {wrap(piece, Precedence::sum) + " > 0.5", Precedence::relation, true};
}

Fragment Statements::print(Expr e) {
  const Node node = graph_.node(e);
  if (node.op == Op::constant) {
    return {double_literal(node.value), node.value < 0 ? Precedence::sign : Precedence::primary, false};
  }
  if (coefficients_ != nullptr && coefficients_->is_fixed(e)) {
    return coefficients_->text_of(e);
  }
  if (node.op == Op::symbol) {
    const auto bound = symbols_.find(SymbolId{node.payload});
    if (bound == symbols_.end()) {
      throw std::logic_error("symbol used before it is known: " + graph_.symbol(SymbolId{node.payload}).path);
    }
    return {bound->second, Precedence::primary, truths_.contains(bound->first)};
  }
  if (const Fragment* name = known(e)) return *name;
  Fragment piece = print_operation(node);
  // A value that does not change in the loop must not stay inside its text.
  const bool leaves_loop = in_loop_ && !in_branch_ && !varies(e);
  if (uses_[e] > 1 || operands_in(piece.text) > most_inline || leaves_loop) return materialise(e, piece);
  return piece;
}

Fragment Statements::print_operation(const Node& node) {
  switch (node.op) {
    case Op::add:
    case Op::sub:
      return print_sum(node);
    case Op::mul:
    case Op::div:
      return print_product(node);
    case Op::neg:
      return negated(number(node.a));
    case Op::select: {
      const std::string choice = wrap(truth(node.a), Precedence::logical_or);
      const std::string yes = wrap(number(node.b), Precedence::sum);
      return {choice + " ? " + yes + " : " + wrap(number(node.c), Precedence::sum), Precedence::choice, false};
    }
    case Op::less:
    case Op::less_equal:
    case Op::equal:
    case Op::logical_and:
    case Op::logical_or:
    case Op::logical_not:
      return print_condition(node);
    default:
      return print_call(node);
  }
}

/// a + -b is a - b.
Fragment Statements::print_sum(const Node& node) {
  const Fragment left = number(node.a);  // in this order, so that temporaries are numbered as they are read
  const Fragment right = number(node.b);
  const bool minus = (node.op == Op::sub) != has_sign(right);
  return join(left, minus ? " - " : " + ", has_sign(right) ? without_sign(right) : right, Precedence::sum);
}

/// The sign of the right operand is the product's.
Fragment Statements::print_product(const Node& node) {
  const bool divides = node.op == Op::div;
  const bool fixed = divides && coefficients_ != nullptr && coefficients_->is_fixed(node.b);
  const bool shared = divides && coefficients_ != nullptr && divisions_[node.b] > 1;
  const bool inverts = (fixed || shared) && !graph_.is_constant(node.b);
  const Fragment left = number(node.a);
  Fragment right = !inverts ? number(node.b) : fixed ? coefficients_->text_of_reciprocal(node.b) : reciprocal(node.b);
  if (inverts && graph_.is_constant(node.a, 1.0)) return right;
  if (inverts && graph_.is_constant(node.a, -1.0)) return negated(right);
  const char* op = divides && !inverts ? " / " : " * ";
  if (!has_sign(right)) return join(left, op, right, Precedence::product);
  return negated(join(left, op, without_sign(right), Precedence::product));
}

/// One division where several are by the same: a product takes an eighth of the time.
Fragment Statements::reciprocal(Expr e) {
  auto& names = varies(e) ? inner_reciprocals_ : outer_reciprocals_;
  for (const auto* places : {&branch_reciprocals_, &names})
    if (const auto found = places->find(e); found != places->end()) return found->second;
  const Fragment value = join({"1.0", Precedence::primary, false}, " / ", number(e), Precedence::product);
  const std::string text = is_numbered(home(e))
                               ? store_numbered(home(e), false, value.text)
                               : store(home(e), {"double", "t" + std::to_string(++temporaries_), value.text, "", true});
  return (in_branch_ ? branch_reciprocals_ : names)
      .emplace(e, Fragment{text, Precedence::primary, false})
      .first->second;
}

Fragment Statements::print_condition(const Node& node) {
  if (node.op == Op::logical_not) return {"!" + wrap(truth(node.a), Precedence::primary), Precedence::sign, true};
  Fragment result;
  if (node.op == Op::logical_and || node.op == Op::logical_or) {
    // Operands in parentheses: compilers warn of && within || without them.
    const std::string left = wrap(truth(node.a), Precedence::equality);
    const bool conjunction = node.op == Op::logical_and;
    result = {left + (conjunction ? " && " : " || ") + wrap(truth(node.b), Precedence::equality),
              conjunction ? Precedence::logical_and : Precedence::logical_or, true};
  } else {
    const Fragment left = number(node.a);
    const char* op = node.op == Op::less ? " < " : node.op == Op::less_equal ? " <= " : " == ";
    result = join(left, op, number(node.b), node.op == Op::equal ? Precedence::equality : Precedence::relation);
  }
  result.is_bool = true;
  return result;
}

Fragment Statements::print_call(const Node& node) {
  std::string text = "takt::math::";
  if (const std::string_view table = table_word(node.op); !table.empty()) {
    text += std::string(table) + "(table_" + std::to_string(node.payload) + ", ";
  } else {
    text += std::string(function_word(node.op)) + "(";
  }
  text += number(node.a).text;
  if (Graph::arity(node.op) > 1) text += ", " + number(node.b).text;
  return {text + ")", Precedence::primary, false};
}

void Statements::announce(SymbolId symbol, Expr e, const std::string& comment) {
  if (tabulated_) return;
  announced_.emplace(e, Announced{identifier_of(graph_.symbol(symbol).path), comment});
}

void Statements::define(SymbolId symbol, Expr e, const std::string& comment) {
  Fragment piece = is_atom(e) || known(e) != nullptr ? print(e) : print_operation(graph_.node(e));
  if (!piece.is_bool && is_local(piece.text)) return bind(symbol, piece.text);
  if (piece.is_bool) piece.text = wrap(piece, Precedence::logical_or) + " ? 1.0 : 0.0";
  const std::string name = local(identifier_of(graph_.symbol(symbol).path), piece.text, comment);
  if (!is_atom(e)) keep(e, {name, Precedence::primary, false});
  bind(symbol, name);
}

void Statements::open_loop(const std::vector<SymbolId>& varying) {
  in_loop_ = true;
  varies_.clear();
  varying_.clear();
  inner_names_.clear();
  inner_reciprocals_.clear();
  inner_ = Writer{};
  for (const SymbolId symbol : varying) varying_.emplace(symbol, true);
}

void Statements::open_branch() { in_branch_ = true; }

void Statements::close_branch(const std::string& head) {
  in_branch_ = false;
  writer().open(head);
  writer().lines(branch_);
  writer().close();
  branch_ = Writer{};
  branch_names_.clear();
  branch_reciprocals_.clear();
}

void Statements::close_loop(const std::string& head) {
  outer_.open(head);
  outer_.lines(inner_);
  outer_.close();
  in_loop_ = false;
  inner_names_.clear();
  inner_reciprocals_.clear();
}

}  // namespace takt::codegen
