// takt bench PLANT: what a plant costs on this machine. Runs it free several times and prints medians.

#include <CLI/CLI.hpp>
#include <cstdio>
#include <stdexcept>

#include "codegen/emit/process.hpp"
#include "tools/arguments.hpp"
#include "tools/bench_table.hpp"
#include "tools/build_plant.hpp"
#include "tools/command.hpp"

namespace takt::tools {
namespace {

struct BenchArguments {
  std::string plant, build, march, duration;
  std::vector<std::string> set;
  int runs = 5, cpu = -1;
  bool json = false;
};

void declare(CLI::App& app, BenchArguments& arguments) {
  app.add_option("plant", arguments.plant, "plant file, or folder with a plant.toml")->required();
  app.add_option("--for", arguments.duration, "simulated time of each run (default: the plant's own)");
  app.add_option("--runs", arguments.runs, "number of runs")->check(CLI::Range(1, 1000))->capture_default_str();
  app.add_option("--cpu", arguments.cpu, "CPU to pin to")->check(CLI::Range(0, 4095));
  app.add_option("--set", arguments.set, "name=value: override a parameter (may be repeated)");
  app.add_option("--build-dir", arguments.build, "folder for sources and executable (default: .takt/PLANT-HASH)");
  app.add_option("--march", arguments.march,
                 "instruction set for the compiler, e.g. native (default: x86-64-v2, armv8-a)");
  app.add_flag("--json", arguments.json, "print the result for machines");
  app.footer(
      "RTF is computing time over simulated time: below 1 holds real time.\n\n"
      "example:\n"
      "  takt bench config/plants/ev --for 60s --runs 9 --cpu 1");
}

BenchRun run_once(const BuiltPlant& plant, const BenchArguments& arguments) {
  std::vector<std::string> command{plant.executable.string(), "--pace", "free", "--no-results", "--quiet", "--json"};
  for (const auto& [name, value] : plant.tunable) command.insert(command.end(), {"--set", name + "=" + value});
  if (!arguments.duration.empty()) command.insert(command.end(), {"--for", arguments.duration});
  if (arguments.cpu >= 0) command.insert(command.end(), {"--cpu", std::to_string(arguments.cpu)});
  const codegen::ProcessResult result = codegen::run_process(command);
  if (result.exit_code != 0) throw std::runtime_error("the plant failed:\n" + result.output);
  return read_bench_run(result.output);
}

}  // namespace

int bench_command(int argc, char** argv) {
  CLI::App app{"What a plant costs on this machine: RTF per subsystem, and the executive's own time per window.",
               "takt bench"};
  BenchArguments arguments;
  declare(app, arguments);
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? exit_ok : exit_usage;
  }
  PlantBuild request;
  request.plant = plant_file(arguments.plant);
  request.overrides = overrides(arguments.set);
  request.keep_tunable = true;
  request.directory = arguments.build;
  request.march = arguments.march;
  const std::optional<BuiltPlant> built = build_plant(request);
  if (!built) return exit_failed;
  std::vector<BenchRun> runs;
  for (int run = 0; run < arguments.runs; ++run) runs.push_back(run_once(*built, arguments));
  std::fputs((arguments.json ? bench_json(runs) : bench_text(runs)).c_str(), stdout);
  return exit_ok;
}

}  // namespace takt::tools
