#include "tools/bench/sundials_peers.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <stdexcept>

#include "codegen/emit/build/process.hpp"
#include "codegen/plan/patterns.hpp"
#include "codegen/text/quantity.hpp"
#include "runtime/io/record/text_file.hpp"
#include "tools/bench/paper_file.hpp"
#include "tools/bench/paper_runs.hpp"
#include "tools/bench/peer_file.hpp"
#include "tools/bench/peer_runs.hpp"
#include "tools/takt/command.hpp"
#include "tools/takt/home.hpp"
#include "tools/takt/wait_line.hpp"

namespace takt::tools {

namespace fs = std::filesystem;
using namespace takt::codegen;

namespace {

constexpr int loosest = -3, tightest = -12;  // powers of ten of relative tolerances
constexpr double reference_tolerance = 1e-12;

struct Method {
  const char *word, *name;
};
constexpr Method methods[] = {{"bdf", "CVODE, BDF"}, {"adaptive", "ARKODE, ERK of order 5"}};

std::optional<Checked> checked(const PlantBuild& build) {
  Diagnostics ignored;  // building it reports them
  return check_plant(
      build.plant,
      {.library = {find_home().library}, .overrides = build.overrides, .rig = std::nullopt, .solve = build.solve},
      ignored);
}

/// What is judged: the signals of [accuracy] in paper.toml, those of peer.toml, or all that are recorded.
std::vector<std::string> judged(const fs::path& folder) {
  Diagnostics diagnostics;
  if (fs::exists(folder / "paper.toml")) {
    if (PaperFile file = read_paper_file(folder / "paper.toml", diagnostics); !file.rms.empty()) return file.rms;
  }
  std::vector<std::string> patterns;
  if (fs::exists(folder / "peer.toml"))
    for (const PeerSignal& signal : read_peer_file(folder / "peer.toml", diagnostics).signals)
      patterns.push_back(signal.path);
  return patterns.empty() ? std::vector<std::string>{"*"} : patterns;
}

/// One system, stopped where control blocks sample it and where it is recorded.
std::string parametrisation(const Network& network, const Method& method, double tolerance) {
  std::int64_t every_ns = 0;
  for (const ControlBlock& block : network.blocks) every_ns = std::gcd(every_ns, block.period_ns);
  for (const RecordSetting& record : network.record) every_ns = std::gcd(every_ns, record.period_ns);
  const std::string every = duration_text(every_ns);
  return fmt::format(
      "[solve]\nwhole = {{ step = \"{0}\", method = \"{1}\", tolerance = {2:.0e} }}\n[sync]\nplant = {{ members = "
      "[\"whole\"{3}], every = \"{0}\" }}\n",
      every, method.word, tolerance, network.blocks.empty() ? "" : ", \"control\"");
}

class SundialsBench {
 public:
  SundialsBench(const BuiltPlant& plant, const SundialsRequest& request, const Checked& checked)
      : plant_(plant),
        request_(request),
        network_(checked.network),
        patterns_(judged(fs::absolute(request.build.plant).parent_path())) {}

  std::optional<SundialsComparison> run() {
    result_.model = network_.name;
    add("takt, as the plant says", 0.0, plant_);
    solve_reference();
    judge(result_.rows.front(), "own");
    for (const Method& method : methods)
      if (!find_tolerance(method)) return std::nullopt;
    time_all();
    return result_;
  }

 private:
  void add(const std::string& name, double tolerance, const BuiltPlant& plant) {
    result_.rows.push_back({name, tolerance, HUGE_VAL, {}, {}});
    plants_.push_back(plant);
  }

  /// By `takt reference`, in a process of its own: it shares neither tree nor reduction nor emitted code with the
  /// plant.
  void solve_reference() {
    fmt::print(stderr, "takt: reference\n");
    const fs::path own = work_.path() / "own", tight = work_.path() / "tight";
    if (!recorded_run(plant_, request_.duration, own))
      throw std::runtime_error("the plant's own run ended in no number");
    std::vector<std::string> command{(find_home().prefix / "bin" / "takt").string(),
                                     "reference",
                                     request_.build.plant.string(),
                                     "--out",
                                     tight.string(),
                                     "--rtol",
                                     fmt::format("{}", reference_tolerance)};
    if (!request_.duration.empty()) command.insert(command.end(), {"--for", request_.duration});
    if (network_.steady_start) command.insert(command.end(), {"--start", own.string()});
    if (request_.build.solve) command.insert(command.end(), {"--solve", request_.build.solve->string()});
    for (const auto& [name, value] : request_.build.overrides)
      command.insert(command.end(), {"--set", name + "=" + value});
    const WaitLine line("solving " + network_.name);
    const ProcessResult run = run_process(command);
    if (run.exit_code != 0) throw std::runtime_error("the reference run failed:\n" + run.output);
    reference_ = read_recording(tight);
    result_.reference = fmt::format("takt reference --rtol {}", reference_tolerance);
  }

  void judge(SundialsRow& row, const std::string& folder) {
    row.error = 0.0;
    for (const SignalError& error : compare(read_recording(work_.path() / folder), reference_).signals) {
      if (std::none_of(patterns_.begin(), patterns_.end(),
                       [&](const std::string& pattern) { return pattern_matches(pattern, error.path); }))
        continue;
      if (!(error.normalised() <= row.error)) row.error = error.normalised(), row.signal = error.path;
    }
    if (row.signal.empty() && row.error > 0.0) throw std::runtime_error("nothing that is recorded can be judged");
  }

  /// The loosest power of ten with which it is as accurate as the plant, found by halving; the tightest where none is.
  bool find_tolerance(const Method& method) {
    const double wanted = result_.rows.front().error;
    int enough = tightest - 1, loose = loosest + 1,
        power = std::clamp(static_cast<int>(std::lround(std::log10(0.1 * wanted))), tightest, loosest);
    std::optional<std::pair<SundialsRow, BuiltPlant>> best;
    for (; loose - enough > 1; power = (loose + enough) / 2) {
      auto tried = at_tolerance(method, power);
      if (!tried) return false;
      const bool as_accurate = tried->first.error <= wanted;
      (as_accurate ? enough : loose) = power;
      if (as_accurate || enough < tightest) best = std::move(tried);
    }
    result_.rows.push_back(best->first);
    plants_.push_back(best->second);
    return true;
  }

  std::optional<std::pair<SundialsRow, BuiltPlant>> at_tolerance(const Method& method, int power) {
    const double tolerance = std::pow(10.0, power);
    const std::string id = fmt::format("{}{}", method.word, -power);
    fmt::print(stderr, "takt: {}, tolerance {:.0e}\n", method.name, tolerance);
    PlantBuild build = request_.build;
    write_whole(work_.path() / (id + ".toml"), parametrisation(network_, method, tolerance));
    build.solve = work_.path() / (id + ".toml");
    build.directory = work_.path() / "build";
    std::optional<BuiltPlant> built = build_plant(build);
    if (!built) return std::nullopt;
    fs::copy_file(built->executable, work_.path() / (id + ".exe"), fs::copy_options::overwrite_existing);
    built->executable = work_.path() / (id + ".exe");
    SundialsRow row{method.name, tolerance, HUGE_VAL, {}, {}};
    if (recorded_run(*built, request_.duration, work_.path() / id)) judge(row, id);
    return std::pair(row, *built);
  }

  /// All in turn, so that a busy minute of the machine hits all alike.
  void time_all() {
    const OnOneCpu pinned(request_.cpu);
    const FifoScope fifo;
    result_.cpu = pinned.cpu();
    for (int run = 0; run < request_.runs; ++run)
      for (std::size_t k = 0; k < plants_.size(); ++k) {
        const PaperCost cost = timed_run(plants_[k], request_.duration);
        result_.simulated_s = cost.simulated_s;
        result_.rows[k].busy.push_back(cost.busy_s / cost.simulated_s);
      }
  }

  const BuiltPlant& plant_;
  const SundialsRequest& request_;
  const Network& network_;
  std::vector<std::string> patterns_;
  const WorkFolder work_;
  Recording reference_;
  std::vector<BuiltPlant> plants_;  // parallel to rows
  SundialsComparison result_;
};

}  // namespace

std::string no_sundials_peers(const PlantBuild& build) {
  const std::optional<Checked> plant = checked(build);
  if (!plant) return "the plant has errors";
  const Network& network = plant->network;
  if (!network.gates.empty() || !network.modes.empty() || !network.points.empty())
    return "SUNDIALS integrates circuits with switches only in takt reference, not on emitted code";
  if (network.record.empty()) return "the plant records nothing that could be compared";
  return "";
}

std::optional<SundialsComparison> compare_sundials(const BuiltPlant& plant, const SundialsRequest& request) {
  const std::optional<Checked> known = checked(request.build);
  return known ? SundialsBench(plant, request, *known).run() : std::nullopt;
}

}  // namespace takt::tools
