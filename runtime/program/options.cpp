#include "runtime/program/options.hpp"

#include <algorithm>

#include "runtime/command_line/command_line.hpp"
#include "runtime/plant/quantity.hpp"
#include "runtime/program/cpu_list.hpp"
#include "runtime/program/run_origin.hpp"

namespace takt {
namespace {

/// Texts as they come from the command line, before they mean anything.
struct Raw {
  std::string pace, start, duration, policy, out, replay, scenario, record_states, resume, audit, cores, fmu_cpus,
      placement, trace, late, trials, before_trigger, after_trigger, round_trip, distort_clock;
  std::vector<std::string> bus, inject, record;
  bool no_report = false, no_results = false, no_tap = false;
};

/// All of it from the table of formats.
void declare_formats(command_line::App& app, CommandLine& options, Raw& raw) {
  app.add_option("--record", raw.record,
                 "recorded signals as " + list_of_formats() + "; both: csv and mdf; several with commas between them")
      ->delimiter(',')
      ->allow_extra_args(false)
      ->one_of(record_words());
  app.add_flag("--compress", options.compress,
               "recorded signals as " + words_of_formats(&RecordFormat::compresses) + " are compressed (zlib)");
  app.add_option("--attach", options.attach,
                 "FILE: a copy of it goes into recorded signals as " + words_of_formats(&RecordFormat::attaches) +
                     ", as one of the plant file does with `takt run` (may be repeated)")
      ->allow_extra_args(false);
  app.add_option("--network", options.network,
                 "FILE.html: a picture of the plant that goes into the report, as `takt run` has it made");
}

void declare(command_line::App& app, CommandLine& options, Raw& raw) {
  app.add_option("--pace", raw.pace, "real: hold the wall clock; free: as fast as possible, no outside clients")
      ->one_of({"real", "free"});
  app.add_option("--start", raw.start,
                 "steady: begin in the steady state; given: from the start values (default: what the plant says)")
      ->one_of({"steady", "given"});
  app.add_option("--for", raw.duration, "simulated time: \"180 s\", \"500 ms\", \"2 min\"");
  app.add_option("--out", raw.out, "directory for the results (default: runs/PLANT-N)");
  app.add_option("--set", options.set, "name=value: a parameter, in SI or with its unit (may be repeated)");
  app.add_option("--input", options.input, "name=value[@time]: a plant input from that time on (may be repeated)");
  app.add_option("--replay", raw.replay, "inputs.csv, or the directory of an earlier run: feed back its plant inputs");
  app.add_option(
      "--action", options.actions,
      "\"TIME: VERB PATH [VALUE]\": set, override, release, inject, clear or tune while the plant runs, e.g. "
      "\"5 s: tune electric.link.c 2 mF\" (may be repeated)");
  auto* scenario = app.add_option(
      "--scenario", raw.scenario,
      "FILE.toml: play this scenario and judge what it expects; beside --replay: judge what the log did");
  app.add_flag("--scenario-signals", options.scenario_signals,
               "record what the scenario reads and sets at every macro-step, too")
      ->needs(scenario);
  app.add_flag("--allow-no-expectation", options.no_expectation_is_fine,
               "a scenario that expects nothing does not fail")
      ->needs(scenario);
  app.add_option("--resume", raw.resume,
                 "FILE of a checkpoint (an action) of this very build: the run goes on from there; --for counts from "
                 "time 0");
  app.add_option("--cpu", options.rig.cpu, "CPU for the real-time thread")->in_range(0, 4095);
  app.add_option("--cores", raw.cores, "CPUs that compute the plant together, in place of one: \"2,3\" or \"2-5\"")
      ->excludes("--cpu");
  app.add_option("--fmu-cpus", raw.fmu_cpus,
                 "CPUs for the processes that compute FMUs in real time (default: those the plant leaves)");
  app.add_option("--placement", raw.placement,
                 "placement.csv of an earlier run: which subsystem on which of the cores");
  app.add_flag("--processes", options.processes, "each of the cores in a process of its own, over shared memory");
  auto* host = app.add_option("--host", options.host,
                              "which host of the rig this is; without: the first, which leads, records and reports");
  app.add_flag("--one-host", options.one_host, "compute everything here, whatever hosts the rig names")->excludes(host);
  app.add_flag(
      "--accept-late", options.accept_late,
      "on several hosts in real time, also where the network is too slow for what crosses: it is extrapolated");
  auto* propose = app.add_option("--propose-hosts", options.propose_hosts,
                                 "instead of a run: which subsystems so many hosts might compute, by what each costs "
                                 "here; tables for a rig file")
                      ->in_range(2, 64);
  app.add_option("--round-trip", raw.round_trip, "with it: of a message between hosts (default: \"0.5 ms\")")
      ->needs(propose);
  app.add_option("--priority", options.rig.priority, "its SCHED_FIFO priority")->in_range(1, 98);
  app.add_option("--policy", raw.policy, "on overrun: count; skip, whole macro-steps of wall time; or stop in order")
      ->one_of(std::vector<std::string>(overrun_policy_words.begin(), overrun_policy_words.end()));
  app.add_option(
      "--late", raw.late,
      "deadlines that a run in real time may miss and still pass: any, 3, \"0.1 %\" (default: the rig's, else "
      "none)");
  app.add_flag("--strict", options.strict, "refuse to start where the machine lacks what real time needs");
  app.add_option("--bus", raw.bus, "bus.key=value: override the rig, e.g. can0.channel=vcan0 (may be repeated)");
  app.add_option("--ledger-alarm", options.ledger_alarm,
                 "share of a flux's throughput that its ledger may be off (default 1e-9)")
      ->positive();
  app.add_option(
         "--tolerate", options.tolerate,
         "CODE: accept this reason not to trust the results, e.g. X008 (may be repeated); it stands in the summary")
      ->check(
          [](const std::string& code) {
            return code.size() == 4 && code[0] == 'X' && code != "X007"
                       ? std::string()
                       : code + " is no verdict that can be tolerated; see `takt explain X008`";
          },
          "CODE");
  app.add_option("--audit", raw.audit,
                 "after the run, parts of it are computed again with shorter steps: off, full, or the computing time "
                 "it may take (default: that of the run, 1 s to 10 s)");
  app.add_option("--record-states", raw.record_states,
                 "record every state, input and output at this period, in place of what the plant records: its "
                 "operating range for `takt check`");
  declare_formats(app, options, raw);
  auto* trigger = app.add_option("--trigger", options.trigger,
                                 "\"electric.link.v > 400 V\": write recorded signals only around the moments at which "
                                 "this becomes true (>, >=, <, <=, ==, !=)");
  app.add_option("--pre", raw.before_trigger, "with --trigger: so much before it (default: 1 s)")->needs(trigger);
  app.add_option("--post", raw.after_trigger, "with --trigger: so much after it (default: 1 s)")->needs(trigger);
  app.add_option("--trace", raw.trace,
                 "leave a trace for ui.perfetto.dev in the results: windows, waits and releases of the last \"10 s\", "
                 "and what lies around the first overruns; or off");
  app.add_flag("--sheet", options.sheet,
               "before a paced run, a schedule sheet from a rehearsal of 1 s to 4 s, or two macro-steps: what every "
               "core and rate takes, "
               "when it responds, and whether that holds");
  app.add_flag("--no-report", raw.no_report, "write no report.html");
  app.add_flag("--no-tap", raw.no_tap, "nobody can look at the run or act on it while it goes on (see `takt tap`)");
  app.add_flag("--hold", options.hold, "a free run waits at time 0 until `takt tap RUN resume` or step");
  app.add_flag("--no-results", raw.no_results, "write nothing at all");
  app.add_flag("--list", options.list, "print the table of plant memory and end");
  app.add_flag("--list-faults", options.list_faults,
               "print what can be injected into elements and messages of buses, and end");
  app.add_flag("--json", options.json, "print summary.json instead of the table");
  app.add_flag("--quiet", options.quiet, "no progress line");
  // For the generator.
  app.add_flag("--list-recorded", options.list_recorded)->group("");
  app.add_option("--trials", raw.trials)->group("");
  // For the tests of the executive itself.
  app.add_flag("--sample-fluxes", options.sample_fluxes)->group("");
  app.add_flag("--one-by-one", options.one_by_one)->group("");
  app.add_option("--inject", raw.inject)->group("");
  app.add_option("--distort-clock", raw.distort_clock)->group("");
}

Injection parse_injection(const std::string& text) {
  const std::size_t first = text.find(':'), second = text.rfind(':');
  const std::string kind = text.substr(0, first);
  Injection injection;
  if (kind == "late") {
    injection.kind = Injection::Kind::late_wakeup;
  } else if (kind == "blocked") {
    injection.kind = Injection::Kind::blocked_exchange;
  } else if (kind != "long") {
    throw std::runtime_error("--inject " + text + ": expected long, late or blocked");
  }
  if (first == std::string::npos || first == second)
    throw std::runtime_error("--inject " + text + ": expected KIND:WINDOW:MICROSECONDS");
  const double macro_step = parse_quantity(text.substr(first + 1, second - first - 1), "1");
  const double microseconds = parse_quantity(text.substr(second + 1), "1");
  if (!(macro_step >= 0.0 && macro_step < 1e15 && microseconds >= 0.0 && microseconds < 1e12))
    throw std::runtime_error("--inject " + text + ": out of range");
  injection.macro_step = static_cast<std::uint64_t>(macro_step);
  injection.duration = WallDuration{static_cast<std::int64_t>(microseconds * 1e3)};
  return injection;
}

/// PPM:JUMP_US:AFTER_S
DistortedClock::Settings parse_distortion(const std::string& text) {
  const std::size_t first = text.find(':'), second = text.rfind(':');
  if (first == std::string::npos || first == second)
    throw std::runtime_error("--distort-clock " + text + ": expected PPM:MICROSECONDS:AFTER_SECONDS");
  return {.ppm = parse_quantity(text.substr(0, first), "1"),
          .jump = WallDuration{static_cast<std::int64_t>(
              parse_quantity(text.substr(first + 1, second - first - 1), "1") * 1e3)},
          .after = WallDuration{static_cast<std::int64_t>(parse_quantity(text.substr(second + 1), "1") * 1e9)}};
}

std::pair<std::string, std::string> parse_pair(const std::string& option, const std::string& text) {
  const std::size_t equals = text.find('=');
  if (equals == 0 || equals == std::string::npos)
    throw std::runtime_error(option + " " + text + ": expected name=value");
  return {text.substr(0, equals), text.substr(equals + 1)};
}

std::vector<int> cpus_in(const std::string& text, const char* option) {
  std::vector<int> cpus = parse_cpu_list(text);
  if (cpus.empty() || cpus.size() > CoreList::most)
    throw std::runtime_error(std::string(option) + " " + text +
                             ": expected CPUs, as in \"2,3\" or \"2-5\", 64 at most");
  return cpus;
}

std::vector<int> cpus_in(const CoreList& cores) {
  return {cores.cpus.begin(), cores.cpus.begin() + static_cast<std::ptrdiff_t>(cores.count)};
}

/// The command line before the rig.
std::vector<int> cpus_of(const CommandLine& options, const Raw& raw, bool cpu_given) {
  if (!raw.cores.empty()) return cpus_in(raw.cores, "--cores");
  if (cpu_given || options.rig.cores.count == 0) return {options.rig.cpu};
  return cpus_in(options.rig.cores);
}

/// "0 s" too.
SimDuration duration_or_none(const std::string& text) {
  if (const double seconds = parse_quantity(text, "s"); seconds == 0.0) return {};
  return SimDuration{parse_duration(text)};
}

void finish_formats(CommandLine& options, const Raw& raw) {
  std::string words;
  for (const std::string& word : raw.record) words += word + ",";
  if (!words.empty()) options.formats = formats_named(words);
  const auto refuse_without = [&](const char* option, bool RecordFormat::*property) {
    if (std::none_of(options.formats.begin(), options.formats.end(),
                     [&](const auto* format) { return format->*property; }))
      throw std::runtime_error(std::string(option) + " needs --record " + words_of_formats(property));
  };
  if (options.compress) refuse_without("--compress", &RecordFormat::compresses);
  if (!options.attach.empty()) refuse_without("--attach", &RecordFormat::attaches);
  if (std::error_code none; !options.network.empty() && !std::filesystem::is_regular_file(options.network, none))
    throw std::runtime_error("--network " + options.network + ": no such file");
}

void finish(CommandLine& options, const Raw& raw) {
  if (!raw.pace.empty()) options.paced = raw.pace == "real";
  if (!raw.replay.empty() && raw.pace.empty()) options.paced = false;
  if (!raw.start.empty()) options.steady = raw.start == "steady";
  if (!raw.duration.empty()) options.duration = SimDuration{parse_duration(raw.duration)};
  if (!raw.policy.empty()) options.rig.policy = overrun_policy(raw.policy), options.rig.group_policies = {};
  if (!raw.late.empty()) {
    const std::optional<LateTolerance> late = late_tolerance(raw.late);
    if (!late) throw std::runtime_error("--late " + raw.late + ": expected " + late_tolerance_words);
    options.rig.late = *late, options.late_given = true;
  }
  if (!raw.record_states.empty()) options.record_states = SimDuration{parse_duration(raw.record_states)};
  options.audit = raw.audit != "off";
  if (raw.audit == "full")
    options.audit_seconds = -1.0;
  else if (options.audit && !raw.audit.empty())
    options.audit_seconds = static_cast<double>(parse_duration(raw.audit)) * 1e-9;
  if (options.paced) options.trace_last = SimDuration{options.rig.trace_ns};
  if (!raw.trace.empty()) options.trace_last = SimDuration{raw.trace == "off" ? 0 : parse_duration(raw.trace)};
  if (raw.no_results && !raw.trace.empty() && options.trace_last > SimDuration{})
    throw std::runtime_error("--trace " + raw.trace + ": --no-results leaves no place for it");
  if (options.sheet && !options.paced) throw std::runtime_error("--sheet needs --pace real");
  finish_formats(options, raw);
  options.list = options.list || options.list_recorded;
  if (!options.trigger.empty() && raw.no_results) throw std::runtime_error("--trigger: --no-results records nothing");
  if (!raw.before_trigger.empty()) options.before_trigger = duration_or_none(raw.before_trigger);
  if (!raw.after_trigger.empty()) options.after_trigger = duration_or_none(raw.after_trigger);
  if (!raw.round_trip.empty()) options.round_trip = SimDuration{parse_duration(raw.round_trip)};
  if (!raw.distort_clock.empty()) options.distort_clock = parse_distortion(raw.distort_clock);
  options.out = raw.out;
  options.placement = raw.placement;
  options.trials = raw.trials;
  options.replay = raw.replay;
  options.scenario = raw.scenario;
  if (!raw.scenario.empty() && !raw.resume.empty())
    throw std::runtime_error("--scenario does not go with --resume: a scenario begins with its run");
  options.resume = raw.resume;
  options.report = !raw.no_report;
  options.results = !raw.no_results;
  options.tap = !raw.no_tap;
  if (options.hold && (options.paced || !options.tap || !options.results))
    throw std::runtime_error("--hold needs a run with --pace free, results and a tap: who else should let it go on?");
  for (const std::string& text : raw.bus) options.bus.push_back(parse_pair("--bus", text));
  for (const std::string& text : raw.inject) options.injections.push_back(parse_injection(text));
  if (!options.injections.empty() && !options.paced) throw std::runtime_error("--inject needs --pace real");
}

}  // namespace

std::optional<CommandLine> parse_command_line(const PlantProgram& program, int argc, char** argv, int& exit_code) {
  CommandLine options;
  options.rig = program.rig;
  options.paced = program.rig.paced;
  Raw raw;
  const std::string title = program.plant.title;
  command_line::App app{title.empty() ? program.plant.name : title, program.plant.name};
  declare(app, options, raw);
  app.example(std::string(argv[0]) + " --pace real --for \"60 s\" --out results");
  app.footer(
      "exit codes: 0 in order; 1 the run or its scenario failed, or its results are not to be trusted; "
      "2 wrong options; 3 not real time, deadlines missed; 4 interrupted");
  try {
    if (const std::optional<int> code = app.parse(argc, argv)) {
      exit_code = *code;
      return std::nullopt;
    }
    options.cpus = cpus_of(options, raw, app.get_option("--cpu")->count() > 0);
    options.rig.cpu = options.cpus.front();
    options.fmu_cpus = raw.fmu_cpus.empty() ? cpus_in(options.rig.fmu_cpus) : cpus_in(raw.fmu_cpus, "--fmu-cpus");
    if (options.processes && options.cpus.size() < 2)
      throw std::runtime_error("--processes needs several cores: give --cores");
    finish(options, raw);
    options.origin = run_origin(program.rig.name, {argv, static_cast<std::size_t>(argc)});
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s: %s\n", program.plant.name, error.what());
    exit_code = 2;
    return std::nullopt;
  }
  return options;
}

}  // namespace takt
