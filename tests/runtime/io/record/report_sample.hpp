#pragma once
// Runs that reports are made of, and pages as trees.

#include <algorithm>
#include <boost/property_tree/xml_parser.hpp>
#include <sstream>
#include <string>

#include "runtime/stats/run_results.hpp"

namespace takt::report_sample {

inline constexpr std::size_t largest_page = 2'000'000;
inline const std::string hostile =
    "</title></script><script>alert(1)</script><img src=x>\" onload=\"x' & \x01\x1b \xff\xc0\x80 \xe2\x80\xae";

inline bool contains(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

/// Throws where the page is not well-formed.
inline boost::property_tree::ptree parsed(const std::string& page) {
  std::istringstream in(page);
  boost::property_tree::ptree tree;
  boost::property_tree::read_xml(in, tree);
  return tree;
}

/// How often an element stands in it.
inline std::size_t count_of(const boost::property_tree::ptree& tree, const std::string& element) {
  std::size_t count = 0;
  for (const auto& [name, child] : tree) count += (name == element ? 1 : 0) + count_of(child, element);
  return count;
}

/// A paced run of 1000 macro-steps of 1 ms in order.
inline RunResults paced_run() {
  RunResults r;
  r.model = r.title = "plant";
  r.paced = true;
  r.macro_steps = 1000, r.macro_step_s = 1e-3, r.simulated_s = r.wall_s = 1.0;
  r.digest = "0123456789abcdef";
  r.subsystems.push_back({.name = "electric", .domain = "electric", .method = "heun", .sync_s = 1e-3});
  return r;
}

inline OverrunIncident incident_at(double seconds, OverrunCause cause, std::int64_t late_us) {
  OverrunIncident o;
  o.start = SimTime{static_cast<std::int64_t>(seconds * 1e9)};
  o.cause = cause;
  o.late = o.worst = WallDuration{late_us * 1000};
  o.evidence = "what was seen";
  return o;
}

inline void add(RunResults& r, const OverrunIncident& incident) {
  r.overruns.incidents.push_back(incident);
  r.overruns.overruns += incident.windows_late, r.overruns.inner_late += incident.inner_late;
  ++r.overruns.incident_count, ++r.overruns.by_cause[static_cast<std::size_t>(incident.cause)];
  WallDuration& worst = incident.windows_late > incident.inner_late ? r.overruns.worst_miss : r.overruns.worst_inner;
  worst = std::max(worst, incident.worst);
}

inline RecordedSignal signal_of(const std::string& path, const std::string& unit, double from, double to) {
  RecordedSignal signal{.path = path, .unit = unit};
  for (int i = 0; i <= 600; ++i) signal.series.add(i * 0.01, from + (to - from) * i / 600.0);
  return signal;
}

}  // namespace takt::report_sample
