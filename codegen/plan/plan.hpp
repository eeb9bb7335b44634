#pragma once
// Plan: which subsystem integrates how, when coupled values cross, and in which order windows are
// computed. Output of partition, input of emit. A pure function of network and surrogates; the same
// input gives the same plan.

#include <complex>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "codegen/dae/algebra/jacobian.hpp"
#include "codegen/dae/algebra/linear_form.hpp"
#include "codegen/dae/algebra/surrogate.hpp"
#include "codegen/methods/method.hpp"
#include "codegen/model/network.hpp"
#include "codegen/text/diagnostics.hpp"

namespace takt::codegen {

/// Subsystems (and groups) that exchange at one synchronisation time. Groups form a tree; group 0
/// is the outermost, each stands after the one it lies in. Emitted as a row of the runtime's
/// GroupPlan.
struct SyncGroup {
  std::string name;
  std::optional<std::size_t> parent;      ///< index of the enclosing group
  std::int64_t period_ns = 0;             ///< H; a multiple of the periods of the groups inside
  Scheme scheme = Scheme::by_dependency;  ///< between rates
  std::optional<int> order;               ///< of inter/extrapolation where the user fixed it
  bool smooth = false;                    ///< extrapolation without jumps where a window begins
  std::vector<std::size_t> members;       ///< subsystems directly in this group
  bool proposed = false;                  ///< not from the plant file
};

/// What the linearised subsystem says about steps (stability.hpp).
struct PlanStability {
  struct Limit {
    const Method* method = nullptr;
    int stages = 0;
    std::optional<double> step_s;  ///< largest stable one; nullopt: any
  };
  bool known = false;
  bool complete = true;               ///< all eigenvalues, not the largest only
  std::complex<double> eigenvalue{};  ///< of the largest modulus, 1/s
  std::string state;                  ///< most involved in it
  std::vector<Limit> limits;          ///< per method
  std::string problem;                ///< why nothing is known
};

/// One subsystem; Plan::subsystems is parallel to DaeResult::subsystems.
struct PlanSubsystem {
  std::string name;
  CircuitDomain domain{};
  const Method* method = &methods::heun;
  int stages = 0;                 ///< of a method that chooses them
  double step_evaluations = 0.0;  ///< what a step takes, its linear systems too, in evaluations of
                                  ///< the equations; 0: as many as the method says
  std::int64_t step_ns = 0;  ///< micro-step; discrete: the execution period, at most a window
  bool step_given = false;   ///< by [solve]
  std::int64_t every_ns =
      0;  ///< discrete: the execution period; above the window it sits out whole windows
  std::int64_t period_ns = 0;  ///< window
  std::size_t group = 0;
  std::optional<int> newton_iterations;  ///< overrides NewtonBlock::iterations
  double tolerance = 0.0;  ///< relative, of methods adaptive and bdf; they compute a window at once
  std::int64_t largest_step_ns = 0;  ///< the same
  std::size_t events = 0;            ///< of its elements: its steps are cut at them
  bool sampled_edges = false;  ///< switched circuits: gates change at the ends of micro-steps only
  bool affine =
      false;  ///< switched circuits: by affine maps, not by eliminating potentials in every step
  std::string reason;  ///< where method or step were proposed, why
  PlanStability stability;
  std::optional<Jacobian>
      jacobian;  ///< of linearly implicit methods; quadratures: sent, received, energy
  std::optional<LinearForm> linear;  ///< of method exact; quadratures the same
  std::vector<SymbolId>
      inputs;  ///< what it reads and does not own, in ascending id: couplings and plant inputs
  std::vector<std::uint8_t>
      input_degree;  ///< parallel to inputs: of the polynomial that stands for it in a window
  std::vector<SymbolId>
      outputs;  ///< what others read (also the instantaneous values of fluxes), ascending id
  std::vector<SymbolId> sent;  ///< symbols whose integrals over the window it sends, ascending id
  std::vector<SymbolId> received;  ///< inputs that are fluxes, ascending id
  std::vector<SymbolId> jumping;   ///< what events set, outputs of FMUs that take steps: exchanged
                                   ///< as they are, ascending id
};

/// One variable that crosses subsystems.
struct PlanCoupling {
  CouplingKind kind = CouplingKind::potential;
  std::size_t producer = 0, consumer = 0;
  SymbolId from{};              ///< in the producer's outputs (and sent, for a flux)
  SymbolId to{};                ///< in the consumer's inputs; equal to `from` for a potential
  std::uint8_t lag = 0;         ///< 1: the producer runs after the consumer in a macro-step
  std::uint8_t order = 0;       ///< of inter/extrapolation
  std::size_t group = 0;        ///< the innermost that holds both: they exchange at its time
  std::string reason;           ///< lag 1: why this one is extrapolated
  std::optional<int> paradigm;  ///< heat transfer between two domains: coupling paradigm 1, 2 or 3
  std::string paradigm_reason;  ///< why that one
  std::optional<std::size_t> delay =
      {};                    ///< index into Network::delays: it travels; `to` is what arrives
  std::int64_t samples = 1;  ///< of a delay: parts of a window at whose ends the value is taken
};

/// A plant input that feeds a subsystem directly.
struct PlanRoute {
  std::size_t plant_input = 0;  ///< index into Network::inputs
  std::size_t consumer = 0;
  std::size_t input = 0;  ///< index into the consumer's inputs
};

/// What is recorded at one period.
struct PlanRecord {
  std::int64_t period_ns = 0;
  std::vector<SymbolId> symbols;  ///< ascending path
};

/// "by dependency", "slow-first"
[[nodiscard]] inline std::string scheme_text(Scheme scheme) {
  return scheme == Scheme::by_dependency ? "by dependency"
                                         : std::string(word_of(scheme_words, scheme));
}

struct Plan {
  std::vector<SyncGroup> groups;
  std::vector<PlanSubsystem> subsystems;
  std::vector<std::size_t>
      order;  ///< evaluation order: subsystem indices; members of a group stand together
  std::vector<PlanCoupling> couplings;  ///< by consumer, then input
  std::vector<PlanRoute> routes;
  std::vector<PlanRecord> records;
  std::int64_t macro_step_ns = 0;  ///< outermost synchronisation time
  std::string coupling_stability;  ///< what is known of it (coupled_stability.hpp)
  std::string linearised_at;       ///< "the start", "the start and 7 points of FILE"
};

}  // namespace takt::codegen
