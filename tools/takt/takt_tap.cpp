// takt tap: looks at a run that is under way, and acts on it.

#include <fmt/format.h>
#include <signal.h>

#include <cstdio>

#include "codegen/text/quantity.hpp"
#include "runtime/command_line/command_line.hpp"
#include "runtime/csv/csv.hpp"
#include "runtime/stats/format.hpp"
#include "tools/takt/arguments.hpp"
#include "tools/takt/command.hpp"
#include "tools/takt/tap_client.hpp"
#include "tools/takt/tap_scope.hpp"

namespace takt::tools {
namespace {

using Json = TapClient::Json;

struct Options {
  std::string run, pattern, every = "100 ms", condition, within;
  std::vector<std::string> what, then;
  std::uint64_t count = 0, steps = 1;
  bool csv = false, follow = false, json = false, lease = false;
  ScopeOptions scope;
};

volatile sig_atomic_t stop_asked = 0;

std::string number(const Json& value) { return value.is_number() ? fmt::format("{}", value.get<double>()) : "nan"; }

std::string with_unit(const Json& path, const Json& unit) {
  const std::string text = unit.get<std::string>();
  return fmt::format("{} [{}]", path.get<std::string>(), text.empty() ? "1" : text);
}

int runs(const Options&) {
  const auto found = runs_with_tap();
  for (const auto& directory : found) {
    try {
      TapClient client(directory.string());
      const Json status = client.ask({{"verb", "status"}});
      fmt::print("{:<24} {:<10} {:>12.3f} s  RTF {:.4f}\n", directory.string(), status["phase"].get<std::string>(),
                 status["time_s"].get<double>(), status["rtf"].get<double>());
    } catch (const std::exception&) {
      continue;  // it has ended meanwhile
    }
  }
  if (found.empty()) fmt::print(stderr, "takt tap: no run under ./runs is under way\n");
  return exit_ok;
}

int list(const Options& options) {
  TapClient client(options.run);
  for (std::uint64_t from = 0;;) {
    const Json answer = client.ask({{"verb", "list"}, {"pattern", options.pattern}, {"from", from}});
    for (const Json& row : answer["rows"]) {
      if (options.json)
        fmt::print("{}\n", row.dump());
      else
        fmt::print("{:<12} {}\n", row["role"].get<std::string>(), with_unit(row["path"], row["unit"]));
    }
    if (!answer.contains("next")) return exit_ok;
    from = answer["next"].get<std::uint64_t>();
  }
}

int read(const Options& options) {
  TapClient client(options.run);
  const Json answer = client.ask({{"verb", "read"}, {"paths", options.what}});
  if (options.json) return fmt::print("{}\n", answer.dump()), exit_ok;
  fmt::print("at {} s\n", number(answer["time_s"]));
  for (std::size_t k = 0; k < answer["paths"].size(); ++k)
    fmt::print("{} = {} {}\n", answer["paths"][k].get<std::string>(), number(answer["values"][k]),
               answer["units"][k].get<std::string>());
  return exit_ok;
}

void print_row(const Json& row, const Options& options) {
  const double time = static_cast<double>(row["time_ns"].get<std::int64_t>()) / 1e9;
  if (options.json) return fmt::print("{}\n", row.dump());
  fmt::print("{}", options.csv ? fmt::format("{:.9f}", time) : fmt::format("{:14.6f}", time));
  for (const Json& value : row["values"]) {
    if (options.csv)
      fmt::print(",{}", number(value));
    else
      fmt::print("  {:>14}", value.is_number() ? fmt::format("{:.7g}", value.get<double>()) : "nan");
  }
  fmt::print("\n");
}

void print_heading(const Json& begun, const Options& options) {
  if (options.json) return fmt::print("{}\n", begun.dump());
  fmt::print("{}", options.csv ? "time [s]" : fmt::format("{:>14}", "time [s]"));
  for (std::size_t k = 0; k < begun["paths"].size(); ++k)
    fmt::print("{}", options.csv
                         ? "," + csv_head(begun["paths"][k].get<std::string>(), begun["units"][k].get<std::string>())
                         : "  " + with_unit(begun["paths"][k], begun["units"][k]));
  fmt::print("\n");
}

int watch(const Options& options) {
  const auto every = codegen::parse_duration_ns(options.every);
  if (!every) throw UsageError("--every: " + every.error());
  TapClient client(options.run);
  const Json begun = client.ask({{"verb", "watch"}, {"paths", options.what}, {"every_ns", *every}});
  if (begun["rounded"].get<bool>())
    fmt::print(stderr, "takt tap: every {}, in whole macro-steps of the plant\n",
               short_duration(static_cast<double>(begun["every_ns"].get<std::int64_t>()) / 1e9));
  print_heading(begun, options);
  std::uint64_t printed = 0, dropped = 0;
  while (stop_asked == 0 && !client.has_ended() && (options.count == 0 || printed < options.count)) {
    std::fflush(stdout);
    const std::optional<Json> row = client.next(200);
    if (!row || !row->contains("values")) continue;
    dropped = row->value("dropped", dropped);
    print_row(*row, options);
    ++printed;
  }
  if (dropped > 0)
    fmt::print(stderr, "takt tap: {} rows were dropped: they came faster than they were read\n", dropped);
  return exit_ok;
}

/// "path=value" to both, "path" alone with no value.
Json action_of(const std::string& verb, const std::string& text) {
  const std::size_t equals = text.find('=');
  const bool takes_value = verb != "release" && verb != "clear";
  if (equals == 0 || (takes_value && equals == std::string::npos))
    throw UsageError(fmt::format("{} {}: expected PATH=VALUE", verb, text));
  Json action{{"verb", verb}, {"path", text.substr(0, equals)}};
  if (equals != std::string::npos) action["value"] = text.substr(equals + 1);
  return action;
}

/// A lease lasts as long as the connection.
int keep(TapClient& client) {
  std::fflush(stdout);
  while (stop_asked == 0 && !client.has_ended()) (void)client.next(200);
  return exit_ok;
}

int act(const std::string& verb, const Options& options) {
  Json actions = Json::array();
  for (const std::string& text : options.what) actions.push_back(action_of(verb, text));
  if (verb == "checkpoint") actions.push_back({{"verb", verb}});
  TapClient client(options.run);
  Json request{{"actions", actions}};
  if (options.lease) request["lease"] = true;
  const Json answer = client.ask(request);
  if (options.json)
    fmt::print("{}\n", answer.dump());
  else
    fmt::print("takes effect at {} s\n", number(answer["effective_s"]));
  return options.lease ? keep(client) : exit_ok;
}

void print_event(const Json& event, const Options& options) {
  if (options.json) return fmt::print("{}\n", event.dump());
  fmt::print("{:14.6f}  {}\n", static_cast<double>(event["time_ns"].get<std::int64_t>()) / 1e9,
             event["event"].get<std::string>());
}

int events(const Options& options) {
  TapClient client(options.run);
  const Json answer = client.ask({{"verb", "events"}, {"follow", options.follow}});
  for (const Json& event : answer["events"]) print_event(event, options);
  while (options.follow && stop_asked == 0 && !client.has_ended()) {
    std::fflush(stdout);
    if (const std::optional<Json> event = client.next(200); event && event->contains("event"))
      print_event(*event, options);
  }
  return exit_ok;
}

int status(const Options& options) {
  TapClient client(options.run);
  const Json answer = client.ask({{"verb", "status"}});
  if (options.json) return fmt::print("{}\n", answer.dump()), exit_ok;
  for (const auto& [key, value] : answer.items()) {
    if (key == "id" || key == "ok") continue;
    fmt::print("{:<16} {}\n", key, value.is_string() ? value.get<std::string>() : value.dump());
  }
  return exit_ok;
}

int control(const std::string& verb, const Options& options) {
  TapClient client(options.run);
  Json request{{"verb", verb}};
  if (verb == "step") request["count"] = options.steps;
  const Json answer = client.ask(request);
  if (options.json) return fmt::print("{}\n", answer.dump()), verb == "lease" ? keep(client) : exit_ok;
  fmt::print("{} at {} s\n",
             verb == "step" || verb == "pause" ? "paused"
             : verb == "stop"                  ? "stops"
             : verb == "lease"                 ? "bound to this command"
                                               : "goes on",
             number(answer["effective_s"]));
  return verb == "lease" ? keep(client) : exit_ok;
}

/// "set a=2 V", "pause", "stop"
Json then_of(const std::string& text) {
  if (text == "pause" || text == "stop" || text == "checkpoint") return {{"verb", text}};
  const std::size_t space = text.find(' ');
  if (space == std::string::npos) throw UsageError("--then \"" + text + "\": expected VERB PATH=VALUE, pause or stop");
  return action_of(text.substr(0, space), text.substr(space + 1));
}

/// To the line that says what has come of it. Ends with the run, and with Ctrl-C: then nothing is awaited any more.
int await(const Options& options) {
  Json request{{"verb", "await"}, {"condition", options.condition}, {"within", options.within}};
  for (const std::string& text : options.then) request["then"].push_back(then_of(text));
  TapClient client(options.run);
  const Json begun = client.ask(request);
  std::optional<Json> line;
  while (stop_asked == 0 && !client.has_ended() && !(line && line->value("await", Json()) == begun["await"]))
    line = client.next(200);
  if (!line || !line->contains("held")) return exit_failed;
  const bool held = (*line)["held"].get<bool>();
  const std::string problem = line->value("error", std::string());
  if (options.json)
    fmt::print("{}\n", line->dump());
  else if (held)
    fmt::print("held at {} s, macro-step {}\n", number((*line)["time_s"]), (*line)["step"].dump());
  else
    fmt::print("did not hold until {} s: {}\n", number((*line)["time_s"]), (*line)["because"].get<std::string>());
  if (!problem.empty()) fmt::print(stderr, "takt tap: {}\n", problem);
  return held && problem.empty() ? exit_ok : exit_failed;
}

void declare(command_line::App& app, Options& options) {
  app.add_option("run", options.run, "directory of the run, or its name under ./runs; without: which can be asked now");
  app.require_subcommand(0, 1);
  app.example(
      "takt tap\n"
      "takt tap runs/ev-1 list \"*.speed\"\n"
      "takt tap runs/ev-1 read translational.car.speed \"solid.*.t\"\n"
      "takt tap runs/ev-1 watch translational.car.speed --every \"100 ms\"\n"
      "takt tap runs/ev-1 scope electric.link.v --post \"5 ms\"\n"
      "takt tap runs/ev-1 set fan_duty=1\n"
      "takt tap runs/ev-1 override solid.winding.t=\"95 degC\"\n"
      "takt tap runs/ev-1 release solid.winding.t\n"
      "takt tap runs/ev-1 inject solid.winding.t=\"offset 20 K\"\n"
      "takt tap runs/ev-1 clear solid.winding.t\n"
      "takt tap runs/ev-1 tune mass=\"2000 kg\"\n"
      "takt tap runs/ev-1 await \"translational.car.speed > 10 m/s\" --within 60s --then pause\n"
      "takt tap runs/ev-1 checkpoint\n"
      "takt tap runs/ev-1 events --follow\n"
      "takt tap runs/ev-1 status\n"
      "takt tap runs/ev-1 pause\n"
      "takt tap runs/ev-1 step 10\n"
      "takt tap runs/ev-1 resume\n"
      "takt tap runs/ev-1 lease\n"
      "takt tap runs/ev-1 stop");
  const auto verb = [&](const char* name, const char* summary) {
    command_line::App* sub = app.add_subcommand(name, summary);
    sub->add_flag("--json", options.json, "the answer as it comes");
    return sub;
  };
  const auto acts = [&](const char* name, const char* summary, const char* what) {
    command_line::App* sub = verb(name, summary);
    sub->add_option("what", options.what, std::string(what) + ", several take effect at the same time")->required();
    return sub;
  };
  const auto leases = [&](command_line::App* sub) {
    sub->add_flag("--lease", options.lease, "until Ctrl-C or the end of this command, however that comes: then undone");
  };
  verb("list", "what there is in plant memory")
      ->add_option("pattern", options.pattern, "part of a path, or with * and ?");
  verb("read", "values now")->add_option("path", options.what, "paths, also with *")->required();
  command_line::App* watches = verb("watch", "values again and again, until Ctrl-C or the end of the run");
  watches->add_option("path", options.what, "paths, also with *")->required();
  watches->add_option("--every", options.every, "simulated time from row to row (default: \"100 ms\")");
  watches->add_option("--count", options.count, "end after so many rows");
  watches->add_flag("--csv", options.csv, "comma-separated, all digits");
  leases(acts("set", "plant inputs, against what comes from outside", "PATH=VALUE"));
  leases(acts("override", "what readers see", "PATH=VALUE"));
  acts("release", "end of set and override", "PATH");
  leases(
      acts("inject",
           "a fault of what readers see: \"offset 2 K\", stuck, ...; of an element, by its name; of frames of a bus, "
           "can0.send.MESSAGE=\"drop x5\"",
           "PATH=FAULT"));
  acts("clear", "end of it", "PATH[=FAULT]");
  acts("tune", "parameters", "PATH=VALUE");
  verb("checkpoint", "the plant as it is now, into a file of the run directory, for --resume");
  verb("events", "what has been done to the run, and what it has met")
      ->add_flag("--follow", options.follow, "and what comes, until Ctrl-C or the end of the run");
  verb("status", "time, real-time factor, overruns, what was dropped");
  verb("pause", "hold a free run after the macro-step under way");
  verb("resume", "let it go on");
  verb("step", "so many macro-steps, then pause")->add_option("count", options.steps, "default: 1");
  verb("stop", "end the run in order");
  verb("lease", "bind the run to this command: where that ends, by Ctrl-C or however, the run ends in order");
  command_line::App* awaits = verb("await", "until a condition holds in the plant: judged at every macro-step");
  awaits->add_option("condition", options.condition, "as in scenarios: \"translational.car.speed > 10 m/s\"")
      ->required();
  awaits->add_option("--within", options.within, "simulated time; exit code 1 where it does not hold")->required();
  awaits->add_option("--then", options.then, "done at the same boundary: \"set PATH=VALUE\", pause, stop; several");
  command_line::App* scopes = app.add_subcommand("scope", "values at every micro-step of their subsystem, as CSV");
  scopes->add_option("path", options.scope.paths, "of one subsystem, 16 at most; also with *")->required();
  scopes->add_option("--post", options.scope.post, "simulated time from the trigger on; without one, from now on")
      ->required();
  scopes->add_option("--pre", options.scope.pre, "simulated time before the trigger (default: 0 s)");
  scopes->add_option("--trigger", options.scope.trigger,
                     "a condition over values of that subsystem: it comes where this begins to hold");
  scopes->add_option("--every", options.scope.every,
                     "simulated time of a row, with the least and the largest of each value (default: a micro-step)");
  scopes->add_option("--out", options.scope.out, "into this file");
}

}  // namespace

int tap_command(int argc, char** argv) {
  command_line::App app{"Looks at a run that is under way, and acts on it.", "takt tap"};
  Options options;
  declare(app, options);
  if (const std::optional<int> code = app.parse(argc, argv)) return *code;
  if (options.run.empty()) return runs(options);
  const std::string verb = app.given_subcommand();
  const std::string nearest = app.nearest_subcommand(options.run);
  if (verb.empty() && !nearest.empty() && !std::filesystem::exists(options.run))
    throw UsageError("no command and no run '" + options.run + "'; " + nearest);
  if (verb.empty()) throw UsageError("what is to be done with the run? `takt tap --help` lists it");
  struct sigaction action {};
  action.sa_handler = [](int) { stop_asked = 1; };
  sigaction(SIGINT, &action, nullptr);
  if (verb == "list") return list(options);
  if (verb == "read") return read(options);
  if (verb == "watch") return watch(options);
  if (verb == "events") return events(options);
  if (verb == "await") return await(options);
  if (verb == "scope") return tap_scope(options.run, options.scope, stop_asked);
  if (verb == "status") return status(options);
  if (verb == "pause" || verb == "resume" || verb == "step" || verb == "stop" || verb == "lease")
    return control(verb, options);
  return act(verb, options);
}

}  // namespace takt::tools
