#include "tools/bench/peer_runs.hpp"

#include <fmt/format.h>
#include <sched.h>
#include <sys/resource.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <stdexcept>
#include <system_error>

#include "codegen/emit/build/process.hpp"
#include "codegen/library/toml_tree.hpp"
#include "codegen/model/csv.hpp"
#include "runtime/io/record/recorded_file.hpp"
#include "tools/takt/wait_line.hpp"

namespace takt::tools {
namespace {

/// CPU time of all children that have ended, s.
double children_s() {
  rusage usage{};
  getrusage(RUSAGE_CHILDREN, &usage);
  const auto seconds = [](const timeval& t) {
    return static_cast<double>(t.tv_sec) + static_cast<double>(t.tv_usec) * 1e-6;
  };
  return seconds(usage.ru_utime) + seconds(usage.ru_stime);
}

FinishedRun timed(const std::vector<std::string>& command, const std::string& who) {
  const WaitLine line("running " + who);
  const double before = children_s();
  const codegen::ProcessResult result = codegen::run_process(command);
  if (result.exit_code != 0) throw std::runtime_error(who + " failed:\n" + result.output);
  return {children_s() - before, result.output};
}

}  // namespace

OnOneCpu::OnOneCpu(int cpu) : cpu_(cpu), before_(sizeof(cpu_set_t)) {
  cpu_set_t set;
  CPU_ZERO(&set);
  if (sched_getaffinity(0, sizeof set, &set) != 0)
    throw std::system_error(errno, std::generic_category(), "CPU affinity");
  std::memcpy(before_.data(), &set, sizeof set);
  for (int candidate = 0; cpu < 0 && candidate < CPU_SETSIZE; ++candidate) {
    if (CPU_ISSET(candidate, &set)) cpu_ = candidate;
  }
  CPU_ZERO(&set);
  CPU_SET(cpu_, &set);
  if (sched_setaffinity(0, sizeof set, &set) != 0) {
    throw std::system_error(errno, std::generic_category(), "cannot run on CPU " + std::to_string(cpu_));
  }
}

OnOneCpu::~OnOneCpu() { sched_setaffinity(0, before_.size(), reinterpret_cast<const cpu_set_t*>(before_.data())); }

WorkFolder::WorkFolder() {
  std::string name = (std::filesystem::temp_directory_path() / "takt_peer_XXXXXX").string();
  if (mkdtemp(name.data()) == nullptr) throw std::system_error(errno, std::generic_category(), name);
  path_ = name;
}

WorkFolder::~WorkFolder() {
  std::error_code ignored;
  std::filesystem::remove_all(path_, ignored);
}

FinishedRun run_takt(const BuiltPlant& plant, const std::string& duration, const std::filesystem::path& results) {
  std::vector<std::string> command{
      plant.executable.string(), "--pace", "free", "--audit", "off", "--quiet", "--json", "--for", duration};
  for (const auto& [name, value] : plant.tunable) command.insert(command.end(), {"--set", name + "=" + value});
  if (results.empty()) {
    command.emplace_back("--no-results");
  } else {
    command.insert(command.end(), {"--no-report", "--out", results.string()});
  }
  return timed(command, "the plant");
}

FinishedRun run_ngspice(const std::string& deck, const std::filesystem::path& work) {
  const std::filesystem::path file = work / "deck.cir";
  if (!(std::ofstream(file) << deck)) throw std::runtime_error("cannot write " + file.string());
  FinishedRun run = timed({"ngspice", "-b", file.string()}, "ngspice");
  if (run.output.find("aborted") != std::string::npos || run.output.find("No. of Data Rows") == std::string::npos) {
    throw std::runtime_error("ngspice did not reach the end:\n" + run.output);
  }
  return run;
}

std::string ngspice_version() {
  const std::string text = codegen::run_process({"ngspice", "--version"}).output;
  const std::size_t at = text.find("ngspice-");
  return at == std::string::npos ? "ngspice" : text.substr(at, text.find_first_of(" \n", at) - at);
}

std::vector<Waveform> read_signals(const std::filesystem::path& recording, const std::vector<PeerSignal>& signals) {
  const std::filesystem::path csv = recorded_file(recording);
  tl::expected<std::string, std::string> text;
  if (std::optional<std::string> table = recorded_as_csv(csv))
    text = *std::move(table);
  else
    text = codegen::read_text_file(csv);
  if (!text) throw std::runtime_error("cannot read " + csv.string() + ": " + text.error());
  const auto parsed = codegen::parse_csv(*text, csv.string());
  if (!parsed) throw std::runtime_error("cannot read " + csv.string() + ": " + parsed.error().cause);
  const codegen::CsvTable& table = *parsed;
  const auto time = codegen::find_column(table, "time");
  if (!time) throw std::runtime_error(csv.string() + " has no column 'time [s]'");
  std::vector<Waveform> waves(signals.size());
  for (std::size_t k = 0; k < signals.size(); ++k) {
    const auto column = codegen::find_column(table, signals[k].path);
    if (!column) continue;
    for (const auto& row : table.rows) {
      if (row.size() <= *column || row.size() <= *time || row[*column].text.empty())
        continue;  // recorded at another rate
      waves[k].time.push_back(std::strtod(row[*time].text.c_str(), nullptr));
      waves[k].value.push_back(std::strtod(row[*column].text.c_str(), nullptr));
    }
  }
  return waves;
}

}  // namespace takt::tools
