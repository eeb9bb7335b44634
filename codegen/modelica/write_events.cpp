#include "codegen/modelica/write_events.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "codegen/modelica/plant_names.hpp"
#include "codegen/text/quantity.hpp"

namespace takt::codegen::modelica {
namespace {

bool is_truth_value(const ScalarModel& model, SymbolId symbol) {
  const auto found = model.variable_of.find(symbol);
  return found != model.variable_of.end() &&
         model.variables[found->second].declared->type == "Boolean";
}

/// A condition is 1 or 0 where it is kept.
Expr kept(ScalarModel& model, const ScalarEvent::Set& set) {
  Graph& graph = model.graph;
  if (!is_truth_value(model, SymbolId{graph.node(set.target).payload})) return set.value;
  return graph.select(set.value, graph.one(), graph.zero());
}

}  // namespace

std::vector<Expr> event_roots(ScalarModel& model) {
  std::vector<Expr> made;
  for (const HeldTruth& each : model.truths) made.insert(made.end(), {each.on, each.off});
  for (const ScalarEvent& event : model.events) {
    made.insert(made.end(), event.conditions.begin(), event.conditions.end());
    for (const ScalarEvent::Set& each : event.sets) made.push_back(kept(model, each));
  }
  return made;
}

std::string EventTexts::truth(const HeldTruth& truth, const std::string& start) const {
  return fmt::format("mode.{} = {{ on = {}, off = {}, start = {} }}\n", words_.name(truth.symbol),
                     toml_text(words_.text(truth.on)), toml_text(words_.text(truth.off)),
                     toml_text(start));
}

std::string EventTexts::held(SymbolId symbol, const std::string& start) const {
  for (const HeldTruth& each : model_.truths)
    if (each.symbol == symbol) return truth(each, start);
  const bool is_set =
      std::any_of(model_.events.begin(), model_.events.end(), [&](const ScalarEvent& event) {
        return std::any_of(event.sets.begin(), event.sets.end(), [&](const auto& each) {
          return SymbolId{model_.graph.node(each.target).payload} == symbol;
        });
      });
  if (!is_set)  // at the start alone
    return fmt::format("state.{} = {{ unit = {}, der = {}, start = {} }}\n", words_.name(symbol),
                       toml_text(words_.unit(symbol)),
                       toml_text("(" + words_.number("0", words_.unit(symbol)) + ")/(1 s)"),
                       toml_text(start));
  return fmt::format("mode.{} = {{ unit = {}, start = {} }}\n", words_.name(symbol),
                     toml_text(words_.unit(symbol)), toml_text(start));
}

std::string EventTexts::relations() const {
  std::string made;
  for (const HeldTruth& each : model_.truths)
    if (std::find(reduced_.relations.begin(), reduced_.relations.end(), each.symbol) !=
        reduced_.relations.end())
      made += truth(each, each.starts_on ? "1" : "0");
  return made;
}

std::string EventTexts::counts() const {
  std::string made;
  for (const auto& [symbol, start] : reduced_.counts)
    made += fmt::format("mode.{} = {{ start = {} }}\n", words_.name(symbol),
                        toml_text(number_text(start)));
  return made;
}

std::string EventTexts::events() const {
  std::string made;
  for (const ScalarEvent& event : model_.events) {
    std::string sets;
    long long priority = static_cast<long long>(event.branch);
    for (const ScalarEvent::Set& each : event.sets) {
      const SymbolId symbol{model_.graph.node(each.target).payload};
      // The truth value's own conditions read what was before.
      for (const HeldTruth& truth : model_.truths)
        if (truth.symbol == symbol) priority = static_cast<long long>(event.branch) - 1000;
      sets += fmt::format(
          "{}{} = {}", sets.empty() ? "" : ", ", words_.name(symbol),
          toml_text(words_.number(words_.text(kept(model_, each)), words_.unit(symbol))));
    }
    if (sets.empty()) continue;
    for (const Expr condition : event.conditions)
      made += fmt::format("at.{} = {{ when = {}, set = {{ {} }}{} }}\n", words_.fresh(),
                          toml_text(words_.text(condition)), sets,
                          priority != 0 ? fmt::format(", priority = {}", priority) : "");
  }
  return made;
}

}  // namespace takt::codegen::modelica
