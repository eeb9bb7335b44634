// takt can: frames on a bus and in logs, with the names of a CAN database.

#include <signal.h>

#include <CLI/CLI.hpp>
#include <charconv>
#include <cmath>
#include <cstdio>
#include <ctime>
#include <fstream>
#include <nlohmann/json.hpp>

#include "codegen/dbc/codec.hpp"
#include "codegen/dbc/emit_codec.hpp"
#include "codegen/text/nearest.hpp"
#include "codegen/text/quantity.hpp"
#include "runtime/io/can/bus.hpp"
#include "runtime/plant/wall_clock.hpp"
#include "tools/takt/arguments.hpp"
#include "tools/takt/can_log.hpp"
#include "tools/takt/command.hpp"

namespace takt::tools {

using namespace takt::codegen;

namespace {

using Json = nlohmann::ordered_json;

struct Options {
  std::string bus = "socketcand:127.0.0.1:29536/can0", dbc, log, lasting, period;
  std::vector<std::string> what, only;
  std::uint64_t count = 0;
  bool json = false;
};

volatile sig_atomic_t stop_asked = 0;

std::optional<Dbc> load(const std::string& file) {
  Diagnostics diagnostics;
  auto dbc = load_dbc(existing_file(file, "CAN database").string(), diagnostics);
  Diagnostics errors;  // warnings about a database are for `takt can show`
  for (const auto& d : diagnostics.all()) {
    if (d.severity == Severity::error) errors.error(d.code, d.where, d.message, d.hint);
  }
  std::fputs(errors.render().c_str(), stderr);
  if (errors.has_errors()) return std::nullopt;
  return dbc;
}

/// @return 0 where nothing is given
WallDuration duration(const std::string& text) {
  if (text.empty()) return {};
  const auto ns = parse_duration_ns(text);
  if (!ns) throw UsageError(ns.error());
  return WallDuration{*ns};
}

// ---------------------------------------------------------------- printing frames

class Printer {
 public:
  Printer(const Dbc* dbc, const Options& options) : dbc_(dbc), options_(options) {}

  /// False where `--only` passes it over.
  bool print(const LoggedFrame& logged) const {
    const auto* message = dbc_ != nullptr ? dbc_->find(logged.frame.id, logged.frame.extended) : nullptr;
    if (!wanted(logged.frame, message)) return false;
    const std::string text = frame_text(logged.frame);
    if (options_.json) {
      Json line{{"time_s", std::round(logged.time_s * 1e6) / 1e6}, {"channel", logged.channel}, {"frame", text}};
      if (message != nullptr) line["message"] = message->name, line["signals"] = signals(*message, logged.frame);
      std::puts(line.dump(-1, ' ', false, Json::error_handler_t::replace).c_str());
    } else {
      std::printf("%14.6f  %-8s %-28s", logged.time_s, logged.channel.c_str(), text.c_str());
      if (message != nullptr) print_signals(*message, logged.frame);
      std::putchar('\n');
    }
    return true;
  }

 private:
  bool wanted(const can::Frame& frame, const DbcMessage* message) const {
    if (options_.only.empty()) return true;
    const std::string text = frame_text(frame), id = text.substr(0, text.find('#'));
    for (const auto& name : options_.only) {
      if (name == id || (message != nullptr && name == message->name)) return true;
    }
    return false;
  }

  static Json signals(const DbcMessage& message, const can::Frame& frame) {
    const auto values = decode_message(message, {frame.data.data(), frame.len});
    Json result = Json::object();
    for (std::size_t k = 0; k < values.size(); ++k)
      if (values[k]) result[message.signals[k].name] = number(*values[k]);
    return result;
  }

  /// Whole numbers without ".0", what is none as null.
  static Json number(double value) {
    constexpr double all_whole = 9007199254740992.0;  // 2^53
    if (std::fabs(value) <= all_whole && value == std::trunc(value)) return static_cast<std::int64_t>(value);
    return value;
  }

  static void print_signals(const DbcMessage& message, const can::Frame& frame) {
    const auto values = decode_message(message, {frame.data.data(), frame.len});
    std::printf("%s", message.name.c_str());
    for (std::size_t k = 0; k < values.size(); ++k) {
      if (!values[k]) continue;
      const auto& signal = message.signals[k];
      const auto* named = value_name(signal, raw_of(signal, *values[k]));
      std::printf("  %s=%.10g%s%s%s%s", signal.name.c_str(), *values[k], signal.unit.empty() ? "" : " ",
                  signal.unit.c_str(), named != nullptr ? " " : "", named != nullptr ? named->c_str() : "");
    }
    if (values.empty()) std::printf("  (shorter than the message)");
  }

  const Dbc* dbc_;
  const Options& options_;
};

// ---------------------------------------------------------------- dump, decode

int dump(const Options& options) {
  const auto dbc = options.dbc.empty() ? std::nullopt : load(options.dbc);
  if (!options.dbc.empty() && !dbc) return exit_failed;
  const auto bus = can::open_bus(options.bus, {});
  std::fprintf(stderr, "takt can dump: %s\n", bus->text().c_str());
  const Printer printer(dbc ? &*dbc : nullptr, options);
  const WallTime begin = wall_now();
  const WallDuration lasting = duration(options.lasting);
  std::uint64_t printed = 0;
  while (stop_asked == 0 && (options.count == 0 || printed < options.count)) {
    const WallTime now = wall_now();
    if (lasting > WallDuration{} && now - begin >= lasting) break;
    bus->wait(now + WallDuration{100'000'000});
    LoggedFrame logged;
    logged.channel = options.bus.substr(options.bus.rfind('/') + 1);
    while ((options.count == 0 || printed < options.count) && bus->receive(logged.frame)) {
      logged.time_s = (logged.frame.stamp - begin).seconds();
      printed += printer.print(logged) ? 1U : 0U;
    }
    std::fflush(stdout);
  }
  return exit_ok;
}

int decode(const Options& options) {
  const auto dbc = load(options.dbc);
  if (!dbc) return exit_failed;
  std::ifstream in(existing_file(options.log, "log"));
  const Printer printer(&*dbc, options);
  LogReader reader;
  std::uint64_t frames = 0, known = 0, not_understood = 0;
  for (std::string line; std::getline(in, line);) {
    LoggedFrame logged;
    const auto kind = reader.read(line, logged);
    not_understood += kind == LogReader::Line::not_understood ? 1U : 0U;
    if (kind != LogReader::Line::frame) continue;
    ++frames;
    known += dbc->find(logged.frame.id, logged.frame.extended) != nullptr ? 1U : 0U;
    printer.print(logged);
  }
  std::fprintf(stderr, "takt can decode: %llu frames, %llu of messages in the database, %llu lines not understood\n",
               static_cast<unsigned long long>(frames), static_cast<unsigned long long>(known),
               static_cast<unsigned long long>(not_understood));
  return frames > 0 ? exit_ok : exit_failed;
}

// ---------------------------------------------------------------- send

/// "Message Signal=value ..." by the database; value a number in its unit, or a name of VAL_.
can::Frame message_frame(const Dbc& dbc, const std::vector<std::string>& what) {
  const auto* message = dbc.find(what.front());
  if (message == nullptr || !message->usable) {
    std::vector<std::string> names;
    for (const auto& m : dbc.messages) names.push_back(m.name);
    throw UsageError("no message '" + what.front() + "' in the database; " + did_you_mean(what.front(), names));
  }
  SignalValues values(message->signals.size());
  for (std::size_t k = 1; k < what.size(); ++k) {
    const auto equals = what[k].find('=');
    const std::string name = what[k].substr(0, equals),
                      text = equals == std::string::npos ? "" : what[k].substr(equals + 1);
    const auto index = find_signal(*message, name);
    if (!index) {
      std::vector<std::string> names;
      for (const auto& s : message->signals) names.push_back(s.name);
      throw UsageError("message " + message->name + " has no signal '" + name + "'; " + did_you_mean(name, names));
    }
    const auto& signal = message->signals[*index];
    double value = 0.0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    bool good = !text.empty() && error == std::errc{} && end == text.data() + text.size();
    for (const auto& named : signal.values) {
      if (good || named.name != text) continue;
      value = static_cast<double>(named.value) * signal.factor + signal.offset;
      good = true;
    }
    if (!good)
      throw UsageError("'" + what[k] + "': write " + signal.name + "=NUMBER" +
                       (signal.values.empty() ? "" : ", or the name of a value"));
    values[*index] = value;
  }
  can::Frame frame;
  frame.id = message->id;
  frame.extended = message->extended;
  frame.fd = frame.brs = message->fd;
  for (const auto byte : encode_message(*message, values)) frame.data[frame.len++] = byte;
  return frame;
}

int send(const Options& options) {
  std::optional<can::Frame> frame;
  if (!options.dbc.empty()) {
    const auto dbc = load(options.dbc);
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
    const bool again = period > none && stop_asked == 0 && (lasting == none || next + period - begin < lasting) &&
                       (options.count == 0 || sent < options.count);
    if (!again) break;
    for (can::Frame other; wall_now() < next + period && stop_asked == 0;) {
      bus->wait(next + period);
      while (bus->receive(other)) {
      }
    }
  }
  std::fprintf(stderr, "takt can send: %s, %llu times\n", frame_text(*frame).c_str(),
               static_cast<unsigned long long>(sent));
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
                message.extended ? " (29 bits)" : "", message.length, message.fd ? "  CAN FD" : "",
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
  CLI::App app{"Frames on a CAN bus and in logs, with the names of a CAN database."};
  app.name(argv[0]);
  app.require_subcommand(1);
  app.footer(
      "examples:\n"
      "  takt can dump --bus socketcand:127.0.0.1:29536/can0 --dbc config/can/ev.dbc --only BMS_State\n"
      "  takt can send --bus vcan0 --dbc config/can/ev.dbc DRIVER_Command accelerator=20 key=on --period 10ms --for "
      "5s\n"
      "  takt can send 110#E803100000\n"
      "  takt can decode drive.log --dbc config/can/ev.dbc --json");
  const auto common = [&](CLI::App* sub) {
    sub->add_option("--bus", options.bus, "CAN interface (vcan0) or socketcand:ADDRESS:PORT/CHANNEL")
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
  send_app->add_option("--period", options.period, "send again after this time, e.g. 10ms");
  send_app->add_option("frame", options.what, "ID#DATA, or MESSAGE SIGNAL=VALUE ... with --dbc")->required();
  auto* decode_app =
      app.add_subcommand("decode", "print a log (candump -L or Vector ASC) with the signals of a database");
  decode_app->add_option("log", options.log, "log file")->required();
  decode_app->add_option("--dbc", options.dbc, "CAN database")->required();
  decode_app->add_option("--only", options.only, "message names or ids (hexadecimal) to print")->delimiter(',');
  decode_app->add_flag("--json", options.json, "one JSON object per line");
  auto* show_app = app.add_subcommand("show", "print the messages of a database, and what is wrong with it");
  show_app->add_option("dbc", options.log, "CAN database")->required();
  if (const std::optional<int> code = parse(app, argc, argv)) return *code;
  struct sigaction action {};
  action.sa_handler = [](int) { stop_asked = 1; };
  sigaction(SIGINT, &action, nullptr);
  sigaction(SIGTERM, &action, nullptr);
  if (dump_app->parsed()) return dump(options);
  if (send_app->parsed()) return send(options);
  if (decode_app->parsed()) return decode(options);
  return show(options);
}

}  // namespace takt::tools
