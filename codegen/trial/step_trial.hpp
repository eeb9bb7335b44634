#pragma once
// Method and step of one subsystem tried out on its equations, beside where the plant has been seen
// to go (stability/scout.hpp): what it reads of others is as it was there, so the error is that of
// its own steps.
//
// Limits: exact has no error of its own. All trials of a subsystem together are bounded: what
// cannot be afforded to the end is tried over a part, or not at all.

#include <array>
#include <string>
#include <vector>

#include "codegen/plan/plan.hpp"
#include "codegen/stability/linearise.hpp"
#include "codegen/stability/scout.hpp"

namespace takt::codegen {

/// What is known of where a plant goes, for those who choose steps.
struct Outlook {
  std::vector<TimeFunctions> functions;  ///< parallel to subsystems
  Scouted scouted;
  SymbolValues begin;                         ///< values of all symbols where the path begins
  std::vector<std::vector<SymbolId>> inputs;  ///< of subsystems: what they read of others
  std::vector<std::vector<SymbolId>> seen;    ///< of subsystems: what is recorded of their algebra
};

[[nodiscard]] Outlook look_ahead(const Network& network, const DaeResult& dae);

struct StepError {
  double nrms = 0.0;  ///< of the state that is worst: RMS over range; infinite where a state is no
                      ///< finite number
  double seen = 0.0;  ///< the same of what is recorded, by averages over parts of the time
  double energy =
      0.0;  ///< that does not add up, over what passed through; electric and mechanical subsystems
  SymbolId state{}, signal{};
  double until_s = 0.0;  ///< up to when it was tried; 0: it was not
  double worst_s = 0.0;  ///< when a state was off by a tenth of its range, or where none was, when
                         ///< it was off most
};

/// In what is tried: RMS over the range of the whole path. More than this is taken for wrong.
inline constexpr double tolerated_error = 5e-3;
/// Of what is recorded, the second where no step tried meets the first: where the plant has been
/// seen to go is a percent off itself where that follows states steeply.
inline constexpr std::array tolerated_seen_errors{5e-3, 1.5e-2};
/// A half of what voids a run.
inline constexpr double tolerated_energy_error = 2.5e-3;

class StepTrial {
 public:
  StepTrial(const Network& network, const Surrogate& surrogate, const Outlook& outlook,
            std::size_t index)
      : network_(network), surrogate_(surrogate), outlook_(outlook), index_(index) {}

  /// @param plan      of the subsystem; its period does not matter
  /// @param around_s  where it is tried if the whole cannot be afforded
  [[nodiscard]] StepError error(const PlanSubsystem& plan, double around_s = 0.0);
  [[nodiscard]] const TimeFunctions& functions() const { return outlook_.functions[index_]; }

 private:
  const Network& network_;
  const Surrogate& surrogate_;
  const Outlook& outlook_;
  std::size_t index_;
  double spent_ = 0.0;  ///< operations, of all trials
};

}  // namespace takt::codegen
