// CAN buses of a rig as C++: codecs of the messages used, tables, and the port over them.

#include "codegen/rig/kinds/can/emit_can.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <set>
#include <span>

#include "codegen/dbc/dbc_bits.hpp"
#include "codegen/dbc/emit_codec.hpp"
#include "codegen/rig/emit_gateway.hpp"
#include "codegen/rig/emit_protect.hpp"
#include "codegen/rig/emit_rest.hpp"
#include "codegen/rig/emit_steps.hpp"
#include "codegen/rig/rig_reader.hpp"

namespace takt::codegen {
namespace {

SourceText codecs_of(const BusMap& bus) {
  std::set<std::size_t> used;
  for (const auto& message : bus.receive) used.insert(message.message);
  for (const auto& message : bus.send) used.insert(message.message);
  return emit_codecs(*bus.dbc, {used.begin(), used.end()}, "takt::rig::bus_" + bus.name);
}

std::string timing(const can::BitTiming& timing) {
  return "{" + std::to_string(timing.bitrate) + ", " + std::to_string(timing.sample_point) + "}";
}

/// Nothing where the rig says nothing.
void add_link(Aggregate& plan, const can::LinkSettings& link) {
  if (!link.says_something() && !link.hardware_stamps) return;
  Aggregate of;
  of.code("nominal", timing(link.nominal))
      .code("data", timing(link.data))
      .number("restart_ms", link.restart_ms);
  of.number("termination", link.termination).number("hardware_stamps", link.hardware_stamps);
  plan.code("link", of.code());
}

class CanEmitter {
 public:
  CanEmitter(Writer& text, const Rig& rig) : text_(text), rig_(rig) {}

  void run() {
    for (const auto& bus : rig_.buses) tables(bus);
    for (const auto& bus : rig_.buses) write_routes(text_, rig_, bus);
    buses();
    write_steps(text_, rig_);
  }

 private:
  void buses() {
    std::vector<std::string> rows;
    for (const auto& bus : rig_.buses) {
      Aggregate row;
      row.text("name", bus.name)
          .text("channel", bus.channel)
          .number("virtual_only", bus.virtual_only);
      row.number("port", bus.port).text("token", bus.token).number("grid_ns", bus.grid_ns);
      row.number("priority", std::max(1, rig_.priority - 10));
      for (const char* table : {"receive", "send", "rest", "nodes"})
        row.code(table, table + ("_" + bus.name));
      if (bus.trace != 0) row.number("trace", bus.trace);
      add_link(row, bus.link);
      add_rest_start(row, bus);
      add_routes(row, rig_, bus);
      rows.push_back(row.code());
    }
    if (rows.empty()) {
      text_.line("constexpr std::array<can::BusPlan, 0> buses{");
      text_.line("};");
    } else {
      write_array(text_, {"can::BusPlan", "buses"}, rows);
    }
    text_.blank();
  }

  /// Suffix of the functions and tables of one mapped message: a multiplexed one may be mapped
  /// several times.
  static std::string label(const BusMap& bus, const std::vector<MessageMap>& maps, std::size_t k) {
    std::size_t same = 0;
    for (std::size_t j = 0; j < k; ++j) same += maps[j].message == maps[k].message ? 1U : 0U;
    return bus.name + "_" + message_types(*bus.dbc)[maps[k].message] +
           (same > 0 ? "_page" + std::to_string(same) : "");
  }

  static std::string info(const BusMap& bus, const std::vector<std::string>& types,
                          std::size_t message) {
    return protected_info(bus, message, "bus_" + bus.name + "::" + types[message] + "::info");
  }

  void tables(const BusMap& bus) {
    const auto types = message_types(*bus.dbc);
    const BusNodes nodes(bus);
    write_protections(text_, bus);
    std::vector<std::string> received, sent;
    for (std::size_t k = 0; k < bus.receive.size(); ++k) {
      const MessageMap& map = bus.receive[k];
      const std::string name = label(bus, bus.receive, k);
      decoder(bus, map, types[map.message], name);
      signals(bus, map, name, true);
      Aggregate row;
      row.code("info", info(bus, types, map.message)).number("timeout_ns", map.timeout_ns);
      row.code("signals", "signals_" + name).code("decode", "decode_" + name);
      nodes.add_node(row, map.message);
      received.push_back(row.code());
    }
    for (std::size_t k = 0; k < bus.send.size(); ++k) {
      const MessageMap& map = bus.send[k];
      const std::string name = label(bus, bus.send, k);
      encoder(bus, map, types[map.message], name);
      signals(bus, map, name, false);
      Aggregate row;
      row.code("info", info(bus, types, map.message)).number("period_ns", map.period_ns);
      row.number("on_change", map.on_change).number("spacing_ns", map.spacing_ns);
      row.code("signals", "signals_" + name).code("encode", "encode_" + name);
      add_safe_bits(row, bus, map);
      nodes.add_node(row, map.message);
      if (map.saturation_fails) row.number("saturation_fails", true);
      sent.push_back(row.code());
    }
    write_array(text_, {"can::ReceivePlan", "receive_" + bus.name}, received);
    write_array(text_, {"can::SendPlan", "send_" + bus.name}, sent);
    write_rest(text_, bus, nodes);
    nodes.write(text_);
    text_.blank();
  }

  /// Bits that a supervisor may write: a signal that is there for some values of a multiplexer only
  /// is safe where that is a constant, or all of the message is safe.
  static void add_safe_bits(Aggregate& plan, const BusMap& bus, const MessageMap& map) {
    const auto& message = bus.dbc->messages[map.message];
    std::array<unsigned, 64> bits{};
    for (const auto& signal : map.signals) {
      bool stands = signal.safe.has_value() && !(map.choice == MessageMap::Choice::stays &&
                                                 chooses(*bus.dbc, map, signal.signal));
      for (auto by = message.signals[signal.signal].multiplexed_by; by;
           by = message.signals[*by].multiplexed_by)
        for (const auto& other : map.signals)
          stands = stands && (other.signal != *by || other.path.empty());
      if (!stands) continue;
      for (const BitPiece& piece : bit_pieces(message.signals[signal.signal]))
        bits[piece.byte] |= ((1U << piece.width) - 1U) << piece.low_bit;
    }
    if (map.choice == MessageMap::Choice::all_safe) bits.fill(255);
    if (std::all_of(bits.begin(), bits.end(), [](unsigned byte) { return byte == 0; })) return;
    const auto byte_text = [](unsigned byte) { return std::to_string(byte); };
    plan.code("safe_bits", "{" + separated(std::span(bits).first(message.length), byte_text) + "}");
  }

  void decoder(const BusMap& bus, const MessageMap& map, const std::string& type,
               const std::string& name) {
    const auto& message = bus.dbc->messages[map.message];
    const auto members = member_names(message);
    const std::string space = "bus_" + bus.name + "::";
    text_.open("bool decode_" + name + "(const can::Frame& frame, double* values) noexcept");
    text_.line(space + type + " message;");
    for (const auto& signal : map.signals) {
      if (message.signals[signal.signal].multiplexed_by)
        text_.line("message." + members[signal.signal] + " = can::absent;");
    }
    text_.line("if (!" + space + "decode(frame, message)) return false;");
    for (std::size_t k = 0; k < map.signals.size(); ++k)
      text_.line("values[" + std::to_string(k) + "] = message." + members[map.signals[k].signal] +
                 ";");
    text_.line("return true;");
    text_.close();
  }

  void encoder(const BusMap& bus, const MessageMap& map, const std::string& type,
               const std::string& name) {
    const auto members = member_names(bus.dbc->messages[map.message]);
    const std::string space = "bus_" + bus.name + "::";
    text_.open("void encode_" + name + "(const double* values, can::Frame& frame) noexcept");
    text_.line(space + type + " message;");
    for (std::size_t k = 0; k < map.signals.size(); ++k)
      text_.line("message." + members[map.signals[k].signal] + " = values[" + std::to_string(k) +
                 "];");
    text_.line(space + "encode(message, frame);");
    text_.close();
  }

  /// Half a step wider, of floats by their rounding: the limits are decimal texts, values are
  /// computed.
  static void add_range(Aggregate& plan, const DbcSignal& signal) {
    if (signal.minimum >= signal.maximum) return;
    const bool stepped =
        signal.type == RawType::unsigned_integer || signal.type == RawType::signed_integer;
    const double rounding = signal.type == RawType::float32 ? 1e-6 : 1e-12;
    const double half =
        stepped ? std::abs(signal.factor) / 2
                : rounding * std::max(std::abs(signal.minimum), std::abs(signal.maximum));
    plan.number("minimum", signal.minimum - half).number("maximum", signal.maximum + half);
  }

  void signals(const BusMap& bus, const MessageMap& map, const std::string& name, bool received) {
    const auto& message = bus.dbc->messages[map.message];
    std::vector<std::string> rows;
    for (const auto& signal : map.signals) {
      const auto& dbc = message.signals[signal.signal];
      const bool is_again = std::any_of(map.signals.data(), &signal, [&](const SignalMap& before) {
        return before.signal == signal.signal;
      });
      Aggregate row;
      row.text("signal", message.name + "." + dbc.name);
      row.code("path", signal.path.empty() ? "nullptr" : string_literal(signal.path))
          .number("scale", signal.scale);
      row.number("offset", signal.offset).number("constant", signal.constant);
      row.code("safe", signal.safe ? double_literal(*signal.safe) : "can::absent");
      if (received || !signal.path.empty()) add_range(row, dbc);
      if (received && is_again) row.number("again", true);
      rows.push_back(row.code());
    }
    write_array(text_, {"can::SignalPlan", "signals_" + name}, rows);
    text_.blank();
  }

  Writer& text_;
  const Rig& rig_;
};

}  // namespace

Sources can_codecs(const Rig& rig) {
  Sources files;
  for (const auto& bus : rig.buses) files.push_back({"bus_" + bus.name + ".hpp", codecs_of(bus)});
  return files;
}

void write_can_includes(Writer& text, const Rig& rig) {
  for (const auto& bus : rig.buses) text.line("#include \"bus_" + bus.name + ".hpp\"");
  text.line("#include \"runtime/io/can/can_port.hpp\"");
}

void write_can_tables(Writer& text, const Rig& rig) { CanEmitter(text, rig).run(); }

std::string can_port(const Rig& rig, const std::string& options) {
  return "can::make_can_port(plant, buses, " + options +
         (has_steps(rig) ? ", {.start = start_steps, .stop = stop_steps}" : "") + ")";
}

}  // namespace takt::codegen
