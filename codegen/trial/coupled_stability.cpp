#include "codegen/trial/coupled_stability.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <memory>
#include <span>

#include "codegen/plan/couplings.hpp"
#include "codegen/stability/divisors.hpp"
#include "codegen/stability/step_limits.hpp"
#include "codegen/text/quantity.hpp"
#include "codegen/trial/linear_run.hpp"
#include "codegen/trial/plan_run.hpp"

namespace takt::codegen {
namespace {

// Fewer would take what grows like t^2, a position under a constant force, for growth by 0.2 % a
// step.
constexpr std::int64_t most_macro_steps = 2000, fewest_macro_steps = 1200;
constexpr double most_points = 4;  // of an operating range
constexpr double far_away = 0.1;
constexpr double most_operations = 4e8;  // under a second
constexpr double noticed_growth = 1.002;
constexpr std::size_t largest_whole = 400;  // states

/// One subsystem as a linear system, from states without any pattern.
class LinearModel : public WindowModel {
 public:
  LinearModel(const LinearBlock& block, const PlanSubsystem& plan, std::uint32_t& random)
      : plan_(plan), run_(block) {
    inputs.resize(block.inputs);
    outputs.resize(block.outputs);
    for (std::size_t state = 0; state < block.states; ++state) {
      random = random * 1664525u + 1013904223u;
      run_.x[state] = static_cast<double>(random) / 4294967296.0 - 0.5;
    }
    run_.outputs(0.0, outputs.data());
  }

  void run(std::int64_t start_ns) override {
    run_.inputs = inputs;
    run_.advance(
        *plan_.method, plan_.stages,
        {start_ns, plan_.step_ns, static_cast<std::int32_t>(plan_.period_ns / plan_.step_ns)});
    run_.outputs(static_cast<double>(plan_.period_ns) * 1e-9, outputs.data());
    sent.assign(run_.q.begin(), run_.q.begin() + static_cast<std::ptrdiff_t>(outputs.size()));
  }

  [[nodiscard]] std::span<const double> states() const { return {run_.x.data(), run_.states()}; }

 private:
  const PlanSubsystem& plan_;
  LinearRun run_;
};

/// The plan as it will run, its subsystems linear.
class LinearPlan {
 public:
  LinearPlan(const Plan& plan, const std::vector<LinearBlock>& blocks)
      : run_(plan, models_of(plan, blocks)) {}

  void macro_step() { run_.macro_step(); }

  /// Of all states, and the largest of them.
  [[nodiscard]] double size(std::size_t& subsystem, std::size_t& state) const {
    double largest = 0.0;
    for (std::size_t index = 0; index < models_.size(); ++index) {
      if (models_[index] == nullptr) continue;
      const std::span<const double> z = models_[index]->states();
      for (std::size_t row = 0; row < z.size(); ++row)
        if (const double magnitude = std::fabs(z[row]); magnitude > largest)
          largest = magnitude, subsystem = index, state = row;
    }
    return largest;
  }

 private:
  std::vector<std::unique_ptr<WindowModel>> models_of(const Plan& plan,
                                                      const std::vector<LinearBlock>& blocks) {
    std::vector<std::unique_ptr<WindowModel>> models(blocks.size());
    models_.assign(blocks.size(), nullptr);
    std::uint32_t random = 12345;
    for (std::size_t index = 0; index < blocks.size(); ++index) {
      if (blocks[index].states + blocks[index].outputs == 0) continue;
      auto model = std::make_unique<LinearModel>(blocks[index], plan.subsystems[index], random);
      models_[index] = model.get();
      models[index] = std::move(model);
    }
    return models;
  }

  std::vector<LinearModel*> models_;
  PlanRun run_;
};

double operations(const Plan& plan, const std::vector<LinearBlock>& blocks) {
  double sum = 0.0;
  for (std::size_t index = 0; index < blocks.size(); ++index) {
    const PlanSubsystem& subsystem = plan.subsystems[index];
    if (subsystem.step_ns <= 0 || blocks[index].states + blocks[index].outputs == 0) continue;
    const auto states = static_cast<double>(blocks[index].states);
    const double dense = subsystem.method->needs_linear ? 6.0 * states * states
                         : subsystem.method->solves     ? 2.0 * states * (states + 4.0)
                                                        : 0.0;
    sum += (dense +
            std::max(4.0, static_cast<double>(subsystem.method->evaluations_of(subsystem.stages))) *
                (static_cast<double>(blocks[index].size()) + states)) *
           static_cast<double>(plan.macro_step_ns) / static_cast<double>(subsystem.step_ns);
  }
  return sum + static_cast<double>(plan.couplings.size() * plan.couplings.size());
}

/// exp(H*max Re lambda) of all subsystems at once, inputs by the outputs they are; nullopt where
/// the plant is too large.
std::optional<double> physical_growth(const Plan& plan, const std::vector<LinearBlock>& blocks) {
  std::vector<std::size_t> first{0};
  for (const LinearBlock& block : blocks) first.push_back(first.back() + block.states);
  const std::size_t n = first.back();
  if (n > largest_whole) return std::nullopt;
  start::Matrix whole(n);
  for (std::size_t column = 0; column < n; ++column) {
    std::vector<std::vector<double>> z, u, y;
    for (std::size_t index = 0; index < blocks.size(); ++index) {
      z.emplace_back(blocks[index].states), u.emplace_back(blocks[index].inputs),
          y.emplace_back(blocks[index].outputs);
      if (column >= first[index] && column < first[index + 1])
        z[index][column - first[index]] = 1.0;
    }
    // Outputs feed inputs that feed outputs; no cycle is algebraic (S011), so this ends.
    for (std::size_t round = 0, most = blocks.size() + 1, moved = 1; round < most && moved != 0;
         ++round) {
      moved = 0;
      for (std::size_t index = 0; index < blocks.size(); ++index)
        if (blocks[index].outputs > 0)
          blocks[index].apply({blocks[index].states, blocks[index].outputs}, z[index].data(),
                              u[index].data(), y[index].data());
      for (const PlanCoupling& coupling : plan.couplings) {
        if (blocks[coupling.producer].outputs == 0 || blocks[coupling.consumer].inputs == 0 ||
            coupling.delay)
          continue;
        const double value = y[coupling.producer]
                              [index_in(plan.subsystems[coupling.producer].outputs, coupling.from)];
        double& input =
            u[coupling.consumer][index_in(plan.subsystems[coupling.consumer].inputs, coupling.to)];
        if (input != value) ++moved;
        input = value;
      }
    }
    std::vector<double> rates;
    for (std::size_t index = 0; index < blocks.size(); ++index) {
      rates.assign(blocks[index].states, 0.0);
      blocks[index].apply({0, rates.size()}, z[index].data(), u[index].data(), rates.data());
      for (std::size_t row = 0; row < rates.size(); ++row)
        whole[first[index] + row][column] = rates[row];
    }
  }
  double fastest = 0.0;
  for (const std::complex<double> value : eigenvalues(std::move(whole)).values)
    fastest = std::max(fastest, value.real());
  return std::exp(fastest * static_cast<double>(plan.macro_step_ns) * 1e-9);
}

/// About one point. @param steps  macro-steps, a multiple of 4
std::optional<CoupledGrowth> growth_about(const Plan& plan, const Network& network,
                                          const DaeResult& dae,
                                          const std::vector<LinearBlock>& blocks,
                                          std::int64_t steps, std::string& problem) {
  LinearPlan linear(plan, blocks);
  CoupledGrowth growth;
  std::size_t state = 0;
  std::vector<double> quarters{1.0};
  for (int quarter = 0; quarter < 4; ++quarter) {
    double size = quarters.back();
    for (std::int64_t k = 0; k < steps / 4 && size < 1e250; ++k) {
      linear.macro_step();
      const double now = linear.size(growth.subsystem, state);
      // Where it explodes, the last step says how fast.
      if (now >= 1e250) growth.per_macro_step = now / size;
      size = now;
    }
    quarters.push_back(size);
    if (size >= 1e250 || !(size > 0.0)) break;
  }
  if (quarters.size() == 5 && quarters.back() < 1e250) {
    const auto rate = [&](std::size_t quarter) {
      return std::pow(quarters[quarter] / quarters[quarter - 1], 4.0 / static_cast<double>(steps));
    };
    growth.per_macro_step = std::min(rate(3), rate(4));
  }
  if (!(growth.per_macro_step > noticed_growth)) return std::nullopt;
  growth.state = dae.subsystems[growth.subsystem].states[state].symbol;
  const std::optional<double> physical = physical_growth(plan, blocks);
  if (!physical) {
    problem = "the plant is too large to tell its growth from that of the coupling";
    return std::nullopt;
  }
  growth.physical = *physical;
  if (growth.per_macro_step <= 1.0 + 1.05 * (growth.physical - 1.0)) return std::nullopt;
  const std::vector<LinearBlock> elsewhere = linear_blocks(plan, network, dae, {.away = far_away});
  growth.linear = !elsewhere.empty() &&
                  std::equal(blocks.begin(), blocks.end(), elsewhere.begin(),
                             [](const LinearBlock& a, const LinearBlock& b) { return a.same(b); });
  return growth;
}

}  // namespace

std::optional<CoupledGrowth> coupled_growth(const Plan& plan, const PlantEquations& plant,
                                            const OperatingRange& range, std::string& problem) {
  const Network& network = plant.network;
  const DaeResult& dae = plant.dae;
  if (plan.couplings.empty()) return std::nullopt;
  std::vector<LinearBlock> blocks = linear_blocks(plan, network, dae);
  if (blocks.empty()) {
    problem = "the subsystems cannot be linearised at the start";
    return std::nullopt;
  }
  const double affordable = most_operations / std::max(1.0, operations(plan, blocks));
  const auto points = static_cast<std::size_t>(
      std::max(0.0, std::min({static_cast<double>(range.rows.size()), most_points,
                              std::floor(affordable / fewest_macro_steps) - 1.0})));
  const auto steps =
      static_cast<std::int64_t>(std::min(static_cast<double>(most_macro_steps),
                                         affordable / static_cast<double>(points + 1))) /
      4 * 4;
  if (steps < fewest_macro_steps) {
    problem = "the plant is too large for it";
    return std::nullopt;
  }
  std::optional<CoupledGrowth> worst = growth_about(plan, network, dae, blocks, steps, problem);
  for (std::size_t k = 0; k < points; ++k) {
    const std::size_t row = points < 2 ? 0 : k * (range.rows.size() - 1) / (points - 1);
    blocks = linear_blocks(plan, network, dae, {.range = &range, .row = row});
    if (blocks.empty()) continue;
    std::optional<CoupledGrowth> here = growth_about(plan, network, dae, blocks, steps, problem);
    if (here) here->time_s = range.times[row];
    if (here && (!worst || here->per_macro_step > worst->per_macro_step)) worst = here;
  }
  return worst;
}

void check_coupled_stability(Plan& plan, const PlantEquations& plant, const OperatingRange& range,
                             Diagnostics& diagnostics) {
  const Network& network = plant.network;
  std::string problem;
  const auto found = coupled_growth(plan, plant, range, problem);
  plan.coupling_stability =
      plan.couplings.empty() ? "nothing is exchanged"
      : found
          ? "grows by a factor of " + three_digits(found->per_macro_step) + " per synchronisation"
      : problem.empty()
          ? "stable, linearised at the start" +
                (range.rows.empty() ? ""
                                    : " and at most " + three_digits(most_points) +
                                          " points of its operating range") +
                (network.delays.empty() ? "" : ", with what arrives over lines held") +
                (network.foreign.empty() ? ", with control and switched circuits held"
                                         : ", with control, switched circuits and FMUs held: what "
                                           "goes round through an FMU is not judged")
          : "not known: " + problem;
  if (!found) return;
  // With half the synchronisation times, and again, until it is stable: what would do.
  std::optional<std::int64_t> stable_ns;
  Plan finer = plan;
  for (int halving = 0; halving < 12 && !stable_ns; ++halving) {
    bool possible = true;
    for (SyncGroup& group : finer.groups)
      possible = possible && group.period_ns % 2 == 0, group.period_ns /= 2;
    for (PlanSubsystem& subsystem : finer.subsystems) {
      subsystem.period_ns /= 2;
      if (subsystem.period_ns > 0)
        subsystem.step_ns = nearest_divisors(subsystem.period_ns, subsystem.step_ns).below;
      possible = possible && subsystem.period_ns > 0;
    }
    finer.macro_step_ns /= 2;
    if (!possible) break;
    if (!coupled_growth(finer, plant, range, problem) && problem.empty())
      stable_ns = finer.macro_step_ns;
  }
  const std::string& state = network.graph().symbol(found->state).path;
  const std::string message =
      "the coupling is unstable: with the synchronisation time " +
      duration_text(plan.macro_step_ns) + " what " + plan.subsystems[found->subsystem].name +
      " exchanges grows by a factor of " + three_digits(found->per_macro_step) +
      " per synchronisation, most in " + state +
      " (the plant itself: " + three_digits(found->physical) + ")";
  const std::string hint = stable_ns ? "with all synchronisation times divided by " +
                                           std::to_string(plan.macro_step_ns / *stable_ns) +
                                           " it is stable (" + duration_text(*stable_ns) + ")"
                                     : "shorten the synchronisation time of the subsystems it "
                                       "exchanges with, or put them into one circuit";
  const Location where = network.sync.empty() ? Location{} : network.sync.front().where;
  if (found->linear)
    diagnostics.error("S042", where, message, hint);
  else
    diagnostics.warning(
        "S042", where,
        message + "; linearised at " +
            (found->time_s ? rounded_text(*found->time_s, "s") + " of the operating range"
                           : "the start"),
        hint);
}

}  // namespace takt::codegen
