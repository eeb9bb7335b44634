#include "runtime/start/differences.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <iterator>

namespace takt::start {
namespace {

constexpr std::size_t few = 100;      // states
constexpr double worth = 0.25;        // groups per state
constexpr double unexplained = 1e-3;  // of what all states do to a rate
constexpr double rounding = 1e-14;    // of the same
constexpr double most_larger = 1e8;   // of steps
constexpr double clearly = 1e4;       // times the noise

/// Of one rate: what states are known to do to it in all groups, and what others have done.
struct Seen {
  double known = 0.0, unknown = 0.0;
  bool is_known = false;  ///< in the group that steps
};

}  // namespace

SparseMatrix Differences::one_by_one(const std::vector<double>& z, std::span<const std::size_t> index,
                                     std::span<const double> steps) {
  know(index);
  SparseMatrix change;
  for (std::size_t column = 0; column < index_.size(); ++column) {
    const std::vector<double> answer = rates_.answer(z, index_[column], steps[column]);
    for (std::size_t row = 0; row < index_.size(); ++row)
      if (answer[index_[row]] != 0.0) change.add(row, answer[index_[row]]);
    change.end_column();
  }
  learn(change);
  return change;
}

SparseMatrix Differences::together(const std::vector<double>& z, std::span<const std::size_t> index,
                                   std::span<const double> steps) {
  know(index);
  SparseMatrix change;
  if (!groups_.empty() && by_groups(z, steps, change) && explains(z, steps, change)) return change;
  return are_dear() ? one_sided(z, steps) : one_by_one(z, index, steps);
}

/// Twice F(z + step) - F(z): half as dear, and good to a first-order part of the step.
SparseMatrix Differences::one_sided(const std::vector<double>& z, std::span<const double> steps) {
  const std::vector<double> here = rates_.at(z);
  std::vector<double> moved = z;
  SparseMatrix change;
  rates_.keep();
  for (std::size_t column = 0; column < index_.size(); ++column) {
    moved[index_[column]] += steps[column];
    std::vector<double> answer = rates_.at(moved);
    moved[index_[column]] = z[index_[column]];
    rates_.go_back();
    for (std::size_t i = 0; i < answer.size(); ++i) answer[i] = 2.0 * (answer[i] - here[i]);
    if (!std::ranges::all_of(answer, [](double value) { return std::isfinite(value); }))
      answer = rates_.answer(z, index_[column], steps[column]);
    for (std::size_t row = 0; row < index_.size(); ++row)
      if (answer[index_[row]] != 0.0) change.add(row, answer[index_[row]]);
    change.end_column();
  }
  return change;
}

SparseMatrix Differences::above_noise(const std::vector<double>& z, const SparseMatrix& change,
                                      std::span<const double> steps, std::span<const double> noise) {
  SparseMatrix clear;
  std::vector<double> step(z.size(), 0.0);
  for (std::size_t column = 0; column < index_.size(); ++column) {
    std::vector<double> best(index_.size(), 0.0);
    for (std::size_t k = change.start[column]; k < change.start[column + 1]; ++k) best[change.row[k]] = change.value[k];
    const auto doubtful = [&] {
      for (std::size_t row = 0; row < best.size(); ++row)
        if (best[row] != 0.0 && std::fabs(best[row]) <= clearly * noise[row]) return true;
      return false;
    };
    for (double larger = 1e2; larger <= most_larger && doubtful(); larger *= 1e2) {
      step[index_[column]] = larger * steps[column];
      const std::vector<double> answer = rates_.difference(z, step);
      if (!std::ranges::all_of(answer, [](double value) { return std::isfinite(value); })) break;
      for (std::size_t row = 0; row < best.size(); ++row) best[row] = answer[index_[row]];
    }
    step[index_[column]] = 0.0;
    for (std::size_t row = 0; row < best.size(); ++row)
      if (best[row] != 0.0) clear.add(row, best[row]);
    clear.end_column();
  }
  return clear;
}

bool Differences::are_dear() const { return known_ && groups_.empty() && index_.size() > few; }

/// What is known is of these states only.
void Differences::know(std::span<const std::size_t> index) {
  if (std::ranges::equal(index, index_)) return;
  index_.assign(index.begin(), index.end());
  acts_on_.assign(index.size(), {});
  known_ = false;
  groups_.clear();
}

/// @return false  a group leaves the domain of a function, or acts on more than is known
bool Differences::by_groups(const std::vector<double>& z, std::span<const double> steps, SparseMatrix& change) {
  std::vector<std::vector<double>> of_column(index_.size());
  std::vector<double> step(z.size());
  std::vector<Seen> seen(index_.size());
  for (const Rows& group : groups_) {
    std::ranges::fill(step, 0.0);
    for (const std::uint32_t column : group) step[index_[column]] = steps[column];
    const std::vector<double> answer = rates_.difference(z, step);
    for (Seen& of_row : seen) of_row.is_known = false;
    for (const std::uint32_t column : group)
      for (const std::uint32_t row : acts_on_[column]) {
        of_column[column].push_back(answer[index_[row]]);
        seen[row].is_known = true;
      }
    for (std::size_t row = 0; row < index_.size(); ++row) {
      double& part = seen[row].is_known ? seen[row].known : seen[row].unknown;
      part += std::fabs(answer[index_[row]]);
    }
  }
  for (const Seen& of_row : seen)
    if (!std::isfinite(of_row.known) || !(of_row.unknown <= rounding * of_row.known)) return false;
  for (std::size_t column = 0; column < index_.size(); ++column) {
    for (std::size_t k = 0; k < acts_on_[column].size(); ++k) change.add(acts_on_[column][k], of_column[column][k]);
    change.end_column();
  }
  return true;
}

/// All states step at once, some up and some down: what the rates do then is the sum of the columns, where none has
/// been taken for another's.
bool Differences::explains(const std::vector<double>& z, std::span<const double> steps, const SparseMatrix& change) {
  std::vector<double> step(z.size(), 0.0), expected(index_.size(), 0.0), most(index_.size(), 0.0);
  std::uint64_t dice = 1;
  for (std::size_t column = 0; column < index_.size(); ++column) {
    dice = dice * 6364136223846793005U + 1442695040888963407U;  // D. E. Knuth's
    const double sign = (dice >> 63U) != 0U ? 1.0 : -1.0;
    step[index_[column]] = sign * steps[column];
    for (std::size_t k = change.start[column]; k < change.start[column + 1]; ++k) {
      expected[change.row[k]] += sign * change.value[k];
      most[change.row[k]] += std::fabs(change.value[k]);
    }
  }
  const std::vector<double> answer = rates_.difference(z, step);
  for (std::size_t row = 0; row < index_.size(); ++row)
    if (!(std::fabs(answer[index_[row]] - expected[row]) <= unexplained * most[row])) return false;
  return true;
}

void Differences::learn(const SparseMatrix& change) {
  std::vector<double> total(index_.size(), 0.0);
  for (std::size_t k = 0; k < change.entries(); ++k) total[change.row[k]] += std::fabs(change.value[k]);
  std::size_t entries = 0;
  for (std::size_t column = 0; column < index_.size(); ++column) {
    Rows seen, all;
    for (std::size_t k = change.start[column]; k < change.start[column + 1]; ++k)
      if (!(std::fabs(change.value[k]) <= rounding * total[change.row[k]])) seen.push_back(change.row[k]);
    std::ranges::set_union(acts_on_[column], seen, std::back_inserter(all));
    acts_on_[column] = std::move(all);
    entries += acts_on_[column].size();
  }
  known_ = true;
  groups_.clear();
  if (is_sparse(index_.size(), entries)) form_groups();
}

/// Each column joins the first group none of whose columns acts on a rate that it acts on.
void Differences::form_groups() {
  std::vector<std::vector<std::size_t>> groups_of_row(index_.size());
  std::vector<std::size_t> closed_to;  // by group: 1 + the column that must not join it
  for (std::size_t column = 0; column < index_.size(); ++column) {
    for (const std::uint32_t row : acts_on_[column])
      for (const std::size_t group : groups_of_row[row]) closed_to[group] = column + 1;
    const auto open = std::ranges::find_if(closed_to, [&](std::size_t closed) { return closed != column + 1; });
    const auto group = static_cast<std::size_t>(open - closed_to.begin());
    if (group == groups_.size()) closed_to.push_back(0), groups_.emplace_back();
    groups_[group].push_back(static_cast<std::uint32_t>(column));
    for (const std::uint32_t row : acts_on_[column]) groups_of_row[row].push_back(group);
  }
  if (static_cast<double>(groups_.size()) > worth * static_cast<double>(index_.size())) groups_.clear();
}

}  // namespace takt::start
