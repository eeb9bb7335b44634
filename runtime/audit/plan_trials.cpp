#include "runtime/audit/plan_trials.hpp"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <limits>
#include <memory>
#include <numeric>
#include <stdexcept>
#include <string_view>
#include <thread>
#include <utility>

#include "runtime/audit/deviation.hpp"
#include "runtime/audit/replica.hpp"
#include "runtime/audit/signal_scale.hpp"
#include "runtime/audit/thread_seconds.hpp"
#include "runtime/stats/energy_balance.hpp"
#include "runtime/stats/format.hpp"

namespace takt {
namespace {

constexpr double beside_neighbours =
    1e-2;  // as `takt run --verify` judges: a scale is this part of the largest of its unit
constexpr double left_of_errors = 0.8;  // at most, where times are half as long: 0.5 by order 1
constexpr double audit_room = 0.7;      // of what the audit allows
constexpr std::int64_t most_advance_ns = 3'600'000'000'000;

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
      : plant_(plant),
        settings_(settings),
        watched_(recorded(plant)),
        audited_(compared_quantities(plant)),
        advance_ns_(common_advance_ns(plans)) {
    const std::int64_t record_ns = plant.records.empty() ? advance_ns_ : plant.records.front().period_ns;
    every_ = static_cast<std::uint64_t>(std::max<std::int64_t>(1, (record_ns + advance_ns_ - 1) / advance_ns_));
    const PlantCopy start{.macro_step = 0, .memory = {plant.memory, plant.memory + plant.memory_size}, .exchanges = {}};
    for (const PlanTimes& times : plans) {
      plants_.push_back(
          std::make_unique<Replica>(plant, with_times(plant, times, advance_ns_), script_of(settings.inputs)));
      plants_.back()->load(start);
      nudges_.push_back(times.nudge);
      sums_.emplace_back(watched_.size());
    }
    give_least_ranges(audited_, *plants_.front());
    deviations_.assign(plans.size(), Deviations(audited_, std::span(&start, 1)));
    extents_.resize(watched_.size());
    coarser_.resize(watched_.size());
    confirms_ = plans.size() > 1 && (plans[plans.size() - 2].step_ns != plans.back().step_ns ||
                                     plans[plans.size() - 2].period_ns != plans.back().period_ns);
    values_.resize(plans.size());
    result_.plans.resize(plans.size());
  }

  PlanTrials operator()() {
    const auto end =
        static_cast<std::uint64_t>(settings_.duration_s * 1e9 / static_cast<double>(advance_ns_) * (1.0 + 1e-12));
    chunk_ = {0};
    look_at_start();
    compare();
    while (chunk_.back() < end && spent_s_ < settings_.seconds &&
           (settings_.goes_on == nullptr || settings_.goes_on())) {
      const bool first = chunk_.back() == 0;
      next_chunk(end);
      advance_all();
      compare();
      if (first)
        for (std::size_t plan = 0; plan < plants_.size(); ++plan)
          if (nudges_[plan] != 0.0) plants_[plan]->scale_states(1.0 + nudges_[plan]);
    }
    finish();
    return std::move(result_);
  }

 private:
  /// From the first advance on that begins at or after the time of a change: all plans begin a macro-step there.
  [[nodiscard]] InputScript script_of(std::span<const ScriptedInput> inputs) const {
    std::vector<ScriptedInput> changes(inputs.begin(), inputs.end());
    for (ScriptedInput& change : changes)
      change.time = SimTime{(change.time.ns() + advance_ns_ - 1) / advance_ns_ * advance_ns_};
    return InputScript(std::move(changes), plant_.plant_inputs.size());
  }

  static constexpr std::size_t most_samples = 64;  // in one chunk
  static constexpr double short_chunk_s = 0.5;     // of computing time

  /// Times of the next samples, in advances.
  void next_chunk(std::uint64_t end) {
    std::uint64_t at = chunk_.back();
    chunk_.clear();
    while (at < end && chunk_.size() < samples_) chunk_.push_back(at = std::min(end, at + every_));
  }

  void look_at_start() {
    for (std::size_t plan = 0; plan < plants_.size(); ++plan) {
      values_[plan].clear();
      look(plan);
    }
    for (std::size_t plan = 0; plan < plants_.size(); ++plan)
      deviations_[plan].begin(audited_values(plan, 0), audited_values(plants_.size() - 1, 0));
    for (const SubsystemDescription& s : plant_.subsystems)
      stored_at_start_.push_back(plants_.front()->value_at(s.energy_offset + 3 * sizeof(double)));
  }

  void look(std::size_t plan) {
    plants_[plan]->observe();
    std::vector<double>& values = values_[plan];
    for (const Watched& watched : watched_) values.push_back(plants_[plan]->value_at(watched.offset));
    values.resize(values.size() + audited_.size());
    read_values(audited_, *plants_[plan], std::span(values).last(audited_.size()));
  }

  /// A sample of the chunk.
  [[nodiscard]] std::span<const double> audited_values(std::size_t plan, std::size_t sample) const {
    return std::span(values_[plan]).subspan(sample * values_per_sample() + watched_.size(), audited_.size());
  }
  [[nodiscard]] std::size_t values_per_sample() const { return watched_.size() + audited_.size(); }

  void advance(std::size_t plan) {
    Replica& replica = *plants_[plan];
    const double before = thread_seconds();
    values_[plan].clear();
    for (const std::uint64_t until : chunk_) {
      while (replica.macro_step() < until) replica.advance();
      look(plan);
    }
    result_.plans[plan].compute_s += thread_seconds() - before;
  }

  /// Of every plan, each on its own.
  template <class Work>
  void of_all(const Work& work) {
    std::atomic<std::size_t> next{0};
    const auto some = [&] {
      for (std::size_t plan = next++; plan < plants_.size(); plan = next++) work(plan);
    };
    std::vector<std::jthread> others;
    const std::size_t threads =
        std::min<std::size_t>(plants_.size(), std::max(1u, std::thread::hardware_concurrency()));
    for (std::size_t k = 1; k < threads; ++k) others.emplace_back(some);
    some();
  }

  /// A chunk of every plan.
  void advance_all() {
    of_all([&](std::size_t plan) { advance(plan); });
    const double before = std::exchange(spent_s_, 0.0);
    for (const TrialErrors& plan : result_.plans) spent_s_ += plan.compute_s;
    if (spent_s_ - before < short_chunk_s) samples_ = std::min(most_samples, 2 * samples_);
  }

  void compare() {
    for (std::size_t sample = 0; sample < chunk_.size(); ++sample)
      for (std::size_t i = 0; i < watched_.size(); ++i) {
        const std::size_t at = sample * values_per_sample() + i;
        extents_[i].add(values_.back()[at]);
        if (confirms_) coarser_[i].add(values_[values_.size() - 2][at]);
      }
    of_all([&](std::size_t plan) { compare(plan); });
    result_.samples += chunk_.size();
  }

  void compare(std::size_t plan) {
    for (std::size_t sample = 0; sample < chunk_.size(); ++sample) {
      for (std::size_t i = 0; i < watched_.size(); ++i) {
        const std::size_t at = sample * values_per_sample() + i;
        const double value = values_[plan][at], first = values_.front()[at], last = values_.back()[at];
        Differences& sum = sums_[plan][i];
        sum.to_first += (value - first) * (value - first);
        sum.to_last += (value - last) * (value - last);
        sum.finite = sum.finite && std::isfinite(value);
      }
      if (chunk_[sample] > 0)
        deviations_[plan].compare(audited_values(plan, sample), audited_values(plants_.size() - 1, sample),
                                  seconds_of(chunk_[sample]));
    }
  }

  [[nodiscard]] double seconds_of(std::uint64_t advances) const {
    return static_cast<double>(advances) * static_cast<double>(advance_ns_) * 1e-9;
  }

  void finish() {
    result_.covered_s = seconds_of(plants_.front()->macro_step());
    LeastScales scales(beside_neighbours);
    for (std::size_t k = 0; k < plants_.size(); ++k) result_.plans[k].verdict = verdict_of(k);
    for (std::size_t i = 0; i < watched_.size(); ++i) scales.add(watched_[i].signal.unit, extents_[i]);
    for (std::size_t i = 0; i < watched_.size(); ++i) {
      result_.signals.push_back(watched_[i].signal);
      const bool confirmed = confirms_ && is_confirmed(coarser_[i].range(), extents_[i].range(), left_of_errors);
      result_.signals.back().scale = scales.scale(watched_[i].signal.unit, extents_[i], confirmed);
      for (std::size_t k = 0; k < plants_.size(); ++k) {
        const Differences& sum = sums_[k][i];
        result_.plans[k].to_first.push_back(rms(sum.to_first, i, sum.finite));
        result_.plans[k].to_last.push_back(rms(sum.to_last, i, sum.finite));
      }
    }
  }

  [[nodiscard]] EnergyAccount account(const Replica& replica, std::size_t subsystem) const {
    const SubsystemDescription& s = plant_.subsystems[subsystem];
    const auto at = [&](std::size_t k) { return replica.value_at(s.energy_offset + k * sizeof(double)); };
    return {at(0), at(1), at(2), stored_at_start_[subsystem], at(3), at(4)};
  }

  [[nodiscard]] std::string verdict_of(std::size_t plan) {
    const Replica& replica = *plants_[plan];
    for (const SubsystemDescription& s : plant_.subsystems)
      for (const EventDescription& event : s.events)
        if (event.weight == EventWeight::verdict &&
            replica.value_at(event.offset) != *reinterpret_cast<const double*>(plant_.memory + event.offset))
          return std::string(event.code) + ": " + s.name + ": " + event.text;
    double turnover = 0.0;
    for (std::size_t k = 0; k < plant_.subsystems.size(); ++k) turnover += account(replica, k).turnover();
    for (std::size_t k = 0; k < plant_.subsystems.size(); ++k) {
      const SubsystemDescription& s = plant_.subsystems[k];
      if (s.energy_left_out[0] == '\0' && is_open(account(replica, k), s.domain, turnover))
        return std::string("X008: ") + s.name + ": energy does not add up";
    }
    return audit_verdict(plan);
  }

  /// What the audit would say, about: it compares with other parts of the times and at more of them.
  [[nodiscard]] std::string audit_verdict(std::size_t plan) {
    constexpr double limit = audit_room * usual_audit_limit;
    deviations_[plan].end();
    const Judgement worst = deviations_[plan].judged(limit, plant_.autonomous);
    if (worst.error <= limit) return {};
    const std::string error =
        std::isfinite(worst.error) ? formatted("%.2g %% of its range", 100.0 * worst.error) : "beyond all numbers";
    return "X020: " + audited_[worst.quantity].path + " is " + error + " off what shorter steps and times give";
  }

  [[nodiscard]] double rms(double squares, std::size_t signal, bool finite) const {
    if (result_.samples == 0) return 0.0;
    const double share = std::sqrt(squares / static_cast<double>(result_.samples)) / result_.signals[signal].scale;
    return finite && std::isfinite(share) ? share : std::numeric_limits<double>::infinity();
  }

  const PlantDescription& plant_;
  const TrialSettings& settings_;
  std::vector<Watched> watched_;
  std::vector<Quantity> audited_;
  std::int64_t advance_ns_;
  std::uint64_t every_ = 1;  // advances between samples
  std::vector<std::unique_ptr<Replica>> plants_;
  std::vector<double> nudges_;                  // of plans
  std::vector<std::vector<Differences>> sums_;  // by plan, then signal
  std::vector<std::uint64_t> chunk_;            // of advances since the start, at whose ends is sampled
  std::vector<Deviations> deviations_;          // by plan, of what the audit judges, to the last one
  std::vector<std::vector<double>> values_;     // by plan, then sample of the chunk, then signal and what is audited
  std::vector<double> stored_at_start_;         // by subsystem, J
  std::vector<SignalExtent> extents_;           // of the last plan
  std::vector<SignalExtent> coarser_;           // of the one before it
  bool confirms_ = false;                       // it has other times than the last
  double spent_s_ = 0.0;
  std::size_t samples_ = 1;  // of the next chunk
  PlanTrials result_;
};

}  // namespace

PlanTrials try_plans(const PlantDescription& plant, std::span<const PlanTimes> plans, const TrialSettings& settings) {
  if (plans.empty()) throw std::invalid_argument("no plans to try");
  return Trials(plant, plans, settings)();
}

}  // namespace takt
