#include "codegen/reference/lower_index.hpp"

#include <algorithm>
#include <cmath>
#include <random>

#include "codegen/expr/index_offsets.hpp"
#include "codegen/reference/independent_columns.hpp"

namespace takt::codegen {
namespace {

/// Values at the start, as far as they are known before it is solved; else something generic.
class StartPoint {
 public:
  StartPoint(const Network& network, const FlatSystem& flat)
      : graph_(network.graph()), flat_(flat) {
    for (const Parameter& parameter : network.parameters)
      values_[parameter.symbol] = parameter.value;
    for (const PlantInput& input : network.inputs) values_[input.symbol] = input.start;
    values_[network.time] = 0.0;
  }

  double operator()(SymbolId symbol) {
    if (const auto known = values_.find(symbol); known != values_.end()) return known->second;
    std::minstd_rand random(static_cast<std::uint32_t>(symbol) + 1);
    random.discard(3);
    values_[symbol] =
        0.5 + static_cast<double>(random()) / static_cast<double>(std::minstd_rand::max());
    const auto guess = flat_.guesses.find(symbol);
    if (guess == flat_.guesses.end()) return values_[symbol];
    const double value =
        graph_.evaluate(guess->second, [this](SymbolId inner) { return (*this)(inner); });
    return values_[symbol] = value;
  }

 private:
  const Graph& graph_;
  const FlatSystem& flat_;
  std::unordered_map<SymbolId, double> values_;
};

class Reduction {
 public:
  Reduction(const Network& network, FlatSystem& flat)
      : network_(network), graph_(network.graph()), flat_(flat), start_(network, flat) {}

  void run() {
    for (const SymbolId unknown : flat_.unknowns) place_.emplace(unknown, place_.size());
    const auto offsets = index_offsets(signature());
    if (!offsets || std::all_of(offsets->equations.begin(), offsets->equations.end(),
                                [](int c) { return c == 0; }))
      return;
    offsets_ = *offsets;
    find_tied();
    const auto given = as_given();
    if (!given) return;
    name_derivatives();
    starts_ = starts_of(*given);
    differentiate();
    integrate();
  }

 private:
  /// Order of derivative of an unknown.
  struct Derivative {
    std::size_t unknown = 0;
    int order = 0;
  };

  Signature signature() {
    Signature all;
    for (const FlatRow& row : flat_.rows) {
      auto& own = all.emplace_back();
      if (row.rate_of) own.emplace_back(place_.at(*row.rate_of), 1);
      for (const SymbolId symbol : graph_.symbols_of(row.value))
        if (const auto found = place_.find(symbol); found != place_.end() && symbol != row.rate_of)
          own.emplace_back(found->second, 0);
    }
    return all;
  }

  [[nodiscard]] int times(std::size_t row) const { return offsets_.equations[row]; }
  [[nodiscard]] int highest(std::size_t unknown) const { return offsets_.variables[unknown]; }

  /// Unknowns whose derivatives constraints name. The rates of the others stay as they are.
  void find_tied() {
    tied_.assign(flat_.unknowns.size(), false);
    for (std::size_t row = 0; row < flat_.rows.size(); ++row) {
      if (times(row) == 0) continue;
      for (const SymbolId symbol : graph_.symbols_of(flat_.rows[row].value))
        if (const auto found = place_.find(symbol); found != place_.end())
          tied_[found->second] = highest(found->second) > 0;
      if (flat_.rows[row].rate_of) tied_[place_.at(*flat_.rows[row].rate_of)] = true;
    }
  }

  // --- which states begin as they are given
  /// In stages, from the highest derivatives down, as dummy derivatives are chosen (S. E. Mattsson,
  /// G. Soederlind, SIAM J. Sci. Comput. 14 (1993)); nothing where the constraints do not determine
  /// what they tie.
  std::optional<std::vector<Derivative>> as_given() {
    std::vector<std::size_t> candidates;
    for (std::size_t unknown = 0; unknown < tied_.size(); ++unknown)
      if (tied_[unknown]) candidates.push_back(unknown);
    std::vector<int> dependent(
        tied_.size(), 0);  // by unknown: how many of its derivatives, from the highest down
    for (int stage = 1; !candidates.empty(); ++stage) {
      std::vector<std::size_t> rows;
      for (std::size_t row = 0; row < flat_.rows.size(); ++row)
        if (times(row) >= stage) rows.push_back(row);
      std::erase_if(candidates, [&](std::size_t unknown) { return highest(unknown) < stage; });
      order_by_wish(candidates, stage);
      const auto columns = first_independent(slopes(rows, candidates), rows.size());
      if (!columns) return std::nullopt;
      std::vector<std::size_t> next;
      for (const std::size_t column : *columns)
        next.push_back(candidates[column]), ++dependent[candidates[column]];
      candidates = std::move(next);
    }
    std::vector<Derivative> free;
    for (std::size_t unknown = 0; unknown < tied_.size(); ++unknown)
      for (int order = 0; tied_[unknown] && order < highest(unknown) - dependent[unknown]; ++order)
        free.push_back({unknown, order});
    return free;
  }

  /// What is to depend first. Of what is wished for alike the first written one stays.
  void order_by_wish(std::vector<std::size_t>& candidates, int stage) {
    const std::unordered_map<SymbolId, std::pair<int, int>> wishes = start_wishes();
    const auto wish = [&](std::size_t unknown) {
      const auto found = wishes.find(flat_.unknowns[unknown]);
      return highest(unknown) == stage && found != wishes.end() ? found->second : std::pair(0, 0);
    };
    std::stable_sort(candidates.begin(), candidates.end(),
                     [&](std::size_t a, std::size_t b) { return wish(a) < wish(b); });
  }

  /// The larger, the rather a state begins as it is given.
  [[nodiscard]] std::unordered_map<SymbolId, std::pair<int, int>> start_wishes() const {
    std::unordered_map<SymbolId, std::pair<int, int>> wishes;
    int written = 0;
    for (const ElementState& state : network_.states)
      wishes[state.symbol] = {state.held ? 5 : 1, --written};
    for (const Branch& branch : network_.branches)
      if (branch.stored) wishes[*branch.stored] = {branch.started() ? 3 : 2, --written};
    for (const StateEvent& event : network_.events)
      for (const StateEvent::Set& set : event.sets)
        if (const auto found = wishes.find(set.symbol); found != wishes.end())
          found->second.first = std::max(found->second.first, 4);
    return wishes;
  }

  /// Of the highest derivatives of rows by those of unknowns at the start, a column for each
  /// unknown.
  std::vector<std::vector<double>> slopes(const std::vector<std::size_t>& rows,
                                          const std::vector<std::size_t>& unknowns) {
    std::vector<std::vector<double>> columns;
    for (const std::size_t unknown : unknowns) {
      auto& column = columns.emplace_back();
      for (const std::size_t row : rows) column.push_back(slope(row, unknown));
    }
    return columns;
  }

  double slope(std::size_t row, std::size_t unknown) {
    const FlatRow& of = flat_.rows[row];
    const SymbolId symbol = flat_.unknowns[unknown];
    const int order = highest(unknown) - times(row);
    if (of.rate_of == symbol) return order == 1 ? -1.0 : 0.0;
    if (order != 0 || !graph_.depends_on(of.value, symbol)) return 0.0;
    return graph_.evaluate(graph_.differentiate(of.value, symbol),
                           [this](SymbolId inner) { return start_(inner); });
  }

  // --- the new system
  /// x, x.der, x.der.der ...
  void name_derivatives() {
    std::unordered_set<SymbolId> taken(flat_.unknowns.begin(), flat_.unknowns.end());
    for (const FlatVariable& variable : flat_.variables) taken.insert(variable.symbol);
    const std::size_t before = flat_.unknowns.size();
    for (std::size_t unknown = 0; unknown < before; ++unknown) {
      auto& own = derivatives_.emplace_back(1, flat_.unknowns[unknown]);
      for (int order = 1; tied_[unknown] && order <= highest(unknown); ++order) {
        const Symbol of = graph_.symbol(own.back());
        std::string path = of.path + ".der";
        while (taken.contains(graph_.find_or_make_symbol(path, of.unit + "/s"))) path += "'";
        own.push_back(graph_.find_or_make_symbol(path, of.unit + "/s"));
        flat_.unknowns.push_back(own.back());
      }
      for (std::size_t order = 0; order + 1 < own.size(); ++order)
        rate_of_[own[order]] = own[order + 1];
    }
  }

  std::vector<Expr> starts_of(const std::vector<Derivative>& given) {
    std::unordered_map<SymbolId, Expr> own;
    for (std::size_t row = 0; row < flat_.rows.size(); ++row)
      if (flat_.rows[row].rate_of) own[*flat_.rows[row].rate_of] = flat_.start_rows[row];
    std::vector<Expr> starts;
    for (const auto& [unknown, order] : given) {
      const SymbolId symbol = derivatives_[unknown][static_cast<std::size_t>(order)];
      const auto guess = flat_.guesses.find(symbol);
      const Expr value = guess == flat_.guesses.end() ? graph_.zero() : guess->second;
      starts.push_back(own.contains(symbol) ? own.at(symbol)
                                            : graph_.sub(graph_.use(symbol), value));
    }
    return starts;
  }

  /// Rates of what is tied become unknowns. At the start all derivatives of a row hold.
  void differentiate() {
    constexpr double settles = 100.0;  // times within a run
    const double run_s =
        static_cast<double>(network_.default_duration_ns.value_or(1'000'000'000)) / 1e9;
    const Expr damping = graph_.constant(settles / run_s);
    for (std::size_t row = 0; row < flat_.rows.size(); ++row) {
      FlatRow& own = flat_.rows[row];
      if (own.rate_of && tied_[place_.at(*own.rate_of)]) {
        own.value = graph_.sub(own.value, graph_.use(rate_of_.at(*own.rate_of)));
        own.rate_of.reset();
        flat_.start_rows[row] = own.value;
      }
      for (int k = 0; k < times(row); ++k) {
        constraints_.push_back(flat_.start_rows[row]);
        flat_.start_rows[row] = rate(flat_.start_rows[row]);
        own.value = graph_.add(rate(own.value), graph_.mul(damping, own.value));
      }
    }
  }

  Expr rate(Expr value) {
    Expr sum = graph_.zero();
    for (const SymbolId symbol : graph_.symbols_of(value)) {
      const auto changes = rate_of_.find(symbol);
      if (symbol != network_.time && changes == rate_of_.end()) continue;
      const Expr slope = graph_.differentiate(value, symbol);
      sum = graph_.add(
          sum, symbol == network_.time ? slope : graph_.mul(slope, graph_.use(changes->second)));
    }
    return sum;
  }

  /// The first of them begin by a constraint each, the others as they are given.
  void integrate() {
    std::size_t next = 0;
    for (const auto& own : derivatives_)
      for (std::size_t order = 0; order + 1 < own.size(); ++order, ++next) {
        const bool constrained = next < constraints_.size();
        if (constrained) flat_.constrained_starts.insert(flat_.rows.size());
        flat_.rows.push_back({graph_.use(own[order + 1]), own[order], {}});
        flat_.start_rows.push_back(constrained ? constraints_[next]
                                               : starts_[next - constraints_.size()]);
      }
  }

  const Network& network_;
  Graph& graph_;
  FlatSystem& flat_;
  StartPoint start_;
  std::unordered_map<SymbolId, std::size_t> place_;
  IndexOffsets offsets_;
  std::vector<bool> tied_;                          // by unknown
  std::vector<std::vector<SymbolId>> derivatives_;  // by unknown: itself, its derivative, ...
  std::unordered_map<SymbolId, SymbolId> rate_of_;
  std::vector<Expr> constraints_, starts_;  // rows of the start, as many as what is integrated
};

}  // namespace

void lower_index(const Network& network, FlatSystem& flat) { Reduction(network, flat).run(); }

}  // namespace takt::codegen
