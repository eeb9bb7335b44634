#include "runtime/audit/plan_trials.hpp"

#include <time.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <numeric>
#include <stdexcept>
#include <string_view>

#include "runtime/audit/replica.hpp"
#include "runtime/audit/signal_scale.hpp"

namespace takt {
namespace {

constexpr double beside_neighbours =
    1e-2;  // as `takt run --verify` judges: a scale is this part of the largest of its unit
constexpr std::int64_t most_advance_ns = 3'600'000'000'000;

double thread_seconds() {
  timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

struct Watched {
  TrialSignal signal;
  std::size_t offset = 0;
};

std::vector<Watched> recorded(const PlantDescription& plant) {
  std::vector<Watched> all;
  for (const RecordPlan& record : plant.records)
    for (const std::uint32_t index : record.entries) {
      const MemoryEntry& entry = plant.table[index];
      const std::string_view path = entry.path;
      if (entry.role == Role::plant_input || entry.role == Role::input || path.ends_with(".der")) continue;
      const bool twice = std::any_of(all.begin(), all.end(), [&](const Watched& w) { return w.signal.path == path; });
      const char* owner = entry.subsystem < plant.subsystems.size() ? plant.subsystems[entry.subsystem].name : "";
      if (!twice) all.push_back({{std::string(path), entry.unit, owner}, entry.offset});
    }
  return all;
}

/// The shortest time that holds whole macro-steps of all plans.
std::int64_t common_advance_ns(std::span<const PlanTimes> plans) {
  std::int64_t advance_ns = 1;
  for (const PlanTimes& times : plans) {
    if (times.period_ns.empty() || times.period_ns.front() <= 0) throw std::invalid_argument("a plan without times");
    advance_ns = std::lcm(advance_ns, times.period_ns.front());
    if (advance_ns > most_advance_ns) throw std::invalid_argument("the outermost times have no common multiple");
  }
  return advance_ns;
}

/// Sums over samples of one signal in one plan.
struct Differences {
  double to_first = 0.0, to_last = 0.0;
  bool finite = true;
};

class Trials {
 public:
  Trials(const PlantDescription& plant, std::span<const PlanTimes> plans, const TrialSettings& settings)
      : plant_(plant), settings_(settings), watched_(recorded(plant)), advance_ns_(common_advance_ns(plans)) {
    const std::int64_t record_ns = plant.records.empty() ? advance_ns_ : plant.records.front().period_ns;
    every_ = static_cast<std::uint64_t>(std::max<std::int64_t>(1, (record_ns + advance_ns_ - 1) / advance_ns_));
    const PlantCopy start{.macro_step = 0, .memory = {plant.memory, plant.memory + plant.memory_size}, .exchanges = {}};
    for (const PlanTimes& times : plans) {
      plants_.push_back(std::make_unique<Replica>(plant, with_times(plant, times, advance_ns_), InputScript{}));
      plants_.back()->load(start);
      plants_.back()->observe();
      sums_.emplace_back(watched_.size());
    }
    extents_.resize(watched_.size());
    result_.plans.resize(plans.size());
  }

  PlanTrials operator()() {
    const auto end =
        static_cast<std::uint64_t>(settings_.duration_s * 1e9 / static_cast<double>(advance_ns_) * (1.0 + 1e-12));
    sample();
    while (plants_.front()->macro_step() < end && spent_s_ < settings_.seconds &&
           (settings_.goes_on == nullptr || settings_.goes_on())) {
      const std::uint64_t until = std::min(end, plants_.front()->macro_step() + every_);
      for (std::size_t k = 0; k < plants_.size(); ++k) advance(k, until);
      sample();
    }
    finish();
    return std::move(result_);
  }

 private:
  void advance(std::size_t plan, std::uint64_t until) {
    Replica& replica = *plants_[plan];
    const double before = thread_seconds();
    while (replica.macro_step() < until) replica.advance();
    replica.observe();
    const double took = thread_seconds() - before;
    result_.plans[plan].compute_s += took;
    spent_s_ += took;
  }

  void sample() {
    for (std::size_t i = 0; i < watched_.size(); ++i) {
      const std::size_t at = watched_[i].offset;
      const double first = plants_.front()->value_at(at), last = plants_.back()->value_at(at);
      extents_[i].add(last);
      for (std::size_t k = 0; k < plants_.size(); ++k) {
        const double value = plants_[k]->value_at(at);
        Differences& sum = sums_[k][i];
        sum.to_first += (value - first) * (value - first);
        sum.to_last += (value - last) * (value - last);
        sum.finite = sum.finite && std::isfinite(value);
      }
    }
    ++result_.samples;
  }

  void finish() {
    result_.covered_s = static_cast<double>(plants_.front()->macro_step()) * static_cast<double>(advance_ns_) * 1e-9;
    LeastScales scales(beside_neighbours);
    for (std::size_t i = 0; i < watched_.size(); ++i) scales.add(watched_[i].signal.unit, extents_[i]);
    for (std::size_t i = 0; i < watched_.size(); ++i) {
      result_.signals.push_back(watched_[i].signal);
      result_.signals.back().scale = scales.scale(watched_[i].signal.unit, extents_[i]);
      for (std::size_t k = 0; k < plants_.size(); ++k) {
        const Differences& sum = sums_[k][i];
        result_.plans[k].to_first.push_back(rms(sum.to_first, i, sum.finite));
        result_.plans[k].to_last.push_back(rms(sum.to_last, i, sum.finite));
      }
    }
  }

  [[nodiscard]] double rms(double squares, std::size_t signal, bool finite) const {
    if (result_.samples == 0) return 0.0;
    const double share = std::sqrt(squares / static_cast<double>(result_.samples)) / result_.signals[signal].scale;
    return finite && std::isfinite(share) ? share : std::numeric_limits<double>::infinity();
  }

  const PlantDescription& plant_;
  const TrialSettings& settings_;
  std::vector<Watched> watched_;
  std::int64_t advance_ns_;
  std::uint64_t every_ = 1;  // advances between samples
  std::vector<std::unique_ptr<Replica>> plants_;
  std::vector<std::vector<Differences>> sums_;  // by plan, then signal
  std::vector<SignalExtent> extents_;           // of the last plan
  double spent_s_ = 0.0;
  PlanTrials result_;
};

}  // namespace

PlanTrials try_plans(const PlantDescription& plant, std::span<const PlanTimes> plans, const TrialSettings& settings) {
  if (plans.empty()) throw std::invalid_argument("no plans to try");
  return Trials(plant, plans, settings)();
}

}  // namespace takt
