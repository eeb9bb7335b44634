// takt compare RUN REFERENCE: how far the recorded signals of two runs are apart.

#include <fmt/format.h>

#include <cmath>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "codegen/plan/patterns.hpp"
#include "runtime/command_line/command_line.hpp"
#include "runtime/io/record/run_directory.hpp"
#include "runtime/io/record/svg_plot.hpp"
#include "runtime/io/record/text_file.hpp"
#include "runtime/stats/format.hpp"
#include "tools/takt/arguments.hpp"
#include "tools/takt/command.hpp"
#include "tools/takt/compare_signals.hpp"
#include "tools/takt/plot_page.hpp"

namespace takt::tools {
namespace {

struct CompareArguments {
  std::string run, reference, plot;
  std::vector<std::string> only;
  double limit = 0.0, limit_largest = 0.0;
  bool json = false;
};

void declare(command_line::App& app, CompareArguments& arguments) {
  app.add_option("run", arguments.run, "run directory, or its file of recorded signals")->required();
  app.add_option("reference", arguments.reference, "run directory or table to compare with")->required();
  app.add_option("--only", arguments.only,
                 "signals to compare, * for any characters (may be repeated; default: all both have)");
  app.add_option("--limit", arguments.limit, "fail (exit code 1) where RMS/scale of a signal is above this")
      ->positive();
  app.add_option("--limit-max", arguments.limit_largest, "fail where max/scale of a signal is above this")->positive();
  app.add_option("--plot", arguments.plot,
                 "draw both runs and their difference into this HTML file, the worst signals first");
  app.add_flag("--json", arguments.json, "print the result for machines");
  app.example("takt compare runs/drive runs/tight --limit 1e-3 --plot difference.html");
  app.footer(
      "Signals are matched by name and compared at the run's times within the reference's; between its samples the "
      "reference is interpolated linearly. max and RMS are of the difference, in the signal's unit. scale is the range "
      "of the reference; its largest magnitude where it hardly moves, at least 1e-9 of the largest of its unit. With a "
      "limit, a signal of the reference that the run does not have, has in another unit or at other times fails; so "
      "does one that --only names and one of the two lacks.");
}

void keep_only(Comparison& comparison, const std::vector<std::string>& patterns) {
  if (patterns.empty()) return;
  const auto wanted = [&](const std::string& path) {
    return std::any_of(patterns.begin(), patterns.end(),
                       [&](const std::string& pattern) { return codegen::pattern_matches(pattern, path); });
  };
  std::erase_if(comparison.signals, [&](const SignalError& error) { return !wanted(error.path); });
  for (auto* names : {&comparison.only_run, &comparison.only_reference, &comparison.other_unit, &comparison.other_time})
    std::erase_if(*names, [&](const std::string& path) { return !wanted(path); });
}

bool within(const SignalError& error, const CompareArguments& arguments) {
  const bool rms = arguments.limit == 0.0 || error.normalised() <= arguments.limit;  // false for NaN
  return rms && (arguments.limit_largest == 0.0 || error.largest / error.scale <= arguments.limit_largest);
}

/// What a limit was to hold for and nobody has compared: all of the reference, or what --only names, which both must
/// have.
std::vector<std::string> not_judged(const Comparison& comparison, const CompareArguments& arguments) {
  if (arguments.limit == 0.0 && arguments.limit_largest == 0.0) return {};
  std::vector<std::string> names;
  for (const auto* list : {&comparison.only_reference, &comparison.other_unit, &comparison.other_time})
    names.insert(names.end(), list->begin(), list->end());
  if (!arguments.only.empty()) names.insert(names.end(), comparison.only_run.begin(), comparison.only_run.end());
  for (const std::string& pattern : arguments.only) {
    const auto matches = [&](const std::string& path) { return codegen::pattern_matches(pattern, path); };
    const bool found = std::any_of(names.begin(), names.end(), matches) ||
                       std::any_of(comparison.signals.begin(), comparison.signals.end(),
                                   [&](const SignalError& error) { return matches(error.path); });
    if (!found) names.push_back(pattern);
  }
  return names;
}

std::string text(const Comparison& comparison, const CompareArguments& arguments) {
  std::size_t width = 6;
  for (const SignalError& error : comparison.signals) width = std::max(width, error.path.size());
  std::string out = fmt::format("{:{}}  {:>10} {:>10} {:>10} {:>10} {:>10} {:>10}  unit\n", "signal", width, "max",
                                "at, s", "RMS", "scale", "max/scale", "RMS/scale");
  for (const SignalError& error : comparison.signals)
    out += fmt::format("{:{}}  {:>10.3e} {:>10.4g} {:>10.3e} {:>10.4g} {:>10.3e} {:>10.3e}  {}{}\n", error.path, width,
                       error.largest, error.largest_at_s, error.rms, error.scale, error.largest / error.scale,
                       error.normalised(), error.unit, within(error, arguments) ? "" : "  ABOVE THE LIMIT");
  const auto list = [&](const char* what, const std::vector<std::string>& names) {
    if (names.empty()) return;
    out += fmt::format("{} {}: {}", names.size(), what, names.front());
    for (std::size_t k = 1; k < std::min<std::size_t>(names.size(), 8); ++k) out += ", " + names[k];
    out += names.size() > 8 ? ", ...\n" : "\n";
  };
  list("only in the run", comparison.only_run);
  list("only in the reference", comparison.only_reference);
  list("of different units, not compared", comparison.other_unit);
  list("at no common time, not compared", comparison.other_time);
  list("NOT JUDGED by the limit", not_judged(comparison, arguments));
  return out;
}

std::string json(const Comparison& comparison, const CompareArguments& arguments, bool ok) {
  nlohmann::ordered_json out{{"ok", ok}, {"signals", nlohmann::ordered_json::array()}};
  for (const SignalError& error : comparison.signals)
    out["signals"].push_back({{"name", error.path},
                              {"unit", error.unit},
                              {"samples", error.samples.time.size()},
                              {"max", error.largest},
                              {"at_s", error.largest_at_s},
                              {"rms", error.rms},
                              {"scale", error.scale},
                              {"max_normalised", error.largest / error.scale},
                              {"rms_normalised", error.normalised()},
                              {"within", within(error, arguments)}});
  out["only_run"] = comparison.only_run;
  out["only_reference"] = comparison.only_reference;
  out["other_unit"] = comparison.other_unit;
  out["other_time"] = comparison.other_time;
  out["not_judged"] = not_judged(comparison, arguments);
  return out.dump(2) + "\n";
}

std::string html(const Comparison& comparison) {
  constexpr std::size_t most = 40, points_of_page = 120'000;
  const std::size_t kept = points_of_page / 2 / std::clamp<std::size_t>(comparison.signals.size(), 1, most);
  const auto figure = [&](Plot plot) {
    plot.x_label = "simulated time, s", plot.time = true, plot.kept_points = kept;
    return line_plot(plot);
  };
  std::string out;
  for (std::size_t k = 0; k < std::min(most, comparison.signals.size()); ++k) {
    const SignalError& error = comparison.signals[k];
    std::vector<double> difference;
    for (std::size_t at = 0; at < error.samples.time.size(); ++at)
      difference.push_back(error.samples.value[at] - error.samples.reference[at]);
    out += "<h2>" + escaped(error.path) + "</h2><p>" +
           escaped(fmt::format("max {:.3e}, RMS {:.3e} {}; RMS/scale {:.2e}", error.largest, error.rms, error.unit,
                               error.normalised())) +
           "</p>\n";
    const auto& [time, value, reference] = error.samples;
    out +=
        figure({error.path, "", error.unit, {{"reference", time, reference, reference}, {"run", time, value, value}}});
    out += figure({"run - reference", "", error.unit, {{"run - reference", time, difference, difference}}});
  }
  if (comparison.signals.size() > most)
    out += fmt::format("<p>... and {} more that are closer.</p>\n", comparison.signals.size() - most);
  return plot_page("Run and reference", out);
}

/// A part of a run says nothing of the rest of it.
bool is_finished(const std::string& path) {
  std::error_code none;
  const std::filesystem::path folder = path;
  if (!std::filesystem::exists(folder / "inputs.csv", none) || std::filesystem::exists(folder / "summary.json", none))
    return true;  // or it is no run directory
  fmt::print(stderr, "takt compare: {} {}: what it has was compared\n", path, not_finished(folder));
  return false;
}

}  // namespace

int compare_command(int argc, char** argv) {
  command_line::App app{
      "Compare the recorded signals of a run with a reference: max, RMS and normalised error of each.", "takt compare"};
  CompareArguments arguments;
  declare(app, arguments);
  if (const std::optional<int> code = app.parse(argc, argv)) return *code;
  Comparison comparison = compare(read_recording(arguments.run), read_recording(arguments.reference));
  keep_only(comparison, arguments.only);
  if (comparison.signals.empty())
    throw std::runtime_error("the two have no signal and time in common" +
                             std::string(arguments.only.empty() ? "" : " that --only names"));
  const bool ok = not_judged(comparison, arguments).empty() &&
                  std::all_of(comparison.signals.begin(), comparison.signals.end(),
                              [&](const SignalError& error) { return within(error, arguments); });
  fmt::print("{}", arguments.json ? json(comparison, arguments, ok) : text(comparison, arguments));
  if (!arguments.plot.empty()) write_whole(arguments.plot, html(comparison));
  const bool run_is_whole = is_finished(arguments.run), reference_is_whole = is_finished(arguments.reference);
  return ok && run_is_whole && reference_is_whole ? exit_ok : exit_failed;
}

}  // namespace takt::tools
