#pragma once
// Where a plant goes: run once inside the generator, as far as a bounded number of operations
// reaches, to see at which points its subsystems have to be linearised and what steps have to
// follow.
//
// All subsystems step together, control at its periods, inputs at their start values. The method is
// the runtime's linearly implicit one of order 2, of which the order does not hang on the Jacobian
// (a W-method: J. G. Verwer et al., SIAM J. Sci. Comput. 20 (1999) 1456): each subsystem's own is
// taken, couplings are explicit. Steps are chosen so that the difference to order 1 is a thousandth
// of the range that each state has covered. Limits: switched circuits and events are not run, a
// plant with some is not scouted; nor one that begins in its steady state, nor one too large for a
// few steps.

#include <string>
#include <vector>

#include "codegen/dae/plant_equations.hpp"
#include "codegen/stability/operating_range.hpp"
#include "codegen/stability/time_functions.hpp"

namespace takt::codegen {

struct Scouted {
  OperatingRange path;  ///< a row per step: states, what continuous subsystems read of others, what
                        ///< was asked for; empty: not scouted
  std::vector<std::size_t> points;  ///< rows at which it pays to linearise, ascending
  double until_s = 0.0;             ///< how far it came
  std::string problem;              ///< why not to the end
};

/// @param functions  of all subsystems: their instants are stepped to
/// @param seen       columns of the path, too: what the algebra of continuous subsystems assigns
[[nodiscard]] Scouted scout(const PlantEquations& plant,
                            const std::vector<TimeFunctions>& functions, double duration_s,
                            const std::vector<SymbolId>& seen = {});

/// What each subsystem reads of others, ascending.
[[nodiscard]] std::vector<std::vector<SymbolId>> read_of_others(const Network& network,
                                                                const DaeResult& dae);

}  // namespace takt::codegen
