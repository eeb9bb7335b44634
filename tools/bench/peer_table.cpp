#include "tools/bench/peer_table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "codegen/text/quantity.hpp"
#include "tools/bench/median.hpp"

namespace takt::tools {
namespace {

struct Spread {
  double median = 0.0, low = 0.0, high = 0.0;
};

Spread spread(const std::vector<double>& values) {
  const auto [low, high] = std::minmax_element(values.begin(), values.end());
  return {median(values), *low, *high};
}

std::string seconds(double s) { return codegen::duration_text(std::llround(s * 1e9)); }

/// "7.3": how many times the peer takes what takt takes; "-" where takt's time was too short to be seen.
std::string ratio(const std::vector<double>& takt, const std::vector<double>& peer) {
  return median(takt) > 0.0 ? fmt::format("{:.4g}", median(peer) / median(takt)) : "-";
}

std::string cost_rows(const char* what, const PeerComparison& c, std::vector<double> PeerCost::*values) {
  std::string out = fmt::format("{:<44}{:>12}{:>12}{:>12}{:>14}\n", what, "median", "min", "max", "ratio");
  const auto row = [&](const std::string& name, const PeerCost& cost, const std::string& times) {
    const Spread s = spread(cost.*values);
    out += fmt::format("  {:<42}{:>12.4g}{:>12.4g}{:>12.4g}{:>14}\n", name, s.median, s.low, s.high, times);
  };
  row("takt, " + fmt::format("{}", fmt::join(c.takt_steps, ", ")), c.takt_cost, "1");
  row(c.peer + ", steps up to " + seconds(c.peer_step_s), c.peer_cost, ratio(c.takt_cost.*values, c.peer_cost.*values));
  return out;
}

std::string deviation(double value, double reference) {
  return reference != 0.0 ? fmt::format("{:+.4f} %", (value / reference - 1.0) * 100.0) : fmt::format("{:+.3g}", value);
}

nlohmann::ordered_json cost_json(const PeerCost& cost) {
  const auto one = [](const std::vector<double>& values) {
    const Spread s = spread(values);
    return nlohmann::ordered_json{{"median", s.median}, {"min", s.low}, {"max", s.high}, {"each", values}};
  };
  return {{"process", one(cost.process)}, {"solution", one(cost.solution)}};
}

}  // namespace

std::string peer_text(const PeerComparison& c) {
  std::string out =
      fmt::format("{}: takt beside {}, {} runs each in turn on CPU {}, nothing written; {} and {} simulated\n", c.model,
                  c.peer, c.takt_cost.process.size(), c.cpu, seconds(c.takt_simulated_s), seconds(c.peer_simulated_s));
  out += cost_rows("CPU s per simulated s, whole process", c, &PeerCost::process);
  out += cost_rows("CPU s per simulated s, without start-up", c, &PeerCost::solution);
  out += fmt::format("{:<44}{:>12}{:>12}\n", "normalised RMS difference to", "takt", c.peer);
  out += "  (" + c.reference + ")\n";
  for (const PeerAccuracy& a : c.accuracy) {
    out += fmt::format("  {:<42}{:>12.2e}{:>12.2e}\n", a.signal + " = " + a.expression, a.takt, a.peer);
  }
  if (!c.rms.empty())
    out += fmt::format("{:<44}{:>12}{:>12}{:>12}\n", "RMS, deviation from the reference", "takt", c.peer, "reference");
  for (const PeerRmsResult& r : c.rms) {
    out += fmt::format("  {:<42}{:>12}{:>12}{:>12.6g}\n",
                       fmt::format("{}, {} to {}", r.signal, seconds(r.from_s), seconds(r.to_s)),
                       deviation(r.takt, r.reference), deviation(r.peer, r.reference), r.reference);
  }
  return out;
}

std::string peer_json(const PeerComparison& c) {
  auto accuracy = nlohmann::ordered_json::array(), rms = nlohmann::ordered_json::array();
  for (const PeerAccuracy& a : c.accuracy) {
    accuracy.push_back({{"signal", a.signal}, {"expression", a.expression}, {"takt", a.takt}, {"peer", a.peer}});
  }
  for (const PeerRmsResult& r : c.rms) {
    rms.push_back({{"signal", r.signal},
                   {"from_s", r.from_s},
                   {"to_s", r.to_s},
                   {"reference", r.reference},
                   {"takt", r.takt},
                   {"peer", r.peer}});
  }
  const nlohmann::ordered_json result = {
      {"model", c.model},
      {"peer", c.peer},
      {"runs", c.takt_cost.process.size()},
      {"cpu", c.cpu},
      {"simulated_s", {{"takt", c.takt_simulated_s}, {"peer", c.peer_simulated_s}}},
      {"peer_max_step_s", c.peer_step_s},
      {"takt_steps", c.takt_steps},
      {"cpu_s_per_simulated_s", {{"takt", cost_json(c.takt_cost)}, {"peer", cost_json(c.peer_cost)}}},
      {"reference", c.reference},
      {"normalised_rms_difference", std::move(accuracy)},
      {"rms", std::move(rms)}};
  return result.dump(2) + "\n";
}

}  // namespace takt::tools
