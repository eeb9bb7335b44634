#include "tools/takt/plan_variants.hpp"

#include <utility>

#include "codegen/stability/divisors.hpp"
#include "tools/takt/plan_settings.hpp"
#include "tools/takt/temporary_file.hpp"

namespace takt::tools {
namespace {

using namespace takt::codegen;

std::shared_ptr<const BuiltPlant> built_with(const BuiltPlant& plant, const std::string& settings) {
  std::optional<BuiltPlant> built = built_by_plan(plant, settings);
  if (!built) return nullptr;
  for (SyncGroup& group : built->checked.plan.groups) group.proposed = true;
  built->tunable = plant.tunable;
  return std::make_shared<const BuiltPlant>(std::move(*built));
}

}  // namespace

std::optional<BuiltPlant> built_by_plan(const BuiltPlant& plant, const std::string& settings) {
  const TemporaryFile file(settings);
  PlantBuild request = plant.request;
  request.solve = file.path();
  request.directory = plant.directory;  // not one named after the temporary file
  request.publish = false;
  request.quiet = true;
  if (!is_accepted(request)) return std::nullopt;
  return build_plant(request);
}

bool may_vary(const BuiltPlant& plant) {
  return plant.checked.network.solve.empty() && plant.checked.network.sync.empty();
}

std::shared_ptr<const BuiltPlant> with_two_rates(const BuiltPlant& plant, const PlanTimes& found,
                                                 const std::vector<std::size_t>& fast) {
  const std::int64_t outer_ns = plant.checked.plan.groups.front().period_ns;
  if (found.period_ns.front() >= outer_ns) return nullptr;
  const std::int64_t inner_ns = nearest_divisors(outer_ns, found.period_ns.front()).below;
  return built_with(plant, two_rates(plant.checked, fast, inner_ns, outer_ns));
}

std::shared_ptr<const BuiltPlant> with_methods(const BuiltPlant& plant, const std::vector<const Method*>& methods) {
  return built_with(plant, other_methods(plant.checked, methods));
}

}  // namespace takt::tools
