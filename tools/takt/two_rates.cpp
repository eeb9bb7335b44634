#include "tools/takt/two_rates.hpp"

#include "codegen/stability/divisors.hpp"
#include "tools/takt/plan_settings.hpp"
#include "tools/takt/temporary_file.hpp"

namespace takt::tools {

using namespace takt::codegen;

bool may_have_two_rates(const BuiltPlant& plant, const PlanTimes& found) {
  const Checked& checked = plant.checked;
  return checked.network.solve.empty() && checked.network.sync.empty() &&
         found.period_ns.front() < checked.plan.groups.front().period_ns;
}

std::shared_ptr<const BuiltPlant> with_two_rates(const BuiltPlant& plant, const PlanTimes& found,
                                                 const std::vector<std::size_t>& fast) {
  const std::int64_t outer_ns = plant.checked.plan.groups.front().period_ns,
                     inner_ns = nearest_divisors(outer_ns, found.period_ns.front()).below;
  const TemporaryFile file(two_rates(plant.checked, fast, inner_ns, outer_ns));
  PlantBuild request = plant.request;
  request.solve = file.path();
  request.directory = plant.directory;  // not one named after the temporary file
  request.publish = false;
  request.quiet = true;
  if (!is_accepted(request)) return nullptr;
  std::optional<BuiltPlant> built = build_plant(request);
  if (!built) return nullptr;
  for (SyncGroup& group : built->checked.plan.groups) group.proposed = true;
  built->tunable = plant.tunable;
  return std::make_shared<const BuiltPlant>(std::move(*built));
}

}  // namespace takt::tools
