#include "codegen/expr/follow_values.hpp"

#include <cmath>
#include <deque>

namespace takt::codegen {
namespace {

class Follower {
 public:
  Follower(Graph& graph, const ValueQuestion& question, KnownValues& known)
      : graph_(graph), question_(question), known_(known) {}

  void run() {
    for (std::size_t row = 0; row < question_.residuals.size(); ++row) {
      open_.push_back(0);
      for (const SymbolId symbol : graph_.symbols_of(question_.residuals[row])) {
        if (!is_open(symbol)) continue;
        ++open_.back();
        users_[symbol].push_back(row);
      }
      if (open_.back() == 1) next_.push_back(row);
    }
    for (; !next_.empty(); next_.pop_front()) solve(question_.residuals[next_.front()]);
  }

 private:
  [[nodiscard]] bool is_open(SymbolId symbol) const {
    return question_.variables.contains(symbol) && !known_.contains(symbol);
  }

  void solve(Expr residual) {
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

  void now_known(SymbolId symbol) {
    for (const std::size_t row : users_[symbol])
      if (--open_[row] == 1) next_.push_back(row);
  }

  Graph& graph_;
  const ValueQuestion& question_;
  KnownValues& known_;
  std::vector<std::size_t> open_;  // by equation: variables that are not known
  std::unordered_map<SymbolId, std::vector<std::size_t>> users_;
  std::deque<std::size_t> next_;
};

}  // namespace

void follow_values(Graph& graph, const ValueQuestion& question, KnownValues& known) {
  Follower(graph, question, known).run();
}

}  // namespace takt::codegen
