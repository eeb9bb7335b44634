#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "codegen/partition/make_plan.hpp"
#include "tools/takt/check_report.hpp"
#include "tools/takt/show.hpp"

namespace takt::tools {

using namespace takt::codegen;

namespace {

std::string counted(std::size_t count, std::string_view what) {
  return fmt::format("{} {}{}", count, what, count == 1 ? "" : "s");
}

/// "461 equations: 120 electric, 14 mechanical; and 25 of control"
std::string totals_text(const std::vector<DomainTotal>& totals) {
  std::string domains, control;
  for (const DomainTotal& total : totals) {
    if (total.domain == CircuitDomain::control)
      control = fmt::format("; and {} of control", total.equations);
    else
      domains += fmt::format("{}{} {}", domains.empty() ? ": " : ", ", total.equations, text_of(total.domain));
  }
  return counted(network_equations(totals), "equation") + domains + control;
}

std::string index_text(const Checked& checked, const CircuitSummary& each) {
  if (each.circuit == nullptr) return "-";
  if (each.surrogate == nullptr) return "refused";
  const std::string cause = index_cause(checked.network, *each.circuit);
  return cause.empty() ? std::to_string(each.circuit->index) : fmt::format("{} -> 1 ({})", each.circuit->index, cause);
}

/// Linear blocks too large for statements, a line each; all others are eliminated as statements.
std::string tables_text(const Checked& checked, const Surrogate& surrogate) {
  std::string out;
  for (const AlgebraicStep& step : surrogate.algebra) {
    if (step.newton.flows)
      out += fmt::format("{}: {} unknowns from {} on are {} over tables, a network of {} {}\n", surrogate.name,
                         step.newton.unknowns.size(), checked.network.graph().symbol(step.newton.unknowns.front()).path,
                         step.newton.flows->linear ? "solved" : "iterated", step.newton.flows->edges.size(),
                         step.newton.flows->linear ? "conductances" : "flows");
    if (step.kind != AlgebraicStep::Kind::linear) continue;
    const SparseTables& tables = step.newton.linear->tables;
    out += fmt::format("{}: {} unknowns from {} on are solved over tables, {} entries of factors, growth {:.3g}\n",
                       surrogate.name, tables.size(), checked.network.graph().symbol(step.newton.unknowns.front()).path,
                       tables.entries(), tables.growth);
  }
  return out;
}

std::string findings_text(const Diagnostics& diagnostics) {
  const auto count = [&](Severity severity) {
    return static_cast<std::size_t>(
        std::count_if(diagnostics.all().begin(), diagnostics.all().end(),
                      [&](const Diagnostic& finding) { return finding.severity == severity; }));
  };
  return counted(count(Severity::warning), "warning") + ", " + counted(count(Severity::note), "note");
}

}  // namespace

std::string check_text(const Checked& checked, const Diagnostics& diagnostics) {
  std::string out;
  const auto print = [&out]<class... A>(fmt::format_string<A...> format, A&&... arguments) {
    fmt::format_to(std::back_inserter(out), format, std::forward<A>(arguments)...);
  };
  const std::vector<CircuitSummary> circuits = summarise(checked);
  const std::vector<DomainTotal> totals = totals_by_domain(circuits);
  print("{}: {}\n{}\n{}, {}, {}; {}\n\n", checked.network.name, checked.network.title, totals_text(totals),
        counted(checked.network.elements.size(), "element"), counted(checked.topology.circuits.size(), "circuit"),
        counted(checked.dae.subsystems.size(), "subsystem"), findings_text(diagnostics));
  constexpr std::string_view row = "{:<24} {:<12} {:>8} {:>9} {:>12} {:>9}  {}\n";
  print(row, "circuit", "domain", "elements", "equations", "differential", "algebraic", "d-index");
  for (const CircuitSummary& each : circuits) {
    const Surrogate none{}, &surrogate = each.surrogate != nullptr ? *each.surrogate : none;
    print(row, each.name, text_of(each.domain), each.elements, surrogate.equations, surrogate.differential,
          surrogate.algebraic, index_text(checked, each));
  }
  for (const CircuitSummary& each : circuits)
    if (each.surrogate != nullptr) out += tables_text(checked, *each.surrogate);
  if (totals.size() > 1) print("\n");
  for (const DomainTotal& total : totals) {
    if (totals.size() == 1) break;
    const std::string name =
        total.domain == CircuitDomain::control ? counted(total.circuits, "period") : counted(total.circuits, "circuit");
    print(row, name, text_of(total.domain), total.elements, total.equations, total.differential, total.algebraic, "");
  }
  return out + "\n" + text(checked.plan, checked.network);
}

}  // namespace takt::tools
