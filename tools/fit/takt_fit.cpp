// takt fit PLANT: what a machine can hold of a plant - this one, a board over ssh, or any to which a folder is copied.

#include <algorithm>
#include <cstdio>
#include <nlohmann/json.hpp>
#include <stdexcept>

#include "codegen/emit/build/toolchain.hpp"
#include "runtime/io/record/text_file.hpp"
#include "runtime/json/parse_json.hpp"
#include "runtime/plant/quantity.hpp"
#include "tools/fit/board.hpp"
#include "tools/fit/pack.hpp"
#include "tools/fit/report.hpp"
#include "tools/takt/command.hpp"
#include "tools/takt/plant_arguments.hpp"
#include "tools/takt/target_build.hpp"
#include "tools/takt/temporary_file.hpp"

namespace takt::tools {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

struct Arguments : PlantArguments {
  std::string target, on, pack, read, plot, duration = "60 s";
  std::vector<std::string> compare, skip;
  FitWish wish;
  bool json = false, elsewhere = false;
};

void declare(command_line::App& app, Arguments& arguments) {
  declare_plant(app, arguments);
  app.get_option("plant")->required(false);
  declare_rig(app, arguments);
  declare_build(app, arguments);
  declare_target(app, arguments.target);
  declare_error(app, arguments);
  auto* on =
      app.add_option("--on", arguments.on,
                     "measure on this board, ssh://USER@BOARD[:PORT], which needs sshd, a POSIX shell, awk and tar "
                     "(default: this machine)");
  auto* pack = app.add_option("--pack", arguments.pack,
                              "measure nothing, but make a folder that is copied to a board: measure.sh in it measures")
                   ->excludes(on);
  auto* read = app.add_option("--read", arguments.read, "report what was measured in such a folder; no PLANT")
                   ->excludes(on)
                   ->excludes(pack);
  auto* compare = app.add_option("--compare", arguments.compare, "several such folders, a row each; no PLANT")
                      ->excludes(on)
                      ->excludes(pack)
                      ->excludes(read);
  app.add_option("--plot", arguments.plot, "with --compare: draw them into this FILE.html")->needs(compare);
  app.add_option("--for", arguments.duration,
                 "real time of the run that judges the plan; every other run takes a sixth of it, 1 s at least")
      ->capture_default_str();
  app.add_option("--late", arguments.wish.late,
                 "part of all windows that may be late: 0, 1e-3 or 1e-2; the margin is then that of the others")
      ->one_of({0.0, 1e-3, 1e-2})
      ->capture_default_str();
  app.add_option("--cpus", arguments.wish.cpus,
                 "CPUs of the board, \"2,3\": the first measures what one core holds (default: isolated ones first, "
                 "then from the last down)")
      ->check(
          [](const std::string& text) {
            return text.find_first_not_of("0123456789,") == std::string::npos && !text.empty()
                       ? std::string()
                       : "is no list as \"2,3\"";
          },
          "LIST");
  app.add_option("--skip", arguments.skip, "leave out: cores, finer (plans), copies; may be repeated")
      ->one_of({"cores", "finer", "copies"})
      ->allow_extra_args(false);
  app.add_option("--most-copies", arguments.wish.most_copies, "that are tried on one core")
      ->in_range(1, 1024)
      ->capture_default_str();
  app.add_flag("--json", arguments.json, "print the report for machines");
  app.example(
      "takt fit config/plants/ev --rig config/rigs/ev.toml\n"
      "takt fit config/plants/inverter --on ssh://root@board\n"
      "takt fit config/plants/inverter --target linux-aarch64 --pack board    # copy it there,\n"
      "takt fit --read board                     # run measure.sh there, copy results back, then this");
  app.footer(
      "Exit code 0: the plant holds real time at its plan; 1: it does not, or nothing could be measured. A copy is a "
      "process of its own, without the rig.");
}

FitWish wish_of(const Arguments& arguments) {
  FitWish wish = arguments.wish;
  try {
    wish.plan_seconds = static_cast<double>(parse_duration(arguments.duration)) * 1e-9;
  } catch (const std::exception& error) {
    throw UsageError(std::string("--for: ") + error.what());
  }
  wish.seconds = std::max(1.0, wish.plan_seconds / 6.0);
  wish.skip = arguments.skip;
  return wish;
}

Json report_of(const fs::path& folder) {
  try {
    return fit_report(read_measured(folder));
  } catch (const Json::exception& error) {
    throw std::runtime_error(folder.string() + " is damaged: a file of it is not of the form that Takt writes (" +
                             json_mistake(error.what()) + "); measure again, or make the pack again");
  }
}

int told(const Json& report, bool as_json) {
  std::fputs(as_json ? (report.dump(2) + "\n").c_str() : fit_text(report).c_str(), stdout);
  return report.at("verdict").at("holds").get<bool>() ? exit_ok : exit_failed;
}

int compared(const Arguments& arguments) {
  std::vector<Json> reports;
  for (const std::string& folder : arguments.compare) reports.push_back(report_of(folder));
  if (!arguments.plot.empty()) write_whole(arguments.plot, comparison_page(reports));
  std::fputs(arguments.json ? (Json(reports).dump(2) + "\n").c_str() : comparison_text(reports).c_str(), stdout);
  return exit_ok;
}

/// What the board is, unless the user has said it.
void choose_target(const MeasuredBoard& board, const Arguments& arguments, PlantBuild& request) {
  request.target = checked_target(arguments.target, arguments.march);
  if (!arguments.pack.empty()) return;
  const std::string machine = board.machine();
  if (request.target && request.target->machine != machine)
    throw std::runtime_error("--target " + arguments.target + " is not for " +
                             (arguments.on.empty() ? "this machine" : arguments.on) + ", which is " + machine);
  if (request.target || machine == codegen::this_machine()) return;
  request.target = codegen::find_target("linux-" + machine);
  if (!request.target)
    throw std::runtime_error(arguments.on + " is " + machine + ", for which Takt compiles no plants; see --target");
}

/// What cannot be carried to a board in one file.
void refuse_companions(const FitPlants& plants) {
  const codegen::Checked& checked = plants.plan.checked;
  if (!checked.network.foreign.empty())
    throw std::runtime_error(checked.network.name +
                             " contains FMUs, which are computed by other processes than the plant: `takt run --pace "
                             "real` on the board tells how late they are");
  if (checked.rig && !checked.rig->hosts.empty())
    throw std::runtime_error("the rig names several hosts; `takt fit` measures one machine: give a rig without them");
}

int measured(const Arguments& arguments) {
  const MeasuredBoard board(arguments.elsewhere ? std::optional(arguments.on) : std::nullopt);
  PlantBuild request = plant_build(arguments, false);
  const FitWish wish = wish_of(arguments);
  choose_target(board, arguments, request);
  const bool finer = std::find(wish.skip.begin(), wish.skip.end(), "finer") == wish.skip.end();
  const std::optional<FitPlants> plants = build_for_fit(request, finer);
  if (!plants) return exit_failed;
  refuse_companions(*plants);
  if (!arguments.pack.empty()) {
    write_pack(*plants, wish, arguments.pack);
    std::printf("%s\n", arguments.pack.c_str());
    return exit_ok;
  }
  const TemporaryFolder pack;
  write_pack(*plants, wish, pack.path());
  board.measure(pack.path());
  return told(report_of(pack.path()), arguments.json);
}

}  // namespace

int fit_command(int argc, char** argv) {
  command_line::App app{"What a machine can hold of a plant in real time: verdict, margin, copies, what to change.",
                        "takt fit"};
  Arguments arguments;
  declare(app, arguments);
  if (const std::optional<int> code = app.parse(argc, argv)) return *code;
  arguments.elsewhere = app.get_option("--on")->count() > 0;
  const bool reads = !arguments.read.empty() || !arguments.compare.empty();
  if (reads != arguments.plant.empty())
    throw UsageError(reads ? "--read and --compare take no PLANT"
                           : "give a PLANT, or --read or --compare with folders");
  if (!arguments.compare.empty()) return compared(arguments);
  if (!arguments.read.empty()) return told(report_of(arguments.read), arguments.json);
  return measured(arguments);
}

}  // namespace takt::tools
