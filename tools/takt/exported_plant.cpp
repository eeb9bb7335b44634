#include "tools/takt/exported_plant.hpp"

#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <limits>

#include "codegen/reference/steady_start.hpp"
#include "codegen/stability/time_functions.hpp"
#include "tools/takt/arguments.hpp"
#include "tools/takt/steady_states.hpp"

namespace takt::tools {
namespace {

using namespace takt::codegen;

constexpr double usual_duration_s = 3600.0;  // of plants that do not say how long they run

std::vector<double> turns_of(const Network& network, const FlatSystem& flat) {
  std::vector<Expr> rows;
  for (const FlatRow& row : flat.rows) rows.push_back(row.value);
  for (const FlatVariable& variable : flat.variables) rows.push_back(variable.value);
  const double duration_s =
      network.default_duration_ns ? static_cast<double>(*network.default_duration_ns) * 1e-9 : usual_duration_s;
  return time_functions(network, {}, rows, duration_s).instants;
}

std::int64_t record_period_ns(const Plan& plan) {
  std::int64_t shortest = std::numeric_limits<std::int64_t>::max();
  for (const PlanRecord& record : plan.records) shortest = std::min(shortest, record.period_ns);
  return shortest == std::numeric_limits<std::int64_t>::max() ? plan.macro_step_ns : shortest;
}

/// Before the plant is flattened. @return why it cannot be given; empty: it may be
std::string refused(const Network& network, const std::string& start) {
  if (!network.foreign.empty())
    return network.foreign.front().path + " is an FMU itself, whose equations are not known: export a plant without it";
  if (!network.events.empty())
    return "the event " + network.events.front().path +
           " is cut out of the steps of Takt's own methods: export it for co-simulation";
  if (network.steady_start && start.empty())
    return "it starts from a steady state, which a run finds: run the plant and give that run with --start";
  return {};
}

std::nullopt_t refuse(const Network& network, const std::string& why) {
  std::fprintf(stderr, "takt: %s cannot be exported: %s\n", network.name.c_str(), why.c_str());
  return std::nullopt;
}

std::optional<ExportedFmu> flat_export(const Checked& checked, const FmuExport& how, const std::string& start) {
  const Network& network = checked.network;
  if (const std::string why = refused(network, start); !why.empty()) return refuse(network, why);
  Diagnostics diagnostics;
  FlatSystem flat = flatten(network, diagnostics, &checked.topology);
  if (diagnostics.has_errors()) {
    std::fputs(diagnostics.render(isatty(STDERR_FILENO) == 1).c_str(), stderr);
    return refuse(network, "it cannot be one system of equations");
  }
  FlatModel model{.network = network, .flat = flat, .turns_s = turns_of(network, flat)};
  if (!start.empty()) model.block_starts = begin_with(network, checked.topology, steady_states(start), flat);
  model.look_s = shortest_step_s(checked.plan);
  const FlatLayout layout = flat_layout(model);
  if (!layout.undetermined.empty()) return refuse(network, layout.undetermined);
  return export_flat(model, layout, how, record_period_ns(checked.plan));
}

std::optional<ExportedFmu> stepped_export(const Checked& checked, const FmuExport& how) {
  if (const std::string why = not_exportable(checked.plan); !why.empty()) return refuse(checked.network, why);
  return export_fmu(checked.network, checked.dae, checked.plan, how);
}

}  // namespace

std::optional<ExportedFmu> exported_plant(const Checked& checked, const FmuExport& how, const std::string& start) {
  return how.kind == FmuKind::co_simulation ? stepped_export(checked, how) : flat_export(checked, how, start);
}

}  // namespace takt::tools
