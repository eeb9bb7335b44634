// takt sweep PLANT: runs a built plant over values of parameters and plant inputs, several runs at a time, and makes
// one table of them.

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdio>
#include <exception>
#include <fstream>
#include <iterator>
#include <mutex>
#include <nlohmann/json.hpp>
#include <sstream>
#include <system_error>
#include <thread>

#include "codegen/emit/build/build.hpp"
#include "codegen/emit/build/process.hpp"
#include "codegen/text/nearest.hpp"
#include "runtime/io/file_lock.hpp"
#include "runtime/io/record/run_directory.hpp"
#include "runtime/io/record/standard_streams.hpp"
#include "runtime/io/record/text_file.hpp"
#include "runtime/json/parse_json.hpp"
#include "tools/takt/command.hpp"
#include "tools/takt/plan_for_error.hpp"
#include "tools/takt/plant_arguments.hpp"
#include "tools/takt/plant_options.hpp"
#include "tools/takt/sweep_dispatch.hpp"
#include "tools/takt/sweep_plot.hpp"
#include "tools/takt/sweep_points.hpp"
#include "tools/takt/sweep_results.hpp"
#include "tools/takt/wait_line.hpp"

namespace takt::tools {
namespace {

namespace fs = std::filesystem;

struct SweepArguments : PlantArguments {
  std::vector<std::string> vary, results, plot;
  std::string points, sample = "grid", seed = "1", out;
  std::size_t count = 0, jobs = std::max(1U, std::thread::hardware_concurrency());
  std::vector<std::string> extras;
  bool dispatch = false;
  std::string scheduler;
};

void declare(command_line::App& app, SweepArguments& arguments) {
  declare_plant(app, arguments);
  declare_build(app, arguments);
  declare_error(app, arguments);
  app.add_option("--vary", arguments.vary,
                 "NAME=VALUES of a parameter or plant input (may be repeated): \"1 kOhm, 2 kOhm\"; \"1 uF .. 10 uF / "
                 "5\", five values, \"/ 5 log\" with equal ratios; to be sampled: \"1 uF .. 10 uF\", \"normal 300 K 5 "
                 "K\" (mean and standard deviation)")
      ->allow_extra_args(false);
  app.add_option("--points", arguments.points, "in place of --vary, a CSV file: names, then a point in each line");
  app.add_option("--sample", arguments.sample, "grid: every combination; lhs: Latin hypercube; random: Monte Carlo")
      ->one_of({"grid", "lhs", "random"})
      ->capture_default_str();
  app.add_option("--count", arguments.count, "runs, with lhs and random");
  app.add_option("--seed", arguments.seed, "of lhs and random: a text; the same one draws the same points")
      ->capture_default_str();
  app.add_option("--result", arguments.results,
                 "PATH of a recorded signal, or PATH:last|min|max|mean|rms: a column of the table (may be repeated)")
      ->allow_extra_args(false);
  app.add_option("--plot", arguments.plot,
                 "PATH of a recorded signal: all runs over each other in sweep.html, 200 at most")
      ->allow_extra_args(false);
  app.add_option("--jobs", arguments.jobs, "runs at a time")->in_range(1, 1024)->capture_default_str();
  app.add_option(
      "--scheduler", arguments.scheduler,
      "ADDRESS of a Dask scheduler, such as tcp://node1:8786: its workers do the runs; by the Python package "
      "takt, with dask, of the interpreter that TAKT_PYTHON names (default: python3)");
  app.add_flag(
      "--dispatch", arguments.dispatch,
      "for programs: tell the runs on standard output, read what has come of them on standard input; --jobs of "
      "them at a time");
  app.add_option("--out", arguments.out, "folder for sweep.csv and the runs; what is there already is not run again")
      ->required();
  app.allow_extras();
  app.example(
      "takt sweep config/plants/rc --vary \"amplitude = 5 V, 10 V\" --for 10ms --out sweeps/rc\n"
      "takt sweep config/plants/buck --vary \"v_in = 20 V .. 28 V\" --sample lhs --count 200 --for 5ms \\\n"
      "    --result electric.smooth.v:mean --plot electric.smooth.v --out sweeps/buck");
  app.footer(
      "All other options are the executable's own: --for TIME, --audit off, --tolerate CODE ... The runs are free "
      "ones. Exit code 1 where a run failed or its results cannot be trusted.");
}

/// One name of the sweep: how its value is handed to the executable.
struct Handed {
  std::string option, name, head;
};

/// What the executable says of its table: "parameter 3 k [W/K]".
std::vector<Handed> handed(const fs::path& executable, const SweepPoints& points) {
  const codegen::ProcessResult listed = codegen::run_process({executable.string(), "--list"});
  std::istringstream lines(listed.output);
  std::map<std::string, std::string> roles, units;
  std::vector<std::string> known;
  for (std::string role, value, path, rest; lines >> role >> value >> path && std::getline(lines, rest);) {
    roles[path] = role;
    units[path] = rest.substr(std::min(rest.find('[') + 1, rest.size()));
    if (!units[path].empty()) units[path].pop_back();
    if (role == "parameter" || role == "plant_input") known.push_back(path);
  }
  std::vector<Handed> all;
  for (std::size_t k = 0; k < points.names.size(); ++k) {
    const std::string& name = points.names[k];
    const auto role = roles.find(name);
    if (role == roles.end() || (role->second != "parameter" && role->second != "plant_input")) {
      const std::string hint = codegen::did_you_mean(name, known);
      const bool compiled = role != roles.end() && role->second == "structural";
      throw UsageError("--vary " + name +
                       (compiled ? ": it is compiled in, each value would be another plant"
                                 : ": the plant has no parameter or input of this name") +
                       (hint.empty() || compiled ? "" : "; " + hint));
    }
    const std::optional<codegen::Unit> unit = codegen::parse_unit(units.at(name));
    const bool counted = !unit || unit->dimension == codegen::Dimension{};
    if (points.dimensions[k] ? unit && unit->dimension != *points.dimensions[k] : !counted)
      throw UsageError("--vary " + name + ": it is in " + units.at(name) + ", its values " +
                       (points.dimensions[k] ? "in " + codegen::dimension_text(*points.dimensions[k])
                                             : "have no unit: every value carries its own"));
    all.push_back({role->second == "parameter" ? "--set" : "--input", name, name + " [" + units.at(name) + "]"});
  }
  return all;
}

/// Of what a file holds, or the inputs.csv of a folder; empty: it is none.
std::string content_hash(const fs::path& path) {
  std::error_code none;
  const fs::path file = fs::is_directory(path, none) ? path / "inputs.csv" : path;
  if (!fs::is_regular_file(file, none)) return {};
  std::ifstream input(file, std::ios::binary);
  return codegen::hash_text(std::string(std::istreambuf_iterator<char>(input), {}));
}

/// What must be the same where a sweep goes on, files that options name included.
void settle_identity(const fs::path& folder, const SweepArguments& arguments, const fs::path& executable,
                     const BuiltPlant& built) {
  nlohmann::ordered_json identity{{"executable", executable.filename().string()},
                                  {"folder", executable.parent_path().filename().string()},
                                  {"set", built.tunable},
                                  {"options", arguments.extras},
                                  {"files", nlohmann::ordered_json::array()}};
  for (const std::string& extra : arguments.extras)
    identity["files"].push_back(content_hash(extra.starts_with("--") ? extra.substr(extra.find('=') + 1) : extra));
  const fs::path file = folder / "sweep.json";
  if (std::error_code none; fs::exists(file, none)) {
    if (json_file_or_none<nlohmann::ordered_json>(file) != identity)
      throw UsageError(folder.string() + " holds a sweep of another build or with other options: give another --out");
    return;
  }
  write_whole(file, identity.dump(2) + "\n");
}

class Sweep {
 public:
  Sweep(const SweepArguments& arguments, const BuiltPlant& built, const SweepPoints& points)
      : arguments_(arguments), points_(points), handed_(handed(built.executable, points)), folder_(arguments.out) {
    command_ = {built.executable.string(), "--pace", "free", "--quiet", "--no-report"};
    for (const auto& [name, value] : built.tunable) command_.insert(command_.end(), {"--set", name + "=" + value});
    command_.insert(command_.end(), arguments.extras.begin(), arguments.extras.end());
    for (const std::string& text : arguments.results) results_.push_back(parse_result(text));
    refuse_wrong_options(built);
    make_results_folder(folder_);
    claim();
    settle_identity(folder_, arguments, built.executable, built);
    std::vector<std::string> heads;
    for (const Handed& one : handed_) heads.push_back(one.head);
    table_.emplace(folder_ / "sweep.csv", points_, heads, results_);
  }

  bool run() {
    if (table_->has_other_results()) read_again();
    const std::size_t before = table_->size();
    for (std::size_t point = 0; point < points_.points.size(); ++point)
      if (!table_->has(point)) to_do_.push_back(point);
    begun_ = std::chrono::steady_clock::now();
    run_all();
    table_->finish();
    std::vector<SweptRun> sound;
    for (std::size_t point = 0; point < points_.points.size(); ++point)
      if (table_->is_ok(point)) sound.push_back({.number = point + 1, .folder = folder_of(point)});
    const std::size_t failed = points_.points.size() - sound.size();
    if (!arguments_.plot.empty())
      plot_sweep(folder_ / "sweep.html", arguments_.plot, std::move(sound), points_.points.size());
    const std::string told = fmt::format("{} runs{}, {} failed; table in {}\n", points_.points.size(),
                                         before > 0 ? fmt::format(" ({} were there)", before) : "", failed,
                                         (folder_ / "sweep.csv").string());
    std::fputs(told.c_str(), arguments_.dispatch ? stderr : stdout);
    return failed == 0;
  }

 private:
  void run_all() {
    const WaitLine line("sweeping", [this] { return progress_text(); });
    if (arguments_.dispatch)
      dispatch();
    else
      work_here();
  }

  /// Other results than before, of runs that are there: they are read from what those have recorded.
  void read_again() {
    std::map<std::size_t, SweepRow> rows;
    for (std::size_t point = 0; point < points_.points.size(); ++point) {
      if (!table_->is_ok(point)) continue;
      try {
        if (SweepRow row = read_row(folder_of(point), 0, "", results_); row.ok && row.not_recorded.empty())
          rows[point] = std::move(row);
      } catch (const std::exception& error) {
        tell("takt sweep: run " + std::to_string(point + 1) + " is run again: " + error.what() + "\n");
      }
    }
    table_->replace(rows);
  }

  /// Before anything is run: the executable reads its options, and tells what it would record in place of a run.
  void refuse_wrong_options(const BuiltPlant& built) const {
    for (const std::string& extra : arguments_.extras)
      for (const Handed& one : handed_)
        if (extra.starts_with(one.name + "=") || extra.starts_with(one.option + "=" + one.name + "=") ||
            (one.option == "--input" && extra.starts_with("--replay")))
          throw UsageError(extra + ": " + one.name + " is varied");
    std::vector<std::string> command{built.executable.string(), "--list-recorded"};
    command.insert(command.end(), arguments_.extras.begin(), arguments_.extras.end());
    const codegen::ProcessResult listed = codegen::run_process(command);
    if (listed.exit_code != 0) throw UsageError("the plant says: " + listed.output.substr(0, listed.output.find('\n')));
    std::vector<std::string> recorded;
    std::istringstream lines(listed.output);
    for (std::string line; std::getline(lines, line);) recorded.push_back(line);
    for (const SweepResult& result : results_) refuse_unrecorded("--result " + result.title(), result.path, recorded);
    for (const std::string& path : arguments_.plot) refuse_unrecorded("--plot " + path, path, recorded);
  }

  static void refuse_unrecorded(const std::string& option, const std::string& path,
                                const std::vector<std::string>& recorded) {
    if (std::find(recorded.begin(), recorded.end(), path) != recorded.end()) return;
    const std::string hint = codegen::did_you_mean(path, recorded);
    throw UsageError(option + ": the plant records no such signal" +
                     (hint.empty() ? "; it records what [record] of the plant file names" : "; " + hint));
  }

  /// One sweep at a time in a folder. Runs have the lock too: where a sweep was killed, its last runs may go on.
  void claim() {
    const fs::path file = folder_ / ".lock";
    lock_ = FileLock::attempt(file, FileLock::Kind::exclusive);
    if (!lock_.held()) {
      tell("takt sweep: waiting for another sweep in " + folder_.string() + ", or for its last runs\n");
      lock_ = FileLock::wait(file, FileLock::Kind::exclusive);
    }
    lock_.hand_on();
  }

  [[nodiscard]] fs::path folder_of(std::size_t point) const { return folder_ / fmt::format("run-{:06}", point + 1); }

  void work_here() {
    std::vector<std::thread> workers;
    try {
      for (std::size_t k = 1; k < std::min(arguments_.jobs, to_do_.size()); ++k)
        workers.emplace_back([this] { work(); });
    } catch (const std::system_error&) {  // those that could be started do all
    }
    if (!to_do_.empty()) work();
    for (std::thread& worker : workers) worker.join();
    if (problem_) std::rethrow_exception(problem_);
  }

  void dispatch() {
    SweepDispatch others(command_);
    for (std::size_t next = 0; next < to_do_.size() || others.under_way() > 0;) {
      for (; next < to_do_.size() && others.under_way() < arguments_.jobs; ++next)
        others.tell(to_do_[next], values_of(to_do_[next]), fs::absolute(folder_of(to_do_[next])));
      const DispatchedRun done = others.next();
      add(done.point, read_row(folder_of(done.point), done.exit_code, done.output, results_));
    }
  }

  void work() {
    try {
      for (;;) {
        const std::size_t next = next_.fetch_add(1);
        if (next >= to_do_.size()) return;
        const std::size_t point = to_do_[next];
        const SweepRow row = run_one(point);
        const std::scoped_lock lock(mutex_);
        add(point, row);
      }
    } catch (...) {
      const std::scoped_lock lock(mutex_);
      if (!problem_) problem_ = std::current_exception();
      next_ = to_do_.size();
    }
  }

  void add(std::size_t point, const SweepRow& row) {
    if (!row.not_recorded.empty())
      throw std::runtime_error("run " + std::to_string(point + 1) + " has not recorded " + row.not_recorded);
    if (row.interrupted)
      throw std::runtime_error("run " + std::to_string(point + 1) + " was stopped; the same command goes on");
    table_->add(point, row);
    count(row);
  }

  [[nodiscard]] std::vector<std::string> values_of(std::size_t point) const {
    std::vector<std::string> arguments;
    for (std::size_t k = 0; k < handed_.size(); ++k)
      arguments.insert(arguments.end(), {handed_[k].option, handed_[k].name + "=" + points_.points[point][k]});
    return arguments;
  }

  [[nodiscard]] SweepRow run_one(std::size_t point) const {
    std::vector<std::string> command = command_;
    for (const std::string& argument : values_of(point)) command.push_back(argument);
    const fs::path out = folder_of(point);
    command.insert(command.end(), {"--out", out.string()});
    std::error_code ignored;
    fs::remove(out / "summary.json", ignored);  // of an earlier try: this one may end before it has looked there
    const codegen::ProcessResult done = codegen::run_process(command);
    return read_row(out, done.exit_code, done.output, results_);
  }

  void count(const SweepRow& row) {
    failed_ += row.ok ? 0 : 1;
    ++done_;
    if (isatty(STDERR_FILENO) != 1 && done_ % 100 == 0) tell(progress_text() + "\n");
  }

  [[nodiscard]] std::string progress_text() const {
    const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begun_).count();
    return fmt::format("{} of {} runs, {} failed, {:.1f} runs/s", done_.load(), to_do_.size(), failed_.load(),
                       static_cast<double>(done_) / seconds);
  }

  const SweepArguments& arguments_;
  const SweepPoints& points_;
  std::vector<Handed> handed_;
  fs::path folder_;
  std::vector<std::string> command_;
  std::vector<SweepResult> results_;
  std::optional<SweepTable> table_;
  std::vector<std::size_t> to_do_;  // points
  std::atomic<std::size_t> next_{0};
  std::mutex mutex_;
  std::exception_ptr problem_;
  FileLock lock_;
  std::atomic<std::size_t> done_{0}, failed_{0};
  std::chrono::steady_clock::time_point begun_;
};

SweepPoints points_of(const SweepArguments& arguments) {
  if (!arguments.points.empty() && !arguments.vary.empty()) throw UsageError("give --vary or --points, not both");
  if (!arguments.points.empty() && (arguments.sample != "grid" || arguments.count > 0))
    throw UsageError("--sample and --count are for --vary: --points names each point");
  if (!arguments.points.empty()) return read_points(existing_file(arguments.points, "points"));
  if (arguments.vary.empty()) throw UsageError("nothing is varied: give --vary or --points");
  std::vector<Variation> variations;
  for (const std::string& text : arguments.vary) variations.push_back(parse_variation(text));
  const Sampling sampling = arguments.sample == "grid"  ? Sampling::grid
                            : arguments.sample == "lhs" ? Sampling::latin_hypercube
                                                        : Sampling::random;
  if (sampling == Sampling::grid && arguments.count > 0) throw UsageError("--count needs --sample lhs or random");
  return make_points(variations, sampling, arguments.count, arguments.seed);
}

}  // namespace

int sweep_command(int argc, char** argv) {
  command_line::App app{"Run a plant over values of parameters and inputs; one table of all runs.", "takt sweep"};
  SweepArguments arguments;
  declare(app, arguments);
  if (const std::optional<int> code = app.parse(argc, argv)) return *code;
  arguments.extras = app.remaining();
  refuse_unknown_options(arguments.extras);
  heed_quiet(arguments.extras);
  for (const char* taken : {"--out", "--pace", "--json", "--no-results", "--trigger", "--list", "--list-recorded"})
    for (const std::string& extra : arguments.extras)
      if (extra == taken || extra.starts_with(taken + std::string("=")))
        throw UsageError(std::string(taken) + " is not for the runs of a sweep");
  const SweepPoints points = points_of(arguments);
  if (!arguments.scheduler.empty()) return sweep_on_cluster(arguments.scheduler, {argv + 1, argv + argc});
  const std::optional<BuiltPlant> built = build_planned(plant_build(arguments, true));
  if (!built) return exit_failed;
  return Sweep(arguments, *built, points).run() ? exit_ok : exit_failed;
}

}  // namespace takt::tools
