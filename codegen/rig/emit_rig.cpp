// Rig -> rig.hpp, rig.cpp and one header of codecs per bus.

#include <algorithm>
#include <array>
#include <cmath>
#include <set>

#include "codegen/dbc/dbc_bits.hpp"
#include "codegen/dbc/emit_codec.hpp"
#include "codegen/rig/emit_gateway.hpp"
#include "codegen/rig/emit_protect.hpp"
#include "codegen/rig/emit_rest.hpp"
#include "codegen/rig/emit_steps.hpp"
#include "codegen/rig/rig_reader.hpp"
#include "codegen/text/escape.hpp"
#include "codegen/text/literal.hpp"

namespace takt::codegen {
namespace {

std::string number(std::int64_t value) { return std::to_string(value); }

class RigEmitter {
 public:
  explicit RigEmitter(const Rig& rig) : rig_(rig) {}

  std::vector<RigSource> run() {
    std::vector<RigSource> files{{"rig.hpp", header()}};
    for (const auto& bus : rig_.buses) files.push_back({"bus_" + bus.name + ".hpp", codecs(bus)});
    files.push_back({"rig.cpp", source()});
    return files;
  }

 private:
  std::string banner() const {
    return "// Emitted by takt from the rig " + comment_text(rig_.name) + ": do not edit.\n";
  }

  std::string header() const {
    return banner() +
           "#pragma once\n\n#include <memory>\n\n#include \"runtime/io/io_port.hpp\"\n#include "
           "\"runtime/plant/rig_settings.hpp\"\n\nnamespace takt::rig "
           "{\n\n"
           "/// Where and how the plant runs.\nRigSettings rig_settings();\n"
           "/// The buses of the rig; nullptr where there are none or the run is free.\n"
           "std::unique_ptr<IoPort> make_io(const PlantDescription& plant, const IoOptions& options);\n\n}  // "
           "namespace takt::rig\n";
  }

  static std::string codecs(const BusMap& bus) {
    std::set<std::size_t> used;
    for (const auto& message : bus.receive) used.insert(message.message);
    for (const auto& message : bus.send) used.insert(message.message);
    return emit_codecs(*bus.dbc, {used.begin(), used.end()}, "takt::rig::bus_" + bus.name);
  }

  static std::string timing(const can::BitTiming& timing) {
    return "{" + number(timing.bitrate) + ", " + number(timing.sample_point) + "}";
  }

  /// Empty: the rig says nothing.
  static std::string link(const can::LinkSettings& link) {
    if (!link.says_something() && !link.hardware_stamps) return "";
    return ", .link = {.nominal = " + timing(link.nominal) + ", .data = " + timing(link.data) +
           ", .restart_ms = " + number(link.restart_ms) + ", .termination = " + number(link.termination) +
           ", .hardware_stamps = " + (link.hardware_stamps ? "true" : "false") + "}";
  }

  std::string source() {
    out_ = banner() + "#include \"rig.hpp\"\n\n#include <array>\n#include <span>\n\n";
    for (const auto& bus : rig_.buses) out_ += "#include \"bus_" + bus.name + ".hpp\"\n";
    out_ += "#include \"runtime/io/can/can_port.hpp\"\n\nnamespace takt::rig {\nnamespace {\n\n";
    for (const auto& bus : rig_.buses) tables(bus);
    for (const auto& bus : rig_.buses) out_ += routes_table(rig_, bus);
    out_ += "constexpr std::array<can::BusPlan, " + number(static_cast<std::int64_t>(rig_.buses.size())) + "> buses{" +
            (rig_.buses.empty() ? "" : "{") + "\n";
    for (const auto& bus : rig_.buses) {
      out_ += "    {.name = " + string_literal(bus.name) + ", .channel = " + string_literal(bus.channel) +
              ", .virtual_only = " + (bus.virtual_only ? "true" : "false") + ", .port = " + number(bus.port) +
              ", .token = " + string_literal(bus.token) + ", .grid_ns = " + number(bus.grid_ns) +
              ", .priority = " + number(std::max(1, rig_.priority - 10)) + ", .receive = receive_" + bus.name +
              ", .send = send_" + bus.name + ", .rest = rest_" + bus.name + ", .nodes = nodes_" + bus.name +
              (bus.trace != 0 ? ", .trace = " + number(bus.trace) : "") + link(bus.link) + rest_start_field(bus) +
              routes_field(rig_, bus) + "},\n";
    }
    const std::string steps = emit_steps(rig_);
    out_ += std::string(rig_.buses.empty() ? "" : "}") + "};\n\n" + steps + "}  // namespace\n\n";
    settings();
    out_ +=
        "std::unique_ptr<IoPort> make_io(const PlantDescription& plant, const IoOptions& options) {\n"
        "  return can::make_can_port(plant, buses, options" +
        std::string(steps.empty() ? "" : ", {.start = start_steps, .stop = stop_steps}") +
        ");\n}\n\n}  // namespace takt::rig\n";
    return out_;
  }

  static std::string cpus(const char* member, const CoreList& cores) {
    if (cores.count == 0) return {};
    std::string list;
    for (std::size_t i = 0; i < cores.count; ++i) list += (i > 0 ? ", " : "") + number(cores.cpus[i]);
    return std::string(",\n          .") + member + " = {.cpus = {" + list +
           "}, .count = " + number(static_cast<std::int64_t>(cores.count)) + "}";
  }

  /// An array beside the settings, and the line in them that names it.
  [[nodiscard]] std::string group_policies() const {
    if (rig_.group_policies.empty()) return {};
    std::string rows;
    for (const auto& [group, policy] : rig_.group_policies)
      rows += "    {.group = " + string_literal(group) + ", .policy = OverrunPolicy::" + std::string(word_of(policy)) +
              "},\n";
    return "constexpr std::array<GroupPolicy, " + std::to_string(rig_.group_policies.size()) + "> group_policies{{\n" +
           rows + "}};\n\n";
  }

  [[nodiscard]] std::string supervisor() const {
    const SupervisorSettings& s = rig_.supervisor;
    return std::string("{.enabled = ") + (s.enabled ? "true" : "false") +
           ", .heartbeat_ns = " + number(s.heartbeat_ns) + ", .hold_ns = " + number(s.hold_ns) +
           ", .give_up_ns = " + number(s.give_up_ns) + ", .watchdog = " + string_literal(rig_.watchdog) +
           ", .watchdog_timeout_s = " + number(s.watchdog_timeout_s) + ", .when_lost = GuardLost::" +
           (s.when_lost == GuardLost::stop    ? "stop"
            : s.when_lost == GuardLost::go_on ? "go_on"
                                              : "restart") +
           "}";
  }

  [[nodiscard]] std::string late() const {
    const LateTolerance& late = rig_.late;
    if (late.any) return ",\n          .late = {.any = true}";
    if (late.share > 0.0) return ",\n          .late = {.share = " + double_literal(late.share) + "}";
    return late.count > 0 ? ",\n          .late = {.count = " + std::to_string(late.count) + "}" : "";
  }

  void settings() {
    out_ += group_policies() + emit_hosts(rig_) +
            "RigSettings rig_settings() {\n  return {.name = " + string_literal(rig_.name) +
            ",\n          .paced = " + (rig_.paced ? "true" : "false") + ",\n          .cpu = " + number(rig_.cpu) +
            cpus("cores", rig_.cores) + cpus("fmu_cpus", rig_.fmu_cpus) +
            ",\n          .priority = " + number(rig_.priority) + ",\n          .spin_ns = " + number(rig_.spin_ns) +
            ",\n          .policy = OverrunPolicy::" + std::string(word_of(rig_.policy)) +
            (rig_.group_policies.empty() ? "" : ",\n          .group_policies = group_policies") +
            ",\n          .publish = Publish::" + (rig_.publish == Publish::early ? "early" : "on_time") +
            ",\n          .max_catch_up = " + number(rig_.max_catch_up) +
            ",\n          .stop_after_consecutive = " + number(rig_.stop_after_consecutive) +
            ",\n          .stop_above_ns = " + number(rig_.stop_above_ns) +
            (rig_.regain ? ",\n          .regain = true" : "") +
            (rig_.trace_ns > 0 ? ",\n          .trace_ns = " + number(rig_.trace_ns) : "") +
            ",\n          .grace_ns = " + number(rig_.grace_ns) + late() +
            ",\n          .supervisor = " + supervisor() + emit_hosts_field(rig_) + "};\n}\n\n";
  }

  /// Suffix of the functions and tables of one mapped message: a multiplexed one may be mapped several times.
  static std::string label(const BusMap& bus, const std::vector<MessageMap>& maps, std::size_t k) {
    std::size_t same = 0;
    for (std::size_t j = 0; j < k; ++j) same += maps[j].message == maps[k].message ? 1U : 0U;
    return bus.name + "_" + message_types(*bus.dbc)[maps[k].message] + (same > 0 ? "_page" + std::to_string(same) : "");
  }

  static std::string info(const BusMap& bus, const std::vector<std::string>& types, std::size_t message) {
    return protected_info(bus, message, "bus_" + bus.name + "::" + types[message] + "::info");
  }

  void tables(const BusMap& bus) {
    const auto types = message_types(*bus.dbc);
    const BusNodes nodes(bus);
    out_ += protection_constants(bus);
    for (std::size_t k = 0; k < bus.receive.size(); ++k) {
      const std::string name = label(bus, bus.receive, k);
      decoder(bus, bus.receive[k], types[bus.receive[k].message], name);
      signals(bus, bus.receive[k], name, true);
    }
    for (std::size_t k = 0; k < bus.send.size(); ++k) {
      const std::string name = label(bus, bus.send, k);
      encoder(bus, bus.send[k], types[bus.send[k].message], name);
      signals(bus, bus.send[k], name, false);
    }
    const auto open = [&](const char* type, const char* what, std::size_t size) {
      out_ += std::string("constexpr std::array<can::") + type + ", " + std::to_string(size) + "> " + what + "_" +
              bus.name + "{" + (size > 0 ? "{\n" : "");
    };
    open("ReceivePlan", "receive", bus.receive.size());
    for (std::size_t k = 0; k < bus.receive.size(); ++k) {
      const std::string name = label(bus, bus.receive, k);
      out_ += "    {.info = " + info(bus, types, bus.receive[k].message) +
              ", .timeout_ns = " + number(bus.receive[k].timeout_ns) + ", .signals = signals_" + name +
              ", .decode = decode_" + name + nodes.field_of(bus.receive[k].message) + "},\n";
    }
    out_ += bus.receive.empty() ? "};\n" : "}};\n";
    open("SendPlan", "send", bus.send.size());
    for (std::size_t k = 0; k < bus.send.size(); ++k) {
      const std::string name = label(bus, bus.send, k);
      out_ += "    {.info = " + info(bus, types, bus.send[k].message) +
              ", .period_ns = " + number(bus.send[k].period_ns) +
              ", .on_change = " + (bus.send[k].on_change ? "true" : "false") +
              ", .spacing_ns = " + number(bus.send[k].spacing_ns) + ", .signals = signals_" + name +
              ", .encode = encode_" + name + safe_bits(bus, bus.send[k]) + nodes.field_of(bus.send[k].message) +
              (bus.send[k].saturation_fails ? ", .saturation_fails = true" : "") + "},\n";
    }
    out_ += bus.send.empty() ? "};\n" : "}};\n";
    out_ += rest_table(bus, nodes) + nodes.table() + "\n";
  }

  /// Bits that a supervisor may write: a signal that is there for some values of a multiplexer only is safe where that
  /// is a constant, or all of the message is safe.
  static std::string safe_bits(const BusMap& bus, const MessageMap& map) {
    const auto& message = bus.dbc->messages[map.message];
    std::array<unsigned, 64> bits{};
    for (const auto& signal : map.signals) {
      bool stands = signal.safe.has_value() &&
                    !(map.choice == MessageMap::Choice::stays && chooses(*bus.dbc, map, signal.signal));
      for (auto by = message.signals[signal.signal].multiplexed_by; by; by = message.signals[*by].multiplexed_by)
        for (const auto& other : map.signals) stands = stands && (other.signal != *by || other.path.empty());
      if (!stands) continue;
      for (const BitPiece& piece : bit_pieces(message.signals[signal.signal]))
        bits[piece.byte] |= ((1U << piece.width) - 1U) << piece.low_bit;
    }
    if (map.choice == MessageMap::Choice::all_safe) bits.fill(255);
    std::string list;
    for (std::size_t k = 0; k < message.length; ++k) list += (k > 0 ? ", " : "") + std::to_string(bits[k]);
    const bool none = std::all_of(bits.begin(), bits.end(), [](unsigned byte) { return byte == 0; });
    return none ? "" : ", .safe_bits = {" + list + "}";
  }

  void decoder(const BusMap& bus, const MessageMap& map, const std::string& type, const std::string& name) {
    const auto& message = bus.dbc->messages[map.message];
    const auto members = member_names(message);
    const std::string space = "bus_" + bus.name + "::";
    out_ += "bool decode_" + name + "(const can::Frame& frame, double* values) noexcept {\n  " + space + type +
            " message;\n";
    for (const auto& signal : map.signals) {
      if (message.signals[signal.signal].multiplexed_by)
        out_ += "  message." + members[signal.signal] + " = can::absent;\n";
    }
    out_ += "  if (!" + space + "decode(frame, message)) return false;\n";
    for (std::size_t k = 0; k < map.signals.size(); ++k) {
      out_ += "  values[" + std::to_string(k) + "] = message." + members[map.signals[k].signal] + ";\n";
    }
    out_ += "  return true;\n}\n";
  }

  void encoder(const BusMap& bus, const MessageMap& map, const std::string& type, const std::string& name) {
    const auto members = member_names(bus.dbc->messages[map.message]);
    const std::string space = "bus_" + bus.name + "::";
    out_ += "void encode_" + name + "(const double* values, can::Frame& frame) noexcept {\n  " + space + type +
            " message;\n";
    for (std::size_t k = 0; k < map.signals.size(); ++k) {
      out_ += "  message." + members[map.signals[k].signal] + " = values[" + std::to_string(k) + "];\n";
    }
    out_ += "  " + space + "encode(message, frame);\n}\n";
  }

  /// Half a step wider, of floats by their rounding: the limits are decimal texts, values are computed.
  static std::string range(const DbcSignal& signal) {
    if (signal.minimum >= signal.maximum) return {};
    const bool stepped = signal.type == RawType::unsigned_integer || signal.type == RawType::signed_integer;
    const double rounding = signal.type == RawType::float32 ? 1e-6 : 1e-12;
    const double half =
        stepped ? std::abs(signal.factor) / 2 : rounding * std::max(std::abs(signal.minimum), std::abs(signal.maximum));
    return ", .minimum = " + double_literal(signal.minimum - half) +
           ", .maximum = " + double_literal(signal.maximum + half);
  }

  void signals(const BusMap& bus, const MessageMap& map, const std::string& name, bool received) {
    const auto& message = bus.dbc->messages[map.message];
    out_ +=
        "constexpr std::array<can::SignalPlan, " + std::to_string(map.signals.size()) + "> signals_" + name + "{{\n";
    for (const auto& signal : map.signals) {
      const auto& dbc = message.signals[signal.signal];
      const bool is_again = std::any_of(map.signals.data(), &signal,
                                        [&](const SignalMap& before) { return before.signal == signal.signal; });
      out_ += "    {.signal = " + string_literal(message.name + "." + dbc.name) +
              ", .path = " + (signal.path.empty() ? "nullptr" : string_literal(signal.path)) +
              ", .scale = " + double_literal(signal.scale) + ", .offset = " + double_literal(signal.offset) +
              ", .constant = " + double_literal(signal.constant) +
              ", .safe = " + (signal.safe ? double_literal(*signal.safe) : "can::absent") +
              (received || !signal.path.empty() ? range(dbc) : "") + (received && is_again ? ", .again = true" : "") +
              "},\n";
    }
    out_ += "}};\n\n";
  }

  const Rig& rig_;
  std::string out_;
};

}  // namespace

std::vector<RigSource> emit_rig(const Rig& rig) { return RigEmitter(rig).run(); }

}  // namespace takt::codegen
