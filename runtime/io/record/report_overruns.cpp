// What came too late: how much of it, when, and why.

#include <algorithm>
#include <array>
#include <map>

#include "runtime/io/record/html.hpp"
#include "runtime/io/record/overrun_groups.hpp"
#include "runtime/io/record/report_parts.hpp"
#include "runtime/io/record/svg_axes.hpp"
#include "runtime/stats/format.hpp"

namespace takt::report {
namespace {

using html::Column, html::Row, html::escaped, svg::at;
using Kind = Column::Kind;

constexpr std::size_t most_listed = 100;   // incidents in the table
constexpr int columns_of_time_line = 130;  // marks of one cause that would cover each other are one: the worst

const char* name_of(OverrunCause cause) { return overrun_cause_name[static_cast<std::size_t>(cause)]; }

/// Drawn around 0, 0, about 9 units wide.
constexpr std::array<const char*, overrun_cause_count> shapes{
    "M-4-4H4V4H-4Z",                                      // square
    "M0-5L5 4H-5Z",                                       // triangle
    "M0-5L5 0 0 5-5 0Z",                                  // diamond
    "M0 5L5-4H-5Z",                                       // triangle, point down
    "M-4 0a4 4 0 1 0 8 0a4 4 0 1 0-8 0",                  // circle
    "M-2-5H2V-2H5V2H2V5H-2V2H-5V-2H-2Z",                  // plus
    "M0-5L1.5-1.5 5 0 1.5 1.5 0 5-1.5 1.5-5 0-1.5-1.5Z",  // star
    "M-5-2.5H5V2.5H-5Z"};                                 // bar

std::string mark(OverrunCause cause, const std::string& kind, const std::string& where) {
  const auto number = static_cast<std::size_t>(cause);
  return "<path class=\"" + kind + " k" + std::to_string(number) + "\" d=\"" + shapes[number] + "\"" + where;
}

std::string sign(OverrunCause cause) {
  return "<svg class=\"swatch\" viewBox=\"-13 -6 26 12\">" + mark(cause, "hit", "/>") + "</svg>";
}

WallDuration worst_of(const OverrunIncident& incident) { return std::max(incident.worst, incident.late); }
bool missed(const OverrunIncident& incident) { return incident.windows_late > incident.inner_late; }

/// Of those that would cover each other the worst one.
std::vector<const OverrunIncident*> drawn(const RunResults& r, double from, double to) {
  std::map<std::tuple<int, std::size_t, bool, bool>, const OverrunIncident*> worst;
  for (const OverrunIncident& incident : r.overruns.incidents) {
    const double share = (incident.start.seconds() - from) / (to - from);
    const int column = static_cast<int>(std::clamp(share, 0.0, 1.0) * columns_of_time_line);
    auto& kept = worst[{column, static_cast<std::size_t>(incident.cause), missed(incident), incident.in_grace}];
    if (kept == nullptr || worst_of(incident) > worst_of(*kept)) kept = &incident;
  }
  std::vector<const OverrunIncident*> result;
  for (const auto& [place, incident] : worst) result.push_back(incident);
  return result;
}

/// More incidents than the list keeps.
bool is_cut(const RunResults& r) {
  const auto& list = r.overruns.incidents;
  const auto listed = std::count_if(list.begin(), list.end(), [](const OverrunIncident& o) { return !o.in_grace; });
  return r.overruns.incident_count > static_cast<std::uint64_t>(listed);
}

/// A bar over each stretch in which something was late, as high as the worst of it.
std::string worst_of_all(const RunResults& r, const svg::Axes& axes, double end) {
  const DecimatedSeries& all = r.overruns.lateness_s;
  std::string d;
  for (std::size_t i = 0; i < all.size(); ++i) {
    const double next = i + 1 < all.size() ? all[i + 1].time_s : end;
    const double us = std::clamp(all[i].high * 1e6, axes.y.low, axes.y.high);
    d.append("M").append(at(axes.x(all[i].time_s))).append(1, ' ').append(at(axes.y(us)));
    d.append("H").append(at(std::max(axes.x(next), axes.x(all[i].time_s) + 1.0)));
  }
  return "<path class=\"line k7\" d=\"" + d + "\"><title>the worst of all overruns</title></path>\n";
}

std::string time_line(const RunResults& r) {
  constexpr double least_us = 0.1;
  double low = HUGE_VAL, high = 0.0, end = std::max(r.simulated_s, 1e-9);
  for (const OverrunIncident& incident : r.overruns.incidents) {
    const double us = std::max(least_us, worst_of(incident).seconds() * 1e6);
    low = std::min(low, us), high = std::max(high, us), end = std::max(end, incident.start.seconds());
  }
  const DecimatedSeries& all = r.overruns.lateness_s;
  for (std::size_t i = 0; is_cut(r) && i < all.size(); ++i) {
    low = std::min(low, std::max(least_us, all[i].high * 1e6)), high = std::max(high, all[i].high * 1e6);
    end = std::max(end, all[i].time_s);
  }
  const svg::Axes axes{svg::along(0.0, end), svg::upward(low / 2.0, high * 2.0, true)};
  std::array<bool, overrun_cause_count> met{};
  bool inner = false, grace = false;
  std::string marks;
  for (const OverrunIncident* incident : drawn(r, 0.0, end)) {
    const double us = std::max(least_us, worst_of(*incident).seconds() * 1e6);
    const std::string place = " transform=\"translate(" + at(axes.x(incident->start.seconds())) + " " + at(axes.y(us)) +
                              ")\"><title>" + formatted("%.6g s", incident->start.seconds()) + ", " +
                              name_of(incident->cause) + ", " + short_duration(us * 1e-6) + "</title></path>\n";
    met[static_cast<std::size_t>(incident->cause)] = true;
    inner = inner || !missed(*incident), grace = grace || incident->in_grace;
    marks += mark(incident->cause,
                  std::string(missed(*incident) ? "hit" : "open") + (incident->in_grace ? " grace" : ""), place);
  }
  std::string legend;
  if (is_cut(r)) {
    marks = worst_of_all(r, axes, end) + marks;
    legend +=
        "<li><svg class=\"swatch\" viewBox=\"0 0 26 12\"><path class=\"line k7\" d=\"M0 6H26\"/></svg>the worst of all "
        "overruns, also of those without a mark</li>";
  }
  for (std::size_t cause = 0; cause < met.size(); ++cause)
    if (met[cause]) legend += "<li>" + sign(static_cast<OverrunCause>(cause)) + overrun_cause_name[cause] + "</li>";
  if (inner) legend += "<li>hollow: late within a macro-step only</li>";
  if (grace) legend += "<li>pale: in the grace period, not counted</li>";
  return "<figure><figcaption>Incidents over simulated time: how late the latest window of each was</figcaption>" +
         svg::frame("simulated time, s", "late, us", axes) +
         svg::limit_line(axes, r.macro_step_s * 1e6, "a whole macro-step late") + svg::moment_lines(axes, moments(r)) +
         marks + "</svg><ul class=\"legend\">" + legend + "</ul></figure>\n";
}

std::string counts(const RunResults& r) {
  const OverrunLog& log = r.overruns;
  const auto how_many = [](std::uint64_t number, const std::string& of, WallDuration worst) {
    return number == 0 ? std::string("none" + of)
                       : std::to_string(number) + of + ", at worst " + short_duration(worst.seconds()) + " late";
  };
  std::string out =
      "<p><b>Deadline misses: " +
      how_many(log.deadline_misses(), " of " + counted(r.macro_steps, "macro-step"), log.worst_miss) +
      ".</b> A macro-step is missed where it ends after the release of the next one: the plant was late for the "
      "outside world.</p>\n<p><b>Late within macro-steps: " +
      how_many(log.inner_late, "", log.worst_inner) +
      ".</b> Groups with shorter synchronisation times have releases of their own within a macro-step; here the "
      "windows before such a release ended after it. What these groups send left late; the macro-step as a whole may "
      "still have been in time.</p>\n";
  if (log.overruns_in_grace > 0)
    out += "<p>" + std::to_string(log.overruns_in_grace) + " more in the grace period at the start; not counted.</p>\n";
  return out;
}

std::string groups(const RunResults& r) {
  std::vector<Row> rows;
  for (const OverrunGroup& group : overrun_groups(r)) {
    std::string advice = "<b>" + escaped(meaning_of(group)) + "</b> " + html::prose(remedy_of(r, group));
    if (group.latest != nullptr)
      advice += "<br/><span class=\"note\">Most often in " + escaped(subsystem_name(r, group.subsystem)) +
                ". The worst one: " + escaped(group.latest->evidence) + ".</span>";
    const std::string late = std::to_string(group.misses) + " + " + std::to_string(group.inner);
    rows.push_back({sign(group.cause) + escaped(name_of(group.cause)), std::to_string(group.incidents), late,
                    short_duration(group.worst.seconds()), formatted("%.6g", group.first.seconds()),
                    formatted("%.6g", group.last.seconds()), advice});
  }
  if (rows.empty()) return "";
  return "<h3>By cause</h3>" + html::table({{"cause", Kind::markup},
                                            {"incidents"},
                                            {"misses + late within"},
                                            {"worst"},
                                            {"first, s"},
                                            {"last, s"},
                                            {"what it was, what to do", Kind::markup}},
                                           rows);
}

std::string list(const RunResults& r) {
  const OverrunLog& log = r.overruns;
  std::vector<Row> rows;
  for (const OverrunIncident& o : log.incidents) {
    if (rows.size() == most_listed) break;
    std::string where = subsystem_name(r, o.subsystem);
    if (o.before < r.subsystems.size()) where += ", after " + r.subsystems[o.before].name;
    if (o.cpu >= 0) where += ", CPU " + std::to_string(o.cpu);
    rows.push_back(
        {formatted("%.4f", o.start.seconds()), std::string(name_of(o.cause)) + (o.in_grace ? " (grace)" : ""),
         short_duration(worst_of(o).seconds()), std::to_string(o.windows_late - std::min(o.windows_late, o.inner_late)),
         std::to_string(o.inner_late), std::to_string(o.dropped), where, o.evidence});
  }
  std::string body = html::table({{"time, s"},
                                  {"cause", Kind::text},
                                  {"worst"},
                                  {"misses"},
                                  {"late within"},
                                  {"periods dropped"},
                                  {"where", Kind::text},
                                  {"evidence", Kind::text}},
                                 rows);
  if (log.incidents.size() > rows.size())
    body += "<p>... and " + std::to_string(log.incidents.size() - rows.size()) + " more: summary.json.</p>";
  return html::folded("The incidents one by one (" + std::to_string(log.incidents.size()) + ")", body);
}

}  // namespace

std::string overruns(const RunResults& r) {
  if (!r.paced) return "";
  const OverrunLog& log = r.overruns;
  std::string out = counts(r);
  if (log.incidents.empty()) return html::section("Overruns", out);
  out += "<p>An incident is one cause and all that it made late until the plant was in time again: " +
         counted(log.incident_count, "incident") + ".</p>" + time_line(r) + groups(r);
  std::uint64_t listed = 0;
  for (const OverrunIncident& incident : log.incidents) listed += incident.in_grace ? 0 : 1;
  if (log.incident_count > listed)
    out += "<p>Only the first " + std::to_string(listed) + " incidents were kept one by one; the " +
           std::to_string(log.incident_count - listed) +
           " later ones are counted by cause above, and the line in the figure shows how late they were.</p>";
  return html::section("Overruns", out + list(r));
}

}  // namespace takt::report
