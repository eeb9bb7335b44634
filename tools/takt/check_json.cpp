#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>

#include "tools/takt/build_plant.hpp"
#include "tools/takt/check_report.hpp"
#include "tools/takt/show.hpp"

namespace takt::tools {

using namespace takt::codegen;
using Json = nlohmann::ordered_json;

namespace {

double seconds(std::int64_t nanoseconds) { return static_cast<double>(nanoseconds) * 1e-9; }

const char* severity_name(Severity severity) {
  switch (severity) {
    case Severity::error:
      return "error";
    case Severity::warning:
      return "warning";
    case Severity::note:
      return "note";
  }
  return "?";
}

Json findings_json(const Diagnostics& diagnostics) {
  Json findings = Json::array();
  for (const Diagnostic& finding : diagnostics.all()) {
    findings.push_back({{"code", finding.code},
                        {"severity", severity_name(finding.severity)},
                        {"file", finding.where.file.text()},
                        {"line", finding.where.line},
                        {"column", finding.where.column},
                        {"message", finding.message},
                        {"hint", finding.hint}});
  }
  return findings;
}

Json paths_json(const Network& network, const std::vector<BranchId>& branches) {
  Json paths = Json::array();
  for (const BranchId branch : branches) paths.push_back(network.branches[static_cast<std::size_t>(branch)].path);
  return paths;
}

/// Linear blocks that are solved over tables.
Json tables_json(const Surrogate* surrogate) {
  Json tables = Json::array();
  if (surrogate == nullptr) return tables;
  for (const AlgebraicStep& step : surrogate->algebra) {
    if (step.newton.flows)
      tables.push_back({{"unknowns", step.newton.unknowns.size()},
                        {"flows", step.newton.flows->edges.size()},
                        {"entries", step.newton.flows->network.links() + step.newton.flows->network.size()}});
    if (step.newton.linear)
      tables.push_back({{"unknowns", step.newton.unknowns.size()},
                        {"entries", step.newton.linear->tables.entries()},
                        {"growth", step.newton.linear->tables.growth}});
  }
  return tables;
}

Json circuits_json(const Checked& checked, const std::vector<CircuitSummary>& summaries) {
  Json circuits = Json::array();
  for (const CircuitSummary& each : summaries) {
    if (each.circuit == nullptr) continue;
    Json elements = Json::array();
    for (const ElementId element : each.circuit->elements) {
      elements.push_back(checked.network.elements[static_cast<std::size_t>(element)].path);
    }
    const auto count = [&](std::size_t Surrogate::*field) {
      return each.surrogate != nullptr ? Json(each.surrogate->*field) : Json(nullptr);
    };
    circuits.push_back({{"name", each.name},
                        {"domain", text_of(each.domain)},
                        {"elements", std::move(elements)},
                        {"equations", count(&Surrogate::equations)},
                        {"differential", count(&Surrogate::differential)},
                        {"algebraic", count(&Surrogate::algebraic)},
                        {"index", each.circuit->singular ? Json(nullptr) : Json(each.circuit->index)},
                        {"reduced_index", each.surrogate != nullptr ? Json(1) : Json(nullptr)},
                        {"tables", tables_json(each.surrogate)},
                        {"cause", index_cause(checked.network, *each.circuit)},
                        {"index_causes", paths_json(checked.network, each.circuit->index_causes)}});
  }
  return circuits;
}

Json domains_json(const std::vector<DomainTotal>& totals) {
  Json domains = Json::array();
  for (const DomainTotal& total : totals) {
    domains.push_back({{"domain", text_of(total.domain)},
                       {"circuits", total.domain == CircuitDomain::control ? 0 : total.circuits},
                       {"elements", total.elements},
                       {"equations", total.equations},
                       {"differential", total.differential},
                       {"algebraic", total.algebraic}});
  }
  return domains;
}

Json stability_json(const PlanStability& stability) {
  if (!stability.known) return stability.problem.empty() ? Json(nullptr) : Json{{"problem", stability.problem}};
  Json limits = Json::object();
  for (const PlanStability::Limit& limit : stability.limits)
    limits[std::string(limit.method->name)] = limit.step_s ? Json(*limit.step_s) : Json("any");
  return {{"eigenvalue", {stability.eigenvalue.real(), stability.eigenvalue.imag()}},
          {"largest_modulus", std::abs(stability.eigenvalue)},
          {"state", stability.state},
          {"complete", stability.complete},
          {"largest_stable_step_s", std::move(limits)}};
}

Json subsystems_json(const Checked& checked) {
  Json subsystems = Json::array();
  for (std::size_t k = 0; k < std::min(checked.plan.subsystems.size(), checked.dae.subsystems.size()); ++k) {
    const PlanSubsystem& planned = checked.plan.subsystems[k];
    const Surrogate& surrogate = checked.dae.subsystems[k];
    subsystems.push_back({{"name", planned.name},
                          {"domain", text_of(planned.domain)},
                          {"equations", surrogate.equations},
                          {"states", surrogate.states.size()},
                          {"method", planned.method->name},
                          {"stages", planned.stages > 0 ? Json(planned.stages) : Json(nullptr)},
                          {"step_s", seconds(planned.step_ns)},
                          {"sync_s", seconds(planned.period_ns)},
                          {"events", planned.events},
                          {"reason", planned.reason},
                          {"stability", stability_json(planned.stability)}});
  }
  return subsystems;
}

Json couplings_json(const Checked& checked) {
  const auto& graph = checked.network.graph();
  Json couplings = Json::array();
  for (const PlanCoupling& coupling : checked.plan.couplings) {
    couplings.push_back(
        {{"from", graph.symbol(coupling.from).path},
         {"to", graph.symbol(coupling.to).path},
         {"producer", checked.plan.subsystems[coupling.producer].name},
         {"consumer", checked.plan.subsystems[coupling.consumer].name},
         {"kind", coupling.delay                        ? "delay"
                  : coupling.kind == CouplingKind::flux ? "flux"
                                                        : "potential"},
         {"delay_s", coupling.delay ? Json(checked.network.delays[*coupling.delay].travel_s) : Json(nullptr)},
         {"quantity", checked.network.shown_unit(coupling.from)},
         {"paradigm", coupling.paradigm ? Json(*coupling.paradigm) : Json(nullptr)},
         {"paradigm_reason", coupling.paradigm_reason},
         {"lag", coupling.lag},
         {"order", coupling.order},
         {"reason", coupling.reason}});
  }
  return couplings;
}

Json groups_json(const Checked& checked) {
  Json groups = Json::array();
  for (const SyncGroup& group : checked.plan.groups) {
    Json members = Json::array();
    for (const std::size_t member : group.members) members.push_back(checked.plan.subsystems[member].name);
    groups.push_back({{"name", group.name},
                      {"parent", group.parent ? Json(checked.plan.groups[*group.parent].name) : Json(nullptr)},
                      {"every_s", seconds(group.period_ns)},
                      {"scheme", scheme_text(group.scheme)},
                      {"members", std::move(members)},
                      {"proposed", group.proposed}});
  }
  return groups;
}

Json faults_json(const Network& network) {
  const auto path = [&](std::size_t parameter) {
    return network.graph().symbol(network.parameters[parameter].symbol).path;
  };
  Json faults = Json::array();
  for (const ElementFault& fault : network.faults) {
    Json changes = Json::array();
    for (const ElementFault::Change& change : fault.changes)
      changes.push_back(
          change.of ? Json{{"parameter", path(change.parameter)}, {"of", path(*change.of)}, {"factor", change.factor}}
                    : Json{{"parameter", path(change.parameter)}, {"value", change.value}});
    faults.push_back(
        {{"element", fault.element}, {"name", fault.name}, {"text", fault.text}, {"changes", std::move(changes)}});
  }
  return faults;
}

Json absent_faults_json(const Network& network) {
  Json faults = Json::array();
  for (const AbsentFault& fault : network.absent_faults)
    faults.push_back({{"element", fault.element}, {"name", fault.name}, {"why", fault.why}});
  return faults;
}

/// Parameters with their value, plant inputs with what they start from and what is safe.
Json table_json(const Checked& checked) {
  const Network& network = checked.network;
  std::map<std::string, Json> more;
  for (const Parameter& parameter : network.parameters)
    more[network.graph().symbol(parameter.symbol).path] = {{"value", parameter.value}};
  for (const PlantInput& input : network.inputs)
    more[network.graph().symbol(input.symbol).path] = {{"start", input.start}, {"safe", input.safe}};
  Json table = Json::array();
  for (const TableRow& row : plant_table(checked)) {
    Json entry{{"path", row.path}, {"unit", row.unit}, {"role", row.role}};
    if (const auto found = more.find(row.path); found != more.end()) entry.update(found->second);
    table.push_back(std::move(entry));
  }
  return table;
}

}  // namespace

std::string check_json(const Checked* checked, const Diagnostics& diagnostics, bool with_table) {
  Json report{{"ok", checked != nullptr && !diagnostics.has_errors()}};
  report["model"] = checked != nullptr ? Json(checked->network.name) : Json(nullptr);
  const std::vector<CircuitSummary> circuits = checked != nullptr ? summarise(*checked) : std::vector<CircuitSummary>{};
  const std::vector<DomainTotal> totals = totals_by_domain(circuits);
  report["equations"] = network_equations(totals);
  report["domains"] = domains_json(totals);
  report["circuits"] = checked != nullptr ? circuits_json(*checked, circuits) : Json::array();
  report["subsystems"] = checked != nullptr ? subsystems_json(*checked) : Json::array();
  report["couplings"] = checked != nullptr ? couplings_json(*checked) : Json::array();
  report["groups"] = checked != nullptr ? groups_json(*checked) : Json::array();
  report["coupling_stability"] = checked != nullptr ? Json(checked->plan.coupling_stability) : Json(nullptr);
  report["order"] = Json::array();
  if (checked != nullptr) {
    for (const std::size_t index : checked->plan.order) report["order"].push_back(checked->plan.subsystems[index].name);
  }
  report["faults"] = checked != nullptr ? faults_json(checked->network) : Json::array();
  report["absent_faults"] = checked != nullptr ? absent_faults_json(checked->network) : Json::array();
  if (with_table)
    report["table"] = checked != nullptr && !diagnostics.has_errors() ? table_json(*checked) : Json::array();
  report["findings"] = findings_json(diagnostics);
  return report.dump(2) + "\n";
}

}  // namespace takt::tools
