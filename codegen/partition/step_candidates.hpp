#pragma once
// Methods that could integrate one subsystem, each with the longest step that is stable, and what
// they cost.

#include <optional>
#include <vector>

#include "codegen/stability/step_limits.hpp"
#include "codegen/trial/step_trial.hpp"

namespace takt::codegen {

/// States that hang together, beyond which method exact multiplies too many numbers in every step.
inline constexpr std::size_t largest_exact_block = 200;

struct StepQuestion {
  const Network& network;
  const Surrogate& surrogate;
  const Spectrum& spectrum;
  const SolveSetting& setting;  ///< of this subsystem, merged
  std::int64_t most_ns = 0;     ///< longest step that is proposed
  StepTrial* trial = nullptr;   ///< where the plant goes; nullptr: not asked for
};

/// A method with the longest step it can take.
struct Candidate {
  const Method* method = nullptr;
  int stages = 0;
  std::int64_t step_ns = 0;
  double cost = 0.0;  ///< operations per simulated second, about
};

/// Operations of one step, about.
[[nodiscard]] double cost_of_step(const Method* method, int stages, const StepQuestion& question);

/// What could integrate the subsystem in windows of this period, cheapest first; steps divide the
/// period and are at most `most_ns`.
[[nodiscard]] std::vector<Candidate> candidates(const StepQuestion& question,
                                                std::int64_t period_ns);

// Inside of codegen/partition:

[[nodiscard]] inline double seconds(std::int64_t ns) { return static_cast<double>(ns) * 1e-9; }

/// A proposal holds nothing.
[[nodiscard]] LinearShape shape_for_proposal(const StepQuestion& question);

/// Method exact is not where others cut their steps.
[[nodiscard]] bool is_proposed(const Method* method, const LinearShape& shape);

/// Fewest stages that carry the step; nullopt: too many.
[[nodiscard]] std::optional<int> stages_for(const Method* method, const Spectrum& spectrum,
                                            double step_s);

/// At the limit itself a mode that should die out stands.
[[nodiscard]] bool is_near_limit(const Method* method, int stages, const Spectrum& spectrum,
                                 std::int64_t step_ns);

/// nullopt: the method cannot integrate the subsystem.
[[nodiscard]] std::optional<Candidate> candidate(const Method* method, const StepQuestion& question,
                                                 const LinearShape& shape,
                                                 const StepDivisors& steps);

/// Cheapest first; where `exact`, those that can take `most_ns` only.
[[nodiscard]] std::vector<Candidate> sorted_candidates(const StepQuestion& question,
                                                       std::int64_t period_ns, std::int64_t most_ns,
                                                       bool exact);

}  // namespace takt::codegen
