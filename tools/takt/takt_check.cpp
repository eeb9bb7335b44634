// takt check PLANT: analyses a plant and its rig; builds nothing.

#include <fmt/format.h>
#include <unistd.h>

#include "codegen/partition/make_plan.hpp"
#include "codegen/pipeline.hpp"
#include "runtime/io/record/recorded_file.hpp"
#include "runtime/io/record/text_file.hpp"
#include "runtime/plant/quantity.hpp"
#include "tools/takt/arguments.hpp"
#include "tools/takt/check_report.hpp"
#include "tools/takt/check_waiting.hpp"
#include "tools/takt/circuit_graph.hpp"
#include "tools/takt/command.hpp"
#include "tools/takt/exported_plant.hpp"
#include "tools/takt/fault_text.hpp"
#include "tools/takt/home.hpp"
#include "tools/takt/modelica_plant.hpp"
#include "tools/takt/plan_for_error.hpp"
#include "tools/takt/plant_arguments.hpp"
#include "tools/takt/plot_page.hpp"
#include "tools/takt/propose_plan.hpp"
#include "tools/takt/show.hpp"

namespace takt::tools {

using namespace takt::codegen;

namespace {

struct CheckArguments : PlantArguments {
  std::string show, graph, operating;
  std::string span, file, picture;
  bool json = false, table = false, propose = false;
};

void declare(command_line::App& app, CheckArguments& arguments) {
  declare_plant(app, arguments);
  declare_rig(app, arguments, "rig file: check its buses and signals against the plant, too");
  app.add_option("--show", arguments.show, "print the result of one stage")
      ->one_of({"network", "tree", "dae", "plan", "faults", "sources", "fmu-cs", "fmu-me"});
  app.add_option(
      "--operating", arguments.operating,
      "operating range, a run (with --record-states) or a file of its signals: steps are judged there, too (default: "
      "operating.csv beside the plant)");
  app.add_option(
      "--graph", arguments.graph,
      "draw the network into FILE.html (parts unfold, boxes tell what they are), FILE.svg or FILE.dot (for Graphviz)");
  app.add_flag("--propose", arguments.propose,
               "find plans for errors around --error as `takt plan` does, but over more of the time; run each and "
               "compare it with `takt reference`: minutes");
  declare_error(app, arguments);
  app.add_option("--for", arguments.span,
                 "with --propose: simulated time of trials and runs (default: the plant's duration, or 1 s)");
  app.add_option("--out", arguments.file,
                 "with --propose: write the plan there, a file for --solve (default: print it)");
  app.add_option("--picture", arguments.picture, "with --propose: draw work against precision into FILE.html");
  auto* json = app.add_flag("--json", arguments.json, "print the result for machines")->excludes("--propose");
  app.add_flag("--table", arguments.table,
               "with --json: also every quantity of the plant, with unit, role, value of parameters, start and safe "
               "value of inputs")
      ->needs(json);
  app.example(
      "takt check config/plants/ev --rig config/rigs/ev.toml\n"
      "takt check config/plants/rc --set v_in=48V --show dae\n"
      "takt check config/plants/drive --graph drive.html\n"
      "takt check config/plants/bev --propose --error 1e-3 --out proposed.toml");
}

std::string sources_text(const Sources& sources) {
  std::string text;
  for (const SourceFile& file : sources) text += fmt::format("// ---- {}\n{}\n", file.name, file.text.bytes());
  return text;
}

/// Nothing where the plant cannot be such an FMU; the reason has been told.
std::optional<std::string> library_text(const Checked& checked, FmuKind kind) {
  const FmuExport how{.version = 3, .kind = kind, .generator = TAKT_VERSION};
  const std::optional<ExportedFmu> fmu = exported_plant(checked, how, {});
  if (!fmu) return std::nullopt;
  return sources_text(fmu->sources);
}

std::optional<std::string> shown(const std::string& stage, const Checked& checked, const Diagnostics& diagnostics) {
  if (stage == "network") return network_text(checked.network);
  if (stage == "tree") return tree_text(checked.network, checked.topology);
  if (stage == "dae") return dae_text(checked.network, checked.dae);
  if (stage == "plan") return text(checked.plan, checked.network);
  if (stage == "faults") return plant_faults_text(checked.network);
  if (stage == "sources") return sources_text(plant_sources(checked));
  if (stage == "fmu-cs") return library_text(checked, FmuKind::co_simulation);
  if (stage == "fmu-me") return library_text(checked, FmuKind::model_exchange);
  return check_text(checked, diagnostics);
}

int propose(const CheckArguments& arguments) {
  for (const std::string& file : {arguments.file, arguments.picture})
    if (const auto folder = std::filesystem::path(file).parent_path();
        !folder.empty() && !std::filesystem::is_directory(folder))
      throw UsageError("there is no folder " + folder.string());
  ProposalWish wish;
  if (!arguments.span.empty()) wish.duration_s = static_cast<double>(parse_duration(arguments.span)) * 1e-9;
  const std::optional<BuiltPlant> built = build_plant(plant_build(arguments, true));
  if (!built) return exit_failed;
  const double asked = arguments.error.value_or(built->checked.network.error.value_or(0.0));
  if (asked > 0.0) wish.error = asked;
  const Proposal proposal = propose_plan(*built, arguments, wish);
  fmt::print("{}", proposal_text(*built, proposal));
  if (!arguments.picture.empty())
    write_whole(arguments.picture, plot_page("Work against precision", proposal_picture(*built, proposal)));
  if (!proposal.chosen) return exit_failed;
  const ProposedPlan& chosen = proposal.plans[*proposal.chosen];
  const std::string plan = planned_file(*built, chosen.planned);
  if (arguments.file.empty())
    fmt::print("\n{}", plan);
  else
    write_whole(arguments.file, plan);
  return is_right(proposal) ? exit_ok : exit_failed;
}

int check(const CheckArguments& arguments) {
  CheckOptions options{.library = {find_home().library},
                       .overrides = overrides(arguments.set),
                       .rig = std::nullopt,
                       .solve = solve_file(arguments)};
  if (!arguments.operating.empty())
    options.operating = existing_file(recorded_file(arguments.operating).string(), "operating range");
  if (!arguments.rig.empty()) options.rig = existing_file(arguments.rig, "rig");
  Diagnostics diagnostics;
  std::optional<Checked> checked = check_waiting(plant_or_model(arguments.plant), options, diagnostics);
  if (checked && checked->rig) ask_machine(*checked->rig, diagnostics);
  // After errors the early stages still help to find the mistake; a plan or sources would be half a truth.
  if (checked && !arguments.graph.empty()) write_graph(*checked, arguments.graph);
  if (arguments.json) {
    fmt::print("{}", check_json(checked ? &*checked : nullptr, diagnostics, arguments.table));
  } else {
    fmt::print(stderr, "{}", diagnostics.render(isatty(STDERR_FILENO) == 1));
    const bool early = arguments.show == "network" || arguments.show == "tree" || arguments.show == "dae";
    if (checked && (early || !diagnostics.has_errors())) {
      const std::optional<std::string> stage = shown(arguments.show, *checked, diagnostics);
      if (!stage) return exit_failed;
      fmt::print("{}", *stage);
    }
    if (checked && arguments.show.empty() && !diagnostics.has_errors())
      fmt::print("\n{}", known_accuracy(plant_build(arguments, false), *checked));
  }
  return diagnostics.has_errors() || !checked ? exit_failed : exit_ok;
}

}  // namespace

int check_command(int argc, char** argv) {
  command_line::App app{"Analyse a plant: circuits, index, subsystems, couplings, steps. Builds nothing.",
                        "takt check"};
  CheckArguments arguments;
  declare(app, arguments);
  if (const std::optional<int> code = app.parse(argc, argv)) return *code;
  return arguments.propose ? propose(arguments) : check(arguments);
}

}  // namespace takt::tools
