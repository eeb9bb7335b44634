#include "codegen/dae/structural/dummy_derivatives.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

namespace takt::codegen {

namespace {

using Column = std::vector<double>;

constexpr double dependent = 1e-9;  ///< of the largest entry: smaller remainders are rounding

/// Adds columns one by one as long as they are independent of those before. Columns of networks
/// have few entries: the zeros are neither kept nor multiplied.
class Independence {
 public:
  explicit Independence(std::size_t rows) : free_(rows, true) {}

  bool add(Column column) {
    double largest = 0.0;
    for (const double entry : column) largest = std::max(largest, std::fabs(entry));
    for (const Reduced& before : basis_) {
      const double factor = column[before.pivot];
      if (factor == 0.0) continue;
      for (const auto& [row, entry] : before.entries) column[row] -= factor * entry;
    }
    std::size_t pivot = column.size();
    double best = dependent * largest;
    for (std::size_t row = 0; row < column.size(); ++row)
      if (free_[row] && std::fabs(column[row]) > best) best = std::fabs(column[row]), pivot = row;
    if (pivot == column.size()) return false;
    Reduced reduced{{}, pivot};
    for (std::size_t row = 0; row < column.size(); ++row)
      if (column[row] != 0.0) reduced.entries.emplace_back(row, column[row] / column[pivot]);
    free_[pivot] = false;
    basis_.push_back(std::move(reduced));
    return true;
  }

 private:
  struct Reduced {
    std::vector<std::pair<std::size_t, double>> entries;  // by row
    std::size_t pivot;
  };
  std::vector<Reduced> basis_;
  std::vector<bool> free_;
};

class Chooser {
 public:
  Chooser(const StructuralResult& result, std::size_t originals,
          const std::function<double(std::size_t, std::size_t)>& entry,
          const std::vector<int>& keep)
      : system_(result.system),
        derived_(result.derived),
        originals_(originals),
        entry_(entry),
        keep_(keep) {
    std::vector<bool> is_derivative(system_.derivative.size(), false);
    for (const auto& derivative : system_.derivative)
      if (derivative) is_derivative[*derivative] = true;
    for (std::size_t variable = 0; variable < is_derivative.size(); ++variable)
      if (!is_derivative[variable]) chains_.push_back(chain(system_.derivative, variable));
    for (std::size_t equation = 0; equation < originals_; ++equation)
      equations_.push_back(chain(derived_, equation));
  }

  /// From the least differentiated constraints to the most: what is a dummy in one stage has its
  /// derivative among the dummies of the next.
  std::optional<DummyChoice> run() {
    std::size_t stages = 0;
    for (const auto& equation : equations_) stages = std::max(stages, equation.size() - 1);
    DummyChoice choice{std::vector<bool>(system_.derivative.size(), false), {}};
    std::vector<bool> chosen(chains_.size(), false);
    for (std::size_t stage = stages; stage > 0; --stage) {
      if (!choose(stage, chosen)) return std::nullopt;
      for (std::size_t k = 0; k < chains_.size(); ++k)
        if (chosen[k]) choice.is_dummy[chains_[k][chains_[k].size() - stage]] = true;
    }
    for (const auto& variables : chains_)
      for (std::size_t order = 0; order + 1 < variables.size(); ++order)
        if (!choice.is_dummy[variables[order + 1]]) choice.states.push_back(variables[order]);
    std::sort(choice.states.begin(), choice.states.end());
    return choice;
  }

 private:
  static std::vector<std::size_t> chain(const std::vector<std::optional<std::size_t>>& next,
                                        std::size_t first) {
    std::vector<std::size_t> members{first};
    while (next[members.back()]) members.push_back(*next[members.back()]);
    return members;
  }

  bool choose(std::size_t stage, std::vector<bool>& chosen) {
    std::vector<std::size_t> rows;
    for (std::size_t equation = 0; equation < equations_.size(); ++equation)
      if (equations_[equation].size() > stage) rows.push_back(equations_[equation].back());
    const std::vector<std::size_t> order = candidates(stage, chosen);
    std::vector<Column> columns = partials(rows, order);
    Column scale(rows.size(), 0.0);  // units must not decide
    for (const Column& column : columns)
      for (std::size_t row = 0; row < rows.size(); ++row)
        scale[row] = std::max(scale[row], std::fabs(column[row]));
    Independence independence(rows.size());
    std::size_t found = 0;
    std::vector<bool> now(chains_.size(), false);
    for (std::size_t place = 0; place < order.size() && found < rows.size(); ++place) {
      for (std::size_t row = 0; row < rows.size(); ++row)
        if (scale[row] > 0.0) columns[place][row] /= scale[row];
      if (independence.add(std::move(columns[place]))) now[order[place]] = true, ++found;
    }
    chosen = std::move(now);
    return found == rows.size();
  }

  /// A column for the highest derivative of each of these chains. Only what an equation names is
  /// asked for: a large network has millions of pairs, and differentiating is dear.
  [[nodiscard]] std::vector<Column> partials(const std::vector<std::size_t>& rows,
                                             const std::vector<std::size_t>& order) const {
    std::vector<std::optional<std::size_t>> place(system_.derivative.size());
    for (std::size_t k = 0; k < order.size(); ++k) place[chains_[order[k]].back()] = k;
    std::vector<Column> columns(order.size(), Column(rows.size(), 0.0));
    for (std::size_t row = 0; row < rows.size(); ++row)
      for (const std::size_t variable : system_.equations[rows[row]])
        if (place[variable]) columns[*place[variable]][row] = entry_(rows[row], variable);
    return columns;
  }

  /// Chains that have a derivative in this stage, those to become dummies first: the forced ones,
  /// then what is kept least.
  [[nodiscard]] std::vector<std::size_t> candidates(std::size_t stage,
                                                    const std::vector<bool>& forced) const {
    std::vector<std::size_t> order;
    for (std::size_t k = 0; k < chains_.size(); ++k)
      if (chains_[k].size() > stage) order.push_back(k);
    // A chain that keeps its lower derivative as a state keeps this one too, before any other.
    const auto rank = [&](std::size_t k) {
      const int keep = keep_[chains_[k].front()];
      if (forced[k]) return -1;
      return (chains_[k].size() > stage + 1 || keep >= keep_always ? 1'000'000 : 0) + keep;
    };
    std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
      return rank(a) != rank(b) ? rank(a) < rank(b) : a > b;
    });
    return order;
  }

  const StructuralSystem& system_;
  const std::vector<std::optional<std::size_t>>& derived_;
  std::size_t originals_;
  const std::function<double(std::size_t, std::size_t)>& entry_;
  const std::vector<int>& keep_;
  std::vector<std::vector<std::size_t>>
      chains_;  // variables from the undifferentiated one to the highest derivative
  std::vector<std::vector<std::size_t>> equations_;  // the same of equations
};

}  // namespace

std::optional<DummyChoice> choose_dummies(
    const StructuralResult& result, std::size_t original_equations,
    const std::function<double(std::size_t, std::size_t)>& entry, const std::vector<int>& keep) {
  return Chooser(result, original_equations, entry, keep).run();
}

}  // namespace takt::codegen
