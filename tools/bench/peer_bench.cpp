#include "tools/bench/peer_bench.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <nlohmann/json.hpp>
#include <stdexcept>

#include "codegen/emit/build/process.hpp"
#include "codegen/library/toml_tree.hpp"
#include "codegen/text/quantity.hpp"
#include "runtime/json/parse_json.hpp"
#include "tools/bench/bench_table.hpp"
#include "tools/bench/median.hpp"
#include "tools/bench/peer_runs.hpp"
#include "tools/bench/peer_table.hpp"
#include "tools/bench/sundials_peers.hpp"
#include "tools/takt/arguments.hpp"
#include "tools/takt/command.hpp"

namespace takt::tools {

namespace fs = std::filesystem;
using namespace takt::codegen;

namespace {

constexpr double tighter = 20.0;  // steps of the tight run of ngspice

struct Peer {
  fs::path folder;
  PeerFile file;
  PeerNetlist netlist;
};

/// @return false after errors, which are printed
bool read_peer(const fs::path& folder, Peer& peer) {
  Diagnostics diagnostics;
  peer = {folder, read_peer_file(folder / "peer.toml", diagnostics),
          read_peer_netlist(folder / "peer.cir", diagnostics)};
  std::fputs(diagnostics.render(isatty(STDERR_FILENO) == 1).c_str(), stderr);
  return !diagnostics.has_errors();
}

std::vector<std::string> expressions(const Peer& peer) {
  std::vector<std::string> list;
  for (const PeerSignal& signal : peer.file.signals) list.push_back(signal.expression);
  return list;
}

std::string text_of(const fs::path& file) { return read_text_file(file).value_or(""); }

/// Solution of the netlist; tight: with small steps.
std::vector<Waveform> ngspice_solution(const Peer& peer, bool tight, const fs::path& work) {
  PeerDeck deck{.expressions = expressions(peer),
                .output = work / "values.txt",
                .max_step_s = std::nullopt,
                .stop_s = std::nullopt,
                .options = ""};
  if (tight) {
    deck.max_step_s = peer.file.reference_step_s.value_or(peer.netlist.max_step_s / tighter);
    deck.options = peer.file.reference_options;
  }
  fs::remove(deck.output);
  const FinishedRun run = run_ngspice(peer_deck(peer.netlist, deck), work);
  if (!fs::exists(deck.output))
    throw std::runtime_error("ngspice wrote no values; is every vector in peer.toml in the netlist?\n" + run.output);
  std::vector<Waveform> waves = read_wrdata(text_of(deck.output), peer.file.signals.size());
  if (waves.front().time.back() < peer.netlist.stop_s * (1.0 - 1e-6))
    throw std::runtime_error("ngspice did not reach the end:\n" + run.output);
  return waves;
}

bool complete(const std::vector<Waveform>& waves) {
  return std::none_of(waves.begin(), waves.end(), [](const Waveform& wave) { return wave.time.empty(); });
}

/// What both are measured against.
struct Reference {
  std::vector<Waveform> waves;
  std::string text;
  bool sampled = false;  ///< compare at its own times only: it is too coarse to interpolate
};

Reference find_reference(const Peer& peer, const std::string& version, const fs::path& work) {
  const fs::path file = peer.folder / "reference.csv";
  if (fs::exists(file)) {
    std::vector<Waveform> waves = read_signals(file, peer.file.signals);
    if (complete(waves)) return {std::move(waves), "reference.csv of the plant", true};
  }
  const double step = peer.file.reference_step_s.value_or(peer.netlist.max_step_s / tighter);
  std::string text = fmt::format("{} with steps up to {:.4g} ns", version, step * 1e9);
  if (!peer.file.reference_options.empty()) text += ", " + peer.file.reference_options;
  return {ngspice_solution(peer, true, work), text, false};
}

std::string duration_of(const Peer& peer) { return duration_text(std::llround(peer.netlist.stop_s * 1e9)); }

/// What the plant computes; a signal that is not recorded is reported with its place.
std::vector<Waveform> takt_solution(const BuiltPlant& plant, const Peer& peer, const fs::path& work) {
  static_cast<void>(run_takt(plant, duration_of(peer), work / "takt"));
  std::vector<Waveform> waves = read_signals(work / "takt", peer.file.signals);
  Diagnostics diagnostics;
  for (std::size_t k = 0; k < waves.size(); ++k) {
    if (!waves[k].time.empty()) continue;
    const PeerSignal& signal = peer.file.signals[k];
    diagnostics.error("N003", signal.where, "the plant does not record '" + signal.path + "'",
                      "name it under [record] of the plant file");
  }
  if (diagnostics.has_errors()) throw std::runtime_error(diagnostics.render());
  return waves;
}

/// The peer's solution at the times of the reference or of takt, so that both are judged at the same instants.
CommonSamples peer_samples(const Waveform& peer, const Waveform& takt, const Reference& reference, std::size_t signal) {
  Waveform sampled{takt.time, {}};
  for (const double time : takt.time) sampled.value.push_back(value_at(peer, time));
  const Waveform& truth = reference.waves[signal];
  return reference.sampled ? at_common_times(sampled, truth) : at_own_times(sampled, truth);
}

/// Both against the reference, at the same instants.
struct Compared {
  CommonSamples takt, peer;
};
std::vector<Compared> common_samples(const Peer& peer, const std::vector<Waveform>& takt,
                                     const std::vector<Waveform>& ngspice, const Reference& reference) {
  std::vector<Compared> signals;
  for (std::size_t k = 0; k < takt.size(); ++k) {
    const Waveform& truth = reference.waves[k];
    signals.push_back({reference.sampled ? at_common_times(takt[k], truth) : at_own_times(takt[k], truth),
                       peer_samples(ngspice[k], takt[k], reference, k)});
    if (signals.back().takt.value.empty()) {
      throw std::runtime_error("the reference and the record of '" + peer.file.signals[k].path +
                               "' have no time in common");
    }
  }
  return signals;
}

void compare(const BuiltPlant& plant, const Peer& peer, const fs::path& work, PeerComparison& result) {
  const std::vector<Waveform> takt = takt_solution(plant, peer, work);
  const std::vector<Waveform> ngspice = ngspice_solution(peer, false, work);
  const Reference reference = find_reference(peer, result.peer, work);
  result.reference = reference.text;
  const std::vector<Compared> signals = common_samples(peer, takt, ngspice, reference);
  for (std::size_t k = 0; k < signals.size(); ++k) {
    const PeerSignal& signal = peer.file.signals[k];
    result.accuracy.push_back({signal.path, signal.expression, normalised_rms_difference(signals[k].takt),
                               normalised_rms_difference(signals[k].peer)});
  }
  for (const PeerRms& r : peer.file.rms) {
    const std::string& path = peer.file.signals[r.signal].path;
    const CommonRms ours = rms(signals[r.signal].takt, r.from_s, r.to_s),
                    theirs = rms(signals[r.signal].peer, r.from_s, r.to_s);
    if (std::isnan(ours.value))
      throw std::runtime_error("[rms] of '" + path + "' reaches beyond the runs or the reference");
    result.rms.push_back({path, r.from_s, r.to_s, ours.reference, ours.value, theirs.value});
  }
}

/// Simulated time of takt's timed runs: the netlist's as often as it takes to be seen beside the start of a process.
std::string timed_duration(const BuiltPlant& plant, const Peer& peer) {
  constexpr double enough_s = 0.3, most = 1e5;
  const BenchRun once = read_bench_run(run_takt(plant, duration_of(peer), {}).output);
  const double times = std::ceil(enough_s / std::max(once.rtf * once.simulated_s, 1e-9));
  return duration_text(std::llround(peer.netlist.stop_s * std::clamp(times, 1.0, most) * 1e9));
}

/// Per simulated second, with and without the start-up.
PeerCost cost(const std::vector<double>& process_s, const std::vector<double>& start_up_s, double simulated_s) {
  PeerCost result;
  for (const double s : process_s) {
    result.process.push_back(s / simulated_s);
    result.solution.push_back((s - median(start_up_s)) / simulated_s);
  }
  return result;
}

/// What timed runs of both have told.
struct Timing {
  BenchRun takt;
  PeerCost takt_cost, peer_cost;
};

/// Timed runs in turn, so that a machine that gets slower or faster meets both alike.
Timing time_both(const BuiltPlant& plant, const Peer& peer, const PeerRequest& request, const fs::path& work) {
  const std::string duration = request.duration.empty() ? timed_duration(plant, peer) : request.duration;
  PeerDeck deck{.expressions = expressions(peer),
                .output = {},
                .max_step_s = std::nullopt,
                .stop_s = std::nullopt,
                .options = ""};
  const std::string whole = peer_deck(peer.netlist, deck);
  deck.stop_s = peer.netlist.max_step_s;
  const std::string one_step = peer_deck(peer.netlist, deck);
  std::vector<double> ours, theirs, our_start, their_start;
  BenchRun summary;
  for (int run = 0; run < request.runs; ++run) {
    const FinishedRun finished = run_takt(plant, duration, {});
    summary = read_bench_run(finished.output);
    ours.push_back(finished.process_s);
    theirs.push_back(run_ngspice(whole, work).process_s);
    our_start.push_back(run_takt(plant, "1 ns", {}).process_s);  // rounded up to one macro-step
    their_start.push_back(run_ngspice(one_step, work).process_s);
  }
  return {.takt = summary,
          .takt_cost = cost(ours, our_start, summary.simulated_s),
          .peer_cost = cost(theirs, their_start, peer.netlist.stop_s)};
}

bool has_netlist(const PeerRequest& request) {
  return fs::exists(request.folder / "peer.cir") || fs::exists(request.folder / "peer.toml");
}

}  // namespace

int check_peers(const PeerRequest& request) {
  const fs::path& folder = request.folder;
  if (request.only == "sundials" || (request.only.empty() && !has_netlist(request))) {
    const std::string why = no_sundials_peers(request.build);
    if (why.empty()) return exit_ok;
    if (request.only == "sundials") throw UsageError(why);
  }
  for (const char* name : {"peer.cir", "peer.toml"}) {
    if (!fs::exists(folder / name)) {
      throw UsageError(
          "this plant has no peer: there is no " + (folder / name).string() +
          " (the same circuit as an ngspice netlist, and the map of signals; see config/plants/README.md)");
    }
  }
  if (find_program("ngspice").empty()) {
    std::fputs("takt bench: ngspice is not installed; on Debian and Ubuntu: sudo apt-get install ngspice\n", stderr);
    return exit_failed;
  }
  Peer peer;
  return read_peer(folder, peer) ? exit_ok : exit_failed;
}

namespace {

/// @return nullopt after errors, which are printed
std::optional<PeerComparison> compare_ngspice(const BuiltPlant& plant, const PeerRequest& request) {
  Peer peer;
  if (!read_peer(request.folder, peer)) return std::nullopt;
  const OnOneCpu pinned(request.cpu);
  const WorkFolder work;
  PeerComparison result;
  result.peer = ngspice_version();
  result.cpu = pinned.cpu();
  result.peer_simulated_s = peer.netlist.stop_s;
  result.peer_step_s = peer.netlist.max_step_s;
  compare(plant, peer, work.path(), result);
  const Timing timing = time_both(plant, peer, request, work.path());
  result.model = timing.takt.model;
  result.takt_simulated_s = timing.takt.simulated_s;
  for (const BenchSubsystem& s : timing.takt.subsystems)
    result.takt_steps.push_back(s.name + " " + duration_text(std::llround(s.step_s * 1e9)));
  result.takt_cost = timing.takt_cost;
  result.peer_cost = timing.peer_cost;
  return result;
}

}  // namespace

int bench_peers(const BuiltPlant& plant, const PeerRequest& request) {
  nlohmann::ordered_json all = nlohmann::ordered_json::object();
  std::string text;
  if (request.only != "sundials" && has_netlist(request)) {
    const std::optional<PeerComparison> ngspice = compare_ngspice(plant, request);
    if (!ngspice) return exit_failed;
    all = parse_json<nlohmann::ordered_json>(peer_json(*ngspice));
    text += peer_text(*ngspice);
  }
  const std::string why_not = request.only == "ngspice" ? "not asked for" : no_sundials_peers(request.build);
  if (why_not.empty()) {
    const auto sundials = compare_sundials(
        plant, {.build = request.build, .duration = request.duration, .runs = request.runs, .cpu = request.cpu});
    if (!sundials) return exit_failed;
    all["sundials"] = parse_json<nlohmann::ordered_json>(sundials_json(*sundials));
    text += sundials_text(*sundials);
  } else if (request.only.empty()) {
    text += "no SUNDIALS peers: " + why_not + "\n";
  }
  std::fputs((request.json ? all.dump(2) + "\n" : text).c_str(), stdout);
  return exit_ok;
}

}  // namespace takt::tools
