#pragma once
// Where a plant works beside its start: rows of states, inputs and what switched circuits give, as
// a run with
// --record-states writes them or as the user does. Stability is judged at every one of them.

#include <filesystem>
#include <string>
#include <vector>

#include "codegen/dae/algebra/surrogate.hpp"
#include "codegen/model/network.hpp"
#include "codegen/text/diagnostics.hpp"

namespace takt::codegen {

struct OperatingRange {
  std::string file;                       ///< empty: the start alone
  std::vector<SymbolId> symbols;          ///< columns
  std::vector<double> times;              ///< s; parallel to rows
  std::vector<std::vector<double>> rows;  ///< SI; NaN: not given, as at the start
};

/// A CSV table, heads "path [unit]"; a column "time [s]" where expressions read the time. Of very
/// many rows some, evenly. Reports S043 (a column names nothing of this plant), M026, M028, U001,
/// U004, U005.
[[nodiscard]] OperatingRange read_operating_range(const std::filesystem::path& file,
                                                  const Network& network, const DaeResult& dae,
                                                  Diagnostics& diagnostics);

}  // namespace takt::codegen
