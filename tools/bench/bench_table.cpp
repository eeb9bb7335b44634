#include "tools/bench/bench_table.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <stdexcept>
#include <utility>

#include "runtime/json/parse_json.hpp"
#include "tools/bench/median.hpp"

namespace takt::tools {
namespace {

template <class Read>
double median_of(const std::vector<BenchRun>& runs, Read read) {
  std::vector<double> values;
  for (const BenchRun& run : runs) values.push_back(read(run));
  return median(std::move(values));
}

}  // namespace

BenchRun read_bench_run(const std::string& summary_json) try {
  const auto summary = parse_json<nlohmann::json>(summary_json);
  BenchRun run;
  run.model = summary.at("model");
  run.digest = summary.at("digest");
  run.simulated_s = summary.at("simulated_s");
  run.wall_s = summary.at("wall_s");
  run.rtf = summary.at("rtf").at("mean");
  run.executive_ns_per_window = summary.at("executive_ns_per_window");
  for (const auto& s : summary.at("subsystems")) {
    run.subsystems.push_back({s.at("name"), s.at("method"), s.at("step_s"), s.at("sync_s"), s.at("equations"),
                              s.at("windows"), s.at("rtf").at("mean")});
  }
  return run;
} catch (const std::exception& error) {
  throw std::runtime_error(std::string("the plant printed no summary: ") + error.what());
}

BenchRun median(const std::vector<BenchRun>& runs) {
  BenchRun result = runs.front();
  result.wall_s = median_of(runs, [](const BenchRun& r) { return r.wall_s; });
  result.rtf = median_of(runs, [](const BenchRun& r) { return r.rtf; });
  result.executive_ns_per_window = median_of(runs, [](const BenchRun& r) { return r.executive_ns_per_window; });
  for (std::size_t i = 0; i < result.subsystems.size(); ++i) {
    result.subsystems[i].rtf = median_of(runs, [i](const BenchRun& r) { return r.subsystems.at(i).rtf; });
  }
  return result;
}

std::string bench_text(const std::vector<BenchRun>& runs) {
  const BenchRun m = median(runs);
  std::string out = fmt::format("{}: {} s simulated, free pace, nothing recorded, medians of {} runs\n", m.model,
                                m.simulated_s, runs.size());
  out += fmt::format("{:<24}{:>10}{:>11}{:>11}{:>11}{:>12}{:>14}\n", "subsystem", "method", "step, us", "sync, us",
                     "equations", "RTF", "ns per window");
  for (const BenchSubsystem& s : m.subsystems) {
    out += fmt::format("{:<24}{:>10}{:>11.6g}{:>11.6g}{:>11}{:>12.6f}{:>14.0f}\n", s.name, s.method, s.step_s * 1e6,
                       s.sync_s * 1e6, s.equations, s.rtf, s.rtf * s.sync_s * 1e9);
  }
  out += fmt::format("{:<24}{:>10}{:>11}{:>11}{:>11}{:>12.6f}\n", "whole plant", "", "", "", "", m.rtf);
  out += fmt::format(
      "executive: {:.0f} ns per window between windows (their figures hold exchanges and digest); {:.4g} s of wall "
      "time a run\n",
      m.executive_ns_per_window, m.wall_s);
  return out;
}

std::string bench_json(const std::vector<BenchRun>& runs) {
  const BenchRun m = median(runs);
  nlohmann::ordered_json subsystems = nlohmann::ordered_json::array();
  for (const BenchSubsystem& s : m.subsystems) {
    subsystems.push_back({{"name", s.name},
                          {"method", s.method},
                          {"step_s", s.step_s},
                          {"sync_s", s.sync_s},
                          {"equations", s.equations},
                          {"windows", s.windows},
                          {"rtf", s.rtf},
                          {"window_ns", s.rtf * s.sync_s * 1e9}});
  }
  const nlohmann::ordered_json result = {{"model", m.model},
                                         {"runs", runs.size()},
                                         {"simulated_s", m.simulated_s},
                                         {"wall_s", m.wall_s},
                                         {"rtf", m.rtf},
                                         {"executive_ns_per_window", m.executive_ns_per_window},
                                         {"digest", m.digest},
                                         {"subsystems", subsystems}};
  return result.dump(2) + "\n";
}

}  // namespace takt::tools
