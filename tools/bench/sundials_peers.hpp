#pragma once
// The plant beside SUNDIALS: all its circuits as one system, the same emitted right-hand side, integrated by CVODE and
// ARKODE at the loosest tolerance with which they are as accurate as the plant's own methods.

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "tools/takt/build_plant.hpp"

namespace takt::tools {

struct SundialsRequest {
  PlantBuild build;      ///< of the plant; `solve` and `directory` are of the peers
  std::string duration;  ///< of all runs; empty: the plant's own
  int runs = 5, cpu = -1;
};

struct SundialsRow {
  std::string name;        ///< "CVODE, BDF"
  double tolerance = 0.0;  ///< relative; 0: fixed steps
  double error = 0.0;      ///< of the worst signal: RMS of the difference to the reference over the signal's range
  std::string signal;
  std::vector<double> busy;  ///< CPU time of solvers and executive, s per simulated second, by run
};

struct SundialsComparison {
  std::string model, reference;  ///< what the errors are measured against
  double simulated_s = 0.0;
  int cpu = 0;
  std::vector<SundialsRow> rows;  ///< the plant's own first
};

/// Why there is no such comparison; empty: there is one. Circuits with switches are not integrated by SUNDIALS on
/// emitted code.
[[nodiscard]] std::string no_sundials_peers(const PlantBuild& build);

/// @return nullopt after errors, which are printed.  @throws std::runtime_error  where a run fails
[[nodiscard]] std::optional<SundialsComparison> compare_sundials(const BuiltPlant& plant,
                                                                 const SundialsRequest& request);

[[nodiscard]] std::string sundials_text(const SundialsComparison& comparison);
[[nodiscard]] std::string sundials_json(const SundialsComparison& comparison);

}  // namespace takt::tools
