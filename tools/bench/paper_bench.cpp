#include "tools/bench/paper_bench.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <stdexcept>

#include "codegen/plan/patterns.hpp"
#include "codegen/text/quantity.hpp"
#include "runtime/io/record/run_directory.hpp"
#include "runtime/io/record/text_file.hpp"
#include "tools/bench/peer_runs.hpp"
#include "tools/takt/arguments.hpp"
#include "tools/takt/command.hpp"

namespace takt::tools {
namespace {

namespace fs = std::filesystem;

constexpr int elapsed_points = 10;

bool named(const std::vector<std::string>& patterns, const std::string& path) {
  return std::any_of(patterns.begin(), patterns.end(),
                     [&](const std::string& pattern) { return codegen::pattern_matches(pattern, path); });
}

/// $1, $2 ... replaced, and put into a file.
fs::path point_file(const PaperSeries& series, const std::vector<std::string>& values, const fs::path& file) {
  std::string text = series.text;
  for (std::size_t k = 0; k < values.size(); ++k) {
    const std::string place = "$" + std::to_string(k + 1);
    for (std::size_t at = text.find(place); at != std::string::npos; at = text.find(place, at + values[k].size()))
      text.replace(at, place.size(), values[k]);
  }
  fs::create_directories(file.parent_path());
  write_whole(file, text);
  return file;
}

/// Of every second, by /proc/sys/kernel/sched_rt_*.
double throttled_ms() {
  const auto number = [](const char* name) {
    double value = 0.0;
    std::ifstream(std::string("/proc/sys/kernel/sched_rt_") + name + "_us") >> value;
    return value;
  };
  const double period_us = number("period"), runtime_us = number("runtime");
  return period_us > 0.0 && runtime_us >= 0.0 ? 1e3 * (1.0 - runtime_us / period_us) : 0.0;
}

class Bench {
 public:
  Bench(const PaperRequest& request, PaperFile file) : request_(request) {
    bench_.file = std::move(file);
    const fs::path folder = fs::absolute(request.build.plant).parent_path();
    bench_.model = folder.filename().string();
    out_ = request.out.empty() ? fs::path("runs") / ("paper-" + bench_.model) : request.out;
    bench_.runs = request.runs;
  }

  int run() {
    std::optional<PaperCase> tight, loose;
    if (!build_all(tight, loose)) return exit_failed;
    fmt::print(stderr, "takt: reference runs\n");
    tight->result = recorded_run(*tight->plant, request_.duration, out_ / "runs/reference");
    loose->result = recorded_run(*loose->plant, request_.duration, out_ / "runs/coarser");
    if (!tight->result || !loose->result) throw std::runtime_error("the reference run ended in no number");
    bench_.reference = std::move(tight->result->recording);
    bench_.convergence = paper_errors(bench_.file, loose->result->recording, bench_.reference);
    record_all();
    time_all();
    make_results_folder(out_);
    write_whole(out_ / "report.html", paper_html(bench_));
    write_whole(out_ / "result.json", paper_json(bench_));
    write_whole(out_ / "table.md", paper_markdown(bench_));
    fmt::print("{}", request_.json ? paper_json(bench_) : paper_text(bench_));
    fmt::print(stderr, "takt: {}\n", (out_ / "report.html").string());
    return exit_ok;
  }

 private:
  bool build_all(std::optional<PaperCase>& tight, std::optional<PaperCase>& loose) {
    const PaperFile& file = bench_.file;
    bool ok = true;
    for (std::size_t k = 0; k < file.rows.size(); ++k) {
      bench_.rows.push_back(built(file.rows[k].name, file.rows[k].solve, fmt::format("row{}", k + 1)));
      ok = ok && bench_.rows.back().plant;
    }
    tight = built("reference", file.tight, "reference");
    loose = built("reference, coarser", file.loose, "coarser");
    for (std::size_t s = 0; request_.series && s < file.series.size(); ++s) {
      bench_.points.emplace_back();
      for (const std::vector<std::string>& values : file.series[s].values) {
        const std::string name = fmt::format("{}: {}", file.series[s].name, fmt::join(values, "/"));
        const std::string id = fmt::format("series{}_{}", s + 1, bench_.points.back().size() + 1);
        bench_.points.back().push_back(
            built(name, point_file(file.series[s], values, out_ / "parametrisations" / (id + ".toml")), id));
      }
    }
    return ok && tight->plant && loose->plant;
  }

  /// All are built in one folder, one after the other, so that a compiler cache finds what they share; the executable
  /// goes to bin/NAME.
  [[nodiscard]] PaperCase built(const std::string& title, const fs::path& solve, const std::string& name) const {
    fmt::print(stderr, "takt: {}\n", title);
    PlantBuild build = request_.build;
    build.solve = solve;
    build.directory = out_ / "build";
    PaperCase result;
    result.name = title;
    result.plant = build_plant(build);
    if (!result.plant) return result;
    fs::create_directories(out_ / "bin");
    fs::copy_file(result.plant->executable, out_ / "bin" / name, fs::copy_options::overwrite_existing);
    result.plant->executable = out_ / "bin" / name;
    return result;
  }

  void record(PaperCase& each, const std::string& folder) {
    each.result = recorded_run(*each.plant, request_.duration, out_ / "runs" / folder);
  }

  void record_all() {
    for (std::size_t k = 0; k < bench_.rows.size(); ++k) {
      record(bench_.rows[k], fmt::format("row{}", k + 1));
      if (!bench_.rows[k].result) throw std::runtime_error(bench_.rows[k].name + " ended in no number");
      bench_.errors.push_back(paper_errors(bench_.file, bench_.rows[k].result->recording, bench_.reference));
    }
    for (std::size_t s = 0; s < bench_.points.size(); ++s) {
      bench_.point_errors.emplace_back();
      for (std::size_t k = 0; k < bench_.points[s].size(); ++k) {
        PaperCase& point = bench_.points[s][k];
        double error = HUGE_VAL;
        if (point.plant) record(point, fmt::format("series{}_{}", s + 1, k + 1));
        if (point.result)
          error = worst_rms(bench_.file, paper_errors(bench_.file, point.result->recording, bench_.reference));
        bench_.point_errors.back().push_back(error);
        point.result.reset();
      }
    }
  }

  /// All in turn, again and again, so that a busy minute of the machine hits all alike.
  void time_all() {
    const OnOneCpu pinned(request_.cpu);
    const FifoScope fifo;
    bench_.cpu = pinned.cpu();
    bench_.fifo = fifo.allowed();
    bench_.throttle_ms = bench_.fifo ? throttled_ms() : 0.0;
    std::vector<PaperCase*> all;
    for (PaperCase& row : bench_.rows) all.push_back(&row);
    for (std::size_t s = 0; s < bench_.points.size(); ++s)
      for (std::size_t k = 0; k < bench_.points[s].size(); ++k)
        if (std::isfinite(bench_.point_errors[s][k])) all.push_back(&bench_.points[s][k]);
    for (int run = 0; run < request_.runs; ++run) {
      fmt::print(stderr, "takt: timed runs, {} of {}\n", run + 1, request_.runs);
      for (PaperCase* each : all) each->runs.push_back(timed_run(*each->plant, request_.duration));
    }
    for (PaperCase* each : all) each->cost = median(each->runs);
    for (PaperCase& row : bench_.rows) {
      row.elapsed.emplace_back(0.0, 0.0);
      const auto whole_steps = static_cast<std::int64_t>(std::llround(row.cost.simulated_s / row.cost.macro_step_s));
      for (int k = 1; k <= elapsed_points; ++k) {
        const std::int64_t ns = whole_steps * k / elapsed_points * std::llround(row.cost.macro_step_s * 1e9);
        if (ns == 0) continue;
        const PaperCost part = timed_run(*row.plant, codegen::duration_text(ns));
        row.elapsed.emplace_back(part.simulated_s, part.busy_s);
      }
    }
  }

  PaperRequest request_;
  PaperBench bench_;
  fs::path out_;
};

}  // namespace

std::vector<PaperError> paper_errors(const PaperFile& file, const Recording& run, const Recording& reference) {
  std::vector<PaperError> result;
  for (const SignalError& error : compare(run, reference).signals)
    if (named(file.rms, error.path) || named(file.largest, error.path))
      result.push_back({error.path, error.unit, error.normalised(), error.largest});
  if (result.empty()) throw std::runtime_error("none of the signals of [accuracy] is recorded");
  std::sort(result.begin(), result.end(), [](const PaperError& a, const PaperError& b) { return a.signal < b.signal; });
  return result;
}

double worst_rms(const PaperFile& file, const std::vector<PaperError>& errors) {
  double worst = 0.0;
  for (const PaperError& error : errors)
    if (named(file.rms, error.signal)) worst = std::max(worst, std::isfinite(error.rms) ? error.rms : HUGE_VAL);
  return worst;
}

int bench_paper(const PaperRequest& request) {
  const fs::path file = fs::absolute(request.build.plant).parent_path() / "paper.toml";
  if (std::error_code unreadable; !fs::is_regular_file(file, unreadable))
    throw UsageError("there is no " + file.string() + ", which says what to compare");
  codegen::Diagnostics diagnostics;
  PaperFile paper = read_paper_file(file, diagnostics);
  std::fputs(diagnostics.render(isatty(STDERR_FILENO) == 1).c_str(), stderr);
  if (diagnostics.has_errors()) return exit_failed;
  return Bench(request, std::move(paper)).run();
}

}  // namespace takt::tools
