#pragma once
// Where each value of a flattened plant stands, and the order in which its equations are solved.

#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

#include "codegen/reference/block_outputs.hpp"
#include "codegen/reference/flat_system.hpp"

namespace takt::codegen {

struct FlatModel {
  const Network& network;
  const FlatSystem& flat;
  std::unordered_map<SymbolId, double>
      block_starts{};             ///< of states of control blocks, in place of the plant's
  std::vector<double> turns_s{};  ///< instants at which what follows time changes its course
  double look_s = 1e-6;
};

struct FlatPlace {
  enum class Kind : std::uint8_t {
    state,  ///< an unknown that is integrated
    unknown,
    time,
    input,
    output,    ///< of a control block
    discrete,  ///< state of a control block, level of a gate or of a leg, mode
    total,     ///< energy lost at edges
    hidden,    ///< pulses, values before an edge
    parameter,
    variable,
    indicator,
    rate
  };
  Kind kind = Kind::hidden;
  std::string path, unit;
  std::optional<SymbolId> symbol;  ///< none: a rate
  double start = 0.0;              ///< of inputs and parameters
  bool structural = false;         ///< parameter that is compiled in
  bool at_start_only = false;      ///< parameter that is read at the start only
  bool at_events =
      false;  ///< input that control blocks and gates read: it may change at events only
};

/// Square blocks of equations in the order in which they can be solved.
struct FlatBlocks {
  std::vector<std::uint32_t> start, row, unknown;
};

/// Derivatives of expressions, row by row.
struct FlatSlopes {
  std::vector<Expr> value;
  std::vector<std::uint32_t> row_start, column;
};

struct FlatLayout {
  std::vector<FlatPlace> places;
  std::unordered_map<SymbolId, std::uint32_t> place_of;
  std::uint32_t time = 0, inputs = 0, parameters = 0, variables = 0,
                rates = 0;                      ///< the first of each
  std::vector<std::uint32_t> states, rate_row;  ///< unknown and row of each state
  std::vector<std::uint32_t> indicators;
  FlatSlopes rows, start_rows, variable_rows;
  FlatBlocks algebra, start_blocks;
  /// By place of what is continuous: the states and inputs it depends on, ascending.
  std::vector<std::vector<std::uint32_t>> depends_on;
  std::vector<BlockOutput> outputs;
  std::string undetermined;  ///< why there is no such order; empty: there is one
};

[[nodiscard]] FlatLayout flat_layout(const FlatModel& model);

}  // namespace takt::codegen
