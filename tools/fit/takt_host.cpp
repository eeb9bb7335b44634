// takt host: what this machine offers to a real-time thread, what it lacks, what that costs, and how to mend it.

#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <stdexcept>

#include "codegen/emit/build/target_runtime.hpp"
#include "codegen/emit/build/toolchain.hpp"
#include "runtime/command_line/command_line.hpp"
#include "runtime/io/record/text_file.hpp"
#include "runtime/json/parse_json.hpp"
#include "runtime/program/host_audit.hpp"
#include "tools/fit/board.hpp"
#include "tools/takt/arguments.hpp"
#include "tools/takt/build_plant.hpp"
#include "tools/takt/command.hpp"
#include "tools/takt/element_text.hpp"
#include "tools/takt/home.hpp"
#include "tools/takt/temporary_file.hpp"

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

/// A plant audits the machine that it runs on: the smallest one is built for the board and run there.
std::filesystem::path audit_plant(const std::string& machine) {
  PlantBuild request;
  request.plant = find_home().library.parent_path() / "plants/rc/plant.toml";
  request.directory = codegen::runtime_cache().parent_path() / "host" / machine;
  request.quiet = true;
  if (machine != codegen::this_machine()) {
    request.target = codegen::find_target("linux-" + machine);
    if (!request.target)
      throw std::runtime_error("the board is " + machine +
                               ", for which Takt compiles nothing; see `takt build --help`");
  }
  const std::optional<BuiltPlant> built = build_plant(request);
  if (!built) throw std::runtime_error("what audits the board could not be built");
  return built->executable;
}

std::vector<HostFinding> audit_board(const std::string& address, int cpu, int priority) {
  const MeasuredBoard board(address);
  const TemporaryFolder pack;
  std::filesystem::create_directory(pack.path() / "bin");
  std::filesystem::copy_file(audit_plant(board.machine()), pack.path() / "bin" / "plan");
  write_whole(pack.path() / "pack.sh", "");
  write_whole(pack.path() / "measure.sh",
              fmt::format("cd \"$(dirname \"$0\")\" && mkdir results &&\n./bin/plan {} --priority {} --pace free --for "
                          "\"1 ms\" --no-results --audit off --quiet --json >results/host.json\n",
                          cpu < 0 ? "" : fmt::format("--cpu {}", cpu), priority));
  board.measure(pack.path());
  const auto summary = json_file_or_none<nlohmann::json>(pack.path() / "results" / "host.json");
  if (!summary.is_object() || !summary.contains("host"))
    throw std::runtime_error(address + ": what was run there has left no audit");
  std::vector<HostFinding> findings;
  for (const auto& finding : summary.at("host"))
    findings.push_back({.item = finding.at("item"),
                        .value = finding.at("value"),
                        .good = finding.at("good"),
                        .required = finding.at("required"),
                        .cost = finding.value("cost", ""),
                        .remedy = finding.value("remedy", "")});
  return findings;
}

}  // namespace

int host_command(int argc, char** argv) {
  command_line::App app{"Audit this machine as a host of a real-time plant.", "takt host"};
  int cpu = -1, priority = 80;
  bool json = false;
  std::string on;
  auto* board = app.add_option("--on", on, "audit this board, ssh://USER@BOARD[:PORT] (default: this machine)");
  app.add_option("--cpu", cpu, "CPU meant for the real-time thread (default: any)")->in_range(0, 4095);
  app.add_option("--priority", priority, "SCHED_FIFO priority")->in_range(1, 99)->capture_default_str();
  app.add_flag("--json", json, "print the result for machines");
  app.example(
      "takt host --cpu 1\n"
      "takt host --on ssh://root@board --cpu 3");
  app.footer("The exit code is 0 also where something is missing: the audit itself has worked.");
  if (const std::optional<int> code = app.parse(argc, argv)) return *code;
  const std::vector<HostFinding> findings =
      board->count() == 0 ? audit_host(cpu, priority) : audit_board(on, cpu, priority);
  if (json)
    fmt::print("{}", host_json(findings));
  else
    print_findings(findings);
  return exit_ok;
}

}  // namespace takt::tools
