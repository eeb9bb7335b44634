#include "codegen/trial/step_trial.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <string>

#include "codegen/plan/records.hpp"
#include "codegen/trial/equation_model.hpp"
#include "runtime/solver/typical_change.hpp"

namespace takt::codegen {
namespace {

constexpr double
    most_operations = 4e7,
    all_operations =
        1.2e8;  // of one trial, of all of a subsystem: some tenths of a second, a second
constexpr double unnoticed = 1e-9;      // a range of this part of a value is rounding
constexpr std::size_t most_seen = 500;  // recorded quantities that are looked at, too

/// Straight between the rows of the path.
class PathReader {
 public:
  PathReader(const OperatingRange& path, const std::vector<SymbolId>& symbols) : path_(path) {
    for (const SymbolId symbol : symbols)
      columns_.push_back(static_cast<std::size_t>(
          std::find(path.symbols.begin(), path.symbols.end(), symbol) - path.symbols.begin()));
  }
  /// @pre times asked for do not fall
  void move_to(double time) {
    while (row_ + 2 < path_.rows.size() && path_.times[row_ + 1] < time) ++row_;
    const double from = path_.times[row_], to = path_.times[row_ + 1];
    share_ = to > from ? std::clamp((time - from) / (to - from), 0.0, 1.0) : 0.0;
  }
  [[nodiscard]] double of(std::size_t k) const {
    const double a = path_.rows[row_][columns_[k]], b = path_.rows[row_ + 1][columns_[k]];
    return a + share_ * (b - a);
  }
  /// What counts as the size of a deviation.
  [[nodiscard]] double largest(std::size_t k) const {
    double most = 0.0;
    for (const std::vector<double>& row : path_.rows)
      most = std::max(most, std::fabs(row[columns_[k]]));
    return most;
  }
  [[nodiscard]] double range(std::size_t k) const {
    double low = HUGE_VAL, high = -HUGE_VAL;
    for (const std::vector<double>& row : path_.rows)
      low = std::min(low, row[columns_[k]]), high = std::max(high, row[columns_[k]]);
    return std::max(high - low, unnoticed * std::max(std::fabs(low), std::fabs(high)) + 1e-300);
  }

 private:
  const OperatingRange& path_;
  std::vector<std::size_t> columns_;
  std::size_t row_ = 0;
  double share_ = 0.0;
};

/// Deviations of the states, step by step, in parts of their ranges. A state that moves by no more
/// than rounding beside the others of its unit, as in a bridge that balances, is right.
class Deviation {
 public:
  Deviation(const PathReader& truth, const Network& network, const std::vector<SymbolId>& states)
      : truth_(truth), sum_(states.size()) {
    constexpr double rounding = 1e-12;  // a small capacitor beside a large one moves by more
    std::map<std::string, double> largest;
    const auto unit = [&](std::size_t k) { return network.graph().symbol(states[k]).unit; };
    for (std::size_t k = 0; k < states.size(); ++k)
      largest[unit(k)] = std::max(largest[unit(k)], truth.largest(k));
    for (std::size_t k = 0; k < states.size(); ++k)
      range_.push_back(std::max(truth.range(k), rounding * largest[unit(k)]));
  }
  void add(double time, const std::vector<double>& z) {
    for (std::size_t k = 0; k < z.size(); ++k) {
      const double off = std::fabs(z[k] - truth_.of(k)) / range_[k];
      sum_[k] += off * off;
      if (off <= most_ || most_ > noticed) continue;
      most_ = off, worst_s_ = time;
    }
    ++count_;
  }
  [[nodiscard]] double nrms(std::size_t k) const {
    const double rms = std::sqrt(sum_[k] / static_cast<double>(count_));
    return std::isfinite(rms) ? rms : HUGE_VAL;
  }
  [[nodiscard]] double worst_s() const { return worst_s_; }

 private:
  static constexpr double noticed = 0.1;
  const PathReader& truth_;
  std::vector<double> sum_, range_;
  double most_ = 0.0, worst_s_ = 0.0;
  std::size_t count_ = 0;
};

/// Of what is recorded: it may jump where states do not, so averages over parts of the time count.
class SeenDeviation {
 public:
  SeenDeviation(const PathReader& truth, const Network& network, const std::vector<SymbolId>& seen)
      : truth_(truth), sum_(parts * seen.size()), count_(parts) {
    for (std::size_t k = 0; k < seen.size(); ++k)
      range_.push_back(
          std::max(truth.range(k), resting_change(network.graph().symbol(seen[k]).unit)));
  }
  /// @param share  of the time that is tried
  void add(double share, const std::vector<double>& values) {
    const std::size_t part =
        std::min(parts - 1, static_cast<std::size_t>(share * static_cast<double>(parts)));
    ++count_[part];
    for (std::size_t k = 0; k < values.size(); ++k)
      sum_[part * values.size() + k] += (values[k] - truth_.of(k)) / range_[k];
  }
  [[nodiscard]] double nrms(std::size_t k) const {
    double squares = 0.0, samples = 0.0;
    for (std::size_t part = 0; part < parts; ++part) {
      if (count_[part] == 0.0) continue;
      const double sum = sum_[part * range_.size() + k];
      squares += sum * sum / count_[part], samples += count_[part];
    }
    const double rms = samples > 0.0 ? std::sqrt(squares / samples) : 0.0;
    return std::isfinite(rms) ? rms : HUGE_VAL;
  }

 private:
  static constexpr std::size_t parts = 32;
  const PathReader& truth_;
  std::vector<double> sum_, range_, count_;
};

/// What is stored against what passes through, as a run does it.
class EnergyBook {
 public:
  EnergyBook(const Network& network, const Surrogate& surrogate)
      : network_(network), energy_(surrogate.energy) {
    const bool streams =
        surrogate.domain == CircuitDomain::fluid || surrogate.domain == CircuitDomain::gas ||
        surrogate.domain == CircuitDomain::solid;  // carry far more than is left of it
    kept_ = energy_.complete && !streams;
  }
  [[nodiscard]] std::vector<Expr> integrands() const {
    return kept_ ? std::vector<Expr>{energy_.supplied, energy_.dissipated, energy_.exchanged}
                 : std::vector<Expr>{};
  }
  void begin(const SymbolValues& values) { stored_ = stored(values); }
  void add(const std::vector<double>& integrals) {
    for (std::size_t k = 0; kept_ && k < 3; ++k)
      sums_[k] += integrals[k], turnover_ += std::fabs(integrals[k]);
  }
  [[nodiscard]] double error(const SymbolValues& values) const {
    if (!kept_ || turnover_ == 0.0) return 0.0;
    const double left = std::fabs(sums_[0] - sums_[1] + sums_[2] - (stored(values) - stored_));
    return left > unnoticed * std::fabs(stored_) ? left / turnover_ : 0.0;
  }

 private:
  [[nodiscard]] double stored(const SymbolValues& values) const {
    return kept_ ? network_.graph().evaluate(
                       energy_.stored,
                       [&](SymbolId symbol) { return values[static_cast<std::size_t>(symbol)]; })
                 : 0.0;
  }

  const Network& network_;
  const EnergyBalance& energy_;
  bool kept_ = false;
  double stored_ = 0.0, turnover_ = 0.0;
  std::array<double, 3> sums_{};
};

/// Of one step, about.
double operations(const PlanSubsystem& plan, const Network& network, const Surrogate& surrogate) {
  Program program(network.graph());
  program.add(surrogate);
  const auto all = static_cast<double>(program.operations()),
             n = static_cast<double>(surrogate.states.size());
  const double evaluations = 1.0 + plan.method->order;
  const double implicit = plan.method->solves ? all * (1.0 + n / 2.0) + n * n * n / 3.0 : 0.0;
  return evaluations * (all + 30.0) + 50.0 + implicit;
}

/// What its algebra gives anew at every evaluation, of continuous subsystems.
std::vector<SymbolId> seen_of(const Surrogate& surrogate, const std::vector<SymbolId>& recorded) {
  std::vector<SymbolId> seen;
  if (!is_integrated(surrogate.kind)) return seen;
  for (const SymbolId symbol : surrogate.algebra_outputs)
    if (std::binary_search(recorded.begin(), recorded.end(), symbol)) seen.push_back(symbol);
  return seen;
}

}  // namespace

Outlook look_ahead(const Network& network, const DaeResult& dae) {
  constexpr double usual_duration_s = 1.0;
  const double duration_s = network.default_duration_ns
                                ? static_cast<double>(*network.default_duration_ns) * 1e-9
                                : usual_duration_s;
  Outlook outlook{.functions = time_functions(network, dae, duration_s),
                  .scouted = {},
                  .begin = {},
                  .inputs = {},
                  .seen = {}};
  std::vector<SymbolId> all;
  const std::vector<SymbolId> recorded = recorded_symbols(network, dae);
  for (const Surrogate& surrogate : dae.subsystems)
    outlook.seen.push_back(seen_of(surrogate, recorded));
  for (const std::vector<SymbolId>& seen : outlook.seen)
    all.insert(all.end(), seen.begin(), seen.end());
  if (all.size() > most_seen) all.clear(), outlook.seen.assign(dae.subsystems.size(), {});
  if (!network.delays.empty()) return outlook;  // it knows no past
  outlook.scouted = scout({network, dae}, outlook.functions, duration_s, all);
  if (outlook.scouted.path.rows.empty()) return outlook;
  std::vector<Program> programs;
  for (const Surrogate& surrogate : dae.subsystems) {
    programs.emplace_back(network.graph());
    programs.back().add(surrogate);
  }
  outlook.begin = start_point(network, dae, programs);
  outlook.inputs = read_of_others(network, dae);
  return outlook;
}

StepError StepTrial::error(const PlanSubsystem& plan, double around_s) {
  const Scouted& scouted = outlook_.scouted;
  if (scouted.path.rows.size() < 2 || surrogate_.states.empty() || plan.step_ns <= 0) return {};
  const double h = static_cast<double>(plan.step_ns) * 1e-9,
               dear = operations(plan, network_, surrogate_);
  const double affordable = std::floor(std::min(most_operations, all_operations - spent_) / dear);
  std::size_t first = 0;
  if (affordable * h < 0.99 * scouted.until_s)
    while (first + 2 < scouted.path.rows.size() && scouted.path.times[first + 1] < around_s)
      ++first;
  const double begin_s = scouted.path.times[first],
               steps = std::min(std::floor((scouted.until_s - begin_s) / h * (1.0 + 1e-12)),
                                affordable);
  if (steps < 1.0) return {};
  PlanSubsystem own = plan;
  own.inputs = outlook_.inputs[index_], own.outputs.clear();
  own.period_ns = own.step_ns;
  std::vector<SymbolId> states;
  for (const SurrogateState& state : surrogate_.states) states.push_back(state.symbol);
  std::vector<double> z(states.size()), before(own.inputs.size());
  const std::vector<SymbolId>& seen = outlook_.seen[index_];
  std::vector<double> shown(seen.size());
  Watches watches;
  for (std::size_t k = 0; k < z.size(); ++k) watches.emplace_back(states[k], &z[k]);
  for (std::size_t k = 0; k < seen.size(); ++k) watches.emplace_back(seen[k], &shown[k]);
  SymbolValues values = outlook_.begin;
  for (std::size_t k = 0; k < scouted.path.symbols.size(); ++k)
    values[static_cast<std::size_t>(scouted.path.symbols[k])] = scouted.path.rows[first][k];
  values[static_cast<std::size_t>(network_.time)] = begin_s;
  EnergyBook energy(network_, surrogate_);
  const std::unique_ptr<WindowModel> model =
      equation_model({own, network_, surrogate_}, values, watches, energy.integrands());
  energy.begin(values);
  PathReader truth(scouted.path, states), inputs(scouted.path, own.inputs),
      true_seen(scouted.path, seen);
  Deviation deviation(truth, network_, states);
  SeenDeviation seen_deviation(true_seen, network_, seen);
  for (double step = 0.0; step < steps; ++step) {
    spent_ += dear;
    inputs.move_to(begin_s + step * h);
    for (std::size_t k = 0; k < before.size(); ++k) before[k] = inputs.of(k);
    inputs.move_to(begin_s + (step + 1.0) * h);
    for (std::size_t k = 0; k < before.size(); ++k)
      model->inputs[k] = {.c0 = before[k], .c1 = (inputs.of(k) - before[k]) / h};
    model->run(static_cast<std::int64_t>(step) * own.step_ns);
    energy.add(model->sent);
    truth.move_to(begin_s + (step + 1.0) * h);
    deviation.add(begin_s + (step + 1.0) * h, z);
    true_seen.move_to(begin_s + (step + 1.0) * h);
    seen_deviation.add(step / steps, shown);
    if (!std::all_of(z.begin(), z.end(), [](double value) { return std::isfinite(value); })) break;
  }
  StepError worst{.nrms = -1.0,
                  .energy = energy.error(values),
                  .state = {},
                  .until_s = begin_s + steps * h,
                  .worst_s = deviation.worst_s()};
  const double share = std::sqrt(steps * h / scouted.until_s);  // as if the rest were right
  for (std::size_t k = 0; k < states.size(); ++k)
    if (share * deviation.nrms(k) > worst.nrms)
      worst.nrms = share * deviation.nrms(k), worst.state = states[k];
  for (std::size_t k = 0; k < seen.size(); ++k)
    if (share * seen_deviation.nrms(k) > worst.seen)
      worst.seen = share * seen_deviation.nrms(k), worst.signal = seen[k];
  return worst;
}

}  // namespace takt::codegen
