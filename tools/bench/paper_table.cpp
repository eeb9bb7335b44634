// What `takt bench --paper` prints.

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "codegen/plan/patterns.hpp"
#include "tools/bench/paper_bench.hpp"

namespace takt::tools {
namespace {

/// The worst of the signals that one list of [accuracy] names.
const PaperError* worst(const std::vector<std::string>& patterns, const std::vector<PaperError>& errors,
                        double PaperError::*by) {
  const PaperError* result = nullptr;
  for (const PaperError& error : errors) {
    const bool counts = std::any_of(patterns.begin(), patterns.end(), [&](const std::string& pattern) {
      return codegen::pattern_matches(pattern, error.signal);
    });
    if (counts && (result == nullptr || !(error.*by <= result->*by))) result = &error;
  }
  return result;
}

std::string said(const PaperError* rms, const PaperError* largest) {
  std::string out;
  if (rms != nullptr) out += fmt::format("{:.2e} RMS/range ({})", rms->rms, rms->signal);
  if (largest != nullptr)
    out +=
        fmt::format("{}{:.2e} {} max ({})", out.empty() ? "" : ", ", largest->largest, largest->unit, largest->signal);
  return out;
}

std::string said(const PaperFile& file, const std::vector<PaperError>& errors) {
  return said(worst(file.rms, errors, &PaperError::rms), worst(file.largest, errors, &PaperError::largest));
}

std::string cost_table(const PaperBench& b) {
  std::string out = fmt::format("{:<32}{:>12}{:>12}{:>8} |{:>12}{:>12}{:>12}{:>12}{:>8}\n", "", "paper: CPU s", "RTF",
                                "ratio", "here: CPU s", "mean RTF", "p99.9", "max", "ratio");
  const double first = b.rows.front().cost.busy_s;
  for (std::size_t k = 0; k < b.rows.size(); ++k) {
    const PaperRow& row = b.file.rows[k];
    const PaperCost& cost = b.rows[k].cost;
    out += fmt::format("{:<32}{:>12.2f}{:>12.6f}{:>8.2f} |{:>12.4g}{:>12.3e}{:>12.3e}{:>12.3e}{:>8.2f}\n", row.name,
                       row.cpu_s, row.rtf, b.file.rows.front().cpu_s / row.cpu_s, cost.busy_s, cost.mean, cost.p999,
                       cost.largest, first / cost.busy_s);
  }
  if (b.throttle_ms > 0.0)
    out +=
        fmt::format("SCHED_FIFO is held up for {:g} ms a second here: the max of a run that takes longer shows it.\n",
                    b.throttle_ms);
  return out +
         "ratio: first row over this one. The papers' figures are of another program on another machine: compare "
         "ratios, not seconds.\n";
}

std::string series_table(const PaperBench& b) {
  if (b.points.empty()) return "";
  std::string out = fmt::format(
      "\nWork and precision (compiled right-hand sides; the worst RMS/range of the signals of "
      "[accuracy])\n{:<72}{:>12}{:>12}\n",
      "", "CPU s", "error");
  for (std::size_t s = 0; s < b.points.size(); ++s)
    for (std::size_t k = 0; k < b.points[s].size(); ++k) {
      const bool ended = std::isfinite(b.point_errors[s][k]);
      out += ended ? fmt::format("{:<72}{:>12.4g}{:>12.2e}\n", b.points[s][k].name, b.points[s][k].cost.busy_s,
                                 b.point_errors[s][k])
                   : fmt::format("{:<72}{:>12}{:>12}\n", b.points[s][k].name, "-",
                                 b.points[s][k].plant ? "unstable" : "refused");
    }
  return out;
}

nlohmann::ordered_json cost_json(const PaperCost& c) {
  return {{"cpu_s", c.busy_s},
          {"process_s", c.process_s},
          {"rtf", {{"mean", c.mean}, {"p999", c.p999}, {"max", c.largest}}},
          {"macro_step_s", c.macro_step_s}};
}

nlohmann::ordered_json errors_json(const std::vector<PaperError>& errors) {
  auto out = nlohmann::ordered_json::array();
  for (const PaperError& error : errors)
    out.push_back(
        {{"signal", error.signal}, {"unit", error.unit}, {"rms_normalised", error.rms}, {"max", error.largest}});
  return out;
}

}  // namespace

std::string paper_text(const PaperBench& b) {
  std::string out = fmt::format(
      "{}: {}; {:g} s simulated, free pace on CPU {} under {}, nothing recorded, medians of {} runs\n", b.model,
      b.file.title, b.rows.front().cost.simulated_s, b.cpu, b.fifo ? "SCHED_FIFO" : "SCHED_OTHER", b.runs);
  out += cost_table(b);
  out += "\nAccuracy: the worst signals against the reference\n";
  for (std::size_t k = 0; k < b.rows.size(); ++k)
    out += fmt::format("{:<32}{}\n", b.rows[k].name, said(b.file, b.errors[k]));
  out += fmt::format("{:<32} {}\n", "reference, " + b.file.loose_is + ":", said(b.file, b.convergence));
  out +=
      "\nEnergy: worst |sent - received - in transit| / throughput of all fluxes; residual of the plant's balance / "
      "throughput\n";
  for (const PaperCase& row : b.rows)
    out += fmt::format("{:<32}{:.1e} of {} fluxes; {:.1e}\n", row.name, row.result->ledger, row.result->fluxes,
                       row.result->energy);
  return out + series_table(b);
}

std::string paper_markdown(const PaperBench& b) {
  const std::string among = b.fifo ? "SCHED_FIFO" : "SCHED_OTHER";
  std::string out =
      fmt::format("{}; {:g} s simulated, one core under {}, medians of {} runs. Error: worst signal, {}.\n\n",
                  b.file.title, b.rows.front().cost.simulated_s, among, b.runs,
                  b.file.largest.empty() ? "RMS over range" : "RMS over range, and largest difference");
  out +=
      "| | paper: CPU s | RTF | ratio | here: CPU s | mean RTF | p99.9 | max | ratio | error |\n| --- | ---: | ---: | "
      "---: | ---: | ---: | ---: | ---: | ---: | ---: |\n";
  for (std::size_t k = 0; k < b.rows.size(); ++k) {
    const PaperRow& row = b.file.rows[k];
    const PaperCost& cost = b.rows[k].cost;
    out +=
        fmt::format("| {} | {:.2f} | {:.3g} | {:.1f} | {:.3g} | {:.2e} | {:.1e} | {:.1e} | {:.1f} | {:.1e}", row.name,
                    row.cpu_s, row.rtf, b.file.rows.front().cpu_s / row.cpu_s, cost.busy_s, cost.mean, cost.p999,
                    cost.largest, b.rows.front().cost.busy_s / cost.busy_s, worst_rms(b.file, b.errors[k]));
    const PaperError* largest = worst(b.file.largest, b.errors[k], &PaperError::largest);
    out += largest == nullptr ? " |\n" : fmt::format("; {:.1e} {} |\n", largest->largest, largest->unit);
  }
  return out;
}

std::string paper_json(const PaperBench& b) {
  auto rows = nlohmann::ordered_json::array(), series = nlohmann::ordered_json::array();
  for (std::size_t k = 0; k < b.rows.size(); ++k) {
    nlohmann::ordered_json row = {{"name", b.rows[k].name},
                                  {"paper", {{"cpu_s", b.file.rows[k].cpu_s}, {"rtf", b.file.rows[k].rtf}}}};
    row.update(cost_json(b.rows[k].cost));
    row["errors"] = errors_json(b.errors[k]);
    row["ledger"] = {{"fluxes", b.rows[k].result->fluxes},
                     {"worst", b.rows[k].result->ledger},
                     {"energy", b.rows[k].result->energy}};
    row["elapsed"] = b.rows[k].elapsed;
    rows.push_back(std::move(row));
  }
  for (std::size_t s = 0; s < b.points.size(); ++s) {
    auto points = nlohmann::ordered_json::array();
    for (std::size_t k = 0; k < b.points[s].size(); ++k) {
      const bool ended = std::isfinite(b.point_errors[s][k]);
      points.push_back({{"values", b.file.series[s].values[k]}, {"stable", ended}});
      if (ended) points.back().update({{"cpu_s", b.points[s][k].cost.busy_s}, {"error", b.point_errors[s][k]}});
    }
    series.push_back({{"name", b.file.series[s].name}, {"points", std::move(points)}});
  }
  const nlohmann::ordered_json result = {
      {"model", b.model},
      {"title", b.file.title},
      {"runs", b.runs},
      {"cpu", b.cpu},
      {"fifo", b.fifo},
      {"simulated_s", b.rows.front().cost.simulated_s},
      {"rows", std::move(rows)},
      {"reference", {{"coarser", b.file.loose_is}, {"errors", errors_json(b.convergence)}}},
      {"series", std::move(series)}};
  return result.dump(2) + "\n";
}

}  // namespace takt::tools
