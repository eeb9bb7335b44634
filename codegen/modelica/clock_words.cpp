// Synchronous elements of the language: what clocks are and what is done with them is kept as
// symbols, which clocks.cpp makes events of (Modelica Language Specification 3.6, chapter 16).

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>

#include "codegen/modelica/evaluator.hpp"

namespace takt::codegen::modelica {
namespace {

struct Word {
  std::string_view name;
  ClockWord::Kind kind;
  std::size_t least, most;  ///< arguments
};
using Kind = ClockWord::Kind;
constexpr auto words = std::to_array<Word>({{"clock", Kind::base, 0, 2},
                                            {"subsample", Kind::sub, 1, 2},
                                            {"supersample", Kind::super, 1, 2},
                                            {"shiftsample", Kind::shift, 2, 3},
                                            {"backsample", Kind::back, 2, 3},
                                            {"sample", Kind::sample, 1, 2},
                                            {"hold", Kind::hold, 1, 1},
                                            {"previous", Kind::previous, 1, 1},
                                            {"interval", Kind::interval, 0, 1},
                                            {"firsttick", Kind::first_tick, 0, 1},
                                            {"noclock", Kind::no_clock, 1, 1}});

std::string lower_case(std::string text) {
  for (char& each : text) each = static_cast<char>(std::tolower(static_cast<unsigned char>(each)));
  return text;
}

}  // namespace

bool Evaluator::is_clock(Expr e) const {
  const Node& node = graph_.node(e);
  if (node.op != Op::symbol) return false;
  const SymbolId symbol{node.payload};
  const auto word = std::find_if(clock_words_.begin(), clock_words_.end(),
                                 [&](const ClockWord& each) { return each.symbol == symbol; });
  if (word != clock_words_.end()) return word->is_clock;
  const FlatVariable* declared = variable(symbol);
  return declared != nullptr && declared->type == "Clock";
}

Expr Evaluator::clock_word(ClockWord word) {
  word.symbol = graph_.make_symbol("clocked " + std::to_string(clock_words_.size() + 1), "1");
  clock_words_.push_back(word);
  return graph_.use(word.symbol);
}

std::optional<Value> Evaluator::clocked(const FlatExpression& e, const Frame* frame) {
  const std::string name = lower_case(e.text);
  const auto* found =
      std::find_if(words.begin(), words.end(), [&](const Word& each) { return each.name == name; });
  if (found == words.end() || initial_) return std::nullopt;
  if (e.parts.size() < found->least || e.parts.size() > found->most)
    throw Refusal{"D004", "'" + e.text + "' with " + std::to_string(e.parts.size()) + " arguments",
                  "", e.where};
  std::vector<Value> parts;
  for (const FlatRef& part : e.parts) parts.push_back(value(*part, frame));
  ClockWord made{.kind = found->kind, .where = e.where};
  const auto whole = [&](std::size_t k) {
    const double given = number(scalar_of(parts[k]), "a clock depends on it");
    if (!(given >= 0.0 && given <= 1e9 && given == std::floor(given)))
      throw Refusal{"D021", "a clock with a factor that is no whole number", "", e.where};
    return static_cast<long long>(given);
  };
  if (made.kind == Kind::base) return Value::of(base_clock(e, parts));
  if (parts.empty()) return Value::of(clock_word(made));
  if (made.kind == Kind::sample && parts.size() == 2) {
    if (parts[1].kind != Value::Kind::scalar || !is_clock(parts[1].scalar)) return std::nullopt;
    made.clock = parts[1].scalar;
  }
  if (made.kind == Kind::sub || made.kind == Kind::super) made.a = parts.size() > 1 ? whole(1) : 0;
  if (made.kind == Kind::shift || made.kind == Kind::back)
    made.a = whole(1), made.b = parts.size() > 2 ? whole(2) : 1;
  if (made.b == 0)
    throw Refusal{"D021", "'" + e.text + "' by a part of nothing", "give it a resolution", e.where};
  return map(parts[0], [&](Expr x) {
    if (made.kind == Kind::previous) {
      const Expr was = before(x);
      if (is_variable(SymbolId{graph_.node(x).payload}))
        previous_.insert(SymbolId{graph_.node(x).payload});
      return was;
    }
    made.operand = x;
    made.is_clock = made.kind != Kind::sample && made.kind != Kind::hold && is_clock(x);
    return clock_word(made);
  });
}

/// Clock(), Clock(interval), Clock(counter, resolution).
Expr Evaluator::base_clock(const FlatExpression& e, const std::vector<Value>& parts) {
  ClockWord made{.kind = Kind::base, .where = e.where};
  made.is_clock = true;
  if (parts.empty()) return clock_word(made);
  for (const Value& each : parts)
    if (each.kind != Value::Kind::scalar || is_clock(each.scalar) ||
        depends_on_variables(each.scalar))
      throw Refusal{"D021", "a clock of a condition, or with a method of integration",
                    "clocks with an interval, and those made of them, are imported", e.where};
  made.period = number(parts[0].scalar, "the interval of a clock");
  if (parts.size() == 2) made.period /= number(parts[1].scalar, "the resolution of a clock");
  if (!(made.period > 0.0))
    throw Refusal{"D021", "a clock with an interval that is not above 0", "", e.where};
  return clock_word(made);
}

}  // namespace takt::codegen::modelica
