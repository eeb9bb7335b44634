#include "codegen/emit/sparse_elimination.hpp"

#include <map>

namespace takt::codegen {
namespace {

class Elimination {
 public:
  Elimination(std::size_t size, std::vector<SparseElimination::Entry> entries)
      : rows_(size), columns_(size), done_(size, false) {
    result_.entries = std::move(entries);
    for (std::size_t k = 0; k < result_.entries.size(); ++k) link(k);
    for (std::size_t k = 0; k < size; ++k) (void)entry(k, k);
  }

  SparseElimination run() {
    for (std::size_t step = 0; step < rows_.size(); ++step) pivot(cheapest());
    return std::move(result_);
  }

 private:
  void link(std::size_t k) {
    const auto [row, column] = result_.entries[k];
    rows_[row].emplace(column, k);
    columns_[column].emplace(row, k);
  }

  std::size_t entry(std::size_t row, std::size_t column) {
    if (const auto found = rows_[row].find(column); found != rows_[row].end()) return found->second;
    result_.entries.push_back({row, column});
    link(result_.entries.size() - 1);
    return result_.entries.size() - 1;
  }

  [[nodiscard]] std::size_t open(const std::map<std::size_t, std::size_t>& line) const {
    std::size_t count = 0;
    for (const auto& [other, k] : line) count += done_[other] ? 0u : 1u;
    return count;
  }

  [[nodiscard]] std::size_t cheapest() const {
    std::size_t best = rows_.size(), least = 0;
    for (std::size_t k = 0; k < rows_.size(); ++k) {
      if (done_[k]) continue;
      const std::size_t cost = (open(rows_[k]) - 1) * (open(columns_[k]) - 1);
      if (best == rows_.size() || cost < least) best = k, least = cost;
    }
    return best;
  }

  void pivot(std::size_t k) {
    SparseElimination::Pivot pivot{
        .row = k, .diagonal = entry(k, k), .lower = {}, .upper = {}, .updates = {}};
    done_[k] = true;
    for (const auto& [row, place] : columns_[k])
      if (!done_[row]) pivot.lower.emplace_back(place, row);
    for (const auto& [column, place] : rows_[k])
      if (!done_[column]) pivot.upper.emplace_back(place, column);
    for (const auto& [lower, row] : pivot.lower)
      for (const auto& [upper, column] : pivot.upper)
        pivot.updates.push_back({entry(row, column), lower, upper});
    result_.operations +=
        2 * pivot.updates.size() + 3 * pivot.lower.size() + 2 * pivot.upper.size() + 2;
    result_.pivots.push_back(std::move(pivot));
  }

  SparseElimination result_;
  std::vector<std::map<std::size_t, std::size_t>> rows_, columns_;  // by the other index: entry
  std::vector<bool> done_;
};

}  // namespace

SparseElimination eliminate(std::size_t size, std::vector<SparseElimination::Entry> entries) {
  return Elimination(size, std::move(entries)).run();
}

}  // namespace takt::codegen
