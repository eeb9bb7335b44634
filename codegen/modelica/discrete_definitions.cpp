#include "codegen/modelica/discrete_definitions.hpp"

#include <optional>
#include <set>

namespace takt::codegen::modelica {
namespace {

class Definitions {
 public:
  using Wanted = std::function<bool(const ScalarVariable&)>;
  Definitions(const ScalarModel& model, const Wanted& wanted) : model_(model), wanted_(wanted) {}

  std::vector<DiscreteDefinition> run() {
    std::vector<std::size_t> pairs;
    for (std::size_t k = 0; k < model_.equations.size(); ++k) {
      const ScalarEquation& each = model_.equations[k];
      if (open(each.left) && open(each.right))
        pairs.push_back(k);
      else if (!define(each.left, each.right, k))
        (void)define(each.right, each.left, k);
    }
    while (settle(pairs)) {
    }
    // Of a ring of names nobody says which is first.
    for (std::size_t k = 0; k < pairs.size();) {
      const ScalarEquation& each = model_.equations[pairs[k]];
      const bool made = define(each.left, each.right, pairs[k]);
      ++k;
      if (!made) continue;
      pairs.erase(pairs.begin(), pairs.begin() + static_cast<std::ptrdiff_t>(k));
      k = 0;
      while (settle(pairs)) {
      }
    }
    return std::move(made_);
  }

 private:
  /// The discrete variable that this is, if an equation is to give it.
  [[nodiscard]] std::optional<SymbolId> open(Expr e) const {
    const Node& node = model_.graph.node(e);
    if (node.op != Op::symbol) return std::nullopt;
    const SymbolId symbol{node.payload};
    const auto found = model_.variable_of.find(symbol);
    if (found == model_.variable_of.end() || defined_.contains(symbol)) return std::nullopt;
    const ScalarVariable& each = model_.variables[found->second];
    return each.declared != nullptr && !each.is_given() && wanted_(each) ? std::optional(symbol)
                                                                         : std::nullopt;
  }

  bool define(Expr side, Expr value, std::size_t equation) {
    const auto symbol = open(side);
    if (!symbol || model_.graph.depends_on(value, *symbol)) return false;
    defined_.insert(*symbol);
    made_.push_back({*symbol, value, equation});
    return true;
  }

  /// Those of a pair of which one is known now. @return whether there was one
  bool settle(std::vector<std::size_t>& pairs) {
    const std::size_t before = pairs.size();
    std::erase_if(pairs, [&](std::size_t k) {
      const ScalarEquation& each = model_.equations[k];
      const bool left = open(each.left).has_value(), right = open(each.right).has_value();
      if (left == right) return false;
      return left ? define(each.left, each.right, k) : define(each.right, each.left, k);
    });
    return pairs.size() != before;
  }

  const ScalarModel& model_;
  const Wanted& wanted_;
  std::set<SymbolId> defined_;
  std::vector<DiscreteDefinition> made_;
};

}  // namespace

std::vector<DiscreteDefinition> definitions_of(
    const ScalarModel& model, const std::function<bool(const ScalarVariable&)>& wanted) {
  return Definitions(model, wanted).run();
}

std::vector<DiscreteDefinition> discrete_definitions(const ScalarModel& model) {
  return definitions_of(model, [](const ScalarVariable& each) {
    return each.declared->is_discrete_type || each.declared->variability == Variability::discrete;
  });
}

}  // namespace takt::codegen::modelica
