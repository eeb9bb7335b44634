#include "tools/picture/symbols.hpp"

#include <utility>

namespace takt::picture {

using codegen::BranchKind;

namespace {

constexpr Symbol known[] = {
    {"resistor", "M-12 0H-8M8 0H12M-8-4H8V4H-8Z"},
    {"capacitor", "M-12 0H-2.5M2.5 0H12M-2.5-7V7M2.5-7V7"},
    {"inductor", "M-12 0H-9a3 3 0 0 1 6 0a3 3 0 0 1 6 0a3 3 0 0 1 6 0H12"},
    {"across_source", "M-8 0a8 8 0 1 0 16 0a8 8 0 1 0-16 0ZM-12 0H12"},
    {"through_source", "M-8 0a8 8 0 1 0 16 0a8 8 0 1 0-16 0ZM-12 0H-8M8 0H12M0-8V8"},
    {"battery", "M-12 0H-5M-5-7V7M-2-3V3M2-7V7M5-3V3M5 0H12"},
    {"ground", "M0-8V0M-8 0H8M-5 3.5H5M-2 7H2"},
    {"load", "M-8-5H8V5H-8ZM-5 0H5M2-3L5 0 2 3"},
    {"switch", "M-12 0H-6L5-6M6 0H12M6-1.5V1.5"},
    {"diode", "M-12 0H12M-4-5V5L4 0ZM4-5V5"},
    {"thyristor", "M-12 0H12M-4-5V5L4 0ZM4-5V5M4 0L8 6"},
    {"transistor", "M-12 0H-5M-5-6V6M-2-6V6M-2-3L6-8M-2 3L6 8M2 7.5L6 8 4.5 4.3"},
    {"converter", "M-9-8H9V8H-9ZM-9 8L9-8"},
    {"machine", "M-8 0a8 8 0 1 0 16 0a8 8 0 1 0-16 0Z", "M"},
    {"transformer", "M-9 0a5 5 0 1 0 10 0a5 5 0 1 0-10 0ZM-1 0a5 5 0 1 0 10 0a5 5 0 1 0-10 0Z"},
    {"amplifier", "M-8-8V8L9 0Z"},
    {"line", "M-12-3H12M-12 3H12M-8-6V6M8-6V6"},
    {"inertia", "M-12 0H-4M4 0H12M-4-8H4V8H-4Z"},
    {"mass", "M-9-6H9V6H-9ZM-9 8.5H9"},
    {"spring", "M-12 0H-9L-7-5-3 5 1-5 5 5 7 0H12"},
    {"damper", "M-12 0H-2M-2-4V4M-6-6H6V6H-6M6 0H12"},
    {"spring_damper",
     "M-12 0H-9M9 0H12M-9-5V5M9-5V5M-9-5H-6L-4-8-1-2 2-8 5-2 6-5H9M-9 5H-1M-1 2.5V7.5M-4 2H4V8H-4M4 5H9"},
    {"friction", "M-12 0H-3M3 0H12M-3-8H0V8H-3ZM0-8H3V8H0Z"},
    {"gear", "M-9 0a5.5 5.5 0 1 0 11 0a5.5 5.5 0 1 0-11 0ZM2 0a3.5 3.5 0 1 0 7 0a3.5 3.5 0 1 0-7 0Z"},
    {"wheel", "M-7-1a7 7 0 1 0 14 0a7 7 0 1 0-14 0ZM-2-1a2 2 0 1 0 4 0a2 2 0 1 0-4 0ZM-11 7.5H11"},
    {"vehicle", "M-11 4V0L-7-1-4-6H4L8-1 11 0V4ZM-8 4a2.5 2.5 0 1 0 5 0M3 4a2.5 2.5 0 1 0 5 0"},
    {"engine", "M-8 0a8 8 0 1 0 16 0a8 8 0 1 0-16 0Z", "E"},
    {"torque", "M-8 0a8 8 0 1 0 16 0a8 8 0 1 0-16 0ZM-4 2A4.5 4.5 0 1 1 3 3M5.5 0L3 3.4-.6 2"},
    {"stop", "M-12 0H-3M-3-6V6M3-8V8M3-4L8-8M3 2L8-2M3 8L8 4"},
    {"pump", "M-8 0a8 8 0 1 0 16 0a8 8 0 1 0-16 0ZM-12 0H-8M8 0H12M-3-7.4L8 0-3 7.4"},
    {"fan", "M-8 0a8 8 0 1 0 16 0a8 8 0 1 0-16 0ZM0 0Q-2-6 3-6Q4-2 0 0Q6-1 5 4Q1 4 0 0Q-3 5-6 2Q-4-2 0 0"},
    {"valve", "M-12 0H-8M8 0H12M-8-5V5L8-5V5Z"},
    {"check_valve", "M-12 0H12M-5-5V5L4 0ZM5-6V6"},
    {"orifice", "M-12 0H12M-4-8Q0-2 4-8M-4 8Q0 2 4 8"},
    {"pipe", "M-12-4H12M-12 4H12M-5 0H5M2-2L5 0 2 2"},
    {"volume", "M-8-4a4 4 0 0 1 4-4H4a4 4 0 0 1 4 4V4a4 4 0 0 1-4 4H-4a4 4 0 0 1-4-4Z"},
    {"tank", "M-9-8V8H9V-8M-9-3H9"},
    {"expansion_tank", "M-8 0a8 8 0 1 0 16 0a8 8 0 1 0-16 0ZM-8 0Q-4-3 0 0T8 0"},
    {"boundary", "M-9-8V8H9V-8M-9-3H9M-6 1H6M-3 5H3"},
    {"wall", "M-9-7H9V7H-9ZM-9 0L-2-7M-9 7L5-7M-2 7L9-4M5 7L9 3"},
    {"lumped_wall", "M-9-7H9V7H-9Z"},
    {"heat_transfer", "M-12 0H-8M8 0H12M-8-5H8V5H-8ZM-5 0q1.2-4 2.4 0t2.4 0 2.4 0 2.4 0"},
    {"heat_source", "M-8 0a8 8 0 1 0 16 0a8 8 0 1 0-16 0ZM0 6Q-6 1 0-6Q-1-2 3-1Q4 4 0 6"},
    {"function", "M-9-8H9V8H-9Z", "f(x)"},
    {"controller", "M-9-8H9V8H-9Z", "PI"},
    {"curve", "M-9-8H9V8H-9ZM-6 5L-2-1 2 1 6-5"},
    {"limit", "M-9-8H9V8H-9ZM-6 5H-3L3-5H6"},
    {"filter", "M-9-8H9V8H-9ZM-6 5Q-4-5 6-5"},
    {"hysteresis", "M-9-8H9V8H-9ZM-6 5H2V-5H6M2 5M-2 5V-5H2"},
    {"hold", "M-9-8H9V8H-9ZM-6 5H-3V1H1V-2H4V-5H6"},
    {"states", "M-10-2a4 4 0 1 0 8 0a4 4 0 1 0-8 0ZM2 2a4 4 0 1 0 8 0a4 4 0 1 0-8 0ZM-2-3Q3-7 6-2"},
    {"driver", "M-3-5a3 3 0 1 0 6 0a3 3 0 1 0-6 0ZM-7 8Q-7-1 0-1T7 8Z"},
    {"pulses", "M-9-8H9V8H-9ZM-7 5H-5V-4H-1V5H1V-4H2V5H7"},
    {"fmu", "M-11-7H11V7H-11Z", "FMU"},
    {"part", "M-9-8H9V8H-9ZM-6-5H-1V-1H-6ZM2 1H7V5H2ZM-1-3H4V1"},
    {"input", "M-10-5H2L9 0 2 5H-10Z"},
    {"port", "M-10 0H3M3-3.5a3.5 3.5 0 1 0 .01 0Z"},
    {"element", "M-12 0H-8M8 0H12M-8-7H8V7H-8Z"},
};

/// Last words of types; sections make no difference, but for those that are written out.
constexpr std::pair<std::string_view, std::string_view> by_word[] = {
    {"thermal_resistance", "heat_transfer"},
    {"voltage_source", "across_source"},
    {"current_source", "through_source"},
    {"speed_source", "across_source"},
    {"velocity_source", "across_source"},
    {"torque_source", "torque"},
    {"torque_between", "torque"},
    {"force_source", "through_source"},
    {"force_between", "through_source"},
    {"mass_flow_source", "through_source"},
    {"demand", "through_source"},
    {"power_load", "load"},
    {"contactor", "switch"},
    {"battery_simple", "battery"},
    {"mosfet", "transistor"},
    {"igbt", "transistor"},
    {"diode_exponential", "diode"},
    {"inverter", "converter"},
    {"inverter_current", "converter"},
    {"inverter_quasi_stationary", "converter"},
    {"dc_dc_converter", "converter"},
    {"pmsm", "machine"},
    {"pmsm_quasi_stationary", "machine"},
    {"torque_drive", "machine"},
    {"dc_machine", "machine"},
    {"ideal_transformer", "transformer"},
    {"coupled_inductors", "transformer"},
    {"opamp", "amplifier"},
    {"cable", "line"},
    {"brake", "friction"},
    {"clutch", "friction"},
    {"backlash", "stop"},
    {"end_stop", "stop"},
    {"drag", "damper"},
    {"combustion_engine", "engine"},
    {"gear_supported", "gear"},
    {"planetary", "gear"},
    {"differential", "gear"},
    {"lossy_gear", "gear"},
    {"fixed", "ground"},
    {"pump_curve", "pump"},
    {"flow_pump", "pump"},
    {"pipe_law", "pipe"},
    {"gallery", "pipe"},
    {"duct", "pipe"},
    {"elastic_pipe", "pipe"},
    {"elastic_pipe_law", "pipe"},
    {"resistance", "resistor"},
    {"restriction", "orifice"},
    {"elastic_volume", "volume"},
    {"plenum", "volume"},
    {"reservoir", "boundary"},
    {"temperature_boundary", "boundary"},
    {"overflow", "valve"},
    {"expression", "function"},
    {"pi", "controller"},
    {"limiter", "limit"},
    {"rate_limiter", "limit"},
    {"table", "curve"},
    {"drive_cycle", "curve"},
    {"sample_hold", "hold"},
    {"latch", "hold"},
    {"state_machine", "states"},
    {"pwm_leg", "pulses"},
    {"gate_edge", "pulses"},
};

std::string_view of_kind(BranchKind kind) {
  switch (kind) {
    case BranchKind::across_source:
      return "across_source";
    case BranchKind::across_storage:
      return "volume";
    case BranchKind::dissipator:
      return "resistor";
    case BranchKind::through_storage:
      return "inductor";
    case BranchKind::through_source:
      return "through_source";
    case BranchKind::port:
      return "transformer";
  }
  return "element";
}

}  // namespace

std::span<const Symbol> symbols() { return known; }

std::string_view symbol_of(const Box& box) {
  if (box.look == Look::part) return "part";
  if (box.look == Look::input) return "input";
  if (box.look == Look::port) return "port";
  const std::string_view type = box.type;
  const std::string_view word = type.substr(type.rfind('.') == std::string_view::npos ? 0 : type.rfind('.') + 1);
  for (const Symbol& symbol : known)
    if (symbol.name == word) return symbol.name;
  for (const auto& [of, symbol] : by_word)
    if (of == word) return symbol;
  return box.look == Look::block ? "function" : box.kind ? of_kind(*box.kind) : "element";
}

}  // namespace takt::picture
