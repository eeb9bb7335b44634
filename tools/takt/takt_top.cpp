// takt top: how a run that is under way is, twice a second.

#include <fmt/format.h>
#include <signal.h>
#include <unistd.h>

#include <cstdio>

#include "runtime/command_line/command_line.hpp"
#include "tools/takt/arguments.hpp"
#include "tools/takt/command.hpp"
#include "tools/takt/tap_client.hpp"

namespace takt::tools {
namespace {

using Json = TapClient::Json;

constexpr int period_ms = 500;
constexpr std::size_t events_shown = 8;

struct Options {
  std::string run;
  std::vector<std::string> show;
  std::uint64_t count = 0;
};

volatile sig_atomic_t stop_asked = 0;

/// Since the last view, which says more about now than the mean since the start.
struct Recent {
  double time_s = 0.0, busy_s = 0.0;
};

std::string cpus_text(const Json& hello) {
  std::string text;
  for (const Json& cpu : hello["cpus"])
    text += (text.empty() ? "" : ", ") + (cpu.get<int>() < 0 ? std::string("any") : std::to_string(cpu.get<int>()));
  return text;
}

std::string view(TapClient& client, const Options& options, Recent& recent) {
  const Json& hello = client.hello();
  const Json status = client.ask({{"verb", "status"}});
  const double time = status["time_s"].get<double>(), busy = status["busy_s"].get<double>();
  const double passed = time - recent.time_s;
  std::string out = fmt::format("{}  {}  {}{}\n\n", hello["plant"].get<std::string>(), client.directory().string(),
                                status["phase"].get<std::string>(), hello["paced"].get<bool>() ? ", in real time" : "");
  const auto steps = hello["macro_steps"].get<std::uint64_t>();
  const double whole = static_cast<double>(steps) * hello["macro_step_ns"].get<double>() * 1e-9;
  out += fmt::format("simulated     {:.3f} s{}\n", time, steps > 0 ? fmt::format(" of {:.6g} s", whole) : "");
  out += fmt::format("RTF           {:.4f} since the start", status["rtf"].get<double>());
  if (passed > 0.0) out += fmt::format(", {:.4f} now", (busy - recent.busy_s) / passed);
  out += fmt::format("\nCPUs          {}\n", cpus_text(hello));
  const auto late = status["overruns"].get<std::uint64_t>(), misses = status.value("deadline_misses", late);
  out += fmt::format("late          {} deadlines missed, {} within macro-steps\n", misses, late - misses);
  const auto verdicts = status["verdicts"].get<std::uint64_t>(), alarms = status["ledger_alarms"].get<std::uint64_t>();
  out += fmt::format("verdicts      {}{}\n", verdicts, verdicts > 0 ? "  NOT TO BE TRUSTED" : "");
  if (alarms > 0) out += fmt::format("ledger        {} alarms: a flux does not balance\n", alarms);
  out += fmt::format("observed      {} values, {} rows dropped\n", status["rows"].get<std::uint64_t>(),
                     status["samples_dropped"].get<std::uint64_t>());
  recent = {time, busy};
  if (!options.show.empty()) {
    const Json values = client.ask({{"verb", "read"}, {"paths", options.show}});
    out += '\n';
    for (std::size_t k = 0; k < values["paths"].size(); ++k)
      out += fmt::format(
          "{:<40} {:>16} {}\n", values["paths"][k].get<std::string>(),
          values["values"][k].is_number() ? fmt::format("{:.8g}", values["values"][k].get<double>()) : "nan",
          values["units"][k].get<std::string>());
  }
  const Json events = client.ask({{"verb", "events"}})["events"];
  if (!events.empty()) out += '\n';
  for (std::size_t k = events.size() - std::min(events.size(), events_shown); k < events.size(); ++k)
    out += fmt::format("{:14.6f}  {}\n", static_cast<double>(events[k]["time_ns"].get<std::int64_t>()) / 1e9,
                       events[k]["event"].get<std::string>());
  return out;
}

/// In place of the last one, without flicker: each line is overwritten, and what follows erased.
std::string in_place(const std::string& text) {
  std::string out = "\033[H";
  for (const char c : text) out += c == '\n' ? std::string("\033[K\n") : std::string(1, c);
  return out + "\033[J";
}

}  // namespace

int top_command(int argc, char** argv) {
  command_line::App app{
      "How a run that is under way is, twice a second: time, real-time factor, overruns, values, events.", "takt top"};
  Options options;
  app.add_option("run", options.run, "directory of the run, or its name under ./runs")->required();
  app.add_option("--show", options.show, "paths whose values are shown, also with *");
  app.add_option("--count", options.count, "end after so many views (default: 1 where the output is no terminal)");
  app.example("takt top runs/ev-1 --show translational.car.speed");
  if (const std::optional<int> code = app.parse(argc, argv)) return *code;
  const bool terminal = isatty(STDOUT_FILENO) == 1;
  if (options.count == 0 && !terminal) options.count = 1;
  struct sigaction action {};
  action.sa_handler = [](int) { stop_asked = 1; };
  sigaction(SIGINT, &action, nullptr);
  TapClient client(options.run);
  Recent recent;
  if (terminal) fmt::print("\033[2J");
  for (std::uint64_t shown = 0; stop_asked == 0;) {
    try {
      const std::string text = view(client, options, recent);
      fmt::print("{}", terminal ? in_place(text) : text);
    } catch (const std::runtime_error&) {
      if (!client.has_ended()) throw;
      fmt::print("the run has ended\n");
      break;
    }
    std::fflush(stdout);
    if (++shown == options.count) break;
    if (client.next(period_ms) && client.has_ended()) continue;
  }
  return exit_ok;
}

}  // namespace takt::tools
