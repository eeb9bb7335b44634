#include "tools/fit/measured.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <sstream>
#include <stdexcept>

#include "runtime/json/parse_json.hpp"

namespace takt::tools {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::json;

std::string whole(const fs::path& file) {
  std::ifstream in(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
}

std::string last_line(std::string text) {
  while (text.ends_with('\n')) text.pop_back();
  return text.substr(text.find_last_of('\n') + 1);
}

Json pack_in(const fs::path& folder) {
  if (!fs::is_directory(folder)) throw std::runtime_error("there is no folder " + folder.string());
  const fs::path file = folder / "pack.json";
  if (!fs::exists(file))
    throw std::runtime_error(folder.string() + " is no pack: it has no pack.json; `takt fit PLANT --pack " +
                             folder.string() + "` makes one");
  Json pack = json_file_or_none<Json>(file);
  if (!pack.is_object() || !pack.contains("format"))
    throw std::runtime_error(file.string() + " is damaged; make the pack again");
  if (pack.at("format") != pack_format)
    throw std::runtime_error(
        fmt::format("{} was made by another version of Takt ({}; packs of format {}, this one "
                    "reads {}): read it by that one, or make and measure it again",
                    folder.string(), pack.value("takt", "unknown"), pack.at("format").dump(), pack_format));
  return pack;
}

/// "key=value" lines.
std::map<std::string, std::string> facts_in(const fs::path& file) {
  std::istringstream lines(whole(file));
  std::map<std::string, std::string> facts;
  for (std::string line; std::getline(lines, line);)
    facts[line.substr(0, line.find('='))] = line.find('=') == std::string::npos ? "" : line.substr(line.find('=') + 1);
  return facts;
}

/// "T: 0 ( 9) P:80 I:1000 C:   9996 Min:      2 Act:    5 Avg:    6 Max:      44"
std::optional<WakeUp> cyclictest_in(const fs::path& file) {
  const std::string text = whole(file);
  const auto number_after = [&](const char* word) -> std::optional<double> {
    const std::size_t at = text.find(word);
    if (at == std::string::npos) return std::nullopt;
    return std::strtod(text.c_str() + at + std::string(word).size(), nullptr);
  };
  const auto mean = number_after("Avg:"), max = number_after("Max:");
  if (!mean || !max) return std::nullopt;
  return WakeUp{.mean_us = *mean, .max_us = *max};
}

Board board_in(const fs::path& results, const Json& pack) {
  const auto facts = facts_in(results / "board.txt");
  const auto fact = [&](const char* name) {
    const auto found = facts.find(name);
    return found == facts.end() ? std::string() : found->second;
  };
  if (fact("id") != pack.at("id").get<std::string>())
    throw std::runtime_error(results.string() + " was measured with another pack than the one it lies in");
  if (!facts.contains("done"))
    throw std::runtime_error(results.string() + " is not complete: measure.sh did not come to its end");
  Board board;
  std::istringstream cpus(fact("cpus"));
  for (std::string cpu; std::getline(cpus, cpu, ',');) board.cpus.push_back(std::atoi(cpu.c_str()));
  board.memory_kb = std::atof(fact("memory_kb").c_str());
  board.rt_runtime_us = std::atof(fact("rt_runtime_us").c_str());
  board.rt_period_us = std::atof(fact("rt_period_us").c_str());
  board.cyclictest = cyclictest_in(results / "cyclictest.txt");
  return board;
}

/// Nothing where no window is busier than those that were measured.
CutWindow cut_of(const Json& summary, const Json& rate) {
  if (!summary.at("schedule").is_object()) return {};
  for (const Json& foretold : summary.at("schedule").at("rates"))
    if (foretold.at("worker") == rate.at("worker") && foretold.at("period_s") == rate.at("period_s"))
      return {foretold.at("cuts"), foretold.at("cuts_at_s"), foretold.at("cuts_us")};
  return {};
}

Response worst_response(const Json& summary) {
  Response worst;
  for (const Json& rate : summary.at("rates")) {
    const double period_us = rate.at("period_s").get<double>() * 1e6;
    const auto raise = [&](double& to, const char* quantile) {
      to = std::max(to, rate.at("response_us").at(quantile).get<double>() / period_us);
    };
    raise(worst.p50, "p50"), raise(worst.p99, "p99"), raise(worst.p999, "p999");
    worst.max = std::max(worst.max,
                         (rate.at("response_us").at("max").get<double>() + cut_of(summary, rate).more_us) / period_us);
  }
  return worst;
}

MeasuredRun run_in(const fs::path& results, const std::string& name) {
  MeasuredRun run;
  run.summary = json_file_or_none<Json>(results / (name + ".json"));
  if (!run.summary.is_object()) {
    run.failure = last_line(whole(results / (name + ".err")));
    if (run.failure.empty()) run.failure = "it left no summary";
    return run;
  }
  const Json& summary = run.summary;
  if (summary.at("failed").get<bool>()) run.failure = summary.at("verdict");
  run.computing = summary.at("rtf").at("mean");
  if (summary.at("pace") != "real") return run;
  run.response = worst_response(summary);
  for (const Json& rate : summary.at("rates"))
    if (const CutWindow cut = cut_of(summary, rate); cut.cuts > 0 && cut.more_us >= run.cut.more_us) run.cut = cut;
  run.late = summary.at("overruns").at("count");
  run.worst_miss_us = std::max(0.0, summary.at("overruns").at("worst_miss_us").get<double>());
  for (const Json& rate : summary.at("rates")) run.windows += rate.at("releases").get<std::uint64_t>();
  for (const auto& [cause, count] : summary.at("overruns").at("causes").items())
    if (count > 0) run.causes[cause] = count;
  return run;
}

/// Files SERIES_COUNT_CPU_I.json.
std::vector<CopiesRun> copies_in(const fs::path& results, const std::string& series) {
  std::map<int, CopiesRun> by_count;
  for (const auto& entry : fs::directory_iterator(results)) {
    const std::string name = entry.path().filename().string();
    int count = 0, cpu = 0, copy = 0;
    if (std::sscanf(name.c_str(), (series + "_%d_%d_%d.json").c_str(), &count, &cpu, &copy) != 3) continue;
    if (!name.ends_with(".json")) continue;
    by_count[count].count = count;
    by_count[count].runs.push_back(run_in(results, entry.path().stem().string()));
  }
  std::vector<CopiesRun> all;
  for (auto& [count, copies] : by_count) {
    const std::string used = whole(results / fmt::format("{}_{}.used", series, count));
    if (const double share = std::atof(used.c_str()); share > 0.0) copies.used = share;
    all.push_back(std::move(copies));
  }
  return all;
}

}  // namespace

Measured read_measured(const fs::path& folder) {
  Measured measured;
  measured.pack = pack_in(folder);
  const fs::path results = folder / "results";
  if (!fs::exists(results / "board.txt"))
    throw std::runtime_error(folder.string() +
                             " holds no results yet: copy it to the board, run measure.sh there, copy its folder "
                             "results back into it");
  try {
    measured.board = board_in(results, measured.pack);
    measured.free = run_in(results, "free");
    measured.paced = run_in(results, "paced");
    if (fs::exists(results / "plain.json")) measured.plain = run_in(results, "plain");
    for (std::size_t cores = 2; cores <= measured.board.cpus.size(); ++cores) {
      const std::string on = "_on_" + std::to_string(cores);
      if (!fs::exists(results / ("paced" + on + ".json"))) continue;
      measured.free_on[static_cast<int>(cores)] = run_in(results, "free" + on);
      measured.paced_on[static_cast<int>(cores)] = run_in(results, "paced" + on);
    }
    for (const Json& variant : measured.pack.at("variants"))
      if (const std::string name = variant.at("name"); fs::exists(results / (name + ".json")))
        measured.variants[name] = run_in(results, name);
    measured.doubled = copies_in(results, "doubled");
    measured.between = copies_in(results, "between");
    measured.all = copies_in(results, "all");
  } catch (const Json::exception& error) {
    throw std::runtime_error("results in " + folder.string() +
                             " are damaged: pack.json or a file of results is not of "
                             "the form that Takt writes (" +
                             json_mistake(error.what()) + "); measure again");
  }
  return measured;
}

}  // namespace takt::tools
