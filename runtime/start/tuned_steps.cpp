#include "runtime/start/tuned_steps.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <string_view>
#include <vector>

#include "runtime/coupling/exchange.hpp"
#include "runtime/start/eigenvalues.hpp"
#include "runtime/start/mode_stability.hpp"
#include "runtime/start/plant_rates.hpp"
#include "runtime/stats/format.hpp"

namespace takt {
namespace {

constexpr double difference = 1e-6;        // of a state's magnitude
constexpr double eigenvalue_error = 1e-8;  // that differences leave
constexpr int newton_calls = 20;           // from a start that may be far

/// The plant at its start, in memory of its own.
class StartedPlant {
 public:
  explicit StartedPlant(const PlantDescription& plant)
      : memory_((plant.memory_size + sizeof(Line) - 1) / sizeof(Line)), plant_(plant) {
    plant_.memory = reinterpret_cast<std::byte*>(memory_.data());
    std::memcpy(plant_.memory, plant.memory, plant.memory_size);
    (void)Exchanges(plant_, {}).settle();
    rates_.emplace_back(plant_);
    kept_.assign(plant_.memory, plant_.memory + plant_.memory_size);
  }

  /// d(rates)/d(states) of one subsystem, its inputs held.
  start::Matrix jacobian(std::uint16_t index) {
    const SubsystemDescription& s = plant_.subsystems[index];
    start::Matrix matrix(s.states);
    const std::size_t first = first_state_of(index);
    std::vector<double> above(s.states), below(s.states);
    for (std::size_t column = 0; column < s.states; ++column) {
      const double size = std::max(std::abs(state(s, column)), rates_.front().natural_step(first + column));
      go_back();
      const double step = difference * size;
      answer(s, column, step, above);
      answer(s, column, -step, below);
      for (std::size_t row = 0; row < s.states; ++row) matrix[row][column] = (above[row] - below[row]) / (2.0 * step);
    }
    return matrix;
  }

 private:
  struct alignas(64) Line {
    std::byte bytes[64];
  };

  [[nodiscard]] double& state(const SubsystemDescription& s, std::size_t index) const {
    return reinterpret_cast<double*>(plant_.memory + s.states_offset)[index];
  }
  void go_back() { std::memcpy(plant_.memory, kept_.data(), kept_.size()); }
  [[nodiscard]] std::size_t first_state_of(std::uint16_t index) const {
    const auto& states = rates_.front().states();
    return static_cast<std::size_t>(
        std::find_if(states.begin(), states.end(), [&](const auto& one) { return one.subsystem == index; }) -
        states.begin());
  }
  void answer(const SubsystemDescription& s, std::size_t column, double step, std::vector<double>& rates) {
    state(s, column) += step;
    for (int call = 0; call < (s.newton_blocks > 0 ? newton_calls : 1); ++call)
      s.rates(plant_.memory + s.offset, rates.data());
    go_back();
  }

  std::vector<Line> memory_;
  PlantDescription plant_;
  std::vector<start::PlantRates> rates_;  // one
  std::vector<std::byte> kept_;
};

bool can_be_unstable(const SubsystemDescription& s) {
  return s.states > 0 && s.rates != nullptr && s.stability.reach != nullptr;
}

bool reads_any(const PlantDescription& plant, const SubsystemDescription& s, std::span<const std::string> parameters) {
  return std::any_of(plant.all_rows().begin(), plant.all_rows().end(), [&](const MemoryEntry& entry) {
    if (entry.role != Role::parameter ||
        std::find(parameters.begin(), parameters.end(), entry.path) == parameters.end())
      return false;
    const std::size_t index = (entry.offset - plant.parameters_offset) / sizeof(double);
    return std::find(s.parameters.begin(), s.parameters.end(), index) != s.parameters.end();
  });
}

std::string state_path(const PlantDescription& plant, const SubsystemDescription& s, std::size_t state) {
  for (const MemoryEntry& entry : plant.all_rows())
    if (entry.role == Role::state && entry.offset == s.states_offset + state * sizeof(double)) return entry.path;
  return "state " + std::to_string(state);
}

std::string refusal(const PlantDescription& plant, const SubsystemDescription& s, const start::Eigenpairs& modes) {
  const double h = static_cast<double>(s.step_ns) * 1e-9;
  const start::StepMethod method{s.stability, s.stages};
  const auto growth = [&](std::complex<double> mode) {
    return std::abs(start::amplification(method, h * mode)) / std::exp(std::max(0.0, h * mode.real()));
  };
  const auto worst = *std::max_element(modes.values.begin(), modes.values.end(),
                                       [&](auto a, auto b) { return growth(a) < growth(b); });
  const double omega = std::abs(worst.imag());
  const std::string mode =
      formatted("%.3g", worst.real()) + (omega > 0.0 ? " +- " + formatted("%.3g", omega) + "i" : "") + " 1/s";
  const auto largest = start::largest_stable_step(method, modes.values, eigenvalue_error);
  return std::string("X021: with these parameters the step ") + formatted("%.3g s", h) + " of " + s.name +
         " is unstable with " + s.method + ": it multiplies the mode " + mode +
         (worst == modes.values.front() ? ", mostly " + state_path(plant, s, modes.leading) + "," : "") + " by " +
         formatted("%.3g", growth(worst)) + " in every step; " +
         (largest && *largest > 0.0 ? "steps up to " + formatted("%.3g s", *largest) + " are stable"
                                    : "no step is stable") +
         ". Build it for them: `takt check --set ...` proposes steps, `takt run --set ...` takes them";
}

}  // namespace

std::string unstable_after_tuning(const PlantDescription& plant, std::span<const std::string> parameters) {
  std::vector<std::uint16_t> affected;
  const auto count = static_cast<std::uint16_t>(plant.subsystems.size());
  for (std::uint16_t index = 0; index < count; ++index)
    if (can_be_unstable(plant.subsystems[index]) && reads_any(plant, plant.subsystems[index], parameters))
      affected.push_back(index);
  if (affected.empty()) return {};
  StartedPlant started(plant);
  for (const std::uint16_t index : affected) {
    const SubsystemDescription& s = plant.subsystems[index];
    const start::Matrix jacobian = started.jacobian(index);
    if (std::ranges::any_of(jacobian.entries(), [](double entry) { return !std::isfinite(entry); })) continue;
    const start::Eigenpairs modes = start::eigenvalues(jacobian);
    if (modes.converged && !start::is_stable({s.stability, s.stages}, modes.values,
                                             static_cast<double>(s.step_ns) * 1e-9, eigenvalue_error))
      return refusal(plant, s, modes);
  }
  return {};
}

}  // namespace takt
