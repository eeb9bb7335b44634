#include "codegen/emit/sources.hpp"

#include <utility>

#include "codegen/emit/functions.hpp"
#include "codegen/emit/lane_source.hpp"
#include "codegen/emit/line_functions.hpp"
#include "codegen/emit/plant_source.hpp"
#include "codegen/emit/range_checks.hpp"
#include "codegen/emit/shared_code.hpp"

namespace takt::codegen {

Sources emit_sources(const Network& network, const DaeResult& dae, const Plan& plan,
                     const EmitOptions& options) {
  return emit_plant(network, dae, plan, options).sources;
}

void set_input_hash(Sources& sources, const std::string& hash) {
  for (SourceFile& source : sources)
    if (source.name == "plant.cpp") source.text.fill(hash);
}

EmittedPlant emit_plant(const Network& network, const DaeResult& dae, const Plan& plan,
                        const EmitOptions& options) {
  UniqueNames files;
  for (const char* own : {"main", "fmu", "plan", "plant", "rig", "tables", "parameters", "inputs"})
    (void)files.make(own);
  std::vector<SubsystemView> views;
  for (std::size_t index = 0; index < dae.subsystems.size(); ++index) {
    views.push_back(make_view(network, dae.subsystems[index], plan.subsystems[index], files));
  }
  for (const PlanCoupling& coupling : plan.couplings)
    if (coupling.kind == CouplingKind::potential)
      views[coupling.producer].read.insert(coupling.from);
  assign_waves(plan, views);
  assign_ranges(network, views);
  SharedCode code(views, options);
  for (SubsystemView& view : views) {
    SubsystemFunctions functions = emit_functions(view, code.names());
    view.prepared_from = functions.parameters;
    view.running_parameters = functions.running_parameters;
    for (const SubsystemFunctions::Member& member : functions.coefficients)
      view.coefficients.push_back(member.name);
    code.add(view, std::move(functions));
  }
  Sources sources = code.take();
  LaneCodes lane_codes = code.take_lane_codes();
  add_lanes(views, lane_codes, sources, options);
  const PlantView plant{network, dae, plan, options, views};
  sources.push_back({"tables.hpp", tables_header(network, options).page()});
  sources.push_back(plant_header(plant));
  sources.push_back(plan_header(plant));
  sources.push_back(plant_source(plant));
  sources.push_back(main_source(plant));
  return {std::move(sources), memory_table(plant)};
}

}  // namespace takt::codegen
