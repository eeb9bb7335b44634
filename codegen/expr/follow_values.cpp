#include "codegen/expr/follow_values.hpp"

#include <cmath>
#include <utility>

namespace takt::codegen {

FollowedValues::FollowedValues(Graph& graph, ValueQuestion question)
    : graph_(graph), question_(std::move(question)) {
  for (std::size_t row = 0; row < question_.residuals.size(); ++row) {
    open_.push_back(0);
    for (const SymbolId symbol : graph_.symbols_of(question_.residuals[row])) {
      if (!is_open(symbol)) continue;
      ++open_.back();
      users_[symbol].push_back(row);
    }
    if (open_.back() == 1) next_.push_back(row);
  }
  follow();
}

void FollowedValues::add(SymbolId symbol, Expr value) {
  if (!known_.emplace(symbol, value).second) return;
  now_known(symbol);
  follow();
}

bool FollowedValues::is_open(SymbolId symbol) const {
  return question_.variables.contains(symbol) && !known_.contains(symbol);
}

void FollowedValues::follow() {
  for (; !next_.empty(); next_.pop_front()) solve(question_.residuals[next_.front()]);
}

void FollowedValues::solve(Expr residual) {
  for (const SymbolId symbol : graph_.symbols_of(residual)) {
    if (!is_open(symbol)) continue;
    const Expr slope = graph_.differentiate(residual, symbol);
    if (graph_.depends_on(slope, symbol)) return;
    const Expr known_slope = graph_.substitute(slope, known_);
    const double size = std::fabs(question_.number(known_slope));
    if (!(size > 0.0) || !std::isfinite(size)) return;
    known_[symbol] = graph_.zero();
    const Expr rest = graph_.substitute(residual, known_);
    known_[symbol] = graph_.neg(graph_.div(rest, known_slope));
    return now_known(symbol);
  }
}

void FollowedValues::now_known(SymbolId symbol) {
  for (const std::size_t row : users_[symbol])
    if (--open_[row] == 1) next_.push_back(row);
}

}  // namespace takt::codegen
