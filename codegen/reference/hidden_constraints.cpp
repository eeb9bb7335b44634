#include "codegen/reference/hidden_constraints.hpp"

#include <set>
#include <unordered_map>

namespace takt::codegen {
namespace {

/// Rows with an index by symbol.
class Rows {
 public:
  explicit Rows(std::vector<LinearRow> rows) : rows_(std::move(rows)) {
    for (std::size_t k = 0; k < rows_.size(); ++k)
      for (const auto& [symbol, coefficient] : rows_[k]) users_[symbol].insert(k);
  }

  /// The shortest row with the symbol that is not taken.
  [[nodiscard]] std::optional<std::size_t> shortest(SymbolId symbol,
                                                    const std::set<std::size_t>& taken) const {
    std::optional<std::size_t> best;
    const auto users = users_.find(symbol);
    if (users == users_.end()) return best;
    for (const std::size_t k : users->second)
      if (!taken.contains(k) && (!best || rows_[k].size() < rows_[*best].size())) best = k;
    return best;
  }

  /// Removes the symbol from all rows but `pivot`.
  void eliminate(SymbolId symbol, std::size_t pivot) {
    const LinearRow source = rows_[pivot];
    const std::set<std::size_t> users = users_.at(symbol);
    for (const std::size_t k : users) {
      if (k == pivot) continue;
      const ExactNumber factor = -(rows_[k].at(symbol) / source.at(symbol));
      for (const auto& [name, coefficient] : source) {
        const auto [place, fresh] = rows_[k].try_emplace(name);
        place->second = name == symbol ? ExactNumber{} : place->second + factor * coefficient;
        if (!place->second.is_zero()) {
          users_[name].insert(k);
        } else {
          rows_[k].erase(place);
          users_[name].erase(k);
        }
      }
    }
  }

  void clear(std::size_t k) {
    for (const auto& [symbol, coefficient] : rows_[k]) users_[symbol].erase(k);
    rows_[k].clear();
  }

  [[nodiscard]] const std::vector<LinearRow>& all() const { return rows_; }

 private:
  std::vector<LinearRow> rows_;
  std::unordered_map<SymbolId, std::set<std::size_t>> users_;
};

}  // namespace

std::vector<LinearRow> combinations_without(std::vector<LinearRow> rows,
                                            const std::vector<SymbolId>& order) {
  Rows work(std::move(rows));
  for (const SymbolId symbol : order) {
    const auto pivot = work.shortest(symbol, {});
    if (!pivot) continue;
    work.eliminate(symbol, *pivot);
    work.clear(*pivot);
  }
  std::vector<LinearRow> left;
  for (const LinearRow& row : work.all())
    if (!row.empty()) left.push_back(row);
  return left;
}

std::vector<PivotedRow> pivoted(std::vector<LinearRow> rows, const std::vector<SymbolId>& order,
                                std::vector<LinearRow>& left) {
  Rows work(std::move(rows));
  std::set<std::size_t> taken;
  std::vector<std::pair<SymbolId, std::size_t>> pivots;
  for (const SymbolId symbol : order) {
    const auto pivot = work.shortest(symbol, taken);
    if (!pivot) continue;
    work.eliminate(symbol, *pivot);
    taken.insert(*pivot);
    pivots.emplace_back(symbol, *pivot);
  }
  std::vector<PivotedRow> result;
  for (const auto& [symbol, k] : pivots) result.push_back({symbol, work.all()[k]});
  for (std::size_t k = 0; k < work.all().size(); ++k)
    if (!taken.contains(k) && !work.all()[k].empty()) left.push_back(work.all()[k]);
  return result;
}

}  // namespace takt::codegen
