#include "codegen/modelica/clock_partitions.hpp"

#include <algorithm>
#include <numeric>

namespace takt::codegen::modelica {
namespace {

// Products and sums of two ratios stay in range.
constexpr long long most = 1'000'000'000;

Rational rational(long long over, long long under, const Location& where) {
  if (under < 0) over = -over, under = -under;
  const long long common = std::gcd(over, under);
  over /= common, under /= common;
  if (over > most || over < -most || under > most)
    throw Refusal{"D021", "clocks whose ratio is no ratio of numbers below 1e9", "", where};
  return {over, under};
}
Rational times(const Rational& a, const Rational& b, const Location& where) {
  return rational(a.over * b.over, a.under * b.under, where);
}
Rational plus(const Rational& a, const Rational& b, const Location& where) {
  return rational(a.over * b.under + b.over * a.under, a.under * b.under, where);
}

/// A factor of 0 is what other clocks make it.
bool relates(const ClockWord& word) {
  using Kind = ClockWord::Kind;
  if (word.kind == Kind::sub || word.kind == Kind::super) return word.a > 0;
  return word.kind == Kind::shift || word.kind == Kind::back;
}

/// What the word makes of a clock, or, backwards, what it has made this of.
ModelClock made_of(ModelClock clock, const ClockWord& word, bool backwards) {
  using Kind = ClockWord::Kind;
  if (word.kind == Kind::sub || word.kind == Kind::super) {
    const bool longer = (word.kind == Kind::sub) != backwards;
    clock.step = times(clock.step, longer ? Rational{word.a, 1} : Rational{1, word.a}, word.where);
    return clock;
  }
  const bool later = (word.kind == Kind::shift) != backwards;
  const Rational by = times(clock.step, {later ? word.a : -word.a, word.b}, word.where);
  clock.offset = plus(clock.offset, by, word.where);
  return clock;
}

}  // namespace

ClockPartitions::ClockPartitions(const ScalarModel& model) : model_(model) {
  for (const auto& [symbol, before] : model.befores) befores_[before] = symbol;
  join_equations();
  join_words();
  spread();
}

SymbolId ClockPartitions::root_of(SymbolId symbol) const {
  const auto found = parents_.find(symbol);
  if (found == parents_.end() || found->second == symbol) return symbol;
  const SymbolId root = root_of(found->second);
  parents_[symbol] = root;
  return root;
}

bool ClockPartitions::is_clocked(Expr e) const {
  const auto all = links(e);
  return std::any_of(all.begin(), all.end(), [&](SymbolId each) { return is_clocked(each); });
}

/// What an expression takes part in; what stands within the operators does not.
std::vector<SymbolId> ClockPartitions::links(Expr e) const {
  std::vector<SymbolId> made;
  for (const SymbolId symbol : model_.graph.symbols_of(e)) {
    const auto before = befores_.find(symbol);
    const bool is_word = std::any_of(model_.clock_words.begin(), model_.clock_words.end(),
                                     [&](const ClockWord& each) { return each.symbol == symbol; });
    if (before != befores_.end())
      made.push_back(before->second);
    else if (is_word || model_.variable_of.contains(symbol))
      made.push_back(symbol);
  }
  return made;
}

void ClockPartitions::join(const std::vector<SymbolId>& all) {
  for (const SymbolId each : all) {
    const SymbolId a = root_of(all.front()), b = root_of(each);
    if (a != b) parents_[b] = a;
  }
}

void ClockPartitions::join_equations() {
  for (const ScalarEquation& each : model_.equations) {
    auto all = links(each.left);
    const auto right = links(each.right);
    all.insert(all.end(), right.begin(), right.end());
    join(all);
  }
  for (const ScalarEvent& event : model_.events) {
    std::vector<SymbolId> all;
    for (const Expr condition : event.conditions)
      for (const SymbolId each : links(condition)) all.push_back(each);
    const bool of_clock = std::any_of(all.begin(), all.end(), [&](SymbolId each) {
      const auto found = model_.variable_of.find(each);
      return found == model_.variable_of.end() ||
             model_.variables[found->second].declared->type == "Clock";
    });
    if (!of_clock) continue;
    for (const ScalarEvent::Set& each : event.sets)
      for (const Expr e : {each.target, each.value})
        for (const SymbolId symbol : links(e)) all.push_back(symbol);
    join(all);
  }
}

void ClockPartitions::join_words() {
  using Kind = ClockWord::Kind;
  std::vector<SymbolId> marked(model_.previous.begin(), model_.previous.end());
  for (const ClockWord& each : model_.clock_words) {
    const auto operand = each.operand ? links(*each.operand) : std::vector<SymbolId>();
    if (each.kind != Kind::sample) join(operand);
    if (each.kind == Kind::sample && each.clock) {
      auto all = links(*each.clock);
      all.push_back(each.symbol);
      join(all);
    }
    if (each.kind == Kind::interval || each.kind == Kind::first_tick) {
      auto all = operand;
      all.push_back(each.symbol);
      join(all);
    }
    if (each.kind != Kind::hold) marked.push_back(each.symbol);
    if (each.kind != Kind::sample && !operand.empty()) marked.push_back(operand.front());
  }
  for (const SymbolId each : marked) clocked_.insert(root_of(each));
}

bool ClockPartitions::learn(SymbolId symbol, const ModelClock& clock, const Location& where) {
  const auto [found, fresh] = clocks_.emplace(root_of(symbol), clock);
  if (fresh) return true;
  // Clocks of one interval that are written twice are two, and may not meet; here they are one.
  if (!(found->second == clock))
    throw Refusal{"D021", "'" + model_.graph.symbol(symbol).path + "' has two clocks",
                  "subSample, superSample and shiftSample lead from one to the other", where};
  return false;
}

void ClockPartitions::spread() {
  for (const ClockWord& each : model_.clock_words)
    if (each.kind == ClockWord::Kind::base && each.period > 0.0)
      (void)learn(each.symbol, {.period = each.period}, each.where);
  for (bool again = true; again;) {
    again = false;
    for (const ClockWord& each : model_.clock_words) {
      if (!relates(each)) continue;
      const auto operand = links(*each.operand);
      if (operand.empty()) continue;
      const auto from = clocks_.find(root_of(operand.front())),
                 to = clocks_.find(root_of(each.symbol));
      if (from != clocks_.end())
        again = learn(each.symbol, made_of(from->second, each, false), each.where) || again;
      else if (to != clocks_.end())
        again = learn(operand.front(), made_of(to->second, each, true), each.where) || again;
    }
  }
  for (const SymbolId each : clocked_) {
    const auto found = clocks_.find(each);
    if (found == clocks_.end())
      throw Refusal{"D021", "nothing says which clock '" + model_.graph.symbol(each).path + "' has",
                    "give one of the operators that it is connected with a clock",
                    model_.flat->where};
    if (found->second.offset.over < 0)
      throw Refusal{"D021",
                    "the clock of '" + model_.graph.symbol(each).path + "' begins before the run",
                    "shift what it is made of by more", model_.flat->where};
  }
}

}  // namespace takt::codegen::modelica
