#include <algorithm>

#include "codegen/modelica/events.hpp"
#include "codegen/modelica/truth_algebra.hpp"

namespace takt::codegen::modelica {
namespace {

class DecidedTruths {
 public:
  DecidedTruths(ScalarModel& model, ReducedModel& reduced)
      : model_(model), reduced_(reduced), graph_(model.graph) {}

  void run() {
    for (bool again = true; again;) {
      again = false;
      std::vector<HeldTruth> rest;
      for (HeldTruth& each : model_.truths) {
        each.on = decided(each.on), each.off = decided(each.off);
        each.at_start = decided(*each.at_start);
        const bool never_on = is_known(graph_, each.on, false),
                   never_off = is_known(graph_, each.off, false);
        if (never_on && is_known(graph_, each.off, true))
          known_[each.symbol] = graph_.zero();
        else if (never_off && is_known(graph_, each.on, true))
          known_[each.symbol] = graph_.one();
        else if (never_on && never_off)
          stays(each);
        else if (!opposites_known(each))
          rest.push_back(each);
      }
      again = rest.size() != model_.truths.size();
      model_.truths = std::move(rest);
    }
    if (!known_.empty()) put_in();
    // A plant refuses a condition that is constant: this one is meant, and never comes true.
    const Expr never = graph_.binary(Op::less, graph_.use(model_.time), graph_.constant(-1.0));
    for (HeldTruth& each : model_.truths)
      for (Expr* condition : {&each.on, &each.off})
        if (is_known(graph_, *condition, false)) *condition = never;
  }

 private:
  /// One that comes on and never goes again, or the other way round, and is so at the start.
  bool opposites_known(const HeldTruth& each) {
    for (const bool truth : {true, false}) {
      if (!is_known(graph_, truth ? each.off : each.on, false) ||
          !is_known(graph_, *each.at_start, truth))
        continue;
      known_[each.symbol] = truth ? graph_.one() : graph_.zero();
      return true;
    }
    return false;
  }

  /// It keeps what it has at the start.
  void stays(const HeldTruth& each) {
    reduced_.initial.push_back({graph_.use(each.symbol), *each.at_start,
                                "'" + graph_.symbol(each.symbol).path + "' at the start",
                                each.where});
  }

  [[nodiscard]] bool is_of_parameters(Expr e) const {
    const auto symbols = graph_.symbols_of(e);
    return std::all_of(symbols.begin(), symbols.end(),
                       [&](SymbolId symbol) { return model_.parameters.contains(symbol); });
  }
  void fix(SymbolId symbol) {
    const auto found = model_.parameters.find(symbol);
    if (found == model_.parameters.end()) return;
    model_.fixed_parameters.emplace(found->second.name, "a condition of an event depends on it");
    for (const SymbolId each : graph_.symbols_of(found->second.value)) fix(each);
  }

  Expr decided(Expr root) {
    std::unordered_map<Expr, Expr> made;
    for (const Expr e : graph_.reachable({root})) {
      const Node node = graph_.node(e);
      const auto known = node.op == Op::symbol ? known_.find(SymbolId{node.payload}) : known_.end();
      const bool compares =
          node.op == Op::less || node.op == Op::less_equal || node.op == Op::equal;
      if (known != known_.end()) {
        made[e] = known->second;
      } else if (compares && is_of_parameters(e)) {
        for (const SymbolId each : graph_.symbols_of(e)) fix(each);
        made[e] = graph_.constant(parameter_value(model_, e));
      } else if (node.op == Op::logical_and) {
        made[e] = both(graph_, made.at(node.a), made.at(node.b));
      } else if (node.op == Op::logical_or) {
        made[e] = either(graph_, made.at(node.a), made.at(node.b));
      } else if (node.op == Op::logical_not) {
        made[e] = opposite(graph_, made.at(node.a));
      } else if (node.op == Op::select && graph_.is_constant(made.at(node.a))) {
        made[e] = made.at(is_known(graph_, made.at(node.a), true) ? node.b : node.c);
      } else {
        const auto part = [&](Expr operand, int k) {
          return k < Graph::arity(node.op) ? made.at(operand) : operand;
        };
        made[e] = Graph::arity(node.op) == 0
                      ? e
                      : graph_.rebuild(node, part(node.a, 0), part(node.b, 1), part(node.c, 2));
      }
    }
    return made.at(root);
  }

  void put_in() {
    for (auto* list : {&reduced_.equations, &reduced_.initial})
      for (ScalarEquation& each : *list)
        each.left = graph_.substitute(each.left, known_),
        each.right = graph_.substitute(each.right, known_);
    for (Named& each : reduced_.named) each.value = graph_.substitute(each.value, known_);
    for (ScalarEvent& event : model_.events) {
      for (Expr& each : event.conditions) each = graph_.substitute(each, known_);
      for (ScalarEvent::Set& each : event.sets) each.value = graph_.substitute(each.value, known_);
    }
    for (const auto& [symbol, value] : known_) {
      reduced_.named.insert(reduced_.named.begin(), {symbol, value});
      std::erase(reduced_.held, symbol);
      model_.variables[model_.variable_of.at(symbol)].is_held = false;
    }
  }

  ScalarModel& model_;
  ReducedModel& reduced_;
  Graph& graph_;
  std::unordered_map<SymbolId, Expr> known_;
};

}  // namespace

void decide_truths(ScalarModel& model, ReducedModel& reduced) {
  DecidedTruths(model, reduced).run();
}

}  // namespace takt::codegen::modelica
