#include "codegen/plan/records.hpp"

#include <algorithm>
#include <map>
#include <set>

#include "codegen/dae/plant_equations.hpp"
#include "codegen/plan/groups.hpp"
#include "codegen/plan/patterns.hpp"
#include "codegen/plan/symbol_origins.hpp"
#include "codegen/text/nearest.hpp"
#include "codegen/text/quantity.hpp"

namespace takt::codegen {
namespace {

constexpr std::int64_t usual_periods = 10;

using Paths = std::map<std::string_view, SymbolId>;  // views of the graph's symbols

Paths observable(const Network& network, const DaeResult& dae) {
  Paths paths;
  const auto add = [&](SymbolId symbol) {
    paths.emplace(network.graph().symbol(symbol).path, symbol);
  };
  for (const Surrogate& surrogate : dae.subsystems) {
    for (const SymbolId symbol : symbols_owned(surrogate)) add(symbol);
  }
  for (const Flux& flux : dae.fluxes) add(flux.received);
  for (const PlantInput& input : network.inputs) add(input.symbol);
  for (const TravelDelay& delay : network.delays) add(delay.under_way);
  return paths;
}

/// Without [record]: the across variable of every node, the outputs of control blocks and FMUs and
/// the plant inputs.
PlanRecord proposed_record(const Plan& plan, const PlantEquations& plant, const Paths& paths) {
  const Network& network = plant.network;
  Paths chosen;
  const auto add = [&](SymbolId symbol) {
    const std::string& path = network.graph().symbol(symbol).path;
    if (paths.contains(path)) chosen.emplace(path, symbol);
  };
  for (const NetworkNode& node : network.nodes) add(node.across);
  for (const ControlBlock& block : network.blocks) {
    for (const ControlBlock::Output& output : block.outputs) add(output.symbol);
  }
  for (const ForeignModel& model : network.foreign) {
    for (const ForeignModel::Port& output : model.outputs) add(output.symbol);
  }
  for (const PlantInput& input : network.inputs) add(input.symbol);
  PlanRecord record;
  const std::int64_t steps = std::max<std::int64_t>(
      1, usual_periods * usual_period_ns(network, plant.dae) / plan.macro_step_ns);
  record.period_ns = steps * plan.macro_step_ns;
  for (const auto& [path, symbol] : chosen) record.symbols.push_back(symbol);
  return record;
}

void report_unknown(const RecordSetting& setting, const std::string& pattern, const Paths& paths,
                    Diagnostics& diagnostics) {
  std::vector<std::string> names;
  for (const auto& [path, symbol] : paths) names.emplace_back(path);
  const std::string hint = did_you_mean(pattern, names);
  diagnostics.error("S008", setting.where,
                    "[record] names '" + pattern + "', but the plant has no such quantity",
                    hint.empty() ? "`takt check --show plan` lists the subsystems" : hint);
}

PlanRecord record_of(const RecordSetting& setting, const Paths& paths, Diagnostics& diagnostics) {
  PlanRecord record;
  record.period_ns = setting.period_ns;
  Paths chosen;
  for (const std::string& pattern : setting.patterns) {
    bool found = false;
    for (const auto& [path, symbol] : paths) {
      if (!pattern_matches(pattern, path)) continue;
      chosen.emplace(path, symbol);
      found = true;
    }
    if (!found) report_unknown(setting, pattern, paths, diagnostics);
  }
  for (const auto& [path, symbol] : chosen) record.symbols.push_back(symbol);
  return record;
}

}  // namespace

std::vector<SymbolId> recorded_symbols(const Network& network, const DaeResult& dae) {
  const Paths paths = observable(network, dae);
  Diagnostics reported_with_the_plan;
  std::set<SymbolId> symbols;
  for (const RecordSetting& setting : network.record) {
    const PlanRecord record = record_of(setting, paths, reported_with_the_plan);
    symbols.insert(record.symbols.begin(), record.symbols.end());
  }
  return {symbols.begin(), symbols.end()};
}

void choose_records(Plan& plan, const Network& network, const DaeResult& dae,
                    Diagnostics& diagnostics) {
  const Paths paths = observable(network, dae);
  if (network.record.empty()) plan.records.push_back(proposed_record(plan, {network, dae}, paths));
  for (const RecordSetting& setting : network.record) {
    if (setting.period_ns < plan.macro_step_ns || setting.period_ns % plan.macro_step_ns != 0) {
      const std::int64_t multiple =
          std::max<std::int64_t>(1, setting.period_ns / plan.macro_step_ns) * plan.macro_step_ns;
      diagnostics.error("S009", setting.where,
                        "the recording period " + duration_text(setting.period_ns) +
                            " is not a multiple of the synchronisation time " +
                            duration_text(plan.macro_step_ns),
                        "nearest period that is: " + duration_text(multiple));
      continue;
    }
    plan.records.push_back(record_of(setting, paths, diagnostics));
  }
}

}  // namespace takt::codegen
