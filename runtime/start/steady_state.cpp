#include "runtime/start/steady_state.hpp"

#include <algorithm>
#include <cmath>
#include <optional>
#include <set>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "runtime/start/differences.hpp"
#include "runtime/start/invariants.hpp"
#include "runtime/start/limits.hpp"
#include "runtime/start/plant_rates.hpp"
#include "runtime/start/steady_system.hpp"
#include "runtime/start/steady_text.hpp"

namespace takt {
namespace {

using namespace start;

class Search {
 public:
  explicit Search(const PlantDescription& plant) : rates_(plant), differences_(rates_), states_(rates_.states()) {}

  StartResult run() {
    if (states_.size() > most_states)
      throw std::runtime_error("a steady start serves up to " + std::to_string(most_states) +
                               " states; this plant has " + std::to_string(states_.size()));
    f_ = rates_.at(rates_.values());
    z_start_ = z_ = rates_.values();
    for (std::size_t i = 0; i < states_.size(); ++i) {
      if (!std::isfinite(f_[i]))
        throw std::runtime_error("no steady state to start from: the start values give no finite rate of " +
                                 states_[i].path);
      unknown_.push_back(!states_[i].fixed);
      natural_.push_back(unknown_[i] ? rates_.natural_step(i) : 1.0);
    }
    // Where control that runs at its own speed goes beyond its limits, slow control mostly does not.
    while (!attempt(1.0) && !attempt(slow_control)) give_up_a_block();
    f_ = rates_.afresh(z_);
    return result();
  }

 private:
  [[nodiscard]] double magnitude(std::size_t i, const std::vector<double>& z) const {
    return std::max(natural_[i], std::fabs(z[i]));
  }

  /// From the start values to the steady state with the unknowns as they are.
  bool attempt(double control_speed) {
    control_speed_ = control_speed;
    z_ = z_start_;
    f_ = rates_.afresh(z_);
    list_unknowns();
    find_sums();
    if (any_driven_) {
      give_up_counters();
      list_unknowns();
      find_sums();
    }
    dt_ = any_driven_ ? first_dt() : longest_dt;
    slopes_serve_ = false;
    for (steps_ = 0; steps_ < most_steps; ++steps_) {
      const bool served = std::exchange(slopes_serve_, false);
      if (!served) differentiate();
      drop_sums_that_change();
      const Outcome outcome = step(served);
      if (served && outcome != Outcome::goes_on) {  // by its own slopes, then
        f_ = rates_.at(z_);
        continue;
      }
      if (outcome == Outcome::arrived) return true;
      if (outcome == Outcome::stuck) break;
      for (const std::size_t i : index_)
        if (std::fabs(z_[i]) > unbounded * first_magnitude_[i]) return false;
    }
    // Where a law has a kink at the very steady state (a flow that stops), steps stay small: what hardly moves will do.
    const auto is_near = [&](std::size_t i) { return std::fabs(z_[i]) <= far * first_magnitude_[i]; };
    nearly_ = std::all_of(index_.begin(), index_.end(), is_near) && fastest().first <= nearly;
    return nearly_;
  }

  /// Of what is more than rounding, the largest rate as part of the state's first magnitude, 1/s.
  [[nodiscard]] std::pair<double, std::size_t> fastest() const {
    std::pair<double, std::size_t> most{0.0, 0};
    for (const std::size_t i : index_) {
      const double part = std::fabs(f_[i]) / first_magnitude_[i];
      if (relative_rate(i) > rounding && part > most.first) most = {part, i};
    }
    return most;
  }

  void list_unknowns() {
    index_.clear();
    first_magnitude_.assign(states_.size(), 1.0);
    for (std::size_t i = 0; i < states_.size(); ++i) {
      if (unknown_[i]) index_.push_back(i);
      first_magnitude_[i] = magnitude(i, z_);
    }
  }

  /// This share of the magnitude of each unknown.
  [[nodiscard]] std::vector<double> steps(double share) const {
    std::vector<double> steps;
    for (const std::size_t i : index_) steps.push_back(share * magnitude(i, z_));
    return steps;
  }
  void add_up_flows(const start::SparseMatrix& slopes) {
    flow_.assign(states_.size(), 0.0);
    for (std::size_t k = 0; k < slopes.entries(); ++k) flow_[index_[slopes.row[k]]] += std::fabs(slopes.value[k]);
  }

  void find_sums() {
    start::Response response{index_, differences_.one_by_one(z_, index_, steps(response_step)), {}, {}};
    start::SparseMatrix slopes = response.change;
    for (double& slope : slopes.value) slope /= 2.0 * response_step;
    add_up_flows(slopes);
    first_flow_ = flow_;
    for (const std::size_t i : index_) response.noise.push_back(unit_noise * (flow_[i] + std::fabs(f_[i])));
    response.clear = differences_.above_noise(z_, response.change, steps(response_step), response.noise);
    sums_.clear();
    any_driven_ = false;
    driven_.assign(states_.size(), false);
    for (Invariant& sum : start::find_invariants(response, states_.size())) {
      if (is_kept(sum)) {
        sums_.push_back(std::move(sum));
        continue;
      }
      any_driven_ = true;
      for (const std::size_t i : index_) driven_[i] = driven_[i] || sum.c[i] != 0.0;
    }
  }

  /// The rate of the sum is nothing but rounding of the flows through its states.
  [[nodiscard]] bool is_kept(const Invariant& sum) const {
    double flows = 0.0;
    for (const std::size_t i : index_) flows += std::fabs(sum.c[i]) * flow_[i];
    return std::fabs(start::sum_of(sum, f_)) <= driven * flows;
  }

  /// In which nothing that is driven without resistance moves by more than a tenth of its magnitude.
  [[nodiscard]] double first_dt() const {
    double dt = longest_dt;
    for (const std::size_t i : index_)
      if (driven_[i] && f_[i] != 0.0) dt = std::min(dt, 0.1 * magnitude(i, z_) / std::fabs(f_[i]));
    return dt;
  }
  [[nodiscard]] double seconds(std::size_t i) const { return states_[i].discrete ? control_speed_ * dt_ : dt_; }
  /// J in units of magnitudes, and the flows through the states: what their rates are small or large beside.
  void differentiate() {
    jacobian_ = differences_.together(z_, index_, steps(jacobian_step));
    for (double& slope : jacobian_.value) slope /= 2.0 * jacobian_step;
    add_up_flows(jacobian_);
  }

  /// A sum that was constant because something stood still (a closed valve, a limit) may begin to change.
  void drop_sums_that_change() {
    std::erase_if(sums_, [&](const Invariant& sum) {
      return !is_kept(sum) || start::changes(sum, {index_, jacobian_, flow_});
    });
  }

  [[nodiscard]] start::SteadySystem system() const {
    start::SteadyUnknowns unknowns{index_, jacobian_, {}, {}, sums_};
    for (const std::size_t i : index_) {
      unknowns.magnitude.push_back(magnitude(i, z_));
      unknowns.seconds.push_back(seconds(i));
    }
    return start::SteadySystem(unknowns);
  }

  /// The move of the unknowns for these rates, from z; sums return to their start values.
  [[nodiscard]] std::vector<double> solve(const start::SteadySystem& system, std::vector<double> rates,
                                          const std::vector<double>& z) const {
    std::vector<double> short_of;
    for (const Invariant& sum : sums_) short_of.push_back(start::sum_of(sum, z_start_) - start::sum_of(sum, z));
    return system.solve(std::move(rates), short_of);
  }

  /// Where a slope is without end (a flow at rest by a power law below 1), all but very short steps move it alike, and
  /// what it answers to at rest says nothing of its size. What hardly moves need not try these.
  bool may_try(int attempt, bool old) {
    if (attempt < most_tries) return true;
    if (old || attempt >= most_tries + most_short_tries || fastest().first <= nearly) return false;
    for (const std::size_t i : index_) first_magnitude_[i] = std::max(first_magnitude_[i], 1.0);
    dt_ *= 0.1;
    return true;
  }

  enum class Outcome { goes_on, arrived, stuck };

  /// @param old  slopes are those of an earlier step
  Outcome step(bool old) {
    rates_.keep();
    std::vector<double> right(index_.size());
    for (std::size_t k = 0; k < right.size(); ++k) right[k] = f_[index_[k]];
    double longest = longest_dt;  // that this Jacobian allows
    for (int attempt = 0; may_try(attempt, old); ++attempt) {
      const start::SteadySystem system = this->system();
      if (system.is_singular() || system.is_negative()) {
        if (old) break;
        dt_ /= 10.0;
        longest = dt_;
        continue;
      }
      const std::vector<double> move = solve(system, right, z_);
      if (const double shorter = allowed(move); shorter < 1.0) {
        dt_ *= std::max(shorter, 1e-6);
        continue;
      }
      std::vector<double> z = z_;
      for (std::size_t k = 0; k < move.size(); ++k) z[index_[k]] += move[k];
      std::vector<double> f = rates_.at(z);
      std::vector<double> rest(move.size());
      for (std::size_t k = 0; k < move.size(); ++k) rest[k] = f[index_[k]] - move[k] / seconds(index_[k]);
      const std::vector<double> correction = solve(system, std::move(rest), z);
      double size = relative(move, z, small_part), left = relative(correction, z, small_part);
      if (!(size > near)) size = relative(move, z, 0.0), left = relative(correction, z, 0.0);
      const bool newton = dt_ >= longest;
      if (std::isfinite(left) && (left <= 0.5 * size || left <= accurate)) {
        z_ = std::move(z), f_ = std::move(f);
        const bool still = largest_rate().first <= slow && (longest >= longest_dt || size <= slow);
        if (newton && still && left <= accurate) {
          for (std::size_t k = 0; k < move.size(); ++k) z_[index_[k]] += correction[k];
          return Outcome::arrived;
        }
        slopes_serve_ = differences_.are_dear() && left <= 0.1 * size;
        dt_ = std::min(longest_dt, dt_ * (left <= 0.01 * size ? 1000.0 : left <= 0.1 * size ? 30.0 : 3.0));
        return Outcome::goes_on;
      }
      if (dt_ >= long_dt && std::isfinite(left) && are_rounding(f)) {  // then so is what is left of the move
        z_ = std::move(z), f_ = std::move(f);
        return Outcome::arrived;
      }
      rates_.go_back();
      if (old) break;
      // No step makes it better: rounding of large terms (pressures) moves what is small beside them (a flow that
      // vanishes).
      if (newton && largest_rate().first <= rounding) return Outcome::arrived;
      if (dt_ >= long_dt && std::isfinite(left) && std::max(size, left) <= slow) return Outcome::arrived;
      dt_ *= std::isfinite(left) ? std::clamp(0.5 * size / left, 0.1, 0.5) : 0.1;
    }
    return Outcome::stuck;
  }

  /// 1 where no state moves too far, else the factor by which dt has to fall at least.
  [[nodiscard]] double allowed(const std::vector<double>& move) const {
    double factor = 1.0;
    for (std::size_t k = 0; k < move.size(); ++k) {
      const std::size_t i = index_[k];
      const bool free = driven_[i] || flow_[i] < 1e-6 * std::fabs(f_[i]);
      const double most = (free ? 1.0 : largest_move) * magnitude(i, z_), distance = std::fabs(move[k]);
      if (!(distance <= most)) factor = std::min(factor, std::isfinite(distance) ? 0.5 * most / distance : 0.01);
    }
    return factor;
  }

  /// Largest part of a state's magnitude.
  /// @param least  of the largest of its kind, that its magnitude is at least
  [[nodiscard]] double relative(const std::vector<double>& move, const std::vector<double>& z, double least) const {
    std::vector<double> floor(states_.size(), 0.0);
    for (const std::size_t i : index_)
      floor[states_[i].kind] = std::max(floor[states_[i].kind], least * std::fabs(z[i]));
    double most = 0.0;
    for (std::size_t k = 0; k < move.size(); ++k) {
      const std::size_t i = index_[k];
      const double part = std::fabs(move[k]) / std::max({magnitude(i, z_), std::fabs(z[i]), floor[states_[i].kind]});
      if (!(part <= most)) most = part;
    }
    return most;
  }

  /// Rate of an unknown as part of the flows through it.
  [[nodiscard]] double relative_rate(std::size_t i) const {
    return std::fabs(f_[i]) / std::max({flow_[i], std::fabs(f_[i]), least_flow(i)});
  }
  /// Rates have to be large beside something: a billionth of the state's magnitude in a second counts as a flow.
  [[nodiscard]] double least_flow(std::size_t i) const { return 1e-9 * magnitude(i, z_start_); }
  [[nodiscard]] bool are_rounding(const std::vector<double>& f) const {
    return std::ranges::all_of(index_, [&](std::size_t i) { return std::fabs(f[i]) <= unit_noise * flow_[i]; });
  }
  [[nodiscard]] std::pair<double, std::optional<std::size_t>> largest_rate() const {
    std::pair<double, std::optional<std::size_t>> largest{0.0, std::nullopt};
    for (const std::size_t i : index_)
      if (relative_rate(i) > largest.first) largest = {relative_rate(i), i};
    return largest;
  }

  static std::string block_of(const std::string& path) { return path.substr(0, path.rfind('.')); }
  /// Blocks that count keep their start state: nothing, however large, answers to what drives them.
  void give_up_counters() {
    std::set<std::string> counting;
    for (const std::size_t i : index_) {
      const bool unanswered = states_[i].discrete && f_[i] != 0.0 && flow_[i] <= driven * std::fabs(f_[i]);
      if (unanswered && goes_on_for_ever(i)) counting.insert(block_of(states_[i].path));
    }
    for (const std::string& block : counting) give_up(block);
  }

  bool goes_on_for_ever(std::size_t i) {
    rates_.keep();
    bool changes = false;
    double step = std::copysign(magnitude(i, z_), f_[i]);
    for (int probe = 0; probe < 10 && !changes; ++probe, step *= 10.0) {
      std::vector<double> moved = z_;
      moved[i] += step;
      changes = std::fabs(rates_.at(moved)[i] - f_[i]) > driven * std::fabs(f_[i]);
      rates_.go_back();
    }
    return !changes;
  }

  void give_up(const std::string& block) {
    blocks_kept_.push_back(block);
    for (std::size_t i = 0; i < states_.size(); ++i)
      if (states_[i].discrete && block_of(states_[i].path) == block) unknown_[i] = false;
  }

  /// The control block that moves most keeps its start state. @throw std::runtime_error  there is none
  void give_up_a_block() {
    std::optional<std::size_t> worst;
    for (const std::size_t i : index_)
      if (states_[i].discrete && relative_rate(i) > rounding && (!worst || relative_rate(i) > relative_rate(*worst)))
        worst = i;
    if (!worst) throw std::runtime_error(failure());
    give_up(block_of(states_[*worst].path));
  }

  [[nodiscard]] std::string failure() const {
    std::vector<start::MovingState> moving;
    for (const std::size_t i : index_) {  // beside the flows of the start: what ran away has large ones
      const double flows = std::max({first_flow_[i], std::fabs(f_[i]), least_flow(i)});
      moving.push_back({&states_[i], z_[i], f_[i], std::fabs(f_[i]) / flows});
    }
    return start::no_steady_state(steps_, std::move(moving));
  }

  [[nodiscard]] StartResult result() const {
    StartResult result;
    result.steady = true;
    result.steps = steps_ + 1;
    const auto [rate, where] = largest_rate();
    result.largest_rate = rate;
    if (where) result.largest_rate_of = states_[*where].path;
    // However the search ended: a sum that has been held without being conserved would show here.
    if (const auto [moves, state] = fastest(); nearly_ || moves > nearly) {
      result.still_moves_per_s = moves;
      result.still_moves = states_[state].path;
    }
    for (std::size_t i = 0; i < states_.size(); ++i) {
      if (states_[i].fixed) result.fixed.push_back(states_[i].path);
      const bool moved = std::fabs(z_[i] - z_start_[i]) > accurate * magnitude(i, z_start_);
      result.states.push_back({states_[i].path, states_[i].unit, z_start_[i], z_[i], moved});
    }
    for (const Invariant& sum : sums_) {
      if (!states_[sum.pivot].discrete) result.invariants.push_back(start::text_of(sum, states_));
    }
    result.blocks_kept = blocks_kept_;
    result.circuits_kept = rates_.without_rates();
    result.settled = rates_.settled();
    return result;
  }

  start::PlantRates rates_;
  start::Differences differences_;
  const std::vector<PlantState>& states_;
  std::vector<bool> unknown_;
  std::vector<double> natural_, first_magnitude_;
  std::vector<double> z_start_, z_, f_;
  std::vector<std::size_t> index_;  // of the unknowns
  start::SparseMatrix jacobian_;    // rates over states, per magnitude of the state
  std::vector<double> flow_;        // through each state: sum of |J| times magnitudes
  std::vector<double> first_flow_;  // at the start values
  std::vector<Invariant> sums_;
  std::vector<bool> driven_;  // by a constant rate that no state balances
  bool any_driven_ = false;
  std::vector<std::string> blocks_kept_;
  double dt_ = longest_dt, control_speed_ = 1.0;
  int steps_ = 0;
  bool nearly_ = false, slopes_serve_ = false;  // the slopes for the next step, too
};

}  // namespace

StartResult find_steady_state(const PlantDescription& plant) {
  StartResult result = Search(plant).run();
  for (const SubsystemDescription& s : plant.subsystems) {  // what the search left behind is no residual of the run
    auto* newton = reinterpret_cast<double*>(plant.memory + s.newton_offset);
    if (s.newton_blocks > 0) newton[0] = newton[1] = 0.0;
  }
  return result;
}

}  // namespace takt
