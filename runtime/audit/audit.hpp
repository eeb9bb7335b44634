#pragma once
// The audit of a run: stretches of it are computed again with shorter steps and compared.

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "runtime/audit/deviation.hpp"
#include "runtime/executive/plant_copies.hpp"
#include "runtime/plant/description.hpp"
#include "runtime/plant/input_script.hpp"
#include "runtime/stats/run_results.hpp"

namespace takt {

struct AuditSettings {
  double seconds = 0.0;         ///< of computing time at most; below 0: as long as it takes
  bool (*goes_on)() = nullptr;  ///< asked now and then: false ends the audit with what it has
  double limit = usual_audit_limit;
};

/// Everything a run was, for the audit.
struct AuditedRun {
  const PlantDescription& plant;
  std::span<const PlantCopy> copies;
  InputScript script;  ///< what drove it, from the beginning
  std::uint64_t macro_steps = 0;
};

/// First the run from its beginning beside one with shorter steps and, where the plan's times can be divided, shorter
/// synchronisation times: errors add up as they do in the plant. Of what that leaves uncovered, stretches from the
/// copies, with shorter steps. Not real-time, and after the run: allocates; takes computing time.
[[nodiscard]] AuditResult audit(const AuditedRun& run, const AuditSettings& settings);

}  // namespace takt
