#include "codegen/emit/coefficients.hpp"

#include <array>
#include <string_view>

#include "codegen/expr/texts.hpp"

namespace takt::codegen {
namespace {

std::array<Expr, 3> operands(const Node& node) { return {node.a, node.b, node.c}; }

std::string_view word_between(Op op) {
  switch (op) {
    case Op::add:
      return "_plus_";
    case Op::sub:
      return "_minus_";
    case Op::mul:
      return "_times_";
    case Op::div:
      return "_over_";
    default:
      return {};
  }
}

/// "solid_foil_m", "solid_foil_m_times_cp"; empty where a name that says it all would be long.
std::string content(const Graph& graph, Expr e) {
  const Node& node = graph.node(e);
  if (node.op == Op::symbol) return identifier_of(graph.symbol(SymbolId{node.payload}).path);
  const std::string_view word = word_between(node.op);
  if (word.empty() || graph.node(node.a).op != Op::symbol || graph.node(node.b).op != Op::symbol)
    return {};
  const auto path = [&](Expr operand) -> const std::string& {
    return graph.symbol(SymbolId{graph.node(operand).payload}).path;
  };
  const std::string& left = path(node.a);
  std::string right = path(node.b);
  const std::size_t parent = left.rfind('.');
  if (parent != std::string::npos && right.starts_with(left.substr(0, parent + 1)))
    right.erase(0, parent + 1);
  return identifier_of(left) + std::string(word) + identifier_of(right);
}

/// -2*x, -1/x
bool has_negative_factor(const Graph& graph, const Node& node) {
  if (node.op != Op::mul && node.op != Op::div) return false;
  const Node& first = graph.node(node.a);
  return first.op == Op::constant && first.value < 0.0;
}

}  // namespace

Coefficients::Coefficients(const Graph& graph, std::unordered_map<SymbolId, bool> fixed_symbols,
                           std::string holder, Coefficients* simpler)
    : graph_(graph),
      fixed_symbols_(std::move(fixed_symbols)),
      holder_(std::move(holder)),
      simpler_(simpler) {}

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

const std::string* Coefficients::serve(Expr e, const std::string* around) {
  if (quantities_ == nullptr || numbered_) return around;
  if (const auto own = quantities_->name.find(e); own != quantities_->name.end())
    around = &own->second;
  if (!is_fixed(e)) return around;
  if (simpler_ != nullptr && simpler_->is_fixed(e)) return simpler_->serve(e, around);
  if (around != nullptr) serves_.emplace(e, *around);
  return around;
}

/// One step towards the value that others with the same value hold too; the sign is left to who
/// reads it. What has a symbol is not taken apart.
bool Coefficients::simplify(Coefficient& wanted, bool& sign) const {
  const Node& node = graph_.node(wanted.value);
  if (quantities_ != nullptr && node.op == Op::symbol) {
    const auto definition = quantities_->definition.find(SymbolId{node.payload});
    if (definition == quantities_->definition.end()) return false;
    wanted.value = definition->second;
    return true;
  }
  if (wanted.negative) return false;
  if (node.op == Op::neg) {
    wanted.value = node.a, sign = !sign;
  } else if (has_negative_factor(graph_, node)) {
    wanted.negative = true, sign = !sign;
    return false;
  } else {
    return false;
  }
  return true;
}

code::Value Coefficients::value_of(Coefficient wanted, Expr asked, code::Values& values) {
  if (simpler_ != nullptr && simpler_->is_fixed(asked))
    return simpler_->value_of(std::move(wanted), asked, values);
  const auto is_defined = [&] {
    return quantities_ != nullptr && quantities_->defined.contains(wanted.value);
  };
  bool sign = false;
  while (!is_defined() && simplify(wanted, sign)) continue;
  if (graph_.is_constant(wanted.value) && !wanted.reciprocal) {
    const double value = graph_.node(wanted.value).value;
    return values.number(sign ? -value : value);
  }
  const auto [entry, added] =
      index_.emplace(std::tuple(wanted.value, wanted.reciprocal, wanted.negative), all_.size());
  if (added) {
    if (const auto served = serves_.find(asked); served != serves_.end())
      wanted.quantity = served->second;
    if (!numbered_) wanted.name = names_.make(name_of(wanted));
    all_.push_back(std::move(wanted));
    used_.push_back(true);
  }
  used_[entry->second] = true;
  const code::Value place = member(entry->second, values);
  return sign ? values.negated(place) : place;
}

code::Value Coefficients::member(std::size_t index, code::Values& values) const {
  return numbered_ ? values.element(holder_, index) : values.member(holder_, all_[index].name);
}

std::string Coefficients::name_of(const Coefficient& coefficient) const {
  const std::string inverse = coefficient.reciprocal ? "inverse_of_" : "";
  const Node& node = graph_.node(coefficient.value);
  const Op op = node.op;
  if (quantities_ != nullptr && op != Op::symbol) {
    if (const auto root = quantities_->name.find(coefficient.value);
        root != quantities_->name.end())
      return inverse + root->second;
  }
  const bool is_inverse =
      op == Op::div && graph_.is_constant(node.a, coefficient.negative ? -1.0 : 1.0);
  const std::string words = content(graph_, is_inverse ? node.b : coefficient.value);
  if (!words.empty() && (is_inverse || !coefficient.negative))
    return inverse + (is_inverse ? "inverse_of_" : "") + words;
  return inverse + (coefficient.quantity.empty() ? "" : coefficient.quantity + "_") +
         (coefficient.reciprocal ? "divisor" : "coefficient");
}

std::vector<Expr> Coefficients::expressions() const {
  std::vector<Expr> values;
  for (const Coefficient& coefficient : all_) values.push_back(coefficient.value);
  return values;
}

std::vector<Expr> Coefficients::used_expressions() const {
  std::vector<Expr> values;
  for (std::size_t index = 0; index < all_.size(); ++index)
    if (used_[index]) values.push_back(all_[index].value);
  return values;
}

std::vector<std::string> Coefficients::formulas() const {
  std::vector<std::string> formulas = texts(graph_, expressions());
  for (std::size_t index = 0; index < formulas.size(); ++index) {
    std::string& formula = formulas[index];
    if (all_[index].negative) formula.erase(0, 1);
    if (!all_[index].reciprocal) continue;
    const bool single = graph_.node(all_[index].value).op == Op::symbol;
    formula = single ? "1/" + formula : "1/(" + formula + ")";
  }
  return formulas;
}

}  // namespace takt::codegen
