// takt can: frames on a bus and in logs, with the names of a CAN database.

#include <signal.h>

#include <algorithm>
#include <atomic>
#include <cstdio>
#include <fstream>
#include <iostream>

#include "codegen/dbc/dbc.hpp"
#include "codegen/text/quantity.hpp"
#include "runtime/command_line/command_line.hpp"
#include "runtime/io/can/bus.hpp"
#include "runtime/plant/wall_clock.hpp"
#include "tools/takt/arguments.hpp"
#include "tools/takt/can_encode.hpp"
#include "tools/takt/can_link.hpp"
#include "tools/takt/can_log.hpp"
#include "tools/takt/can_log_file.hpp"
#include "tools/takt/can_printer.hpp"
#include "tools/takt/can_replay.hpp"
#include "tools/takt/can_stats.hpp"
#include "tools/takt/command.hpp"

namespace takt::tools {

using namespace takt::codegen;

namespace {

struct Options {
  std::string bus = "socketcand:127.0.0.1:29536/can0", dbc, log, lasting, period, channel, direction;
  std::vector<std::string> what, only;
  std::uint64_t count = 0, loops = 1;
  double speed = 1.0;
  bool json = false, fd = false, j1939 = false;
};

std::atomic<bool> stop_asked{false};  // by a signal that any thread may take
static_assert(std::atomic<bool>::is_always_lock_free);

/// @param j1939  whatever the database says
std::optional<Dbc> load(const std::string& file, bool j1939 = false) {
  Diagnostics diagnostics;
  auto dbc = load_dbc(existing_file(file, "CAN database").string(), diagnostics);
  Diagnostics errors;  // warnings about a database are for `takt can show`
  for (const auto& d : diagnostics.all()) {
    if (d.severity == Severity::error) errors.error(d.code, d.where, d.message, d.hint);
  }
  std::fputs(errors.render().c_str(), stderr);
  if (errors.has_errors()) return std::nullopt;
  if (dbc && j1939) set_j1939(*dbc, true);
  if (dbc && !dbc->broken.empty())
    std::fprintf(stderr, "takt can: %zu messages and signals of %s cannot be read: `takt can show` names them\n",
                 dbc->broken.size(), file.c_str());
  return dbc;
}

/// @return 0 where nothing is given
WallDuration duration(const std::string& text) {
  if (text.empty()) return {};
  const auto ns = parse_duration_ns(text);
  if (!ns) throw UsageError(ns.error());
  return WallDuration{*ns};
}

// ---------------------------------------------------------------- dump, decode

/// As logs name it: "vcan0"; of "socketcand:HOST:PORT/CHANNEL/TOKEN" without the token; slcan has no name.
std::string channel_of(const std::string& bus) {
  if (bus.starts_with("slcan:")) return "slcan";
  const std::string name = bus.substr(std::min(bus.find('/') + 1, bus.size()));
  return name.substr(0, name.find('/'));
}

int dump(const Options& options) {
  const auto dbc = options.dbc.empty() ? std::nullopt : load(options.dbc, options.j1939);
  if (!options.dbc.empty() && !dbc) return exit_failed;
  const auto bus = can::open_bus(options.bus, {});
  std::fprintf(stderr, "takt can dump: %s\n", bus->text().c_str());
  const FramePrinter printer(dbc ? &*dbc : nullptr, options.only, options.json);
  const WallTime begin = wall_now();
  const WallDuration lasting = duration(options.lasting);
  const std::string channel = channel_of(options.bus);
  std::uint64_t printed = 0;
  while (!stop_asked && (options.count == 0 || printed < options.count)) {
    const WallTime now = wall_now();
    if (lasting > WallDuration{} && now - begin >= lasting) break;
    bus->wait(now + WallDuration{100'000'000});
    LoggedFrame logged;
    logged.channel = channel;
    while ((options.count == 0 || printed < options.count) && bus->receive(logged.frame)) {
      logged.time_s = (logged.frame.stamp - begin).seconds();
      printed += printer.print(logged) ? 1U : 0U;
    }
    std::fflush(stdout);
  }
  return exit_ok;
}

int decode(const Options& options) {
  const auto dbc = load(options.dbc, options.j1939);
  if (!dbc) return exit_failed;
  const FramePrinter printer(&*dbc, options.only, options.json);
  Dbc by_groups = *dbc;
  set_j1939(by_groups, true);
  std::uint64_t known = 0, too_short = 0, only_by_group = 0;
  const LogCounts counts = read_log(options.log, [&](const LoggedFrame& logged, std::uint64_t) {
    const auto* message = dbc->heard_as(logged.frame.id, logged.frame.extended);
    known += message != nullptr ? 1U : 0U;
    only_by_group +=
        message == nullptr && by_groups.heard_as(logged.frame.id, logged.frame.extended) != nullptr ? 1U : 0U;
    too_short += message != nullptr && !logged.frame.remote && logged.frame.len < message->length ? 1U : 0U;
    printer.print(logged);
  });
  const std::string shorter =
      too_short > 0 ? " (" + std::to_string(too_short) + " of them shorter than their message)" : "";
  std::fprintf(stderr, "takt can decode: %llu frames, %llu of messages in the database%s%s",
               static_cast<unsigned long long>(counts.frames), static_cast<unsigned long long>(known), shorter.c_str(),
               rest_text(counts).c_str());
  if (only_by_group > 0)
    std::fprintf(stderr,
                 "takt can decode: %llu more frames have the parameter groups of messages, but other addresses or "
                 "priorities: if this is J1939, which the database does not say, give --j1939\n",
                 static_cast<unsigned long long>(only_by_group));
  return counts.frames > 0 ? exit_ok : exit_failed;
}

int stats(const Options& options) {
  const auto dbc = options.dbc.empty() ? std::nullopt : load(options.dbc, options.j1939);
  if (!options.dbc.empty() && !dbc) return exit_failed;
  FrameStats all;
  const LogCounts counts = read_log(options.log, [&](const LoggedFrame& logged, std::uint64_t) { all.add(logged); });
  all.print(dbc ? &*dbc : nullptr, options.json);
  std::fprintf(stderr, "takt can stats: %llu frames%s", static_cast<unsigned long long>(counts.frames),
               rest_text(counts).c_str());
  return counts.frames > 0 ? exit_ok : exit_failed;
}

// ---------------------------------------------------------------- encode, send

/// With what the command line says about its messages.
std::optional<Dbc> load_to_send(const Options& options) {
  auto dbc = load(options.dbc);
  if (dbc && options.fd) set_fd(*dbc, true);
  return dbc;
}

int encode(const Options& options) {
  if (options.what.empty() == options.log.empty())
    throw UsageError("give either MESSAGE SIGNAL=VALUE ... or --from FILE with JSON lines");
  const auto dbc = load_to_send(options);
  if (!dbc) return exit_failed;
  if (options.log.empty()) {
    std::puts(frame_text(message_frame(*dbc, options.what)).c_str());
    return exit_ok;
  }
  std::ifstream file;
  if (options.log != "-") file.open(existing_file(options.log, "file of JSON lines"));
  std::istream& in = options.log == "-" ? std::cin : file;
  std::size_t number = 0, judged = 0, refused = 0;
  for (std::string line; std::getline(in, line);) {
    ++number;
    if (line.find_first_not_of(" \t\r") == std::string::npos) continue;
    ++judged;
    try {
      std::puts(log_line(json_frame(*dbc, line)).c_str());
    } catch (const UsageError& wrong) {
      ++refused;  // each line is judged by itself
      std::fprintf(stderr, "takt can encode: %s:%zu: %s\n", options.log.c_str(), number, wrong.what());
    }
  }
  if (refused == 0) return exit_ok;
  std::fprintf(stderr, "takt can encode: %zu of %zu lines were refused and are not printed\n", refused, judged);
  return exit_failed;
}

int send(const Options& options) {
  std::optional<can::Frame> frame;
  if (options.dbc.empty() && options.fd)
    throw UsageError("--fd is about messages of --dbc; write a frame as 123##1DATA");
  if (!options.dbc.empty()) {
    const auto dbc = load_to_send(options);
    if (!dbc) return exit_failed;
    frame = message_frame(*dbc, options.what);
  } else {
    frame = options.what.size() == 1 ? parse_frame_text(options.what.front()) : std::nullopt;
    if (!frame)
      throw UsageError("write a frame as 123#1122 (or 00000123#1122), or give --dbc and MESSAGE SIGNAL=VALUE ...");
  }
  const auto bus = can::open_bus(options.bus, {});
  const WallDuration none, period = duration(options.period), lasting = duration(options.lasting);
  const WallTime begin = wall_now();
  std::uint64_t sent = 0;
  for (WallTime next = begin;; next += period) {
    if (!bus->send(*frame)) throw can::BusError(bus->text() + " does not take the frame " + frame_text(*frame));
    ++sent;
    bus->wait(wall_now());
    const bool again = period > none && !stop_asked && (lasting == none || next + period - begin < lasting) &&
                       (options.count == 0 || sent < options.count);
    if (!again) break;
    for (can::Frame other; wall_now() < next + period && !stop_asked;) {
      bus->wait(next + period);
      while (bus->receive(other)) {
      }
    }
  }
  std::fprintf(stderr, "takt can send: %s, %llu times\n", frame_text(*frame).c_str(),
               static_cast<unsigned long long>(sent));
  return exit_ok;
}

// ---------------------------------------------------------------- replay

int replay_log(const Options& options) {
  const auto dbc = options.dbc.empty() ? std::nullopt : load(options.dbc, options.j1939);
  if (!options.dbc.empty() && !dbc) return exit_failed;
  using Way = LoggedFrame::Way;
  const Way way = options.direction.empty() ? Way::unknown : options.direction == "rx" ? Way::received : Way::sent;
  const ReplayLog log = read_replay(
      options.log, {.dbc = dbc ? &*dbc : nullptr, .only = options.only, .channel = options.channel, .way = way});
  const auto bus = can::open_bus(options.bus, {});
  std::fprintf(stderr, "takt can replay: %zu frames in %.6f s%s onto %s\n", log.frames.size(),
               log.frames.back().time_s - log.frames.front().time_s,
               log.passed_over > 0
                   ? (", without " + std::to_string(log.passed_over) + " error frames and other events,").c_str()
                   : "",
               bus->text().c_str());
  const ReplayResult result =
      replay(log, *bus, {.speed = options.speed, .loops = options.loops, .goes_on = +[] { return !stop_asked; }});
  std::fprintf(
      stderr, "takt can replay: %llu frames, %llu times the whole log; late by p50 %.1f us, p99 %.1f us, max %.1f us\n",
      static_cast<unsigned long long>(result.frames), static_cast<unsigned long long>(result.loops), result.p50_us,
      result.p99_us, result.max_us);
  return exit_ok;
}

// ---------------------------------------------------------------- show

int show(const Options& options) {
  Diagnostics diagnostics;
  const auto dbc = load_dbc(existing_file(options.log, "CAN database").string(), diagnostics);
  std::fputs(diagnostics.render().c_str(), stderr);
  if (!dbc) return exit_failed;
  for (const auto& message : dbc->messages) {
    std::printf("%s  id 0x%X%s  %u bytes%s%s%s\n", message.name.c_str(), message.id,
                message.extended ? " (29 bits)" : "", message.length,
                message.fd                                ? "  CAN FD"
                : message.j1939 && message.is_one_frame() ? "  J1939"
                : message.is_one_frame()                  ? ""
                                                          : "  in parts, by a transport protocol",
                message.senders.empty() ? "" : "  from ",
                message.senders.empty() ? "" : message.senders.front().c_str());
    for (const auto& signal : message.signals) {
      std::printf("    %-32s %3u|%-2u%s  *%s %s%s  %s%s\n", signal.name.c_str(), signal.start, signal.length,
                  signal.order == ByteOrder::little ? "" : " big-endian", number_text(signal.factor).c_str(),
                  signal.offset < 0 ? "" : "+", number_text(signal.offset).c_str(), signal.unit.c_str(),
                  signal.multiplexer      ? "  (multiplexer)"
                  : signal.multiplexed_by ? "  (multiplexed)"
                                          : "");
    }
  }
  return diagnostics.has_errors() ? exit_failed : exit_ok;
}

}  // namespace

int can_command(int argc, char** argv) {
  Options options;
  command_line::App app{"Frames on a CAN bus and in logs, with the names of a CAN database; interfaces."};
  app.name(argv[0]);
  app.require_subcommand(1);
  app.example(
      "takt can dump --bus socketcand:127.0.0.1:29536/can0 --dbc config/can/ev.dbc --only BMS_State\n"
      "takt can send --bus vcan0 --dbc config/can/ev.dbc DRIVER_Command accelerator=20 --period 10ms\n"
      "takt can send 110#E803100000\n"
      "takt can replay drive.log --to vcan0 --direction rx --only 110,120 --loop 10\n"
      "takt can encode DRIVER_Command accelerator=20 key=on --dbc config/can/ev.dbc\n"
      "takt can decode drive.log --dbc config/can/ev.dbc --json\n"
      "takt can stats drive.log --dbc config/can/ev.dbc\n"
      "takt can show config/can/ev.dbc\n"
      "takt can setup can0 --bitrate 500k --sample-point 0.875 --restart 100ms\n"
      "takt can state can0\n"
      "takt can restart can0");
  const auto common = [&](command_line::App* sub) {
    sub->add_option("--bus", options.bus,
                    "CAN interface (vcan0), socketcand:ADDRESS:PORT/CHANNEL[/TOKEN] or slcan:ADDRESS:PORT[/TOKEN]")
        ->capture_default_str();
    sub->add_option("--for", options.lasting, "how long, e.g. 5s; without: until interrupted");
    sub->add_option("--count", options.count, "end after so many frames");
  };
  auto* dump_app = app.add_subcommand("dump", "print the frames of a bus");
  common(dump_app);
  dump_app->add_option("--dbc", options.dbc, "CAN database: print the signals");
  dump_app->add_option("--only", options.only, "message names or ids (hexadecimal) to print")->delimiter(',');
  dump_app->add_flag("--json", options.json, "one JSON object per line");
  auto* send_app = app.add_subcommand("send", "send a frame, once or again and again");
  common(send_app);
  send_app->add_option("--dbc", options.dbc, "CAN database: send MESSAGE SIGNAL=VALUE ...");
  const char* const fd_text = "messages are CAN FD frames, whatever the database says";
  send_app->add_flag("--fd", options.fd, fd_text);
  send_app->add_option("--period", options.period, "send again after this time, e.g. 10ms");
  send_app->add_option("frame", options.what, "ID#DATA, or MESSAGE SIGNAL=VALUE ... with --dbc")->required();
  auto* replay_app = app.add_subcommand("replay", "send the frames of a log, each at its time");
  replay_app->add_option("log", options.log, "log file (candump, Vector ASC, takt can)")->required();
  replay_app
      ->add_option("--to,--bus", options.bus,
                   "CAN interface (vcan0), socketcand:ADDRESS:PORT/CHANNEL[/TOKEN] or slcan:ADDRESS:PORT[/TOKEN]")
      ->capture_default_str();
  replay_app->add_option("--dbc", options.dbc, "CAN database: names for --only");
  replay_app->add_option("--only", options.only, "message names or ids (hexadecimal) to send")->delimiter(',');
  replay_app->add_option("--channel", options.channel, "that of a log with frames of several");
  replay_app
      ->add_option("--direction", options.direction,
                   "of frames that are marked so: rx, which the recorder has received, or tx, which it has sent")
      ->one_of({"rx", "tx"});
  replay_app->add_option("--loop", options.loops, "how often the whole log; 0: until interrupted")
      ->in_range(0.0, 1e9)
      ->capture_default_str();
  replay_app->add_option("--speed", options.speed, "2: twice as fast as it was recorded")
      ->in_range(1e-3, 1e6)
      ->capture_default_str();
  auto* decode_app =
      app.add_subcommand("decode", "print a log (candump, Vector ASC, takt can) with the signals of a database");
  decode_app->add_option("log", options.log, "log file")->required();
  decode_app->add_option("--dbc", options.dbc, "CAN database")->required();
  decode_app->add_option("--only", options.only, "message names or ids (hexadecimal) to print")->delimiter(',');
  decode_app->add_flag("--json", options.json, "one JSON object per line");
  auto* encode_app = app.add_subcommand("encode", "print the frame of a message and its values");
  encode_app->add_option("message", options.what, "MESSAGE SIGNAL=VALUE ...; other signals take their start value");
  encode_app->add_option("--dbc", options.dbc, "CAN database")->required();
  encode_app->add_flag("--fd", options.fd, fd_text);
  encode_app->add_option("--from", options.log,
                         "JSON lines as of `takt can decode --json`, printed as a log; -: stdin");
  auto* stats_app = app.add_subcommand("stats", "count the frames of a log: per id how many, how often, how long");
  stats_app->add_option("log", options.log, "log file")->required();
  stats_app->add_option("--dbc", options.dbc, "CAN database: name the messages");
  stats_app->add_flag("--json", options.json, "one JSON object per line");
  auto* show_app = app.add_subcommand("show", "print the messages of a database, and what is wrong with it");
  show_app->add_option("dbc", options.log, "CAN database")->required();
  for (command_line::App* const reads : {dump_app, decode_app, stats_app, replay_app})
    reads->add_flag("--j1939", options.j1939,
                    "messages of 29 bits are told by their parameter groups, also where the database does not say so");
  const CanLinkCommands links(app);
  if (const std::optional<int> code = app.parse(argc, argv)) return *code;
  if (links.parsed()) return links.run();
  struct sigaction action {};
  action.sa_handler = [](int) { stop_asked = true; };
  sigaction(SIGINT, &action, nullptr);
  sigaction(SIGTERM, &action, nullptr);
  if (dump_app->parsed()) return dump(options);
  if (send_app->parsed()) return send(options);
  if (replay_app->parsed()) return replay_log(options);
  if (decode_app->parsed()) return decode(options);
  if (encode_app->parsed()) return encode(options);
  if (stats_app->parsed()) return stats(options);
  return show(options);
}

}  // namespace takt::tools
