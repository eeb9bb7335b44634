// takt reference PLANT: the whole plant as one system, solved tightly by SUNDIALS; what a run is compared with.

#include <fmt/format.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <fstream>
#include <functional>
#include <map>
#include <nlohmann/json.hpp>

#include "codegen/pipeline.hpp"
#include "codegen/reference/reference_run.hpp"
#include "codegen/text/quantity.hpp"
#include "runtime/csv/csv.hpp"
#include "runtime/io/record/run_directory.hpp"
#include "runtime/io/record/run_files.hpp"
#include "runtime/io/record/text_file.hpp"
#include "tools/takt/check_waiting.hpp"
#include "tools/takt/command.hpp"
#include "tools/takt/home.hpp"
#include "tools/takt/modelica_plant.hpp"
#include "tools/takt/plant_arguments.hpp"
#include "tools/takt/replayed_inputs.hpp"
#include "tools/takt/steady_states.hpp"
#include "tools/takt/wait_line.hpp"

namespace takt::tools {

using namespace takt::codegen;

namespace {

struct ReferenceArguments : PlantArguments {
  std::string duration, out, start, replay, method = "ida", step;
  std::vector<std::string> inputs;
  double relative = 1e-9, absolute = 0.0, largest_step = 0.0, at_most_s = 0.0;
  bool json = false;
};

void declare(command_line::App& app, ReferenceArguments& arguments) {
  declare_plant(app, arguments);
  app.add_option("--for", arguments.duration, "simulated time (default: the plant's own)");
  app.add_option("--method", arguments.method,
                 "ida: implicit, on the DAE itself; cvode: implicit, ark: explicit, both on its states; fixed: RK4 "
                 "with fixed steps")
      ->one_of({"ida", "cvode", "ark", "fixed"})
      ->capture_default_str();
  app.add_option("--step", arguments.step, "step of method fixed, e.g. 1ms");
  app.add_option("--start", arguments.start,
                 "begin with the steady state that this run of the plant (a run directory) began with");
  app.add_option("--input", arguments.inputs, "name=value[@time]: a plant input from that time on (may be repeated)");
  app.add_option("--replay", arguments.replay,
                 "inputs.csv, or the directory of an earlier run: feed back its plant inputs");
  app.add_option("--rtol", arguments.relative, "relative tolerance")->in_range(1e-13, 0.1)->capture_default_str();
  app.add_option(
      "--atol", arguments.absolute,
      "absolute tolerance, in parts of 1e5 Pa, 300 K, 1e5 J/kg, 1 W, 1 J, 1e-3 of any other unit (default: --rtol)");
  app.add_option(
         "--max-step", arguments.largest_step,
         "largest step, s (default: the shortest record period, or a quarter of the shortest period of a source)")
      ->non_negative();
  app.add_option("--at-most", arguments.at_most_s,
                 "end after so much wall time, s, with what was reached by then (default: when it is done)")
      ->positive();
  app.add_option("--out", arguments.out,
                 "folder for signals.csv, summary.json and, of switches, events.csv (default: runs/PLANT-N)");
  app.add_flag("--json", arguments.json, "print the summary for machines");
  app.example(
      "takt reference config/plants/drive --out runs/tight\n"
      "takt run config/plants/drive --out runs/drive && takt compare runs/drive runs/tight");
  app.footer(
      "Node potentials, across and through variables of all branches, balances and laws of all domains are one system "
      "without cuts and couplings; SUNDIALS IDA integrates it. Storages that others determine are reduced to index 1 "
      "by their differentiated constraints. Control blocks run at their instants. Where a gate or a diode switches, "
      "integration ends and begins anew: edges of gates are computed, modes are found on the solution (events.csv). A "
      "plant that starts from a steady state takes that of a run (--start).");
}

/// signals.csv as a run writes it.
class SignalFile {
 public:
  SignalFile(const Network& network, const std::vector<ReferenceRecord>& records, const std::filesystem::path& path) {
    file_.open(path);
    file_.add("time [s]");
    for (const ReferenceRecord& record : records)
      for (const SymbolId symbol : record.symbols) {
        file_.add("," + csv_head(network.graph().symbol(symbol).path, network.shown_unit(symbol)));
        ++columns_;
      }
    file_.add('\n');
  }
  void row(std::int64_t time_ns, const std::vector<std::pair<std::size_t, double>>& values) {
    file_.add_seconds(SimTime{time_ns});
    std::size_t next = 0;
    for (std::size_t column = 0; column < columns_; ++column) {
      file_.add(',');
      if (next < values.size() && values[next].first == column) file_.add(values[next++].second);
    }
    file_.add('\n');
    file_.flush_if_large();
  }
  void close() { file_.close(); }

 private:
  TextFile file_;
  std::size_t columns_ = 0;
};

/// When what switched; the last column is the condition, in its unit, at which a mode turned by itself.
class EventFile {
 public:
  EventFile(const Graph& graph, bool wanted, const std::filesystem::path& path) : graph_(graph), wanted_(wanted) {
    if (!wanted) return;
    file_.open(path);
    file_.add("time [s],signal,value,condition\n");
  }
  void add(const SwitchEvent& event) {
    file_.add(fmt::format("{},{},{:.0f},{:.2g}\n", event.time, csv_cell(graph_.symbol(event.symbol).path), event.value,
                          event.condition));
    file_.flush_if_large();
  }
  void close() {
    if (wanted_) file_.close();
  }

 private:
  const Graph& graph_;
  bool wanted_;
  TextFile file_;
};

/// Between two rows --at-most ends a run in order; one that does not get that far is ended by the alarm.
std::function<bool()> time_is_up(double at_most_s) {
  if (at_most_s <= 0.0) return {};
  alarm(static_cast<unsigned>(2.0 * at_most_s) + 5U);
  return [end = std::chrono::steady_clock::now() + std::chrono::duration<double>(at_most_s)] {
    return std::chrono::steady_clock::now() >= end;
  };
}

/// What the plant records and the flattened system has; a reduced plant has states of its own.
std::vector<ReferenceRecord> records_of(const Plan& plan, const ReferenceRun& run, const Graph& graph) {
  std::vector<ReferenceRecord> records;
  for (const PlanRecord& record : plan.records) {
    records.push_back({record.period_ns, {}});
    for (const SymbolId symbol : record.symbols) {
      if (run.has_symbol(symbol))
        records.back().symbols.push_back(symbol);
      else
        fmt::print(stderr, "not in the flattened plant, left out: {}\n", graph.symbol(symbol).path);
    }
  }
  return records;
}

std::int64_t duration_of(const ReferenceArguments& arguments, const Network& network, const ReplayedInputs& replayed) {
  if (arguments.duration.empty()) {
    if (!replayed.unfinished.empty()) throw UsageError(replayed.unfinished);
    if (replayed.duration_ns > 0) return replayed.duration_ns;
    if (network.default_duration_ns) return *network.default_duration_ns;
    throw UsageError("the plant has no duration of its own: give --for");
  }
  const auto parsed = parse_duration_ns(arguments.duration);
  if (!parsed) throw UsageError("--for: " + parsed.error());
  if (!replayed.unfinished.empty() && *parsed > replayed.duration_ns) throw UsageError(replayed.unfinished);
  return *parsed;
}

ReferenceOptions run_options(const ReferenceArguments& arguments, std::int64_t duration_ns) {
  ReferenceOptions options{duration_ns, {}, ReferenceMethod::ida};
  options.integration.relative = arguments.relative;
  options.integration.absolute = arguments.absolute > 0.0 ? arguments.absolute : arguments.relative;
  options.integration.largest_step = arguments.largest_step;
  if (arguments.method == "cvode") options.method = ReferenceMethod::cvode;
  if (arguments.method == "ark") options.method = ReferenceMethod::ark;
  if (arguments.method != "fixed") return options;
  options.method = ReferenceMethod::fixed;
  const auto step = parse_duration_ns(arguments.step);
  if (!step || *step <= 0) throw UsageError("method fixed needs --step, such as 1ms");
  options.integration.step = static_cast<double>(*step) * 1e-9;
  return options;
}

std::string simulated_text(std::int64_t reached_ns, std::int64_t duration_ns) {
  const auto seconds = [](std::int64_t time_ns) { return static_cast<double>(time_ns) * 1e-9; };
  return fmt::format("{:.4g} of {:.6g} s simulated", seconds(reached_ns), seconds(duration_ns));
}

int reference(const ReferenceArguments& arguments) {
  Diagnostics diagnostics;
  const CheckOptions options{.library = {find_home().library},
                             .overrides = overrides(arguments.set),
                             .rig = std::nullopt,
                             .solve = solve_file(arguments)};
  std::optional<Checked> checked = check_waiting(plant_or_model(arguments.plant), options, diagnostics);
  std::optional<ReferenceRun> run;
  ReplayedInputs replayed;
  if (checked && !checked->network.foreign.empty())
    diagnostics.error("F005", checked->network.foreign.front().where, "a reference run has no equations of FMUs",
                      "compare with a plant that has elements in their place");
  if (checked && !diagnostics.has_errors()) {
    replayed = replayed_inputs(arguments.replay, arguments.inputs, *checked);
    if ((arguments.replay.empty() ? checked->network.steady_start : replayed.steady) && arguments.start.empty())
      diagnostics.error("F003", {checked->network.files.front(), 0, 0},
                        "a reference run begins with the start values as given, not with a steady state",
                        "run the plant and give that run with --start");
    std::map<std::string, double> states;
    if (!arguments.start.empty()) states = steady_states(arguments.start);
    const WaitLine line("flattening " + checked->network.name);
    run.emplace(checked->network, diagnostics, &checked->topology, arguments.start.empty() ? nullptr : &states);
  }
  fmt::print(stderr, "{}", diagnostics.render(isatty(STDERR_FILENO) == 1));
  if (!run || diagnostics.has_errors()) return exit_failed;
  const std::int64_t duration = duration_of(arguments, checked->network, replayed);
  ReferenceOptions wanted = run_options(arguments, duration);
  wanted.inputs = std::move(replayed.changes);
  wanted.look_s = shortest_step_s(checked->plan);
  wanted.enough = time_is_up(arguments.at_most_s);
  const std::vector<ReferenceRecord> records = records_of(checked->plan, *run, checked->network.graph());
  const RunDirectory claimed = make_run_directory(arguments.out, checked->network.name);
  const std::filesystem::path& directory = claimed.path;
  SignalFile signals(checked->network, records, run_file(directory, "signals.csv"));
  const Network& network = checked->network;
  const bool switched = !network.gates.empty() || !network.modes.empty() || !network.events.empty();
  EventFile events(network.graph(), switched, run_file(directory, "events.csv"));
  const auto begin = std::chrono::steady_clock::now();
  std::atomic<std::int64_t> reached_ns{0};
  std::optional<WaitLine> line(std::in_place, "solving " + network.name,
                               [&] { return simulated_text(reached_ns, duration); });
  const ReferenceResult result = run->run(
      wanted, records,
      [&](std::int64_t time_ns, const auto& row) {
        reached_ns.store(time_ns, std::memory_order_relaxed);
        signals.row(time_ns, row);
      },
      [&](const SwitchEvent& event) { events.add(event); });
  line.reset();
  signals.close();
  events.close();
  const std::chrono::duration<double> wall = std::chrono::steady_clock::now() - begin;
  const nlohmann::ordered_json summary{{"model", checked->network.name},
                                       {"reference", true},
                                       {"method", arguments.method},
                                       {"rtol", arguments.relative},
                                       {"atol", wanted.integration.absolute},
                                       {"step_s", wanted.integration.step},
                                       {"equations", result.equations},
                                       {"differential", result.differential},
                                       {"dependent_storages", result.dependent},
                                       {"simulated_s", static_cast<double>(result.reached_ns) * 1e-9},
                                       {"wall_s", wall.count()},
                                       {"steps", result.counts.steps},
                                       {"evaluations", result.counts.evaluations},
                                       {"factorisations", result.counts.factorisations},
                                       {"failed_error_tests", result.counts.failed_tests},
                                       {"restarts", result.counts.restarts},
                                       {"gate_edges", result.gate_edges},
                                       {"mode_changes", result.mode_changes}};
  write_run_file(directory, "summary.json", summary.dump(2) + "\n");
  if (arguments.json) {
    fmt::print("{}\n", summary.dump(2));
  } else {
    fmt::print(
        "{}: {} equations, {} of them differential, {} dependent storages; {:g} s in {:.2f} s, {} steps, {} "
        "restarts\n{}\n",
        checked->network.name, result.equations, result.differential, result.dependent,
        static_cast<double>(result.reached_ns) * 1e-9, wall.count(), result.counts.steps, result.counts.restarts,
        directory.string());
  }
  return exit_ok;
}

}  // namespace

int reference_command(int argc, char** argv) {
  command_line::App app{
      "Solve the whole plant as one system by SUNDIALS, tightly and offline: what a run is compared with.",
      "takt reference"};
  ReferenceArguments arguments;
  declare(app, arguments);
  if (const std::optional<int> code = app.parse(argc, argv)) return *code;
  return reference(arguments);
}

}  // namespace takt::tools
