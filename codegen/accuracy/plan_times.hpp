#pragma once
// The times of a plan - micro-steps of subsystems, synchronisation times of groups - as numbers
// that a search moves.

#include <cstdint>
#include <string>
#include <vector>

#include "codegen/dae/plant_equations.hpp"
#include "codegen/plan/plan.hpp"
#include "runtime/audit/refined_plan.hpp"

namespace takt::codegen {

/// Times that a search moves together.
struct FreeTime {
  enum class Kind : std::uint8_t { step, period } kind = Kind::step;
  std::vector<std::size_t> members;  ///< subsystems or groups
  int order = 1;     ///< with which the error falls as they become shorter, at least
  std::string name;  ///< "the step of electric", "the synchronisation time of plant"
};

/// What is fixed of a plan's times and how the others hang together.
class PlanTimesSpace {
 public:
  PlanTimesSpace(const PlantEquations& plant, const Plan& plan);

  [[nodiscard]] PlanTimes times() const;  ///< of the plan itself
  /// Steps of many circuits are those of a domain.
  [[nodiscard]] const std::vector<FreeTime>& free() const { return free_; }
  /// Whether shorter synchronisation times are the same plant, only finer: commands for gates take
  /// effect by the windows of the blocks that give them.
  [[nodiscard]] bool periods_divide() const { return periods_divide_; }

  /// Times that are wished, shortened to the nearest that nest: groups divide what is around them,
  /// the outermost what is recorded, steps their windows.
  [[nodiscard]] PlanTimes fitted(PlanTimes wished) const;
  /// A free time `factor` times as long as it is; the others where they stay.
  static void scale(PlanTimes& times, const FreeTime& which, double factor);
  /// The same, fitted.
  [[nodiscard]] PlanTimes moved(PlanTimes from, const FreeTime& which, double factor) const;
  /// All times, given ones too, as parts.
  [[nodiscard]] PlanTimes divided(const PlanTimes& from, std::int64_t divisor) const;

  /// Evaluations of equations in a simulated second, about: what a plan costs, for comparisons.
  [[nodiscard]] double work(const PlanTimes& times) const;
  /// The part of one subsystem; and its steps alone, without exchanges.
  [[nodiscard]] double work(const PlanTimes& times, std::size_t subsystem) const;
  [[nodiscard]] double work_of_steps(const PlanTimes& times, std::size_t subsystem) const;

 private:
  void add_step(std::size_t subsystem, bool by_domain);
  [[nodiscard]] std::int64_t fitted_period(std::size_t group, std::int64_t whole,
                                           std::int64_t most) const;

  const Plan& plan_;
  std::vector<double> step_work_, window_work_;  // of subsystems
  std::vector<bool> sampled_, whole_;  // of subsystems: control; one step a window, however long
  std::vector<FreeTime> free_;
  std::vector<std::vector<std::int64_t>> sampled_in_;  // of groups: periods of their control blocks
  std::vector<std::int64_t>
      travel_ns_;               // of groups: the shortest delay of lines that they exchange over
  std::int64_t record_ns_ = 0;  ///< largest part of all times at which something is recorded
  bool periods_divide_ = true;
};

}  // namespace takt::codegen
