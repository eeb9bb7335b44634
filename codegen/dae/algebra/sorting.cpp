#include "codegen/dae/algebra/sorting.hpp"

#include <algorithm>
#include <cmath>
#include <functional>

#include "codegen/dae/algebra/cramer.hpp"
#include "codegen/dae/algebra/elimination.hpp"
#include "codegen/dae/algebra/linear_probe.hpp"
#include "codegen/dae/algebra/magnitude.hpp"
#include "codegen/dae/algebra/matching.hpp"
#include "codegen/dae/algebra/network_block.hpp"
#include "codegen/dae/algebra/sorting_findings.hpp"
#include "codegen/dae/algebra/sparse_probe.hpp"
#include "codegen/dae/algebra/tearing.hpp"
#include "codegen/expr/node_memo.hpp"

namespace takt::codegen {

namespace {

/// Unknowns from which on linear blocks are solved over tables: as statements they fill source
/// files.
constexpr std::size_t smallest_table = 100;
/// Operations of one iteration of Newton's method: as statements, more take a compiler minutes and
/// gigabytes.
constexpr std::size_t most_newton_operations = 40000;
/// Undamped, of networks over tables: they end as soon as nothing moves.
constexpr int most_flow_iterations = 40;

class Sorter {
 public:
  Sorter(Graph& graph, const EquationSystem& system, const std::string& circuit,
         Diagnostics& diagnostics)
      : graph_(graph),
        system_(system),
        findings_(graph, circuit, diagnostics),
        late_(system.differentiated.begin(), system.differentiated.end()),
        preferred_(system.preferred_tears.begin(), system.preferred_tears.end()),
        places_(system),
        magnitudes_(graph),
        reads_late_(graph) {
    for (std::size_t k = 0; k < system.unknowns.size(); ++k) index_[system.unknowns[k]] = k;
    build_incidence();
  }

  std::optional<SortedAlgebra> sort() {
    const Matching matching = match(incidence_, system_.unknowns.size());
    if (!matching.complete()) return findings_.singular(system_, matching), std::nullopt;
    for (const std::vector<std::size_t>& block : blocks_in_order(incidence_, matching)) {
      const bool ok =
          block.size() == 1
              ? add_single(block.front(), system_.unknowns[*matching.unknown_of[block.front()]])
              : add_block(block, matching);
      if (!ok) return std::nullopt;
    }
    return std::move(result_);
  }

 private:
  void build_incidence() {
    for (const Equation& equation : system_.equations) {
      std::vector<std::size_t> row;
      if (equation.defines) row.push_back(index_.at(*equation.defines));
      for (const SymbolId symbol : graph_.symbols_of(equation.value))
        if (const auto place = index_.find(symbol);
            place != index_.end() && std::find(row.begin(), row.end(), place->second) == row.end())
          row.push_back(place->second);
      incidence_.push_back(std::move(row));
    }
  }

  /// Steps that need a time derivative of a dependent storage come later, and so does everything
  /// that uses them.
  void add(AlgebraicStep step, const std::vector<SymbolId>& defined, bool late) {
    if (late) late_.insert(defined.begin(), defined.end());
    solved_.insert(defined.begin(), defined.end());
    (late ? result_.late : result_.early).push_back(std::move(step));
  }

  void assign(SymbolId symbol, Expr value) {
    AlgebraicStep step;
    step.assignment = {symbol, value};
    const bool late =
        !late_.empty() &&
        reads_late_.of(
            value, [&](SymbolId read) { return late_.contains(read); }, std::logical_or<>());
    add(std::move(step), {symbol}, late);
  }

  /// @param block  whose equations these residuals are what is left of
  bool add_newton(const std::vector<SymbolId>& unknowns, const std::vector<Expr>& residuals,
                  const EquationBlock& block) {
    LinearSystem newton;
    newton.right = residuals;
    for (const Expr residual : residuals) {
      std::vector<Expr> row;
      for (const SymbolId unknown : unknowns)
        row.push_back(graph_.differentiate(residual, unknown));
      newton.matrix.push_back(std::move(row));
    }
    const auto steps = solution_of(newton, harmless_for_newton);
    if (!steps) return findings_.no_solution({unknowns, block.equations.front().where}), false;
    if (graph_.reachable(steps->solution).size() > most_newton_operations)
      return findings_.too_large(unknowns, block), false;
    AlgebraicStep step;
    step.kind = AlgebraicStep::Kind::newton;
    step.newton.unknowns = unknowns;
    step.newton.residuals = residuals;
    step.newton.steps = steps->solution;
    for (const Expr residual : residuals)
      step.newton.magnitudes.push_back(magnitudes_.of(residual));
    step.newton.exponentials = exponentials_of(residuals, unknowns);
    step.newton.iterations = system_.newton_iterations;
    for (const SymbolId unknown : unknowns) {
      const auto guess = system_.guesses.find(unknown);
      step.newton.guesses.push_back(guess == system_.guesses.end() ? graph_.zero() : guess->second);
    }
    add_block_step(std::move(step));
    return true;
  }

  std::vector<NewtonBlock::Exponential> exponentials_of(const std::vector<Expr>& residuals,
                                                        const std::vector<SymbolId>& unknowns) {
    std::vector<NewtonBlock::Exponential> list;
    for (const Expr e : graph_.reachable(residuals)) {
      const Node node = graph_.node(e);
      if (node.op != Op::exp) continue;
      NewtonBlock::Exponential exponential{node.a, {}};
      bool varies = false;
      for (const SymbolId unknown : unknowns) {
        exponential.slopes.push_back(graph_.differentiate(node.a, unknown));
        varies = varies || !graph_.is_constant(exponential.slopes.back(), 0.0);
      }
      if (varies) list.push_back(std::move(exponential));
    }
    return list;
  }

  /// @param harmless  growth up to which the order of least fill stands
  std::optional<Eliminated> solution_of(const LinearSystem& linear, double harmless) {
    if (!system_.divisors || linear.right.size() > largest_cramer)
      return eliminate(graph_, linear, system_.known, harmless);
    auto solution = solve_by_determinants(graph_, linear);
    return solution ? std::optional(Eliminated{std::move(*solution)}) : std::nullopt;
  }

  /// a/b as a*(1/b): where b hangs on parameters alone, its reciprocal becomes a coefficient.
  Expr divided(Expr a, Expr b) { return graph_.mul(a, graph_.div(graph_.one(), b)); }

  bool add_single(std::size_t index, SymbolId unknown) {
    const Equation& equation = system_.equations[index];
    if (equation.defines == unknown && !graph_.depends_on(equation.value, unknown))
      return assign(unknown, equation.value), true;
    const Expr residual = residual_of(graph_, equation);
    Expr coefficient{}, rest{};
    if (graph_.split_linear(residual, unknown, coefficient, rest) &&
        !graph_.is_constant(coefficient, 0.0))
      return assign(unknown, divided(graph_.neg(rest), coefficient)), true;
    return add_newton({unknown}, {residual}, {{equation}, {unknown}});
  }

  bool add_block(const std::vector<std::size_t>& block, const Matching& matching) {
    std::vector<Equation> equations;
    std::vector<SymbolId> unknowns;
    for (const std::size_t index : block) {
      equations.push_back(system_.equations[index]);
      unknowns.push_back(system_.unknowns[*matching.unknown_of[index]]);
    }
    const std::size_t checked = result_.checks.size();
    check(equations);
    const auto is_open = [&](SymbolId symbol) {
      return index_.contains(symbol) && !solved_.contains(symbol);
    };
    if (auto network = solve_network_block(graph_, places_, {equations, unknowns}, is_open)) {
      if (network->flows) {  // differences and laws hold by being computed
        std::vector<Equation> balances = equations;
        std::erase_if(balances, [](const Equation& equation) { return !equation.balance_of; });
        result_.checks.resize(checked);
        check(balances);
        return add_flows({equations, unknowns}, std::move(*network->flows)), true;
      }
      for (const Assignment& solved : network->assignments) assign(solved.symbol, solved.value);
      return true;
    }
    if (system_.may_use_tables && unknowns.size() >= smallest_table) {
      const Tabled tabled = add_tables({equations, unknowns});
      if (tabled != Tabled::not_linear) return tabled == Tabled::done;
    }
    const TornBlock torn = tear(graph_, {equations, unknowns}, preferred_, system_.divisors);
    const auto linear = as_linear(graph_, torn.residuals, torn.tears);
    if (linear) return add_linear({equations, unknowns}, torn, *linear);
    if (!add_newton(torn.tears, torn.residuals, {equations, unknowns})) return false;
    for (const Assignment& solved : torn.solved) assign(solved.symbol, solved.value);
    return true;
  }

  /// Tearing divides by whatever coefficient comes first. Where that loses digits the block is
  /// solved untorn, all its pivots judged by their sizes; not where an equation serves one unknown
  /// only: that order is not one of sizes.
  bool add_linear(const EquationBlock& block, const TornBlock& torn,
                  const LinearSystem& over_tears) {
    const Sought asked{torn.tears, block.equations.front().where};
    std::vector<Expr> residuals;
    for (const Equation& equation : block.equations)
      residuals.push_back(residual_of(graph_, equation));
    auto best = solution_of(over_tears, harmless_growth);
    std::vector<Assignment> assignments =
        best ? assigned(torn.tears, best->solution) : std::vector<Assignment>{};
    assignments.insert(assignments.end(), torn.solved.begin(), torn.solved.end());
    const double error = best ? probe(graph_, residuals, assignments, system_.known) : HUGE_VAL;
    const bool free_order =
        std::none_of(block.equations.begin(), block.equations.end(),
                     [](const Equation& equation) { return equation.only_for.has_value(); });
    if (error > harmless_error && free_order && !system_.divisors)
      if (const auto whole = as_linear(graph_, residuals, block.unknowns))
        if (auto untorn = solution_of(*whole, harmless_growth)) {
          auto others = assigned(block.unknowns, untorn->solution);
          if (probe(graph_, residuals, others, system_.known) < (best ? error : harmless_error))
            best = std::move(untorn), assignments = std::move(others);
        }
    if (!best) return findings_.no_solution(asked), false;
    if (best->growth > largest_growth) return findings_.growth(asked, best->growth), false;
    for (const Assignment& solved : assignments) assign(solved.symbol, solved.value);
    return true;
  }
  static std::vector<Assignment> assigned(const std::vector<SymbolId>& symbols,
                                          const std::vector<Expr>& values) {
    std::vector<Assignment> list;
    for (std::size_t k = 0; k < symbols.size(); ++k) list.push_back({symbols[k], values[k]});
    return list;
  }

  enum class Tabled : std::uint8_t { done, not_linear, refused };

  /// As it stands, untorn: its equations name few unknowns each.
  Tabled add_tables(const EquationBlock& block) {
    std::unordered_map<SymbolId, std::size_t> column;
    for (std::size_t k = 0; k < block.unknowns.size(); ++k) column.emplace(block.unknowns[k], k);
    LinearTables linear;
    std::vector<Expr> residuals;
    for (std::size_t row = 0; row < block.equations.size(); ++row) {
      Expr rest = residual_of(graph_, block.equations[row]);
      residuals.push_back(rest);
      for (const SymbolId symbol : graph_.symbols_of(rest)) {
        const auto place = column.find(symbol);
        if (place == column.end()) continue;
        Expr coefficient{}, remainder{};
        if (!graph_.split_linear(rest, symbol, coefficient, remainder)) return Tabled::not_linear;
        for (const SymbolId read : graph_.symbols_of(coefficient))
          if (column.contains(read)) return Tabled::not_linear;
        if (!graph_.is_constant(coefficient, 0.0))
          linear.matrix.push_back({row, place->second, coefficient});
        rest = remainder;
      }
      linear.right.push_back(graph_.neg(rest));
    }
    const Sought asked{block.unknowns, block.equations.front().where};
    std::vector<std::optional<std::size_t>> only;
    for (const Equation& equation : block.equations) {
      const auto own = equation.only_for ? column.find(*equation.only_for) : column.end();
      only.push_back(own == column.end() ? std::nullopt : std::optional(own->second));
    }
    if (!choose_pivots(linear, only, asked)) return Tabled::refused;
    add_over_tables(block.unknowns, std::move(residuals), std::move(linear));
    return Tabled::done;
  }

  void add_flows(const EquationBlock& block, FlowTables flows) {
    AlgebraicStep step;
    step.kind = AlgebraicStep::Kind::flows;
    step.newton.unknowns = block.unknowns;
    for (const Equation& equation : block.equations)
      step.newton.residuals.push_back(residual_of(graph_, equation));
    step.newton.iterations = most_flow_iterations;
    step.newton.flows = std::move(flows);
    add_block_step(std::move(step));
  }

  void add_over_tables(const std::vector<SymbolId>& unknowns, std::vector<Expr> residuals,
                       LinearTables linear) {
    AlgebraicStep step;
    step.kind = AlgebraicStep::Kind::linear;
    step.newton.unknowns = unknowns;
    step.newton.residuals = std::move(residuals);
    step.newton.linear = std::move(linear);
    add_block_step(std::move(step));
  }

  /// Its own unknowns, which the residuals read, may become late only now: nothing of this walk is
  /// kept.
  void add_block_step(AlgebraicStep step) {
    const auto symbols = graph_.symbols_of(step.newton.residuals);
    const bool late = std::any_of(symbols.begin(), symbols.end(),
                                  [&](SymbolId symbol) { return late_.contains(symbol); });
    const std::vector<SymbolId> unknowns = step.newton.unknowns;
    add(std::move(step), unknowns, late);
  }

  bool choose_pivots(LinearTables& linear, const std::vector<std::optional<std::size_t>>& only,
                     const Sought& asked) {
    std::vector<Expr> values;
    for (const SparseEntry& entry : linear.matrix) values.push_back(entry.value);
    const std::vector<PointValues> numbers = at_pivot_points(graph_, values, system_.known);
    auto tables = order_pivots(linear.right.size(), linear.matrix, numbers, only);
    if (!tables) return findings_.no_solution(asked), false;
    if (tables->growth > largest_growth) return findings_.growth(asked, tables->growth), false;
    tables->twice = probe(*tables, linear.matrix, numbers) > harmless_once;
    linear.tables = std::move(*tables);
    return true;
  }

  /// Equations solved together are tested while the circuit runs: elimination may lose what a pivot
  /// was too small for.
  void check(const std::vector<Equation>& equations) {
    constexpr std::size_t most = 2000;  // per circuit: code that nobody waits for
    for (const Equation& equation : equations) {
      if (result_.checks.size() >= most) return;
      const Expr residual = residual_of(graph_, equation);
      const std::string unit =
          equation.defines ? graph_.symbol(*equation.defines).unit : unit_of_sum(graph_, residual);
      if (!unit.empty()) result_.checks.push_back({residual, magnitudes_.of(residual), unit});
    }
  }

  Graph& graph_;
  const EquationSystem& system_;
  SortingFindings findings_;
  std::unordered_map<SymbolId, std::size_t> index_;
  Incidence incidence_;
  std::unordered_set<SymbolId> late_, solved_, preferred_;
  NetworkPlaces places_;
  Magnitudes magnitudes_;
  NodeMemo<bool> reads_late_;
  SortedAlgebra result_;
};

}  // namespace

std::optional<SortedAlgebra> sort_equations(Graph& graph, const EquationSystem& system,
                                            const std::string& circuit, Diagnostics& diagnostics) {
  return Sorter(graph, system, circuit, diagnostics).sort();
}

}  // namespace takt::codegen
