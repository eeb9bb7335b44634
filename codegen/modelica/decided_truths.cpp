#include <algorithm>

#include "codegen/modelica/events.hpp"
#include "codegen/modelica/rewritten.hpp"
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

  void fix(SymbolId symbol) {
    const auto found = model_.parameters.find(symbol);
    if (found == model_.parameters.end()) return;
    model_.fixed_parameters.emplace(found->second.name, "a condition of an event depends on it");
    for (const SymbolId each : graph_.symbols_of(found->second.value)) fix(each);
  }

  Expr decided(Expr root) {
    return rewritten(graph_, root, [&](Expr e, const Node& node) -> std::optional<Expr> {
      switch (node.op) {
        case Op::symbol: {
          const auto known = known_.find(SymbolId{node.payload});
          return known == known_.end() ? std::nullopt : std::optional(known->second);
        }
        case Op::less:
        case Op::less_equal:
        case Op::equal:
          if (!is_of_parameters(model_, e)) return std::nullopt;
          for (const SymbolId each : graph_.symbols_of(e)) fix(each);
          return graph_.constant(parameter_value(model_, e));
        case Op::logical_and:
          return both(graph_, node.a, node.b);
        case Op::logical_or:
          return either(graph_, node.a, node.b);
        case Op::logical_not:
          return opposite(graph_, node.a);
        case Op::select:
          if (!graph_.is_constant(node.a)) return std::nullopt;
          return is_known(graph_, node.a, true) ? node.b : node.c;
        default:
          return std::nullopt;
      }
    });
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
