#include "codegen/modelica/event_values.hpp"

#include <algorithm>
#include <cmath>
#include <random>

#include "codegen/modelica/left_limits.hpp"
#include "codegen/modelica/point_values.hpp"

namespace takt::codegen::modelica {
namespace {

bool is_relation(Op op) { return op == Op::less || op == Op::less_equal || op == Op::equal; }

bool happen_together(const ScalarEvent& a, const ScalarEvent& b) {
  return a.chain == b.chain ? a.branch == b.branch
                            : a.branch == 0 && b.branch == 0 && a.conditions == b.conditions &&
                                  a.at_start == b.at_start;
}

}  // namespace

EventValues::EventValues(ScalarModel& model, const ReducedModel& reduced)
    : model_(model), reduced_(reduced), graph_(model.graph) {
  for (const Named& each : reduced.named) named_[each.symbol] = each.value;
  unknowns_.insert(reduced.unknowns.begin(), reduced.unknowns.end());
  for (const auto& [state, rate] : reduced.rates) unknowns_.insert(rate);
  for (const auto& [symbol, before] : model.befores) afters_[before] = symbol;
  for (ScalarEvent& event : model.events)
    for (Expr& each : event.conditions) each = named_put_in(each);
  events_ = model.events;
}

bool EventValues::is_tick(SymbolId symbol) const {
  return std::any_of(model_.ticks.begin(), model_.ticks.end(),
                     [&](const SampleTick& each) { return each.symbol == symbol; });
}

/// Relations, samples and held truth values that conditions read.
std::set<Expr> EventValues::instants_of(const std::vector<Expr>& conditions) const {
  std::set<Expr> made;
  for (const Expr e : graph_.reachable(conditions)) {
    const Node& node = graph_.node(e);
    const SymbolId symbol{node.payload};
    const auto after = node.op == Op::symbol ? afters_.find(symbol) : afters_.end();
    if (is_relation(node.op) ||
        (node.op == Op::symbol && (is_tick(symbol) || is_held(model_, symbol))))
      made.insert(e);
    else if (after != afters_.end() && is_held(model_, after->second))
      made.insert(graph_.use(after->second));  // pre of it changes a round later
  }
  return made;
}

/// Of the time and inputs alone: such instants may be the same.
bool EventValues::is_outside(Expr instant) const {
  const auto symbols = graph_.symbols_of(instant);
  return std::all_of(symbols.begin(), symbols.end(), [&](SymbolId symbol) {
    const auto found = model_.variable_of.find(symbol);
    return found == model_.variable_of.end() ? !is_unknown(symbol)
                                             : model_.variables[found->second].is_input;
  });
}

bool EventValues::may_coincide(const std::vector<Expr>& a, const std::vector<Expr>& b) const {
  const auto first = instants_of(a), second = instants_of(b);
  const auto outside = [&](const std::set<Expr>& instants) {
    return std::any_of(instants.begin(), instants.end(),
                       [&](Expr each) { return is_outside(each); });
  };
  return (outside(first) && outside(second)) ||
         std::any_of(first.begin(), first.end(), [&](Expr each) {
           return second.contains(each) ||
                  std::any_of(second.begin(), second.end(),
                              [&](Expr other) { return same_instant(each, other); });
         });
}

/// x > 1 and 2*x >= 2: their differences are a multiple of each other, at points drawn at random.
bool EventValues::same_instant(Expr a, Expr b) const {
  const Node first = graph_.node(a), second = graph_.node(b);
  if (!is_relation(first.op) || !is_relation(second.op)) return false;
  const auto symbols = graph_.symbols_of({a, b});
  std::mt19937_64 random(53);
  std::uniform_real_distribution<double> draw(0.5, 2.0);
  double ratio = 0.0;
  for (int k = 0; k < 6; ++k) {
    auto values = given_values(model_);
    for (const SymbolId symbol : symbols)
      if (symbol == model_.time || !values.contains(symbol)) values[symbol] = draw(random);
    const auto at = [&](SymbolId symbol) { return values.at(symbol); };
    const double x = graph_.evaluate(first.a, at) - graph_.evaluate(first.b, at),
                 y = graph_.evaluate(second.a, at) - graph_.evaluate(second.b, at);
    if (!std::isfinite(x) || !std::isfinite(y) || x == 0.0 || y == 0.0) return false;
    if (k > 0 && std::fabs(x / y - ratio) > 1e-9 * std::fabs(ratio)) return false;
    ratio = x / y;
  }
  return true;
}

/// What other events set at the same instant before this one, since its condition reads what they
/// set. (One that reads pre of it comes true in the next round of Modelica, too.)
std::set<SymbolId> EventValues::set_before(const ScalarEvent& event) const {
  std::set<SymbolId> made;
  std::vector<Expr> conditions = event.conditions;
  for (bool grown = true; grown;) {
    grown = false;
    std::set<SymbolId> read;
    for (const SymbolId symbol : graph_.symbols_of(conditions)) {
      read.insert(symbol);
      if (!is_unknown(symbol)) continue;
      for (const ScalarEquation& each : tied_to(symbol))
        for (const SymbolId one : graph_.symbols_of({each.left, each.right})) read.insert(one);
    }
    const auto add = [&](SymbolId symbol) { grown = made.insert(symbol).second || grown; };
    for (const ScalarEvent& other : events_)
      if (std::any_of(other.sets.begin(), other.sets.end(), [&](const ScalarEvent::Set& each) {
            return read.contains(SymbolId{graph_.node(each.target).payload});
          }))
        for (const ScalarEvent::Set& each : other.sets) {
          add(SymbolId{graph_.node(each.target).payload});
          conditions.insert(conditions.end(), other.conditions.begin(), other.conditions.end());
        }
    for (const HeldTruth& truth : model_.truths)
      if (read.contains(truth.symbol)) {
        add(truth.symbol);
        conditions.insert(conditions.end(), {truth.on, truth.off});
      }
  }
  return made;
}

/// An event that another one brings about at the same instant comes after it: what that one has set
/// is no longer what it was before the instant.
void EventValues::check_before(const ScalarEvent& event, SymbolId before) const {
  const SymbolId symbol = afters_.at(before);
  const std::set<SymbolId> changed = set_before(event);
  bool reads = changed.contains(symbol);
  if (is_unknown(symbol))
    for (const ScalarEquation& each : tied_to(symbol))
      for (const SymbolId one : graph_.symbols_of({each.left, each.right}))
        reads = reads || changed.contains(one);
  if (reads)
    throw Refusal{"D020",
                  "it reads pre(" + name_of(symbol) +
                      "), which another event may set at the instant that brings this one about",
                  "set it in the when-equation that changes '" + name_of(symbol) + "'",
                  {}};
}

Expr EventValues::named_put_in(Expr e) {
  for (std::size_t k = 0; k < named_.size(); ++k) {
    const Expr next = graph_.substitute(e, named_);
    if (next == e) break;
    e = next;
  }
  return e;
}

/// pre(x) of what is only read: its value, of what was before.
Expr EventValues::befores_put_in(Expr e) {
  std::unordered_map<SymbolId, Expr> values;
  for (const SymbolId symbol : graph_.symbols_of(e)) {
    const auto after = afters_.find(symbol);
    const auto named = after == afters_.end() ? named_.end() : named_.find(after->second);
    if (named == named_.end()) continue;
    const Expr value = left_limit(model_, named_put_in(named->second));
    std::unordered_map<SymbolId, Expr> inner;
    for (const SymbolId each : graph_.symbols_of(value))
      if (model_.variable_of.contains(each)) {
        const SymbolId before = before_of(model_, each);
        afters_[before] = each;
        inner[each] = graph_.use(before);
      }
    values[symbol] = graph_.substitute(value, inner);
  }
  return values.empty() ? e : graph_.substitute(e, values);
}

Expr EventValues::after(const ScalarEvent& event, Expr value) {
  std::set<SymbolId> under_way;
  return after(event, value, under_way);
}

Expr EventValues::after(const ScalarEvent& event, Expr value, std::set<SymbolId>& under_way) {
  value = named_put_in(befores_put_in(value));
  std::unordered_map<SymbolId, Expr> now;
  for (const SymbolId symbol : graph_.symbols_of(value)) {
    if (is_unknown(symbol)) check_unknown(event, symbol);
    if (afters_.contains(symbol)) check_before(event, symbol);
    if (is_held(model_, symbol)) put_in_new(event, symbol, under_way, now);
  }
  return graph_.substitute(value, now);
}

std::optional<Expr> EventValues::truth_after(const ScalarEvent& event, const HeldTruth& truth) {
  // By this event, or by another that may be due in the same round.
  const auto is_set = [&](SymbolId symbol) {
    return std::any_of(events_.begin(), events_.end(), [&](const ScalarEvent& other) {
      return std::any_of(other.sets.begin(), other.sets.end(),
                         [&](const ScalarEvent::Set& each) {
                           return !each.is_reinit &&
                                  SymbolId{graph_.node(each.target).payload} == symbol;
                         }) &&
             (happen_together(event, other) || may_coincide(event.conditions, other.conditions));
    });
  };
  if (!may_coincide(event.conditions, {truth.on, truth.off})) return std::nullopt;
  const bool reads =
      std::any_of(event.sets.begin(), event.sets.end(), [&](const ScalarEvent::Set& each) {
        return !each.is_reinit &&
               graph_.depends_on(*truth.value, SymbolId{graph_.node(each.target).payload});
      });
  if (!reads) return std::nullopt;
  std::unordered_map<SymbolId, Expr> now;
  for (const SymbolId symbol : graph_.symbols_of(*truth.value)) {
    if (is_unknown(symbol))
      for (const ScalarEquation& each : tied_to(symbol))
        for (const SymbolId other : graph_.symbols_of({each.left, each.right}))
          if (is_set(other))
            throw Refusal{"D020",
                          "'" + name_of(truth.symbol) + "' reads '" + name_of(symbol) +
                              "', which depends on what the event sets at the same instant",
                          "",
                          {}};
    if (const auto after = afters_.find(symbol); after != afters_.end() && is_set(after->second))
      throw Refusal{"D020",
                    "'" + name_of(truth.symbol) + "' reads pre(" + name_of(after->second) +
                        "), which the event sets at the same instant",
                    "",
                    {}};
    if (!is_set(symbol)) continue;
    std::set<SymbolId> under_way;
    put_in_new(event, symbol, under_way, now);
  }
  return graph_.substitute(*truth.value, now);
}

/// A plain name of what is held: what this event sets it to.
void EventValues::put_in_new(const ScalarEvent& event, SymbolId symbol,
                             std::set<SymbolId>& under_way,
                             std::unordered_map<SymbolId, Expr>& now) {
  for (const ScalarEvent& other : events_)
    for (const ScalarEvent::Set& each : other.sets) {
      if (each.is_reinit || SymbolId{graph_.node(each.target).payload} != symbol) continue;
      if (happen_together(event, other)) {
        if (!under_way.insert(symbol).second)
          throw Refusal{"D020",
                        "'" + name_of(symbol) + "' depends on itself within the event",
                        "use pre for what was before",
                        {}};
        now[symbol] = after(event, each.value, under_way);
        under_way.erase(symbol);
      } else if (other.chain != event.chain && may_coincide(event.conditions, other.conditions)) {
        throw Refusal{"D020",
                      "it reads '" + name_of(symbol) +
                          "', which another when-equation may set at the same instant",
                      "read pre(" + name_of(symbol) + "), or set both in one when-equation",
                      {}};
      }
    }
  for (const HeldTruth& truth : model_.truths)
    if (truth.symbol == symbol && may_coincide(event.conditions, {truth.on, truth.off}))
      throw Refusal{"D020",
                    "it reads '" + name_of(symbol) + "', which may change at the same instant",
                    "read pre(" + name_of(symbol) + ")",
                    {}};
}

/// An unknown of the solver is known as it was before the event: it must not depend on what the
/// event changes.
void EventValues::check_unknown(const ScalarEvent& event, SymbolId symbol) const {
  std::vector<Expr> sides;
  for (const ScalarEquation& each : tied_to(symbol))
    sides.insert(sides.end(), {each.left, each.right});
  std::set<SymbolId> changed;
  for (const ScalarEvent& other : events_)
    if (happen_together(event, other) || may_coincide(event.conditions, other.conditions))
      for (const ScalarEvent::Set& each : other.sets)
        changed.insert(SymbolId{graph_.node(each.target).payload});
  for (const HeldTruth& truth : model_.truths)
    if (may_coincide(event.conditions, {truth.on, truth.off})) changed.insert(truth.symbol);
  const auto instants = instants_of(event.conditions);
  for (const Expr e : graph_.reachable(sides)) {
    const Node& node = graph_.node(e);
    const bool is_changed = node.op == Op::symbol && changed.contains(SymbolId{node.payload});
    if (instants.contains(e) || is_changed)
      throw Refusal{
          "D020",
          "it reads '" + name_of(symbol) + "', which depends on what changes at the event",
          "read pre(" + name_of(symbol) + "), if the value before the event is meant",
          {}};
  }
}

/// Equations that a chain of unknowns connects with this one.
std::vector<ScalarEquation> EventValues::tied_to(SymbolId symbol) const {
  std::set<SymbolId> reached{symbol};
  std::vector<bool> taken(reduced_.equations.size(), false);
  std::vector<ScalarEquation> made;
  for (bool grown = true; grown;) {
    grown = false;
    for (std::size_t k = 0; k < taken.size(); ++k) {
      const ScalarEquation& each = reduced_.equations[k];
      const auto symbols = graph_.symbols_of({each.left, each.right});
      if (taken[k] || std::none_of(symbols.begin(), symbols.end(),
                                   [&](SymbolId one) { return reached.contains(one); }))
        continue;
      taken[k] = grown = true;
      made.push_back(each);
      for (const SymbolId one : symbols)
        if (is_unknown(one)) reached.insert(one);
    }
  }
  return made;
}

}  // namespace takt::codegen::modelica
