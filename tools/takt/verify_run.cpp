#include "tools/takt/verify_run.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <nlohmann/json.hpp>

#include "codegen/emit/build/process.hpp"
#include "codegen/pipeline.hpp"
#include "codegen/text/quantity.hpp"
#include "runtime/io/record/run_directory.hpp"
#include "runtime/io/record/run_files.hpp"
#include "runtime/io/record/text_file.hpp"
#include "runtime/json/parse_json.hpp"
#include "tools/takt/check_waiting.hpp"
#include "tools/takt/command.hpp"
#include "tools/takt/home.hpp"
#include "tools/takt/plan_for_error.hpp"
#include "tools/takt/plan_settings.hpp"
#include "tools/takt/reference_process.hpp"
#include "tools/takt/verify_result.hpp"
#include "tools/takt/wait_line.hpp"

namespace takt::tools {
namespace {

namespace fs = std::filesystem;
using namespace takt::codegen;

/// What rests at its place counts against this part of the largest range of its unit.
constexpr double least_part = 1e-2;
constexpr const char *tight = "1e-8", *loose = "1e-6";

/// One plant that is run and judged; files go below `folder`.
struct Verification {
  const PlantArguments& arguments;
  const VerifyOptions& options;
  std::vector<std::string> extras, input_options;  // of the executable; those of them that the reference takes too
  fs::path folder;
  VerifyResult result{};
};

/// Takes NAME VALUE or NAME=VALUE out of the list; all of them.
std::vector<std::string> take(std::vector<std::string>& list, const std::string& name) {
  std::vector<std::string> values, rest;
  for (std::size_t k = 0; k < list.size(); ++k) {
    if (list[k] == name && k + 1 < list.size())
      values.push_back(list[++k]);
    else if (list[k].starts_with(name + "="))
      values.push_back(list[k].substr(name.size() + 1));
    else
      rest.push_back(list[k]);
  }
  list = std::move(rest);
  return values;
}

nlohmann::json summary_of(const fs::path& run) { return json_file_or_none<nlohmann::json>(run / "summary.json"); }

std::optional<Checked> check(const PlantBuild& request) {
  Diagnostics diagnostics;
  std::optional<Checked> checked = check_waiting(
      request.plant,
      {.library = {find_home().library}, .overrides = request.overrides, .rig = request.rig, .solve = request.solve},
      diagnostics);
  if (diagnostics.has_errors()) checked.reset();
  return checked;
}

ProcessResult run_plant(const Verification& v, const BuiltPlant& plant, const fs::path& out) {
  std::vector<std::string> command{plant.executable.string()};
  for (const auto& [name, value] : plant.tunable) command.insert(command.end(), {"--set", name + "=" + value});
  command.insert(command.end(), v.extras.begin(), v.extras.end());
  command.insert(command.end(), {"--pace", "free", "--quiet", "--no-report", "--for",
                                 duration_text(std::llround(v.result.duration_s * 1e9)), "--out", out.string()});
  const WaitLine line("running " + plant.checked.network.name);
  return run_process(command);
}

/// What the run says against itself; a run that wrote no summary said it on its way out.
std::vector<std::string> verdicts_of(const ProcessResult& run, const nlohmann::json& summary) {
  std::vector<std::string> said;
  if (summary.is_object() && summary.contains("verdicts"))
    for (const auto& verdict : summary["verdicts"])
      if (!verdict.value("tolerated", false))
        said.push_back(
            fmt::format("{} {}: {}", verdict.value("code", ""), verdict.value("where", ""), verdict.value("text", "")));
  if (said.empty() && run.exit_code != 0) said.push_back(last_line(run.output));
  return said;
}

/// @return why there is none
std::string make_own_reference(const Verification& v, const std::string& tolerance, const fs::path& out, bool steady) {
  return make_reference({.plant = v.arguments.plant,
                         .solve = v.arguments.solve,
                         .set = v.arguments.set,
                         .inputs = v.input_options,
                         .duration_s = v.result.duration_s,
                         .at_most_s = v.options.reference_s,
                         .tolerance = tolerance,
                         .start = steady ? v.folder / "as_given" : fs::path()},
                        out);
}

double last_time(const Recording& recording) {
  double last = 0.0;
  for (const auto& [path, wave] : recording.signals) last = std::max(last, wave.time.back());
  return last;
}

/// What a rate (.der) is the rate of is judged, too, and has a size.
Comparison compared(const Recording& run, const Recording& reference) {
  Comparison comparison = compare(run, reference, least_part);
  std::erase_if(comparison.signals, [](const SignalError& error) { return error.path.ends_with(".der"); });
  return comparison;
}

/// Where the run is off, the reference is asked again with a looser tolerance: what these two disagree about they
/// cannot judge.
void doubt(const Verification& v, const Recording& reference, bool steady, VerifiedAgainst& against) {
  if (std::none_of(against.comparison.signals.begin(), against.comparison.signals.end(),
                   [&](const SignalError& error) { return is_wrong(v.result, against, error); }))
    return;
  const fs::path out = v.folder / "reference_loose";
  if (!make_own_reference(v, loose, out, steady).empty()) return;
  for (const SignalError& error : compared(read_recording(out), reference).signals)
    if (!(error.normalised() <= 0.3 * v.result.limit)) against.uncertain.push_back(error.path);
}

VerifiedAgainst against_reference(const Verification& v, const Recording& run, bool steady) {
  VerifiedAgainst against;
  against.name = "reference";
  against.detail = fmt::format("takt reference, the whole plant as one system by SUNDIALS, tolerance {}", tight);
  const fs::path out = v.folder / "reference";
  against.missing = make_own_reference(v, tight, out, steady);
  if (!against.missing.empty()) return against;
  const Recording tightly = read_recording(out);
  against.comparison = compared(run, tightly);
  against.reached_s = last_time(tightly);
  doubt(v, tightly, steady, against);
  return against;
}

/// The parametrisation with half the steps that the generator accepts; nullopt where it accepts none.
std::optional<PlantBuild> half_build(const Verification& v, const Checked& checked, std::string& detail) {
  for (const bool exchange : {true, false}) {
    PlantBuild request = plant_build(v.arguments, true);
    request.solve = run_file(v.folder, "half_steps.toml");
    request.directory.clear();
    write_whole(*request.solve, half_steps(checked, exchange));
    detail = exchange ? "the plant itself with half its steps and synchronisation times"
                      : "the plant itself with half its steps (its synchronisation times have no halves)";
    if (check(request)) return request;
  }
  return std::nullopt;
}

VerifiedAgainst against_half_steps(const Verification& v, const Checked& checked, const Recording& run) {
  VerifiedAgainst against;
  against.name = "half the steps";
  const std::optional<PlantBuild> request = half_build(v, checked, against.detail);
  if (!request) return against.missing = "no half of the steps divides the synchronisation times", against;
  const std::optional<BuiltPlant> built = build_plant(*request);
  if (!built) return against.missing = "it does not build", against;
  const fs::path out = v.folder / "half_steps";
  const ProcessResult made = run_plant(v, *built, out);
  const nlohmann::json summary = summary_of(out);
  if (!summary.is_object()) return against.missing = last_line(made.output), against;
  const Recording half = read_recording(out);
  against.comparison = compared(run, half);
  against.reached_s = last_time(half);
  if (made.exit_code != 0) against.detail += " (which " + verdicts_of(made, summary).front() + ")";
  return against;
}

double duration_of(const VerifyOptions& options, const Checked& checked) {
  if (options.duration.empty()) {
    if (!checked.network.default_duration_ns) throw UsageError("the plant has no duration of its own: --verify TIME");
    return static_cast<double>(*checked.network.default_duration_ns) * 1e-9;
  }
  const auto parsed = parse_duration_ns(options.duration);
  if (!parsed) throw UsageError("--verify takes a time, such as \"10 ms\": " + parsed.error());
  return static_cast<double>(*parsed) * 1e-9;
}

/// What the plant does not record or that makes runs differ is refused before anything is built.
void sort_options(Verification& v) {
  for (const char* unfit :
       {"--no-results", "--record", "--trigger", "--list", "--for", "--action", "--scenario", "--resume"})
    if (std::any_of(v.extras.begin(), v.extras.end(),
                    [&](const std::string& extra) { return extra.starts_with(unfit); }))
      throw UsageError(fmt::format("--verify and {} do not go together", unfit));
  for (const std::string& pace : take(v.extras, "--pace"))
    if (pace != "free") throw UsageError("--verify makes free runs: without --pace " + pace);
  for (const char* name : {"--input", "--replay"}) {
    for (const std::string& value : take(v.extras, name)) v.input_options.insert(v.input_options.end(), {name, value});
  }
  v.extras.insert(v.extras.end(), v.input_options.begin(), v.input_options.end());
}

}  // namespace

int verify_run(const PlantArguments& arguments, const VerifyOptions& options) {
  Verification v{arguments, options, options.extras, {}, {}};
  sort_options(v);
  const std::vector<std::string> out = take(v.extras, "--out");
  PlantBuild request = plant_build(arguments, true);
  if (!plan_for_error(request)) return exit_failed;
  const std::optional<Checked> checked = check(request);
  if (checked) v.result.duration_s = duration_of(options, *checked);
  const std::optional<BuiltPlant> built = build_plant(request);  // says what is wrong with the plant
  if (!checked || !built) return exit_failed;
  v.result.plant = checked->network.name;
  v.result.limit = options.limit;
  const RunDirectory directory = make_run_directory(out.empty() ? "" : out.front(), checked->network.name);
  v.folder = directory.path;
  const fs::path as_given = v.folder / "as_given";
  const ProcessResult run = run_plant(v, *built, as_given);
  const nlohmann::json summary = summary_of(as_given);
  if (!summary.is_object()) throw std::runtime_error("the run failed:\n" + run.output);
  v.result.verdicts = verdicts_of(run, summary);
  const Recording recording = read_recording(as_given);
  const bool steady = summary.contains("start") && summary["start"].value("mode", "") == "steady";
  v.result.against.push_back(against_reference(v, recording, steady));
  v.result.against.push_back(against_half_steps(v, *checked, recording));
  write_run_file(v.folder, "verify.json", verify_json(v.result));
  fmt::print("{}",
             options.json ? verify_json(v.result) : verify_text(v.result) + "results in " + v.folder.string() + "\n");
  return is_verified(v.result) ? exit_ok : exit_failed;
}

}  // namespace takt::tools
