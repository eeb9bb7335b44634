// UDP buses of a rig as tables of runtime/io/udp/plan.hpp.

#include <algorithm>

#include "codegen/rig/kinds/udp/udp_buses.hpp"
#include "codegen/source/aggregate.hpp"

namespace takt::codegen {
namespace {

constexpr const char* types[] = {"u8",  "i8",  "u16", "i16", "u32",
                                 "i32", "u64", "i64", "f32", "f64"};
constexpr const char* uses[] = {"signal", "counter", "time", "constant"};
constexpr const char* ways[] = {"safe", "hold", "extrapolate"};

std::string field_row(const UdpField& field) {
  Aggregate row;
  row.text("name", field.name);
  row.code("type", "udp::FieldType::" + std::string(types[static_cast<std::size_t>(field.type)]));
  row.code("use", "udp::FieldUse::" + std::string(uses[static_cast<std::size_t>(field.use)]));
  row.number("at", field.at);
  if (!field.map.path.empty())
    row.text("path", field.map.path)
        .number("scale", field.map.scale)
        .number("offset", field.map.offset);
  row.number("constant", field.map.constant);
  if (field.map.safe) row.number("safe", *field.map.safe);
  if (field.minimum < field.maximum)
    row.number("minimum", field.minimum).number("maximum", field.maximum);
  return row.code();
}

/// @param label  of the direction, the bus, and the number of the frame: names may have underscores
/// themselves
std::string frame_row(Writer& text, const UdpFrame& frame, const std::string& label) {
  std::vector<std::string> fields;
  for (const UdpField& field : frame.fields) fields.push_back(field_row(field));
  const std::string name = "udp_fields_" + label;
  write_array(text, {"udp::FieldPlan", name}, fields);
  Aggregate row;
  row.text("name", frame.name).number("length", frame.length).code("fields", name);
  row.number("timeout_ns", frame.timeout_ns).number("late_ns", frame.late_ns);
  row.code("missing",
           "udp::Missing::" + std::string(ways[static_cast<std::size_t>(frame.missing)]));
  return row.number("period_ns", frame.period_ns).code();
}

std::string write_frames(Writer& text, const std::vector<UdpFrame>& frames,
                         const std::string& label) {
  std::vector<std::string> rows;
  for (const UdpFrame& frame : frames)
    rows.push_back(frame_row(text, frame, label + "_" + std::to_string(rows.size())));
  const std::string name = "udp_" + label;
  if (!rows.empty()) write_array(text, {"udp::FramePlan", name}, rows);
  return rows.empty() ? "{}" : name;
}

}  // namespace

void write_udp_includes(Writer& text, const Rig& /*rig*/) {
  text.line("#include \"runtime/io/udp/udp_port.hpp\"");
}

void write_udp_tables(Writer& text, const Rig& rig) {
  std::vector<std::string> rows;
  for (const UdpBus& bus : udp_buses(rig)) {
    const std::string receive = write_frames(text, bus.receive, "receive_" + bus.name);
    const std::string send = write_frames(text, bus.send, "send_" + bus.name);
    Aggregate row;
    row.text("name", bus.name)
        .text("interface", bus.interface)
        .number("port", bus.port)
        .text("peer", bus.peer);
    row.number("big_endian", bus.big_endian).number("grid_ns", bus.grid_ns);
    row.number("priority", std::max(1, rig.priority - 10))
        .code("receive", receive)
        .code("send", send);
    rows.push_back(row.code());
  }
  write_array(text, {"udp::BusPlan", "udp_buses"}, rows);
  text.blank();
}

std::string udp_port(const Rig& /*rig*/, const std::string& options) {
  return "udp::make_udp_port(plant, udp_buses, " + options + ")";
}

}  // namespace takt::codegen
