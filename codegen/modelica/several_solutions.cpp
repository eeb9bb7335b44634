#include "codegen/modelica/several_solutions.hpp"

#include <algorithm>
#include <cmath>
#include <set>

#include "codegen/modelica/point_values.hpp"

namespace takt::codegen::modelica {
namespace {

// Beyond these the check would cost more than the import.
constexpr std::size_t most_unknowns = 300, most_relations = 100;

/// 0 where it is next to nothing.
int sign_of_determinant(std::vector<std::vector<double>> rows) {
  const std::size_t n = rows.size();
  int sign = 1;
  for (auto& row : rows) {
    double size = 0.0;
    for (const double each : row) size = std::max(size, std::fabs(each));
    if (!(size > 0.0) || !std::isfinite(size)) return 0;
    for (double& each : row) each /= size;
  }
  for (std::size_t k = 0; k < n; ++k) {
    std::size_t pivot = k;
    for (std::size_t row = k + 1; row < n; ++row)
      if (std::fabs(rows[row][k]) > std::fabs(rows[pivot][k])) pivot = row;
    if (!(std::fabs(rows[pivot][k]) > 1e-12)) return 0;
    if (pivot != k) std::swap(rows[pivot], rows[k]), sign = -sign;
    if (rows[k][k] < 0.0) sign = -sign;
    for (std::size_t row = k + 1; row < n; ++row) {
      const double factor = rows[row][k] / rows[k][k];
      if (factor == 0.0) continue;
      for (std::size_t column = k; column < n; ++column)
        rows[row][column] -= factor * rows[k][column];
    }
  }
  return sign;
}

class SeveralSolutions {
 public:
  SeveralSolutions(ScalarModel& model, const ReducedModel& reduced)
      : model_(model), reduced_(reduced), graph_(model.graph) {
    for (const auto& [state, rate] : reduced.rates) columns_.emplace(rate, columns_.size());
    for (const SymbolId symbol : reduced.unknowns) columns_.emplace(symbol, columns_.size());
  }

  /// @return the relation beyond which the sign is another
  std::optional<Expr> found() {
    if (columns_.empty() || columns_.size() > most_unknowns ||
        columns_.size() != reduced_.equations.size())
      return std::nullopt;
    const std::vector<Expr> relations = relations_of_unknowns();
    if (relations.empty() || relations.size() > most_relations) return std::nullopt;
    differentiate();
    std::vector<Expr> roots = relations;
    for (const Slope& each : slopes_) roots.push_back(each.value);
    PointValues values(graph_, roots);
    const auto at = start();
    values.evaluate(at);
    std::unordered_map<Expr, double> known;
    for (const Expr each : relations) known[each] = values[each];
    const int here = sign(values);
    if (here == 0) return std::nullopt;
    for (const Expr each : relations) {
      const std::unordered_map<Expr, double> beyond = {{each, 1.0 - known.at(each)}};
      values.evaluate(at, &beyond);
      if (sign(values) == -here) return each;
    }
    return std::nullopt;
  }

 private:
  struct Slope {
    std::size_t row, column;
    Expr value;
  };

  /// Of such relations as an equation chooses by.
  [[nodiscard]] std::vector<Expr> relations_of_unknowns() const {
    std::vector<Expr> sides;
    for (const ScalarEquation& each : reduced_.equations)
      sides.insert(sides.end(), {each.left, each.right});
    std::vector<Expr> made;
    for (const Expr e : graph_.reachable(sides)) {
      const Op op = graph_.node(e).op;
      if (op != Op::less && op != Op::less_equal) continue;
      const auto symbols = graph_.symbols_of(e);
      if (std::any_of(symbols.begin(), symbols.end(),
                      [&](SymbolId symbol) { return columns_.contains(symbol); }))
        made.push_back(e);
    }
    return made;
  }

  void differentiate() {
    for (std::size_t row = 0; row < reduced_.equations.size(); ++row) {
      const ScalarEquation& each = reduced_.equations[row];
      const Expr zero = graph_.sub(each.left, each.right);
      for (const SymbolId symbol : graph_.symbols_of(zero))
        if (const auto found = columns_.find(symbol); found != columns_.end())
          slopes_.push_back({row, found->second, graph_.differentiate(zero, symbol)});
    }
  }

  [[nodiscard]] std::unordered_map<SymbolId, double> start() const {
    auto made = given_values(model_);
    for (const auto& [state, rate] : reduced_.rates) made[rate] = 0.0;
    for (const auto* list :
         {&reduced_.inputs, &reduced_.states, &reduced_.unknowns, &reduced_.held})
      for (const SymbolId symbol : *list) {
        const auto& value = model_.variables[model_.variable_of.at(symbol)].start;
        made[symbol] =
            value ? graph_.evaluate(*value, [&](SymbolId each) { return made.at(each); }) : 0.0;
      }
    return made;
  }

  [[nodiscard]] int sign(const PointValues& values) const {
    std::vector<std::vector<double>> rows(columns_.size(), std::vector<double>(columns_.size()));
    for (const Slope& each : slopes_) rows[each.row][each.column] = values[each.value];
    return sign_of_determinant(std::move(rows));
  }

  ScalarModel& model_;
  const ReducedModel& reduced_;
  Graph& graph_;
  std::map<SymbolId, std::size_t> columns_;
  std::vector<Slope> slopes_;
};

}  // namespace

void tell_several_solutions(ScalarModel& model, const ReducedModel& reduced,
                            Diagnostics& diagnostics) {
  const auto relation = SeveralSolutions(model, reduced).found();
  if (!relation) return;
  std::string names;
  for (const SymbolId symbol : model.graph.symbols_of(*relation))
    if (model.variable_of.contains(symbol))
      names += (names.empty() ? "" : ", ") + model.graph.symbol(symbol).path;
  diagnostics.warning(
      "D033", model.flat->where,
      "the equations may have several solutions: beyond a relation of " + names +
          " they turn the other way round",
      "where feedback is positive, give the unknown a start value on the side that is meant, and "
      "compare the record with what is expected");
}

}  // namespace takt::codegen::modelica
