// takt host: what this machine offers to a real-time thread, what it lacks, what that costs, and how to mend it.

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include "runtime/program/host_audit.hpp"
#include "tools/takt/arguments.hpp"
#include "tools/takt/command.hpp"
#include "tools/takt/element_text.hpp"

namespace takt::tools {
namespace {

std::string host_json(const std::vector<HostFinding>& findings) {
  auto rows = nlohmann::ordered_json::array();
  bool good = true;
  for (const HostFinding& finding : findings) {
    good = good && finding.good;
    rows.push_back({{"item", finding.item},
                    {"value", finding.value},
                    {"good", finding.good},
                    {"required", finding.required},
                    {"cost", finding.cost},
                    {"remedy", finding.remedy}});
  }
  return nlohmann::ordered_json{{"ok", missing_prerequisites(findings).empty()}, {"good", good}, {"findings", rows}}
             .dump(2) +
         "\n";
}

void print_findings(const std::vector<HostFinding>& findings) {
  for (const HostFinding& finding : findings) {
    fmt::print("{:<5} {:<28} {}\n",
               finding.good       ? "good"
               : finding.required ? "LACKS"
                                  : "poor",
               finding.item, finding.value);
    if (finding.good) continue;
    if (!finding.cost.empty()) fmt::print("{}\n", wrapped("cost: " + finding.cost, 6));
    if (!finding.remedy.empty()) fmt::print("{}\n", wrapped("mend: " + finding.remedy, 6));
  }
  const std::size_t missing = missing_prerequisites(findings).size();
  if (missing > 0)
    fmt::print("\n`--strict` would refuse to start here: {} of what it requires is missing (LACKS)\n", missing);
}

}  // namespace

int host_command(int argc, char** argv) {
  CLI::App app{"Audit this machine as a host of a real-time plant.", "takt host"};
  int cpu = -1, priority = 80;
  bool json = false;
  app.add_option("--cpu", cpu, "CPU meant for the real-time thread (default: any)")->check(CLI::Range(0, 4095));
  app.add_option("--priority", priority, "SCHED_FIFO priority")->check(CLI::Range(1, 99))->capture_default_str();
  app.add_flag("--json", json, "print the result for machines");
  app.footer(
      "The exit code is 0 also where something is missing: the audit itself has worked.\n\nexample:\n  takt host --cpu "
      "1");
  if (const std::optional<int> code = parse(app, argc, argv)) return *code;
  const std::vector<HostFinding> findings = audit_host(cpu, priority);
  if (json)
    fmt::print("{}", host_json(findings));
  else
    print_findings(findings);
  return exit_ok;
}

}  // namespace takt::tools
