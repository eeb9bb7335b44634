#include "codegen/expr/index_offsets.hpp"

#include <algorithm>
#include <functional>
#include <limits>
#include <queue>
#include <utility>

namespace takt::codegen {
namespace {

constexpr std::size_t unassigned = std::numeric_limits<std::size_t>::max();

/// An assignment of the largest sum of orders, by shortest augmenting paths: equation after
/// equation.
class LargestAssignment {
 public:
  explicit LargestAssignment(const Signature& signature)
      : signature_(signature),
        row_price_(signature.size(), 0),
        column_price_(signature.size(), 0),
        row_of_(signature.size(), unassigned),
        from_(signature.size(), unassigned) {
    for (const auto& row : signature)
      for (const auto& [column, order] : row) most_ = std::max(most_, order);
  }

  /// Of each column; nothing where there is unassigned.
  std::optional<std::vector<std::size_t>> rows_of_columns() {
    for (std::size_t row = 0; row < signature_.size(); ++row)
      if (!augment(row)) return std::nullopt;
    return row_of_;
  }

 private:
  static constexpr int far = std::numeric_limits<int>::max();
  using Place = std::pair<int, std::size_t>;  // distance, column

  /// Dijkstra's algorithm over columns; prices keep the lengths of edges from being negative.
  bool augment(std::size_t first) {
    distance_.assign(signature_.size(), far);
    std::vector<std::size_t> passed;
    std::priority_queue<Place, std::vector<Place>, std::greater<>> open;
    const auto look = [&](std::size_t row, int so_far) {
      for (const auto& [column, order] : signature_[row]) {
        const int length = so_far + most_ - order - row_price_[row] - column_price_[column];
        if (length >= distance_[column]) continue;
        distance_[column] = length, from_[column] = row;
        open.emplace(length, column);
      }
    };
    look(first, 0);
    while (!open.empty()) {
      const auto [length, column] = open.top();
      open.pop();
      if (length > distance_[column]) continue;
      if (row_of_[column] == unassigned) {
        settle(first, length, passed);
        turn(column, first);
        return true;
      }
      passed.push_back(column);
      look(row_of_[column], length);
    }
    return false;
  }

  void settle(std::size_t first, int length, const std::vector<std::size_t>& passed) {
    row_price_[first] += length;
    for (const std::size_t column : passed) {
      const int gain = length - distance_[column];
      row_price_[row_of_[column]] += gain;
      column_price_[column] -= gain;
    }
  }

  void turn(std::size_t column, std::size_t first) {
    for (std::size_t row = unassigned; row != first;) {
      row = from_[column];
      const auto own = std::find(row_of_.begin(), row_of_.end(), row);
      row_of_[column] = row;
      if (row != first) column = static_cast<std::size_t>(own - row_of_.begin());
    }
  }

  const Signature& signature_;
  int most_ = 0;
  std::vector<int> row_price_, column_price_, distance_;
  std::vector<std::size_t> row_of_, from_;  // by column
};

}  // namespace

std::optional<IndexOffsets> index_offsets(const Signature& signature, std::vector<int> at_least) {
  const auto row_of = LargestAssignment(signature).rows_of_columns();
  if (!row_of) return std::nullopt;
  at_least.resize(signature.size(), 0);
  IndexOffsets offsets{std::vector<int>(signature.size(), 0), std::move(at_least)};
  for (bool moves = true; moves;) {
    moves = false;
    for (std::size_t row = 0; row < signature.size(); ++row)
      for (const auto& [column, order] : signature[row])
        offsets.variables[column] =
            std::max(offsets.variables[column], order + offsets.equations[row]);
    for (std::size_t row = 0; row < signature.size(); ++row)
      for (const auto& [column, order] : signature[row]) {
        if ((*row_of)[column] != row || offsets.variables[column] - order == offsets.equations[row])
          continue;
        offsets.equations[row] = offsets.variables[column] - order;
        moves = true;
      }
  }
  return offsets;
}

}  // namespace takt::codegen
