#include "runtime/start/sparse.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

// An FMU's sources are compiled without our settings, where Eigen may stand in a folder of its own.
#if __has_include(<Eigen/OrderingMethods>)
#include <Eigen/OrderingMethods>
#include <Eigen/SparseCore>
#elif __has_include(<eigen3/Eigen/OrderingMethods>)
#include <eigen3/Eigen/OrderingMethods>
#include <eigen3/Eigen/SparseCore>
#else
#error "the headers of Eigen 3.4 are needed (Debian: apt install libeigen3-dev)"
#endif

namespace takt::start {
namespace {

constexpr double diagonal_share = 0.1;  // of the largest of its column: then the diagonal is taken, it fills in less

/// Columns so that elimination fills in little, whatever pivots it takes.
std::vector<std::uint32_t> column_order(const SparseMatrix& a) {
  const auto n = static_cast<int>(a.size());
  std::vector<Eigen::Triplet<double, int>> entries;
  entries.reserve(a.entries());
  for (int column = 0; column < n; ++column)
    for (std::size_t k = a.start[static_cast<std::size_t>(column)]; k < a.start[static_cast<std::size_t>(column) + 1];
         ++k)
      entries.emplace_back(static_cast<int>(a.row[k]), column, 1.0);
  Eigen::SparseMatrix<double, Eigen::ColMajor, int> pattern(n, n);
  pattern.setFromTriplets(entries.begin(), entries.end());
  pattern.makeCompressed();
  Eigen::PermutationMatrix<Eigen::Dynamic, Eigen::Dynamic, int> place;
  Eigen::COLAMDOrdering<int>()(pattern, place);
  std::vector<std::uint32_t> order(a.size());
  for (int column = 0; column < n; ++column)
    order[static_cast<std::size_t>(place.indices()[column])] = static_cast<std::uint32_t>(column);
  return order;
}

}  // namespace

Matrix SparseMatrix::dense() const {
  Matrix matrix(size());
  for (std::size_t column = 0; column < size(); ++column)
    for (std::size_t k = start[column]; k < start[column + 1]; ++k) matrix[row[k]][column] = value[k];
  return matrix;
}

bool is_sparse(std::size_t size, std::size_t entries) {
  constexpr std::size_t small = 100;
  constexpr double full = 0.05;
  return size > small && static_cast<double>(entries) < full * static_cast<double>(size) * static_cast<double>(size);
}

/// Of the column being eliminated.
struct SparseFactorisation::Work {
  std::vector<double> x;              ///< by row
  std::vector<char> seen;             ///< by row
  std::vector<std::uint32_t> places;  ///< of pivots it meets, those that act on others first from the end on
  std::vector<std::uint32_t> below;   ///< rows without pivot
  std::vector<std::pair<std::uint32_t, std::size_t>> stack;
};

SparseFactorisation::SparseFactorisation(const SparseMatrix& a, double tolerance)
    : tolerance_(tolerance), row_place_(a.size(), none) {
  Work work{std::vector<double>(a.size(), 0.0), std::vector<char>(a.size(), 0), {}, {}, {}};
  for (const std::uint32_t column : column_order(a)) eliminate(a, column, work);
}

/// Rows that get an entry: those of the column, and what pivots among them reach, depth first.
void SparseFactorisation::reach(const SparseMatrix& a, std::uint32_t column, Work& work) const {
  work.places.clear(), work.below.clear();
  const auto meet = [&](std::uint32_t row) {
    if (work.seen[row] != 0) return;
    work.seen[row] = 1;
    if (row_place_[row] == none)
      work.below.push_back(row);
    else
      work.stack.emplace_back(row_place_[row], lower_.start[row_place_[row]]);
  };
  for (std::size_t k = a.start[column]; k < a.start[column + 1]; ++k) {
    meet(a.row[k]);
    while (!work.stack.empty()) {
      auto& [place, at] = work.stack.back();
      if (at == lower_.start[place + 1]) {
        work.places.push_back(place);
        work.stack.pop_back();
      } else {
        meet(lower_.row[at++]);
      }
    }
  }
}

void SparseFactorisation::eliminate(const SparseMatrix& a, std::uint32_t column, Work& work) {
  reach(a, column, work);
  for (std::size_t k = a.start[column]; k < a.start[column + 1]; ++k) work.x[a.row[k]] = a.value[k];
  for (std::size_t k = work.places.size(); k-- > 0;) {
    const std::uint32_t place = work.places[k];
    const double factor = work.x[pivot_row_[place]];
    if (factor == 0.0) continue;
    for (std::size_t at = lower_.start[place]; at < lower_.start[place + 1]; ++at)
      work.x[lower_.row[at]] -= factor * lower_.value[at];
  }
  std::uint32_t pivot = none;
  double most = tolerance_;
  for (const std::uint32_t row : work.below)
    if (std::fabs(work.x[row]) > most) most = std::fabs(work.x[row]), pivot = row;
  const bool has_diagonal = row_place_[column] == none && work.seen[column] != 0;
  if (pivot != none && has_diagonal && std::fabs(work.x[column]) >= diagonal_share * most) pivot = column;
  if (pivot != none && std::isfinite(work.x[pivot])) {
    const double value = work.x[pivot];
    for (const std::uint32_t place : work.places)
      if (const double entry = work.x[pivot_row_[place]]; entry != 0.0)
        upper_.row.push_back(place), upper_.value.push_back(entry);
    for (const std::uint32_t row : work.below)
      if (row != pivot && work.x[row] != 0.0) lower_.row.push_back(row), lower_.value.push_back(work.x[row] / value);
    upper_.start.push_back(upper_.row.size());
    lower_.start.push_back(lower_.row.size());
    row_place_[pivot] = static_cast<std::uint32_t>(pivot_row_.size());
    pivot_row_.push_back(pivot);
    pivot_.push_back(value);
    order_.push_back(column);
  }
  for (const std::uint32_t place : work.places) work.x[pivot_row_[place]] = 0.0, work.seen[pivot_row_[place]] = 0;
  for (const std::uint32_t row : work.below) work.x[row] = 0.0, work.seen[row] = 0;
}

bool SparseFactorisation::is_negative() const {
  bool negative = std::count_if(pivot_.begin(), pivot_.end(), [](double value) { return value < 0.0; }) % 2 != 0;
  std::vector<std::uint32_t> row_of(row_place_.size());  // of the pivot in a column: a permutation
  for (std::size_t place = 0; place < rank(); ++place) row_of[order_[place]] = pivot_row_[place];
  std::vector<char> seen(row_of.size(), 0);
  for (std::uint32_t first = 0; first < row_of.size(); ++first)
    for (std::uint32_t at = first; seen[at] == 0; at = row_of[at]) {
      seen[at] = 1;
      if (row_of[at] != first) negative = !negative;  // a cycle of m: m - 1 exchanges
    }
  return negative;
}

std::vector<double> SparseFactorisation::solve(std::vector<double> right) const {
  for (std::size_t place = 0; place < rank(); ++place) {
    const double factor = right[pivot_row_[place]];
    for (std::size_t at = lower_.start[place]; at < lower_.start[place + 1]; ++at)
      right[lower_.row[at]] -= factor * lower_.value[at];
  }
  std::vector<double> x(right.size());
  for (std::size_t place = rank(); place-- > 0;) {
    const double value = right[pivot_row_[place]] / pivot_[place];
    x[order_[place]] = value;
    for (std::size_t at = upper_.start[place]; at < upper_.start[place + 1]; ++at)
      right[pivot_row_[upper_.row[at]]] -= value * upper_.value[at];
  }
  return x;
}

std::vector<std::vector<double>> SparseFactorisation::left_null_vectors() const {
  std::vector<std::vector<double>> basis;
  for (std::size_t row = 0; row < row_place_.size(); ++row) {
    if (row_place_[row] != none) continue;
    std::vector<double>& c = basis.emplace_back(row_place_.size(), 0.0);
    c[row] = 1.0;
    for (std::size_t place = rank(); place-- > 0;) {  // c^T L = 0, from the last column on
      double sum = 0.0;
      for (std::size_t at = lower_.start[place]; at < lower_.start[place + 1]; ++at)
        sum -= c[lower_.row[at]] * lower_.value[at];
      c[pivot_row_[place]] = sum;
    }
  }
  return basis;
}

std::vector<LeftNullVector> left_null_space(const SparseMatrix& a, double tolerance) {
  double largest = 0.0;
  for (const double value : a.value) largest = std::max(largest, std::fabs(value));
  std::vector<LeftNullVector> basis;
  for (std::vector<double>& c : SparseFactorisation(a, tolerance * largest).left_null_vectors())
    basis.push_back({0, std::move(c)});
  reduce(basis);
  return basis;
}

}  // namespace takt::start
