#include "codegen/pipeline.hpp"

#include <numeric>

#include "codegen/dae/structural/structural_surrogate.hpp"
#include "codegen/model/cut_out.hpp"
#include "codegen/model/load_plant.hpp"
#include "codegen/partition/make_plan.hpp"
#include "codegen/partition/switch_timing.hpp"
#include "codegen/plan/join_subsystems.hpp"
#include "codegen/topology/network_rules.hpp"
#include "codegen/topology/switch_rules.hpp"

namespace takt::codegen {
namespace {

OperatingRange operating_range(const std::filesystem::path& plant, const CheckOptions& options,
                               const Checked& checked, Diagnostics& diagnostics) {
  const std::filesystem::path beside =
      (std::filesystem::is_directory(plant) ? plant : plant.parent_path()) / "operating.csv";
  if (!options.operating && !std::filesystem::exists(beside)) return {};
  return read_operating_range(options.operating.value_or(beside), checked.network, checked.dae,
                              diagnostics);
}

}  // namespace

std::optional<Checked> check_plant(const std::filesystem::path& plant, const CheckOptions& options,
                                   Diagnostics& diagnostics) {
  const auto begin = [&](const char* stage) {
    if (options.stage) options.stage(stage);
  };
  begin("reading it");
  auto network = load_plant(
      plant,
      LoadOptions{
          .library = options.library, .overrides = options.overrides, .solve = options.solve},
      diagnostics);
  if (!network) return std::nullopt;
  if (options.part) {
    if (const std::string why = cut_out(*network, *options.part, options.solve.has_value());
        !why.empty()) {
      diagnostics.error("F006", {network->files.front(), 0, 0},
                        "part '" + *options.part + "' cannot be cut out: " + why,
                        "name an instance of [parts] that is joined to the rest by nodes of "
                        "circuits without a medium");
      return std::nullopt;
    }
  }
  Checked checked{std::move(*network), {}, {}, {}, std::nullopt};
  begin("finding circuits");
  checked.topology = analyse_topology(checked.network, diagnostics);
  check_network_rules(checked.network, checked.topology, diagnostics);
  analyse_switches(checked.network, checked.topology, diagnostics);
  begin("deriving equations");
  checked.dae = derive_surrogates(checked.network, checked.topology, diagnostics);
  note_structural_index(checked.network, checked.dae.subsystems, checked.topology);
  if (checked.network.joined && !diagnostics.has_errors()) {
    checked.apart = checked.dae;
    checked.dae = join_subsystems(checked.network, checked.dae, diagnostics);
  }
  if (!diagnostics.has_errors()) {
    begin("planning steps");
    checked.range = operating_range(plant, options, checked, diagnostics);
    checked.plan = make_plan(checked.network, checked.dae, checked.range, diagnostics);
  }
  begin("deriving Jacobians");
  add_jacobians(checked.plan, checked.network, checked.dae);
  check_switch_timing(checked.network, checked.topology, checked.plan, diagnostics);
  if (options.rig) checked.rig = load_rig(options.rig->string(), rig_target(checked), diagnostics);
  return checked;
}

RigTarget rig_target(const Checked& checked) {
  RigTarget target;
  const Graph& graph = checked.network.graph();
  for (const PlantInput& input : checked.network.inputs)
    target.inputs.push_back({graph.symbol(input.symbol).path, graph.symbol(input.symbol).unit});
  for (const Surrogate& subsystem : checked.dae.subsystems) {
    for (const SymbolId symbol : subsystem.algebra_outputs)
      target.signals.push_back({graph.symbol(symbol).path, graph.symbol(symbol).unit});
    for (const SurrogateState& state : subsystem.states)
      target.signals.push_back({graph.symbol(state.symbol).path, graph.symbol(state.symbol).unit});
  }
  for (const PlantInput& input : checked.network.inputs)
    target.signals.push_back({graph.symbol(input.symbol).path, graph.symbol(input.symbol).unit});
  for (const SyncGroup& group : checked.plan.groups) {
    target.groups.push_back(group.name);
    target.release_ns = std::gcd(target.release_ns, group.period_ns);
  }
  for (const PlanSubsystem& subsystem : checked.plan.subsystems) {
    target.subsystems.push_back({subsystem.name});
    for (std::optional<std::size_t> group = subsystem.group; group;
         group = checked.plan.groups[*group].parent)
      target.subsystems.back().push_back(checked.plan.groups[*group].name);
  }
  for (const PlanCoupling& coupling : checked.plan.couplings)
    target.couplings.push_back({.text = graph.symbol(coupling.from).path + ": " +
                                        checked.plan.subsystems[coupling.producer].name + " -> " +
                                        checked.plan.subsystems[coupling.consumer].name,
                                .producer = coupling.producer,
                                .consumer = coupling.consumer,
                                .lag = coupling.lag,
                                .left_ns = checked.plan.subsystems[coupling.producer].period_ns});
  return target;
}

}  // namespace takt::codegen
