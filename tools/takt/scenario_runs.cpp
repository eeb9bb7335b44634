#include "tools/takt/scenario_runs.hpp"

#include <algorithm>
#include <atomic>
#include <exception>
#include <fstream>
#include <mutex>
#include <nlohmann/json.hpp>
#include <set>
#include <system_error>
#include <thread>

#include "codegen/emit/build/process.hpp"
#include "runtime/json/parse_json.hpp"
#include "tools/takt/command.hpp"
#include "tools/takt/stop_forwarder.hpp"

namespace takt::tools {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::json;

/// The last line that says something.
std::string last_line(std::string text) {
  while (!text.empty() && (text.back() == '\n' || text.back() == ' ')) text.pop_back();
  const auto begin = text.rfind('\n');
  return begin == std::string::npos ? text : text.substr(begin + 1);
}

std::optional<ExpectedBand> band_of(const Json& json) {
  const auto band = json.find("band");
  if (band == json.end()) return {};
  return ExpectedBand{.time_s = band->at("time_s"),
                      .reference = band->at("reference"),
                      .held = band->at("held"),
                      .tolerance = band->at("tolerance"),
                      .relative = band->at("relative")};
}

ScenarioExpectation expectation_of(const Json& json) {
  return {.name = json.at("name"),
          .text = json.at("text"),
          .place = json.at("place"),
          .verdict = json.at("verdict"),
          .values = json.at("values"),
          .because = json.at("because"),
          .from_s = json.at("from_s").is_null() ? -1.0 : json.at("from_s").get<double>(),
          .time_s = json.at("time_s").is_null() ? -1.0 : json.at("time_s").get<double>(),
          .paths = json.at("paths"),
          .band = band_of(json)};
}

/// What the run's own verdicts say: a scenario that passes in a run that cannot be trusted proves nothing.
std::string trouble_of(const Json& summary) {
  std::string text;
  for (const Json& verdict : summary.at("verdicts"))
    if (!verdict.at("tolerated").get<bool>())
      text += (text.empty() ? "" : "; ") + verdict.at("code").get<std::string>() + ": " +
              verdict.at("text").get<std::string>();
  if (text.empty() && summary.at("failed").get<bool>()) text = "the run failed";
  return text;
}

void read_summary(const Json& summary, ScenarioRun& run) {
  run.simulated_s = summary.at("simulated_s");
  run.wall_s = summary.at("wall_s");
  run.macro_step_s = summary.at("macro_step_s");
  run.trouble = trouble_of(summary);
  run.plant = summary.at("title").get<std::string>() + ", " + summary.at("model").get<std::string>();
  run.digest = summary.at("digest");
  run.started = summary.at("origin").at("started");
  run.host = summary.at("origin").at("host");
  const Json& scenario = summary.at("scenario");
  run.title = scenario.at("title");
  run.verdict = scenario.at("verdict");
  run.outcome = summary.at("outcome");
  run.because = scenario.at("because");
  for (const Json& one : scenario.at("expectations")) run.expectations.push_back(expectation_of(one));
}

ScenarioRun run_one(const ScenarioJobs& jobs, const fs::path& file, const fs::path& folder, std::atomic<int>& id) {
  ScenarioRun run{.file = file, .folder = folder};
  std::error_code ignored;
  for (const char* old : {"summary.json", "scenario.html"}) fs::remove(folder / old, ignored);
  std::vector<std::string> command = jobs.command;
  command.insert(command.end(), {"--scenario", file.string(), "--out", folder.string()});
  const codegen::ProcessResult done = codegen::run_process(command, {}, &id);
  run.ok = done.exit_code == 0;
  run.exit_code = done.exit_code;
  const auto summary = json_file_or_none<Json>(folder / "summary.json");
  if (summary.is_discarded() || !summary.contains("scenario")) {
    run.ok = false;
    run.verdict = run.outcome = "not run";
    run.because = last_line(done.output);
    return run;
  }
  read_summary(summary, run);
  if (!run.ok && run.verdict == "passed" && run.trouble.empty()) run.trouble = last_line(done.output);
  return run;
}

ScenarioRun not_begun(const fs::path& file, const fs::path& folder) {
  return {.file = file,
          .folder = folder,
          .verdict = "not run",
          .because = "interrupted before it began",
          .exit_code = exit_interrupted,
          .outcome = "not run"};
}

/// By the names of the files; those that are called alike are numbered.
std::vector<fs::path> folders_of(const ScenarioJobs& jobs) {
  std::vector<fs::path> folders;
  std::set<std::string> taken;
  for (const fs::path& file : jobs.files) {
    const std::string stem = file.stem().string();
    std::string name = stem;
    for (int number = 2; !taken.insert(name).second; ++number) name = stem + "-" + std::to_string(number);
    folders.push_back(jobs.out / name);
  }
  return folders;
}

}  // namespace

std::size_t ScenarioRun::count(const std::string& wanted) const {
  return static_cast<std::size_t>(
      std::count_if(expectations.begin(), expectations.end(), [&](const auto& e) { return e.verdict == wanted; }));
}

std::vector<ScenarioRun> run_scenarios(const ScenarioJobs& jobs) {
  const std::vector<fs::path> folders = folders_of(jobs);
  std::vector<ScenarioRun> runs(jobs.files.size());
  std::atomic<std::size_t> next{0};
  std::mutex mutex;
  std::exception_ptr problem;
  StopForwarder stops(std::max<std::size_t>(1, std::min(jobs.at_once, runs.size())));
  const auto work = [&](std::size_t worker) {
    try {
      for (std::size_t k = next.fetch_add(1); k < runs.size(); k = next.fetch_add(1)) {
        ScenarioRun run = stops.stopped() ? not_begun(jobs.files[k], folders[k])
                                          : run_one(jobs, jobs.files[k], folders[k], stops.program(worker));
        const std::scoped_lock lock(mutex);
        runs[k] = std::move(run);
        if (jobs.done) jobs.done(runs[k]);
      }
    } catch (...) {
      const std::scoped_lock lock(mutex);
      if (!problem) problem = std::current_exception();
      next = runs.size();
    }
  };
  std::vector<std::thread> workers;
  try {
    for (std::size_t k = 1; k < std::min(jobs.at_once, runs.size()); ++k) workers.emplace_back(work, k);
  } catch (const std::system_error&) {  // those that could be started do all
  }
  work(0);
  for (std::thread& worker : workers) worker.join();
  if (problem) std::rethrow_exception(problem);
  return runs;
}

}  // namespace takt::tools
