#include "tools/fit/verdict.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>
#include <vector>

namespace takt::tools {
namespace {

/// Of the core, by each copy.
double cost_of(const CopiesRun& copies) {
  if (copies.used) return *copies.used / copies.count;
  double sum = 0.0;
  for (const MeasuredRun& run : copies.runs) sum += run.computing;
  return sum / static_cast<double>(copies.runs.size());
}

bool came_to_its_end(const CopiesRun& copies) {
  return !copies.runs.empty() && std::all_of(copies.runs.begin(), copies.runs.end(),
                                             [](const MeasuredRun& run) { return run.failure.empty(); });
}

/// What answers take beyond all that a core computes: waiting for a thread to be woken, or for a core that its host has
/// taken away. Of the copies that waited longest.
class Waiting {
 public:
  Waiting(const CopiesRun& copies, double used) : used_(used) {
    Response worst;
    double windows = 1.0, late = 0.0;
    for (const MeasuredRun& run : copies.runs) {
      worst.p99 = std::max(worst.p99, run.response.p99), worst.p999 = std::max(worst.p999, run.response.p999);
      worst.max = std::max(worst.max, run.response.max);
      windows = std::max(windows, static_cast<double>(run.windows));
      late = std::max(late, static_cast<double>(run.late));
    }
    one_of_all_ = 1.0 / windows;
    std::pair<double, double> known[] = {
        {worst.p99, 1e-2}, {worst.p999, 1e-3}, {worst.max, one_of_all_}, {1.0, late / windows}};
    std::ranges::sort(known);
    for (const auto& [at, part] : known) {
      if (part < one_of_all_) continue;
      const double waited = std::max(0.0, at - used);
      if (!points_.empty() && waited <= points_.back().first) points_.pop_back();
      if (points_.empty() || part < points_.back().second) points_.emplace_back(waited, part);
    }
    // Where even that part did not wait at all, it only bounds those that did.
    if (points_.size() > 2 && points_.front().first == 0.0) points_.erase(points_.begin());
  }

  /// Whether so few of the windows would be late where all copies take this part of the core. What waits is worked off
  /// in what they leave of it: the less that is, the more windows stand in line.
  [[nodiscard]] bool fits(double used, double late) const {
    const double left = 1.0 - used;
    return left > 0.0 && part_beyond(left) * (1.0 - used_) / left <= std::max(late, one_of_all_);
  }

 private:
  /// Of the windows, those that wait longer: their logarithm lies on straight lines between the quantiles, and goes on.
  [[nodiscard]] double part_beyond(double wait) const {
    if (points_.size() < 2) return wait >= points_.front().first ? 0.0 : 1.0;
    std::size_t k = 1;
    while (k + 1 < points_.size() && wait > points_[k].first) ++k;
    const auto [near, more] = points_[k - 1];
    const auto [far, less] = points_[k];
    return std::min(1.0, more * std::pow(less / more, (wait - near) / (far - near)));
  }

  double used_, one_of_all_ = 1.0;
  std::vector<std::pair<double, double>> points_;  // waiting, part of the windows that wait longer
};

}  // namespace

double latest(const Response& response, double late) {
  if (late >= 1e-2) return response.p99;
  return late >= 1e-3 ? response.p999 : response.max;
}

Holding holding(std::span<const MeasuredRun> runs, double late) {
  Holding all;
  double last = 0.0;
  for (const MeasuredRun& run : runs) {
    if (all.failure.empty()) all.failure = run.failure;
    all.late += run.late;
    all.windows += run.windows;
    all.worst_miss_us = std::max(all.worst_miss_us, run.worst_miss_us);
    last = std::max(last, latest(run.response, late));
  }
  all.margin = 1.0 - last;
  all.holds = all.failure.empty() && all.windows > 0 && all.margin >= 0.0 &&
              static_cast<double>(all.late) <= late * static_cast<double>(all.windows);
  return all;
}

HeldCopies held_copies(const Measured& measured, double late) {
  std::map<int, bool> holds;
  for (const auto* series : {&measured.doubled, &measured.between})
    for (const CopiesRun& copies : *series) holds[copies.count] = holding(copies.runs, late).holds;
  HeldCopies found;
  for (const auto& [count, good] : holds) {
    if (!good) {
      found.not_held = count;
      break;
    }
    found.held = count;
  }
  return found;
}

std::optional<int> predicted_copies(const Measured& measured, double late) {
  std::map<int, double> cost;  // of numbers that hold
  const CopiesRun* held = nullptr;
  std::optional<int> fails;
  for (const CopiesRun& copies : measured.doubled) {
    if (!came_to_its_end(copies)) return std::nullopt;
    if (!holding(copies.runs, late).holds) {
      fails = copies.count;
      break;
    }
    cost[copies.count] = cost_of(copies);
    held = &copies;
  }
  if (!fails) return std::nullopt;
  if (cost.empty()) return 0;
  const auto [last, of_each] = *cost.rbegin();
  double growth = 0.0;
  if (cost.size() > 1) {
    const auto before = std::prev(cost.end(), 2);
    growth = std::max(0.0, (of_each - before->second) / (last - before->first));
  }
  const Waiting waiting(*held, last * of_each);
  int count = last;
  while (count + 1 < *fails) {
    const double all = (count + 1) * (of_each + growth * (count + 1 - last));
    if (all > usable_share(measured.board) || !waiting.fits(all, late)) break;
    ++count;
  }
  return count;
}

double usable_share(const Board& board) {
  if (board.rt_runtime_us < 0.0 || board.rt_period_us <= 0.0) return 1.0;
  return std::min(1.0, board.rt_runtime_us / board.rt_period_us);
}

double machine_share(const MeasuredRun& run) {
  std::uint64_t all = 0, machine = 0;
  for (const auto& [cause, count] : run.causes) {
    all += count;
    if (cause != "computed long" && cause != "blocked" && cause != "unexplained") machine += count;
  }
  return all == 0 ? 0.0 : static_cast<double>(machine) / static_cast<double>(all);
}

}  // namespace takt::tools
