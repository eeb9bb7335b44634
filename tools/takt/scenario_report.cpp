#include "tools/takt/scenario_report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <pugixml.hpp>
#include <sstream>

#include "runtime/io/record/expected_lines.hpp"
#include "runtime/io/record/svg_plot.hpp"
#include "runtime/io/record/unit_text.hpp"
#include "tools/takt/compare_signals.hpp"
#include "tools/takt/plot_page.hpp"

namespace takt::tools {
namespace {

constexpr std::size_t most_plots = 24;

/// XML knows no control characters.
std::string printable(std::string text) {
  std::replace_if(
      text.begin(), text.end(), [](char c) { return static_cast<unsigned char>(c) < 0x20 && c != '\n' && c != '\t'; },
      '?');
  return text;
}

std::string said(const ScenarioExpectation& expectation) {
  return expectation.because + (expectation.values.empty() ? "" : ": " + expectation.values);
}

pugi::xml_node add_case(pugi::xml_node suite, const std::string& of, const std::string& name, double seconds) {
  pugi::xml_node node = suite.append_child("testcase");
  node.append_attribute("classname") = of.c_str();
  node.append_attribute("name") = printable(name).c_str();
  node.append_attribute("time") = fmt::format("{:.9g}", seconds).c_str();
  return node;
}

void add_outcome(pugi::xml_node node, const char* kind, const std::string& type, const std::string& message) {
  pugi::xml_node outcome = node.append_child(kind);
  outcome.append_attribute("type") = type.c_str();
  outcome.append_attribute("message") = printable(message).c_str();
}

void add_suite(pugi::xml_node root, const std::string& plant, const ScenarioRun& run) {
  pugi::xml_node suite = root.append_child("testsuite");
  suite.append_attribute("name") = run.file.c_str();
  const std::string of = plant + "." + run.file.stem().string();
  std::size_t tests = 0, failures = 0, errors = 0;
  const bool cut = run.outcome == "interrupted";  // what was not decided then has not failed
  for (const ScenarioExpectation& expectation : run.expectations) {
    const double seconds = expectation.time_s >= 0.0 ? expectation.time_s - std::max(expectation.from_s, 0.0) : 0.0;
    const pugi::xml_node node = add_case(suite, of, expectation.name, seconds);
    ++tests;
    if (expectation.verdict == "passed") continue;
    const bool error = cut && expectation.verdict == "undecided";
    ++(error ? errors : failures);
    add_outcome(node, error ? "error" : "failure", error ? run.outcome : expectation.verdict,
                expectation.place + ": " + said(expectation));
  }
  if (!run.because.empty() || run.verdict == "no expectation") {
    const bool error = run.verdict == "not run" || cut;
    const pugi::xml_node node = add_case(suite, of, "scenario", run.simulated_s);
    ++tests;
    if (!run.ok || run.verdict != "no expectation") {
      ++(error ? errors : failures);
      add_outcome(node, error ? "error" : "failure", cut ? run.outcome : run.verdict,
                  run.because.empty() ? "the scenario expects nothing" : run.because);
    }
  }
  if (!run.trouble.empty()) {
    ++tests;
    ++errors;
    add_outcome(add_case(suite, of, "run", run.simulated_s), "error", run.outcome == "late" ? "late" : "run",
                run.trouble);
  }
  suite.append_attribute("tests") = tests;
  suite.append_attribute("failures") = failures;
  suite.append_attribute("errors") = errors;
  suite.append_attribute("time") = fmt::format("{:.9g}", run.wall_s).c_str();
}

std::string when(double seconds) { return seconds < 0.0 ? "" : fmt::format("{:.9g} s", seconds); }

/// From before the step began to after the decision.
struct PlotWindow {
  double begin = 0.0, end = 0.0;
};

PlotWindow window_of(const ScenarioExpectation& expectation, const ScenarioRun& run) {
  const double from = std::max(expectation.from_s, 0.0);
  const double to = expectation.time_s >= 0.0 ? expectation.time_s : run.simulated_s;
  // A failure after a long time that all went well is seen near to.
  const double length = std::min(to - from, 2000.0 * run.macro_step_s);
  const double margin = std::max(0.25 * length, 100.0 * run.macro_step_s);
  return {to - length - margin, to + margin};
}

std::string plot_of(const std::string& path, const ScenarioExpectation& expectation, const Recording& recording,
                    PlotWindow window) {
  const auto wave = recording.signals.find(path);
  if (wave == recording.signals.end()) return {};
  Plot plot;
  plot.title = path;
  plot.x_label = "simulated time, s";
  plot.kept_points = 100'000 / most_plots;
  plot.y_label = scaled_unit(recording.units.at(path), 0.0).text;
  PlotLine line{.label = path, .x = {}, .low = {}, .high = {}};
  for (std::size_t k = 0; k < wave->second.time.size(); ++k) {
    if (wave->second.time[k] < window.begin || wave->second.time[k] > window.end) continue;
    line.x.push_back(wave->second.time[k]);
    line.low.push_back(wave->second.value[k]);
  }
  if (line.x.size() < 2) return {};
  line.high = line.low;
  const std::vector<PlotLine> limits =
      expectation.band ? limits_of(*expectation.band, window.begin, window.end) : std::vector<PlotLine>{};
  const auto [least, greatest] = std::minmax_element(line.low.begin(), line.low.end());
  const PlotLine mark{.label = expectation.verdict + " at " + when(expectation.time_s),
                      .x = {expectation.time_s, expectation.time_s},
                      .low = {*least, *greatest},
                      .high = {*least, *greatest}};
  plot.lines.push_back(std::move(line));
  if (expectation.time_s >= 0.0 && plot.lines[0].low.front() == plot.lines[0].low.front()) plot.lines.push_back(mark);
  plot.lines.insert(plot.lines.end(), limits.begin(), limits.end());
  return line_plot(plot);
}

/// The verdict, what was run where.
std::string head_of(const ScenarioRun& run) {
  const std::string counts = run.expectations.empty() ? ""
                                                      : fmt::format(": {} of {} expectations passed",
                                                                    run.count("passed"), run.expectations.size());
  std::string body = std::string("<div class=\"verdict ") + (run.ok ? "good" : "bad") + "\"><p class=\"headline\">" +
                     escaped(run.verdict + counts) + "</p><ul>";
  if (!run.because.empty()) body += "<li>" + escaped(run.because) + "</li>";
  if (!run.trouble.empty()) body += "<li>The run: " + escaped(run.trouble) + "</li>";
  for (const ScenarioExpectation& e : run.expectations)
    if (e.verdict != "passed") body += "<li>" + escaped(e.place + ": " + e.name + ": " + said(e)) + "</li>";
  body += "</ul></div>\n<dl class=\"facts\">";
  const auto fact = [&](const char* name, const std::string& value) {
    if (!value.empty()) body += std::string("<dt>") + name + "</dt><dd class=\"long\">" + escaped(value) + "</dd>";
  };
  fact("Scenario", run.file.string());
  fact("Plant", run.plant);
  fact("Started", run.started);
  fact("Host", run.host);
  fact("Simulated", when(run.simulated_s));
  fact("Digest", run.digest);
  body += "</dl>\n";
  if (std::filesystem::exists(run.folder / "report.html"))
    body += "<p><a href=\"report.html\">Report of the run</a>: all signals, computing time, command.</p>\n";
  return body;
}

}  // namespace

std::string junit_xml(const std::string& plant, const std::vector<ScenarioRun>& runs) {
  pugi::xml_document document;
  pugi::xml_node declaration = document.append_child(pugi::node_declaration);
  declaration.append_attribute("version") = "1.0";
  declaration.append_attribute("encoding") = "UTF-8";
  pugi::xml_node root = document.append_child("testsuites");
  root.append_attribute("name") = plant.c_str();
  for (const ScenarioRun& run : runs) add_suite(root, plant, run);
  std::ostringstream text;
  document.save(text, "  ");
  return text.str();
}

std::string scenario_page(const ScenarioRun& run) {
  std::string body = head_of(run);
  std::vector<html::Row> rows;
  for (const ScenarioExpectation& e : run.expectations)
    rows.push_back({e.name + (e.text == e.name ? "" : ": " + e.text),
                    e.verdict + (e.because.empty() ? "" : ": " + e.because), when(e.time_s), e.values, e.place});
  using Kind = html::Column::Kind;
  body += html::table(
      {{"expected", Kind::text}, {"verdict", Kind::text}, {"at"}, {"values", Kind::text}, {"place", Kind::text}}, rows);
  Recording recording;
  try {
    recording = read_recording(run.folder);
  } catch (const std::runtime_error& error) {
    body += "<p>no plots: " + escaped(error.what()) + "</p>\n";
  }
  std::size_t plots = 0;
  for (const ScenarioExpectation& e : run.expectations) {
    if (e.verdict == "passed" || e.from_s < 0.0) continue;
    std::string drawn;
    for (const std::string& path : e.paths)
      if (plots < most_plots) drawn += plot_of(path, e, recording, window_of(e, run)), ++plots;
    if (!drawn.empty())
      body +=
          html::section(e.name, "<p>" + escaped(e.text + ", judged from " + when(e.from_s) + " on") + "</p>\n" + drawn);
  }
  return plot_page(run.title.empty() ? run.file.stem().string() : run.title, body);
}

static const char* table_word(const ScenarioRun& run) {
  if (run.ok) return "passed";
  return run.outcome == "late"          ? "LATE"
         : run.outcome == "interrupted" ? "STOPPED"
         : run.outcome == "not run"     ? "NOT RUN"
                                        : "FAILED";
}

std::string verdict_table(const std::vector<ScenarioRun>& runs) {
  std::size_t width = 0;
  for (const ScenarioRun& run : runs) width = std::max(width, run.file.string().size());
  std::string text;
  for (const ScenarioRun& run : runs) {
    const std::size_t passed = run.count("passed"), all = run.expectations.size();
    text += fmt::format("{:<8} {:<{}}", table_word(run), run.file.string(), width);
    if (run.outcome != "not run")
      text += fmt::format("  {} of {} expectations passed, {:.9g} s simulated in {:.2f} s", passed, all,
                          run.simulated_s, run.wall_s);
    text += "\n";
    for (const ScenarioExpectation& e : run.expectations)
      if (e.verdict != "passed")
        text += fmt::format("  {}: {}: {}{}\n", e.place, e.name, said(e),
                            e.time_s >= 0.0 ? " (at " + when(e.time_s) + ")" : "");
    if (!run.because.empty()) text += "  " + run.because + "\n";
    if (run.verdict == "no expectation") text += "  the scenario expects nothing\n";
    if (!run.trouble.empty()) text += "  the run: " + run.trouble + "\n";
  }
  return text;
}

}  // namespace takt::tools
