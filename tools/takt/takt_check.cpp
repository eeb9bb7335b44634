// takt check PLANT: analyses a plant and its rig; builds nothing.

#include <fmt/format.h>
#include <unistd.h>

#include "codegen/partition/make_plan.hpp"
#include "codegen/pipeline.hpp"
#include "codegen/propose/propose.hpp"
#include "runtime/io/record/text_file.hpp"
#include "runtime/plant/quantity.hpp"
#include "tools/takt/arguments.hpp"
#include "tools/takt/check_report.hpp"
#include "tools/takt/circuit_graph.hpp"
#include "tools/takt/command.hpp"
#include "tools/takt/home.hpp"
#include "tools/takt/plant_arguments.hpp"
#include "tools/takt/show.hpp"

namespace takt::tools {

using namespace takt::codegen;

namespace {

struct CheckArguments : PlantArguments {
  std::string show, graph, operating;
  std::string span, file;
  double error = 1e-3;
  bool json = false, propose = false;
};

void declare(CLI::App& app, CheckArguments& arguments) {
  declare_plant(app, arguments);
  declare_rig(app, arguments, "rig file: check its buses and signals against the plant, too");
  app.add_option("--show", arguments.show, "print the result of one stage")
      ->check(CLI::IsMember({"network", "tree", "dae", "plan", "sources"}));
  app.add_option("--operating", arguments.operating,
                 "operating range, signals.csv of a run with --record-states: steps are judged there, too (default: "
                 "operating.csv beside the plant)");
  app.add_option("--graph", arguments.graph,
                 "draw circuits, elements, tree and couplings into FILE.svg (needs Graphviz) or FILE.dot");
  app.add_flag("--propose", arguments.propose,
               "propose synchronisation times, groups, methods and steps, with estimated error and cost beside the "
               "alternatives");
  app.add_option("--error", arguments.error,
                 "with --propose: RMS error over the range of a recorded quantity (default 1e-3)")
      ->check(CLI::PositiveNumber);
  app.add_option("--for", arguments.span,
                 "with --propose: simulated time of each trial (default: the plant's duration or what takes seconds)");
  app.add_option("--out", arguments.file,
                 "with --propose: write the proposal there, a file for --solve (default: print it)");
  app.add_flag("--json", arguments.json, "print the result for machines")->excludes("--propose");
  app.footer(
      "examples:\n"
      "  takt check config/plants/ev --rig config/rigs/ev.toml\n"
      "  takt check config/plants/rc --set v_in=48V --show dae\n"
      "  takt check config/plants/drive --graph drive.svg\n"
      "  takt check config/plants/bev --propose --error 1e-3 --out proposed.toml");
}

std::string sources_text(const Checked& checked) {
  std::string text;
  for (const SourceFile& file : plant_sources(checked)) text += fmt::format("// ---- {}\n{}\n", file.name, file.text);
  return text;
}

std::string shown(const std::string& stage, const Checked& checked, const Diagnostics& diagnostics) {
  if (stage == "network") return network_text(checked.network);
  if (stage == "tree") return tree_text(checked.network, checked.topology);
  if (stage == "dae") return dae_text(checked.network, checked.dae);
  if (stage == "plan") return text(checked.plan, checked.network);
  if (stage == "sources") return sources_text(checked);
  return check_text(checked, diagnostics);
}

int propose_plan(const CheckArguments& arguments, Checked& checked) {
  ProposalOptions options;
  options.error = arguments.error;
  if (!arguments.span.empty()) options.duration_ns = parse_duration(arguments.span);
  if (isatty(STDERR_FILENO) == 1)
    options.progress = [](const std::string& what) { fmt::print(stderr, "\r\033[Ktrying {}", what); };
  const Proposal proposal = propose({checked.network, checked.dae}, checked.plan, checked.range, options);
  if (options.progress) fmt::print(stderr, "\r\033[K");
  if (!proposal.problem.empty()) {
    fmt::print(stderr, "takt check --propose: {}\n", proposal.problem);
    return exit_failed;
  }
  fmt::print("{}", text(proposal, checked.network));
  const std::string toml = parametrisation(proposal, checked.network);
  if (arguments.file.empty())
    fmt::print("\n{}", toml);
  else
    takt::write_whole(arguments.file, toml);
  return proposal.alternatives.back().refused.empty() ? exit_ok : exit_failed;
}

int check(const CheckArguments& arguments) {
  CheckOptions options{.library = {find_home().library},
                       .overrides = overrides(arguments.set),
                       .rig = std::nullopt,
                       .solve = solve_file(arguments)};
  if (!arguments.operating.empty()) options.operating = existing_file(arguments.operating, "operating range");
  if (!arguments.rig.empty()) options.rig = existing_file(arguments.rig, "rig");
  Diagnostics diagnostics;
  std::optional<Checked> checked = check_plant(plant_file(arguments.plant), options, diagnostics);
  // After errors the early stages still help to find the mistake; a plan or sources would be half a truth.
  if (checked && !arguments.graph.empty()) write_graph(*checked, arguments.graph);
  if (arguments.json) {
    fmt::print("{}", check_json(checked ? &*checked : nullptr, diagnostics));
  } else {
    fmt::print(stderr, "{}", diagnostics.render(isatty(STDERR_FILENO) == 1));
    const bool early = arguments.show == "network" || arguments.show == "tree" || arguments.show == "dae";
    if (checked && !arguments.propose && (early || !diagnostics.has_errors()))
      fmt::print("{}", shown(arguments.show, *checked, diagnostics));
  }
  if (arguments.propose && checked && !diagnostics.has_errors()) return propose_plan(arguments, *checked);
  return diagnostics.has_errors() || !checked ? exit_failed : exit_ok;
}

}  // namespace

int check_command(int argc, char** argv) {
  CLI::App app{"Analyse a plant: circuits, index, subsystems, couplings, steps. Builds nothing.", "takt check"};
  CheckArguments arguments;
  declare(app, arguments);
  if (const std::optional<int> code = parse(app, argc, argv)) return *code;
  return check(arguments);
}

}  // namespace takt::tools
