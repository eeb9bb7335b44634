#include "tools/takt/run_overlay.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "codegen/plan/patterns.hpp"
#include "runtime/io/record/html.hpp"
#include "runtime/io/record/scenario_summary.hpp"
#include "runtime/io/record/svg_plot.hpp"
#include "runtime/io/record/unit_text.hpp"
#include "runtime/json/parse_json.hpp"
#include "runtime/stats/format.hpp"
#include "tools/takt/arguments.hpp"
#include "tools/takt/compare_signals.hpp"
#include "tools/takt/plot_page.hpp"

namespace takt::tools {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t most_figures = 60, points_of_page = 130'000, most_events = 2000;

struct OverlaidRun {
  std::string name;
  Recording recording;
  Json summary;  ///< null where there is none: it is a table, or the run was killed
};

Json summary_of(const std::filesystem::path& run) {
  const std::filesystem::path file = run / "summary.json";
  if (!std::filesystem::exists(file)) return {};
  auto summary = json_file_or_none<Json>(file);
  if (!summary.is_object()) throw std::runtime_error(file.string() + ": not the summary of a run");
  return summary;
}

/// Names of their folders, with a number where these are equal.
std::vector<std::string> names_of(const std::vector<std::filesystem::path>& runs) {
  std::vector<std::string> names;
  for (const auto& run : runs) {
    std::filesystem::path whole = std::filesystem::absolute(run).lexically_normal();
    if (!whole.has_filename()) whole = whole.parent_path();
    names.push_back(whole.filename().string());
  }
  if (std::set<std::string>(names.begin(), names.end()).size() < names.size())
    for (std::size_t k = 0; k < names.size(); ++k) names[k] += fmt::format(" ({})", k + 1);
  return names;
}

std::string text_of(const Json& summary, const char* key) {
  return summary.is_object() && summary.contains(key) && summary[key].is_string() ? summary[key].get<std::string>()
                                                                                  : "";
}

double number_of(const Json& object, const char* key) {
  return object.is_object() && object.contains(key) && object[key].is_number() ? object[key].get<double>() : 0.0;
}

std::string table_of(const std::vector<OverlaidRun>& runs) {
  using Kind = html::Column::Kind;
  std::vector<html::Row> rows;
  for (const OverlaidRun& run : runs) {
    std::string set, command;
    if (run.summary.is_object()) {
      const Json parameters = run.summary.value("parameters_set", Json::object());
      for (const auto& [name, value] : parameters.items())
        set += (set.empty() ? "" : ", ") + name + " = " + (value.is_string() ? value.get<std::string>() : value.dump());
      command = text_of(run.summary.value("origin", Json()), "command");
    }
    rows.push_back({run.name,
                    run.summary.is_null() ? "no summary: the run was killed, or it is a table alone"
                                          : text_of(run.summary, "verdict"),
                    run.summary.is_null() ? "" : short_duration(number_of(run.summary, "simulated_s")),
                    text_of(run.summary, "digest"), set, command});
  }
  return html::table({{"run", Kind::text},
                      {"verdict", Kind::text},
                      {"simulated"},
                      {"digest", Kind::text},
                      {"set", Kind::text},
                      {"command", Kind::text}},
                     rows);
}

/// Of an object, a list; empty where there is none.
Json list_of(const Json& object, const char* key) {
  Json list = object.is_object() ? object.value(key, Json()) : Json();
  return list.is_array() ? list : Json::array();
}

struct Event {
  double time_s = 0.0;
  const char* kind = "";
  std::string text;
  [[nodiscard]] bool is_late() const { return std::string_view(kind) == "too late"; }
};

std::vector<Event> events_of(const Json& summary) {
  std::vector<Event> events;
  for (const char* key : {"actions", "inputs_set"})
    for (const Json& action : list_of(summary, key)) {
      const std::string text = text_of(action, "action");
      const bool injects = text.starts_with("inject ") || text.starts_with("clear ");
      events.push_back(
          {number_of(action, "time_s"), injects ? "injection" : "action", text_of(action, "author") + ": " + text});
    }
  const auto part = [&](const char* key) { return summary.is_object() ? summary.value(key, Json()) : Json(); };
  const Json scenario = part("scenario");
  for (const Json& action : list_of(scenario, "actions"))
    if (const std::string text = text_of(action, "action"); !is_logged_action(text))
      events.push_back({number_of(action, "time_s"), "scenario", text});
  for (const Json& e : list_of(scenario, "expectations"))
    if (e.is_object() && e.value("time_s", Json()).is_number())
      events.push_back({number_of(e, "time_s"), "expectation", text_of(e, "verdict") + ": " + text_of(e, "name")});
  for (const Json& event : list_of(part("io"), "events"))
    events.push_back({number_of(event, "time_s"), "bus", text_of(event, "text")});
  for (const Json& incident : list_of(part("overruns"), "list"))
    if (incident.is_object() && incident.value("in_grace", Json()) != true)
      events.push_back({number_of(incident, "time_s"), "too late",
                        short_duration(1e-6 * number_of(incident, "worst_us")) + ", " + text_of(incident, "cause")});
  return events;
}

/// What happened, with the name of its run where there are several. Where there is too much, what was late gives way.
std::string events_json(const std::vector<OverlaidRun>& runs) {
  std::vector<Event> all;
  for (const OverlaidRun& run : runs)
    for (Event& event : events_of(run.summary)) {
      event.text = (runs.size() > 1 ? run.name + ": " : "") + event.text;
      all.push_back(std::move(event));
    }
  const auto earlier = [](const Event& a, const Event& b) { return a.time_s < b.time_s; };
  std::stable_sort(all.begin(), all.end(), earlier);
  const std::size_t left_out = all.size() - std::min(most_events, all.size());
  if (left_out > 0) {
    std::stable_partition(all.begin(), all.end(), [](const Event& event) { return !event.is_late(); });
    all.resize(most_events);
    std::stable_sort(all.begin(), all.end(), earlier);
  }
  Json events = Json::array();
  for (const Event& event : all)
    events.push_back({{"x", event.time_s}, {"kind", event.kind}, {"text", html::cleaned(event.text)}});
  return Json{{"left_out", left_out}, {"events", events}}.dump(-1, ' ', true, Json::error_handler_t::replace);
}

double end_of(const std::vector<OverlaidRun>& runs) {
  double end_s = 0.0;
  for (const OverlaidRun& run : runs)
    for (const auto& [path, wave] : run.recording.signals) end_s = std::max(end_s, wave.time.back());
  return end_s;
}

PlotLine line_of(const std::string& label, const Waveform& wave, const OverlaySettings& settings) {
  constexpr double rounding_s = 0.5e-9;  // times are whole ns, written as seconds
  const double from_s = settings.from_s - rounding_s,
               to_s = settings.to_s > 0.0 ? settings.to_s + rounding_s : HUGE_VAL;
  PlotLine line{label, {}, {}, {}};
  for (std::size_t k = 0; k < wave.time.size(); ++k) {
    if (wave.time[k] < from_s || wave.time[k] > to_s) continue;
    line.x.push_back(wave.time[k]), line.low.push_back(wave.value[k]);
  }
  line.high = line.low;
  return line;
}

struct Overlaid {
  std::string path, unit;
  double apart = -1.0;  ///< of the runs' differences from the first: the largest RMS over scale; below 0: of none
  std::string remark;   ///< why it was not compared in one of them
  [[nodiscard]] std::string title() const {
    const std::string differs = apart < 0.0 ? ""
                                : std::isfinite(apart)
                                    ? ": differs by " + formatted("%.2g", apart) + " of its range (RMS)"
                                    : ": has values that are no numbers";
    return path + differs + (remark.empty() ? "" : (differs.empty() ? ": " : ", ") + remark);
  }
};

using OverlaidSignals = std::map<std::string, Overlaid>;

void add_differences(const OverlaidRun& run, const OverlaidRun& first, OverlaidSignals& all) {
  const Comparison comparison = compare(run.recording, first.recording);
  for (const SignalError& error : comparison.signals) {
    double& apart = all.at(error.path).apart;
    apart = std::max(apart, std::isfinite(error.normalised()) ? error.normalised() : HUGE_VAL);
  }
  const auto remark = [&](const std::vector<std::string>& paths, const std::string& text) {
    for (const std::string& path : paths)
      if (auto& known = all.at(path).remark; known.empty()) known = text;
  };
  remark(comparison.only_run, "not in " + first.name);
  remark(comparison.only_reference, "not in " + run.name);
  remark(comparison.other_unit, "in another unit in " + run.name + ", not drawn there");
  remark(comparison.other_time, "at other times in " + run.name);
}

/// Those that differ most first; of one run, as they are named.
std::vector<Overlaid> signals_of(const std::vector<OverlaidRun>& runs, const std::vector<std::string>& only) {
  OverlaidSignals all;
  for (const OverlaidRun& run : runs)
    for (const auto& [path, wave] : run.recording.signals)
      all.try_emplace(path, Overlaid{path, run.recording.units.at(path), -1.0, {}});
  for (std::size_t k = 1; k < runs.size(); ++k) add_differences(runs[k], runs[0], all);
  std::vector<Overlaid> wanted;
  for (const auto& [path, signal] : all)
    if (only.empty() || std::any_of(only.begin(), only.end(), [&](const std::string& pattern) {
          return codegen::pattern_matches(pattern, path);
        }))
      wanted.push_back(signal);
  if (wanted.empty())
    throw UsageError("the runs have no recorded signal" + std::string(only.empty() ? "" : " that --only names"));
  std::stable_sort(wanted.begin(), wanted.end(),
                   [](const Overlaid& a, const Overlaid& b) { return a.apart > b.apart; });
  return wanted;
}

std::string figure_of(const Overlaid& signal, const std::vector<OverlaidRun>& runs, const OverlaySettings& settings,
                      std::size_t points) {
  Plot plot{.title = signal.title(),
            .x_label = "simulated time, s",
            .y_label = scaled_unit(signal.unit, 0.0).text,
            .lines = {},
            .legend = runs.size() > 1,
            .time = true,
            .kept_points = points};
  for (const OverlaidRun& run : runs) {
    const auto wave = run.recording.signals.find(signal.path);
    if (wave == run.recording.signals.end() || run.recording.units.at(signal.path) != signal.unit) continue;
    plot.lines.push_back(line_of(runs.size() > 1 ? run.name : signal.path, wave->second, settings));
  }
  return line_plot(plot);
}

}  // namespace

std::string overlay_page(const OverlaySettings& settings) {
  std::vector<OverlaidRun> runs;
  const std::vector<std::string> names = names_of(settings.runs);
  for (std::size_t k = 0; k < settings.runs.size(); ++k)
    runs.push_back({names[k], read_recording(settings.runs[k]), summary_of(settings.runs[k])});
  const double end_s = end_of(runs);
  if (settings.from_s > end_s)
    throw UsageError("--from lies behind the end of what is recorded, " + short_number(end_s) + " s");
  const std::vector<Overlaid> signals = signals_of(runs, settings.only);
  const std::size_t drawn = std::min(most_figures, signals.size());
  std::string figures;
  for (std::size_t k = 0; k < drawn; ++k) figures += figure_of(signals[k], runs, settings, points_of_page / drawn);
  std::string note;
  if (signals.size() > drawn)
    note = fmt::format("<p>{} of {} signals{}: --only names others.</p>\n", drawn, signals.size(),
                       runs.size() > 1 ? ", those that differ most first" : "");
  const std::string title = runs.size() > 1 ? fmt::format("{} runs", runs.size()) : text_of(runs[0].summary, "title");
  return plot_page(title.empty() ? runs[0].name : title,
                   table_of(runs) + html::section("Signals", html::data(events_json(runs), "events") + note +
                                                                 "<div class=\"plots\">" + figures + "</div>\n"));
}

}  // namespace takt::tools
