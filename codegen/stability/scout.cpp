#include "codegen/stability/scout.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>
#include <stdexcept>
#include <unordered_map>

#include "codegen/dae/circuit/surrogate_symbols.hpp"
#include "codegen/stability/linearise.hpp"

namespace takt::codegen {
namespace {

constexpr double most_operations = 4e7;  // some tenths of a second
constexpr std::size_t most_steps = 20'000;
constexpr std::size_t most_points = 40;
constexpr double tolerance = 1e-3;  // of the range of a state
constexpr double gamma = 0.29289321881345254;
constexpr double longest_share = 1.0 / 200, first_share = 1e-6,
                 shortest_share = 1e-13;  // of the duration
constexpr double fewest_a_period = 40;
constexpr double instant_share = 1e-6;  // of the duration: what a state covers in it at its largest
                                        // rate counts as part of its range
constexpr double just_after = 1e-12;    // of the duration
constexpr int most_passes = 4;          // until what subsystems read of each other is consistent

/// One continuous subsystem among all states.
struct Part {
  Program* program = nullptr;
  std::vector<SymbolId> states;
  std::size_t first = 0;                          ///< of its states
  start::Factorisation factors{start::Matrix()};  ///< of I - gamma*h*J
  double stiffest = 0.0;
  std::size_t at = 0;  ///< row of the path
};

struct Sampled {
  double period_s = 0.0;
  Program program;
  std::vector<SymbolId> states, updated;
};

class Scout {
 public:
  Scout(const PlantEquations& plant, const std::vector<TimeFunctions>& functions, double duration_s,
        const std::vector<SymbolId>& seen)
      : network_(plant.network),
        dae_(plant.dae),
        duration_s_(duration_s),
        longest_s_(longest_share * duration_s) {
    for (const Surrogate& surrogate : dae_.subsystems) {
      programs_.emplace_back(network_.graph());
      programs_.back().add(surrogate);
    }
    std::set<SymbolId> read;
    for (const std::vector<SymbolId>& symbols : read_of_others(network_, dae_))
      read.insert(symbols.begin(), symbols.end());
    for (std::size_t index = 0; index < dae_.subsystems.size(); ++index) {
      add(index);
      stops_.insert(functions[index].instants.begin(), functions[index].instants.end());
      if (functions[index].narrowest) stops_.insert(functions[index].narrowest->at_s);
      if (functions[index].fastest)
        longest_s_ = std::min(longest_s_, functions[index].fastest->period_s / fewest_a_period);
    }
    stops_.insert(duration_s);
    found_.path.symbols = states_;
    for (const Sampled& sampled : sampled_)
      found_.path.symbols.insert(found_.path.symbols.end(), sampled.states.begin(),
                                 sampled.states.end());
    found_.path.symbols.insert(found_.path.symbols.end(), read.begin(), read.end());
    crossing_ = !read.empty();
    exchanged_end_ = found_.path.symbols.size();
    for (const SymbolId symbol : seen)
      if (std::find(found_.path.symbols.begin(), found_.path.symbols.end(), symbol) ==
          found_.path.symbols.end())
        found_.path.symbols.push_back(symbol);
  }

  Scouted run() {
    values_ = start_point(network_, dae_, programs_);
    for (const SymbolId state : states_) z_.push_back(at(state));
    low_ = high_ = z_;
    swiftest_.assign(z_.size(), 0.0);
    if (states_.empty() || !affordable()) return {};
    sample();
    record();
    walk();
    choose_points();
    return std::move(found_);
  }

 private:
  double& at(SymbolId symbol) { return values_[static_cast<std::size_t>(symbol)]; }

  void add(std::size_t index) {
    const Surrogate& surrogate = dae_.subsystems[index];
    by_kind(
        surrogate.kind, [&](const SmoothCircuit&) { add_part(index); },
        [](const SwitchedCircuit&) {
          throw std::logic_error("plants with switches are not scouted");
        },
        [&](const ControlTask& task) { add_sampled(surrogate, task); },
        [](const ForeignTask&) { throw std::logic_error("plants with FMUs are not scouted"); });
  }

  void add_sampled(const Surrogate& surrogate, const ControlTask& task) {
    Sampled sampled{static_cast<double>(task.period_ns) * 1e-9, Program(network_.graph()), {}, {}};
    for (const SurrogateState& state : surrogate.states) sampled.states.push_back(state.symbol);
    for (const AlgebraicStep& step : surrogate.algebra) {
      if (step.kind == AlgebraicStep::Kind::assignment)
        sampled.program.assign(step.assignment.symbol, step.assignment.value);
      else
        sampled.program.solve(step.newton);
    }
    for (const Assignment& update : task.updates)
      sampled.updated.push_back(update.symbol), sampled.program.result(update.value);
    sampled_.push_back(std::move(sampled));
  }

  void add_part(std::size_t index) {
    const Surrogate& surrogate = dae_.subsystems[index];
    Part part{.program = &programs_[index], .states = {}, .first = states_.size()};
    for (const SurrogateState& state : surrogate.states)
      part.states.push_back(state.symbol), states_.push_back(state.symbol);
    parts_.push_back(std::move(part));
  }

  /// A few steps at least.
  [[nodiscard]] bool affordable() const {
    double step = 0.0;
    for (const Part& part : parts_) {
      const auto n = static_cast<double>(part.states.size());
      step += 10.0 * static_cast<double>(part.program->operations()) * (1.0 + n / 16.0) +
              n * n * n / 3.0;
    }
    return 20.0 * step < most_operations;
  }

  void walk() {
    double step = first_share * duration_s_;
    while (now_s_ < duration_s_) {
      if (operations_ > most_operations || found_.path.rows.size() >= most_steps)
        return give_up("it takes too many steps to follow further");
      const double stop = next_stop();
      const double h = std::min({step, longest_s_, stop - now_s_});
      const double error = take(h);
      if (error > 1.0) {
        step = h * (std::isfinite(error) ? std::max(0.2, 0.8 / std::sqrt(error)) : 0.1);
        if (step < shortest_share * duration_s_)
          return give_up("its states leave every bound, or jump");
        continue;
      }
      const bool cut = h < step;
      now_s_ = stop - now_s_ <= h ? stop : now_s_ + h;
      z_.swap(next_);
      swiftest_.swap(now_swiftest_);
      for (std::size_t k = 0; k < z_.size(); ++k)
        low_[k] = std::min(low_[k], z_[k]), high_[k] = std::max(high_[k], z_[k]);
      record();
      if (now_s_ == stop && stop < duration_s_) pass(stop);
      const double larger = h * std::min(4.0, 0.8 / std::sqrt(std::max(error, 1e-3)));
      step = cut ? std::max(step, larger) : larger;
    }
    found_.until_s = duration_s_;
  }

  /// What turns there: a row before, a row after.
  void pass(double stop) {
    now_s_ = stop + just_after * duration_s_;
    sample();
    record();
    now_s_ = stop;
  }

  void give_up(const char* why) {
    found_.until_s = now_s_;
    found_.problem = why;
  }

  /// The next instant at which control samples or a function of time turns.
  [[nodiscard]] double next_stop() const {
    double stop = *stops_.upper_bound(now_s_);
    for (const Sampled& sampled : sampled_) {
      const double period = sampled.period_s;
      stop = std::min(stop, (std::floor(now_s_ / period * (1.0 + 1e-12)) + 1.0) * period);
    }
    return stop;
  }

  /// Control that is due now.
  void sample() {
    if (!sampled_.empty()) evaluate(now_s_, z_);
    for (Sampled& sampled : sampled_) {
      const double periods =
          (now_s_ - (now_s_ > 0.0 ? just_after * duration_s_ : 0.0)) / sampled.period_s;
      if (std::fabs(periods - std::round(periods)) > 1e-9 * std::max(1.0, periods)) continue;
      sampled.program.run(values_);
      operations_ += static_cast<double>(sampled.program.operations());
      for (std::size_t k = 0; k < sampled.updated.size(); ++k)
        at(sampled.updated[k]) = sampled.program.results()[k];
    }
  }

  /// All rates at these states.
  void evaluate(double time, const std::vector<double>& z) {
    at(network_.time) = time;
    for (std::size_t k = 0; k < z.size(); ++k) at(states_[k]) = z[k];
    for (int pass = 0; pass < (crossing_ ? most_passes : 1); ++pass) {
      for (Part& part : parts_)
        part.program->run(values_), operations_ += static_cast<double>(part.program->operations());
      bool moved = false;
      for (const Flux& flux : dae_.fluxes)
        moved = moved || at(flux.received) != at(flux.source), at(flux.received) = at(flux.source);
      if (crossing_ && !moved && !crossed(pass)) break;
    }
  }

  /// Whether what is exchanged has changed since the last pass.
  bool crossed(int pass) {
    const std::size_t first = states_.size();
    std::vector<double> now;
    for (std::size_t k = first; k < exchanged_end_; ++k) now.push_back(at(found_.path.symbols[k]));
    const bool same = pass > 0 && now == exchanged_;
    exchanged_ = std::move(now);
    return !same;
  }

  /// One step to next_. @return its error, 1: as much as is tolerated
  double take(double h) {
    const std::size_t n = z_.size();
    std::vector<double> k1(n), k2(n);
    evaluate(now_s_ + gamma * h, z_);
    rates(k1);
    for (Part& part : parts_) factor(part, gamma * h);
    if (!solve(k1)) return HUGE_VAL;
    next_ = z_;
    for (std::size_t k = 0; k < n; ++k) next_[k] += h * k1[k];
    evaluate(now_s_ + (1.0 - gamma) * h, next_);
    rates(k2);
    for (std::size_t k = 0; k < n; ++k) k2[k] -= 2.0 * k1[k];
    (void)solve(k2);
    double worst = 0.0;
    now_swiftest_ = swiftest_;
    for (std::size_t k = 0; k < n; ++k) {
      now_swiftest_[k] =
          std::max({swiftest_[k], std::fabs(k1[k]), std::fabs(1.5 * k1[k] + 0.5 * k2[k])});
      const double error = 0.5 * h * (k1[k] + k2[k]);
      next_[k] = z_[k] + h * (1.5 * k1[k] + 0.5 * k2[k]);
      const double range = std::max(high_[k], next_[k]) - std::min(low_[k], next_[k]) +
                           instant_share * duration_s_ * now_swiftest_[k],
                   rounding = 1e-9 * std::fabs(z_[k]);
      const double part = error == 0.0 ? 0.0 : std::fabs(error) / (tolerance * range + rounding);
      worst = part <= worst ? worst : std::isfinite(part) ? part : HUGE_VAL;
    }
    return worst;
  }

  void rates(std::vector<double>& all) const {
    for (const Part& part : parts_)
      std::copy_n(part.program->results().begin(), part.states.size(),
                  all.begin() + static_cast<std::ptrdiff_t>(part.first));
  }

  /// I - gh*J of one subsystem, where it has been evaluated.
  void factor(Part& part, double gh) {
    const std::size_t n = part.states.size();
    if (n == 0) return;
    Slopes slopes = part.program->slopes(part.states);
    Matrix matrix = jacobian(slopes, n);
    const auto size = static_cast<double>(n);
    operations_ += static_cast<double>(part.program->operations()) +
                   static_cast<double>(slopes.operations()) * 4.0 * std::ceil(size / 8.0) +
                   size * size * size / 3.0;
    note_stiffness(part, matrix);
    for (std::size_t row = 0; row < n; ++row)
      for (std::size_t column = 0; column < n; ++column)
        matrix[row][column] = (row == column ? 1.0 : 0.0) - gh * matrix[row][column];
    part.factors = start::Factorisation(std::move(matrix), start::Pivots::diagonal);
  }

  /// By the trace and the products across the diagonal: both are the same in all units of the
  /// states.
  void note_stiffness(Part& part, const Matrix& matrix) const {
    double size = 0.0;
    for (std::size_t row = 0; row < matrix.size(); ++row)
      for (std::size_t column = 0; column <= row; ++column)
        size = std::max(size, std::sqrt(std::fabs(matrix[row][column] * matrix[column][row])));
    if (size > part.stiffest)
      part.stiffest = size, part.at = found_.path.rows.empty() ? 0 : found_.path.rows.size() - 1;
  }

  /// @return whether there is a solution
  bool solve(std::vector<double>& all) const {
    for (const Part& part : parts_) {
      if (part.factors.is_singular()) return false;
      const auto begin = all.begin() + static_cast<std::ptrdiff_t>(part.first);
      const auto x =
          part.factors.solve({begin, begin + static_cast<std::ptrdiff_t>(part.states.size())});
      std::copy(x.begin(), x.end(), begin);
    }
    return true;
  }

  void record() {
    if (crossing_ || found_.path.symbols.size() > exchanged_end_) evaluate(now_s_, z_);
    for (std::size_t k = 0; k < z_.size(); ++k) at(states_[k]) = z_[k];
    found_.path.times.push_back(now_s_);
    std::vector<double>& row = found_.path.rows.emplace_back();
    for (const SymbolId symbol : found_.path.symbols) row.push_back(at(symbol));
  }

  /// Evenly among the steps, which crowd where something happens; the stiffest of each subsystem;
  /// and what is left of the duration, from where the run had to end, after each instant at which a
  /// function of time turns.
  void choose_points() {
    std::set<std::size_t> chosen;
    const std::size_t rows = found_.path.rows.size(), even = std::min(rows, most_points / 2);
    for (std::size_t k = 0; k < even; ++k)
      chosen.insert(k * (rows - 1) / std::max<std::size_t>(1, even - 1));
    std::vector<const Part*> stiff;
    for (const Part& part : parts_) stiff.push_back(&part);
    std::sort(stiff.begin(), stiff.end(),
              [](const Part* a, const Part* b) { return a->stiffest > b->stiffest; });
    for (std::size_t k = 0; k < std::min(stiff.size(), most_points / 4); ++k)
      chosen.insert(stiff[k]->at);
    for (const double instant : stops_) {
      if (instant <= found_.until_s || chosen.size() >= most_points) continue;
      found_.path.times.push_back(instant + 1e-9 * duration_s_);
      found_.path.rows.push_back(found_.path.rows[rows - 1]);
      chosen.insert(found_.path.rows.size() - 1);
    }
    found_.points.assign(chosen.begin(), chosen.end());
  }

  const Network& network_;
  const DaeResult& dae_;
  double duration_s_, longest_s_, now_s_ = 0.0, operations_ = 0.0;
  std::vector<Program> programs_;
  std::vector<Part> parts_;
  std::vector<Sampled> sampled_;
  std::vector<SymbolId> states_;
  std::set<double> stops_;
  bool crossing_ = false;
  std::size_t exchanged_end_ = 0;  // columns of the path before what was asked for
  SymbolValues values_;
  std::vector<double> z_, next_, low_, high_, swiftest_, now_swiftest_, exchanged_;
  Scouted found_;
};

}  // namespace

std::vector<std::vector<SymbolId>> read_of_others(const Network& network, const DaeResult& dae) {
  std::unordered_map<SymbolId, std::size_t> owner;
  for (std::size_t index = 0; index < dae.subsystems.size(); ++index)
    for (const SymbolId symbol : symbols_owned(dae.subsystems[index])) owner.emplace(symbol, index);
  for (const Flux& flux : dae.fluxes) owner.emplace(flux.received, dae.subsystems.size());
  std::vector<std::vector<SymbolId>> read;
  for (std::size_t index = 0; index < dae.subsystems.size(); ++index) {
    read.push_back(symbols_read(network, dae.subsystems[index]));
    std::erase_if(read.back(), [&](SymbolId symbol) {
      return !owner.contains(symbol) || owner.at(symbol) == index;
    });
  }
  return read;
}

Scouted scout(const PlantEquations& plant, const std::vector<TimeFunctions>& functions,
              double duration_s, const std::vector<SymbolId>& seen) {
  const Network& network = plant.network;
  const DaeResult& dae = plant.dae;
  if (!(duration_s > 0.0) || network.steady_start) return {};
  if (std::any_of(dae.subsystems.begin(), dae.subsystems.end(), [](const Surrogate& surrogate) {
        return !is_evaluable(surrogate.kind) || !surrogate.events.empty();
      }))
    return {};
  return Scout(plant, functions, duration_s, seen).run();
}

}  // namespace takt::codegen
