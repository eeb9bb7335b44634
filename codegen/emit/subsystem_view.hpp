#pragma once
// One subsystem as the emitter sees it: where each symbol lives.

#include <cstdint>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "codegen/dae/algebra/time_instants.hpp"
#include "codegen/emit/statements.hpp"
#include "codegen/model/network.hpp"
#include "codegen/plan/plan.hpp"

namespace takt::codegen {

struct SubsystemView {
  const Network& network;
  const Surrogate& surrogate;
  const PlanSubsystem& plan;
  std::string file;    ///< "electric_1"
  std::string type;    ///< "Electric1"
  std::string code;    ///< type whose functions compute it, all but prepare() (shared_code.hpp)
  std::string member;  ///< name inside struct Plant

  std::unordered_map<SymbolId, std::size_t> state, input, output, signal;
  std::unordered_map<SymbolId, std::size_t>
      defined_by;                            ///< algebra outputs: index into surrogate.algebra
  std::unordered_map<SymbolId, bool> fixed;  ///< parameters, and what depends on nothing else
  std::unordered_map<SymbolId, std::size_t> parameter;  ///< index into Network::parameters
  std::vector<std::size_t>
      prepared_from;  ///< the same, of what prepare() gets; known once the functions are
  std::unordered_set<std::size_t>
      running_parameters;  ///< those of them that more than the start depends on; known then
  std::vector<std::string> coefficients;  ///< names of what it computes; known then, too
  std::unordered_map<SymbolId, code::Place>
      bound;  ///< members of a switched circuit: modes, gates, histories ...
  std::unordered_set<SymbolId> held;  ///< inputs of a switched circuit that are held over a window
  std::vector<SymbolId>
      signals;  ///< algebra outputs that are no coupling outputs, in order of the algebra
  std::vector<std::size_t>
      warm;  ///< per algebra step: first index into the warm start values (Newton blocks)
  std::size_t warm_count = 0;
  std::vector<std::size_t> block;  ///< per algebra step: number of its Newton block
  std::size_t newton_blocks = 0;
  std::unordered_set<SymbolId> read;  ///< outputs that others read as potentials
  struct Still {
    std::string node;  ///< path
    SymbolId symbol;   ///< 1 where no mass flows
  };
  std::vector<Still> still;  ///< junctions whose windows without flow are counted
  struct Range {
    const RangeLimit* limit;
    bool each_window;  ///< judged at the end of every window; else where somebody looks
  };
  std::vector<Range> ranges;  ///< range_checks.hpp
  struct Wave {
    SymbolId symbol;
    std::size_t place;     ///< of what arrives: index of the input; of what leaves: of the output
    std::int64_t samples;  ///< in a window
    std::size_t delay;     ///< index into Network::delays
  };
  std::vector<Wave> arriving, leaving;  ///< at the ends of lines (line_functions.hpp)
  TimeInstants instants;      ///< of a smooth circuit, or of gates (instant_functions.hpp)
  TimeInstants turns;         ///< of duties of legs
  TimeInstants source_turns;  ///< of sources of a switched circuit
  bool in_lanes = false;      ///< there is code for several copies at once (lane_source.hpp)

  [[nodiscard]] const Graph& graph() const { return network.graph(); }
  [[nodiscard]] std::size_t quadratures() const {
    return plan.sent.size() + plan.received.size() + 3;
  }
  /// "electric.out.v [V]"
  [[nodiscard]] std::string label(SymbolId symbol) const;
};

[[nodiscard]] SubsystemView make_view(const Network& network, const Surrogate& surrogate,
                                      const PlanSubsystem& plan, UniqueNames& files);

/// The view of the functions that run between two factorisations of a switched circuit: there
/// modes, gates, operating points, held inputs and the step are as good as parameters.
[[nodiscard]] SubsystemView factored_view(const SubsystemView& view);
/// The view in which only held inputs are as good as parameters: for what is computed once a
/// window.
[[nodiscard]] SubsystemView held_view(const SubsystemView& view);

/// Indices of the algebra steps that the given roots need, in order of evaluation; fixed
/// assignments are left out.
[[nodiscard]] std::vector<std::size_t> needed_steps(const SubsystemView& view,
                                                    const std::vector<Expr>& roots,
                                                    const std::vector<SymbolId>& symbols);

/// What every stage of a method computes.
struct StageWork {
  std::vector<Expr> roots;
  std::vector<SymbolId> symbols;
  std::vector<std::size_t> steps;  ///< of the algebra, that all these need
};

[[nodiscard]] StageWork stage_work(const SubsystemView& view);

}  // namespace takt::codegen
