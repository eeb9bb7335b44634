#include "codegen/dae/algebra/tearing.hpp"

#include <algorithm>
#include <map>
#include <set>

namespace takt::codegen {

namespace {

class Tearer {
 public:
  Tearer(Graph& graph, const EquationBlock& block, const std::unordered_set<SymbolId>& preferred,
         const SymbolMap<double>* divisors)
      : graph_(graph),
        equations_(block.equations),
        open_(block.unknowns.begin(), block.unknowns.end()),
        preferred_(preferred),
        divisors_(divisors) {
    done_.resize(equations_.size(), false);
    for (std::size_t k = 0; k < equations_.size(); ++k) {
      std::set<SymbolId> contained;
      if (equations_[k].defines && open_.contains(*equations_[k].defines))
        contained.insert(*equations_[k].defines);
      for (const SymbolId symbol : graph.symbols_of(equations_[k].value))
        if (open_.contains(symbol)) contained.insert(symbol);
      contains_.push_back(std::move(contained));
      for (const SymbolId symbol : contains_.back()) used_in_[symbol].push_back(k);
    }
  }

  TornBlock run() {
    for (std::size_t k = 0; k < equations_.size(); ++k) consider(k);
    while (!open_.empty()) {
      if (solve_next()) continue;
      const SymbolId chosen = choose_tear();
      result_.tears.push_back(chosen);
      close(chosen);
    }
    for (std::size_t k = 0; k < equations_.size(); ++k)
      if (!done_[k]) {
        result_.residuals.push_back(graph_.substitute(residual(equations_[k]), in_tears_));
        result_.residual_equations.push_back(k);
      }
    match_residuals();
    return std::move(result_);
  }

 private:
  /// A tear's own balance stands in its row: the diagonal dominates, so that elimination may take
  /// its pivots there.
  void match_residuals() {
    for (std::size_t place = 0; place < result_.tears.size(); ++place) {
      const auto own = [&](std::size_t k) {
        return equations_[k].only_for == result_.tears[place];
      };
      const auto found =
          std::find_if(result_.residual_equations.begin(), result_.residual_equations.end(), own);
      if (found == result_.residual_equations.end()) continue;
      const auto from = static_cast<std::size_t>(found - result_.residual_equations.begin());
      std::swap(result_.residual_equations[place], result_.residual_equations[from]);
      std::swap(result_.residuals[place], result_.residuals[from]);
    }
  }

  Expr residual(const Equation& equation) {
    return equation.defines ? graph_.sub(graph_.use(*equation.defines), equation.value)
                            : equation.value;
  }

  /// The explicit form of the unknown in this equation, if it has one that cannot divide by zero
  /// unnoticed.
  std::optional<Expr> solved_for(const Equation& equation, SymbolId unknown) {
    if (equation.only_for && equation.only_for != unknown) return std::nullopt;
    if (equation.defines == unknown && !graph_.depends_on(equation.value, unknown))
      return equation.value;
    Expr coefficient{}, rest{};
    if (!graph_.split_linear(residual(equation), unknown, coefficient, rest)) return std::nullopt;
    if (graph_.is_constant(coefficient, 0.0)) return std::nullopt;
    for (const SymbolId symbol : graph_.symbols_of(coefficient))
      if (all_unknown(symbol) || (divisors_ != nullptr && !divisors_->contains(symbol)))
        return std::nullopt;
    return graph_.mul(graph_.neg(rest), graph_.div(graph_.one(), coefficient));
  }

  bool all_unknown(SymbolId symbol) const { return used_in_.contains(symbol); }

  void consider(std::size_t equation) {
    if (!done_[equation] && contains_[equation].size() == 1) ready_.insert(equation);
  }

  bool solve_next() {
    while (!ready_.empty()) {
      const std::size_t equation = *ready_.begin();
      ready_.erase(ready_.begin());
      if (done_[equation] || contains_[equation].size() != 1) continue;
      const SymbolId unknown = *contains_[equation].begin();
      const auto value = solved_for(equations_[equation], unknown);
      if (!value) continue;  // stays a residual
      done_[equation] = true;
      result_.solved.push_back({unknown, *value});
      in_tears_[unknown] = graph_.substitute(*value, in_tears_);
      close(unknown);
      return true;
    }
    return false;
  }

  void close(SymbolId unknown) {
    open_.erase(unknown);
    for (const std::size_t equation : used_in_.at(unknown)) {
      contains_[equation].erase(unknown);
      consider(equation);
    }
  }

  /// Preferred unknowns first, then the one in most open equations; ties by id.
  SymbolId choose_tear() const {
    SymbolId best{};
    long best_score = -1;
    for (const SymbolId symbol : open_) {
      long score = preferred_.contains(symbol) ? 1'000'000 : 0;
      for (const std::size_t equation : used_in_.at(symbol)) score += done_[equation] ? 0 : 1;
      if (score > best_score) best = symbol, best_score = score;
    }
    return best;
  }

  Graph& graph_;
  const std::vector<Equation>& equations_;
  std::set<SymbolId> open_;
  const std::unordered_set<SymbolId>& preferred_;
  const SymbolMap<double>* divisors_;
  std::vector<bool> done_;
  std::vector<std::set<SymbolId>> contains_;  // per equation: unknowns still open
  std::map<SymbolId, std::vector<std::size_t>> used_in_;
  std::set<std::size_t> ready_;
  std::unordered_map<SymbolId, Expr> in_tears_;  // solved unknowns over tears
  TornBlock result_;
};

}  // namespace

TornBlock tear(Graph& graph, const EquationBlock& block,
               const std::unordered_set<SymbolId>& preferred, const SymbolMap<double>* divisors) {
  return Tearer(graph, block, preferred, divisors).run();
}

}  // namespace takt::codegen
