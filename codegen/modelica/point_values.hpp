#pragma once
// Values of expressions at points, for what is judged or solved while a model is imported.

#include <optional>
#include <unordered_map>
#include <vector>

#include "codegen/modelica/scalar_model.hpp"

namespace takt::codegen::modelica {

/// Values of all nodes that some roots need.
class PointValues {
 public:
  PointValues(const Graph& graph, const std::vector<Expr>& roots);

  /// @param held  nodes that keep these values
  void evaluate(const std::unordered_map<SymbolId, double>& at,
                const std::unordered_map<Expr, double>* held = nullptr);
  [[nodiscard]] double operator[](Expr e) const { return values_[place_.at(e)]; }
  [[nodiscard]] const std::vector<Expr>& nodes() const { return walk_; }

 private:
  const Graph& graph_;
  std::vector<Expr> walk_;
  std::unordered_map<Expr, std::size_t> place_;
  std::vector<double> values_;
};

/// Parameters, the time 0, the mark: what is not to be varied or solved for.
[[nodiscard]] std::unordered_map<SymbolId, double> given_values(const ScalarModel& model);

/// Of a start value over what is given, 0 where there is none.
[[nodiscard]] double start_value(const Graph& graph, const std::optional<Expr>& start,
                                 const std::unordered_map<SymbolId, double>& given);

}  // namespace takt::codegen::modelica
