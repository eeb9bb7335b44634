// takt bench PLANT: what a plant costs on this machine. Runs it free several times and prints medians.

#include <cstdio>
#include <stdexcept>

#include "codegen/emit/build/process.hpp"
#include "tools/bench/bench_table.hpp"
#include "tools/bench/paper_bench.hpp"
#include "tools/bench/peer_bench.hpp"
#include "tools/takt/command.hpp"
#include "tools/takt/plan_for_error.hpp"
#include "tools/takt/plant_arguments.hpp"
#include "tools/takt/wait_line.hpp"

namespace takt::tools {
namespace {

struct BenchArguments : PlantArguments {
  std::string duration, out, peer;
  int runs = 5, cpu = -1;
  bool json = false, peers = false, paper = false, no_series = false;
};

void declare(command_line::App& app, BenchArguments& arguments) {
  declare_plant(app, arguments);
  declare_build(app, arguments);
  declare_error(app, arguments);
  app.add_option("--for", arguments.duration, "simulated time of each run (default: the plant's own)");
  app.add_option("--runs", arguments.runs, "number of runs")->in_range(1, 1000)->capture_default_str();
  app.add_option("--cpu", arguments.cpu, "CPU to pin to")->in_range(0, 4095);
  app.add_flag("--peers", arguments.peers,
               "run ngspice beside it on the same circuit (peer.cir and peer.toml in the plant's folder), and SUNDIALS "
               "on the same equations: cost and accuracy");
  app.add_option("--peer", arguments.peer, "only this one of --peers")->one_of({"ngspice", "sundials"});
  app.add_flag("--paper", arguments.paper,
               "run the parametrisations that paper.toml in the plant's folder compares, beside the paper's figures: "
               "cost, accuracy, energy ledger, report");
  app.add_flag("--no-series", arguments.no_series,
               "with --paper: leave out the work-precision diagram, which builds many variants");
  app.add_option("--out", arguments.out,
                 "with --paper: folder for builds, runs and report.html (default: runs/paper-PLANT)");
  app.add_flag("--json", arguments.json, "print the result for machines");
  app.example(
      "takt bench config/plants/ev --for 60s --runs 9 --cpu 1\n"
      "takt bench config/plants/rc --peers --for 10s\n"
      "takt bench config/plants/bev --peers --for 20s --cpu 1 --march native\n"
      "takt bench config/plants/bev --paper --cpu 1 --march native");
  app.footer(
      "RTF is computing time over simulated time: below 1 holds real time. With --peers, --for is the time takt "
      "simulates when it is timed (default: the netlist's as often as it takes to be seen); ngspice always simulates "
      "what its netlist says. SUNDIALS (CVODE, ARKODE) integrates a plant without switches as one system, at the "
      "loosest tolerance with which it is as accurate as takt; that takes a few builds.");
}

BenchRun run_once(const BuiltPlant& plant, const BenchArguments& arguments) {
  std::vector<std::string> command{
      plant.executable.string(), "--pace", "free", "--no-results", "--audit", "off", "--quiet", "--json"};
  for (const auto& [name, value] : plant.tunable) command.insert(command.end(), {"--set", name + "=" + value});
  if (!arguments.duration.empty()) command.insert(command.end(), {"--for", arguments.duration});
  if (arguments.cpu >= 0) command.insert(command.end(), {"--cpu", std::to_string(arguments.cpu)});
  const WaitLine line("running " + plant.checked.network.name);
  const codegen::ProcessResult result = codegen::run_process(command);
  if (result.exit_code != 0) throw std::runtime_error("the plant failed:\n" + result.output);
  return read_bench_run(result.output);
}

}  // namespace

int bench_command(int argc, char** argv) {
  command_line::App app{
      "What a plant costs on this machine: RTF per subsystem, and the executive's own time per window.", "takt bench"};
  BenchArguments arguments;
  declare(app, arguments);
  if (const std::optional<int> code = app.parse(argc, argv)) return *code;
  const PlantBuild request = plant_build(arguments, true);
  if (arguments.paper)
    return bench_paper({.build = request,
                        .out = arguments.out,
                        .duration = arguments.duration,
                        .runs = arguments.runs,
                        .cpu = arguments.cpu,
                        .json = arguments.json,
                        .series = !arguments.no_series});
  const std::filesystem::path folder = std::filesystem::absolute(request.plant).parent_path();
  const bool with_peers = arguments.peers || !arguments.peer.empty();
  const PeerRequest peers{.build = request,
                          .folder = folder,
                          .duration = arguments.duration,
                          .runs = arguments.runs,
                          .cpu = arguments.cpu,
                          .json = arguments.json,
                          .only = arguments.peer};
  if (with_peers) {
    if (const int code = check_peers(peers); code != exit_ok) return code;
  }
  const std::optional<BuiltPlant> built = build_planned(request);
  if (!built) return exit_failed;
  if (with_peers) return bench_peers(*built, peers);
  std::vector<BenchRun> runs;
  for (int run = 0; run < arguments.runs; ++run) runs.push_back(run_once(*built, arguments));
  std::fputs((arguments.json ? bench_json(runs) : bench_text(runs)).c_str(), stdout);
  return exit_ok;
}

}  // namespace takt::tools
