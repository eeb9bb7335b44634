#include "codegen/modelica/start_positions.hpp"

#include <algorithm>
#include <charconv>

#include "codegen/expr/follow_values.hpp"

namespace takt::codegen::modelica {
namespace {

class Reader {
 public:
  Reader(ScalarModel& model, const ReducedModel& reduced, const ModelInstance& instance)
      : model_(model), graph_(model.graph), reduced_(reduced), instance_(instance) {}

  /// Fixed starts first, then those that are given; the rest are 0. What equations tie to them
  /// follows.
  void follow() {
    FollowedValues values(graph_, question());
    for (const ScalarVariable* each : states())
      values.add(each->symbol, each->start.value_or(graph_.zero()));
    known_ = values.known();
  }

  std::optional<double> at_start(Expr e) { return number_of(graph_.substitute(e, known_)); }

 private:
  ValueQuestion question() {
    ValueQuestion question{{}, {}, [this](Expr slope) { return number_of(slope).value_or(0.0); }};
    for (const ScalarVariable& each : model_.variables)
      if (!model_.parameters.contains(each.symbol)) question.variables.insert(each.symbol);
    for (const auto& [state, rate] : reduced_.rates) question.variables.insert(rate);
    for (const ScalarEquation& each : reduced_.equations)
      question.residuals.push_back(graph_.sub(each.left, each.right));
    for (const Named& each : reduced_.named)
      question.residuals.push_back(graph_.sub(graph_.use(each.symbol), each.value));
    return question;
  }

  [[nodiscard]] std::vector<const ScalarVariable*> states() const {
    std::vector<const ScalarVariable*> made;
    for (const SymbolId symbol : reduced_.states)
      made.push_back(&model_.variables[model_.variable_of.at(symbol)]);
    const auto wish = [](const ScalarVariable* each) {
      return each->fixed ? 0 : each->start ? 1 : 2;
    };
    std::stable_sort(made.begin(), made.end(),
                     [&](const auto* a, const auto* b) { return wish(a) < wish(b); });
    return made;
  }

  std::optional<double> number_of(Expr e) {
    bool known = true;
    const double value = graph_.evaluate(e, [&](SymbolId symbol) {
      const auto found = value_of(symbol);
      known = known && found;
      return found.value_or(0.0);
    });
    return known ? std::optional(value) : std::nullopt;
  }

  std::optional<double> value_of(SymbolId symbol) {
    if (symbol == model_.literal_mark) return 1.0;
    if (symbol == model_.time) return 0.0;
    const auto parameter = model_.parameters.find(symbol);
    if (parameter == model_.parameters.end()) return std::nullopt;
    const auto given = instance_.parameters.find(parameter->second.name);
    return given == instance_.parameters.end() ? number_of(parameter->second.value)
                                               : number(given->second.text);
  }

  static std::optional<double> number(const std::string& text) {
    double value = 0.0;
    const char* end = text.data() + text.size();
    const auto read = std::from_chars(text.data(), end, value);
    return read.ec == std::errc() && read.ptr == end ? std::optional(value) : std::nullopt;
  }

  ScalarModel& model_;
  Graph& graph_;
  const ReducedModel& reduced_;
  const ModelInstance& instance_;
  std::unordered_map<SymbolId, Expr> known_;
};

}  // namespace

std::vector<StartPosition> start_positions(ScalarModel& model, const ReducedModel& reduced,
                                           const ModelInstance& instance) {
  const std::vector<FlatJoin>& joins = model.flat->joins;
  std::vector<StartPosition> made;
  if (std::all_of(joins.begin(), joins.end(),
                  [](const FlatJoin& join) { return join.position.empty(); }))
    return made;
  Reader reader(model, reduced, instance);
  reader.follow();
  for (const FlatJoin& join : joins) {
    if (join.position.empty()) continue;
    const Expr position = put_through(model, reduced, symbol_of(model, join.position));
    if (const auto value = reader.at_start(position)) made.push_back({join.connector, *value});
  }
  return made;
}

}  // namespace takt::codegen::modelica
