#include "tools/fit/verdict.hpp"

#include <algorithm>
#include <map>

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
  double beyond = 0.0;
  std::optional<int> fails;
  for (const CopiesRun& copies : measured.doubled) {
    if (!came_to_its_end(copies)) return std::nullopt;
    const Holding held = holding(copies.runs, late);
    if (!held.holds) {
      fails = copies.count;
      break;
    }
    cost[copies.count] = cost_of(copies);
    beyond = std::max(0.0, 1.0 - held.margin - copies.count * cost[copies.count]);
  }
  if (!fails) return std::nullopt;
  if (cost.empty()) return 0;
  const auto [last, of_each] = *cost.rbegin();
  double growth = 0.0;
  if (cost.size() > 1) {
    const auto before = std::prev(cost.end(), 2);
    growth = std::max(0.0, (of_each - before->second) / (last - before->first));
  }
  int count = last;
  while (count + 1 < *fails) {
    const double all = (count + 1) * (of_each + growth * (count + 1 - last));
    if (all > usable_share(measured.board) || all + beyond > 1.0) break;
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
