#pragma once
// A plant of plain memory behind the emitted sample rig (tests/codegen/rig/sample), for tests of the CAN port.

#include <array>
#include <cstring>
#include <string>

#include "runtime/io/io_port.hpp"
#include "runtime/plant/description.hpp"

namespace sample {

struct Memory {
  double alarm = 0, level = 0, share = 0, t = 0, w = 0;
};

inline constexpr std::array<takt::MemoryEntry, 5> table{{
    {"plant.alarm", "1", takt::Role::signal, 0, offsetof(Memory, alarm)},
    {"plant.level", "1", takt::Role::signal, 0, offsetof(Memory, level)},
    {"plant.share", "1", takt::Role::signal, 0, offsetof(Memory, share)},
    {"plant.t", "K", takt::Role::signal, 0, offsetof(Memory, t)},
    {"plant.w", "rad/s", takt::Role::signal, 0, offsetof(Memory, w)},
}};

enum Input : std::size_t { cooling, enable, gain, speed_limit, torque, trim, boost, engine, inputs };
inline constexpr std::array<takt::PlantInputDescription, inputs> plant_inputs{{
    {"cooling", "K", 300, 333},
    {"enable", "1", 0, 0},
    {"gain", "1", 1, 1},
    {"speed_limit", "rad/s", 5, 0},
    {"torque", "N*m", 0, -1},
    {"trim", "1", 0, 7},
    {"boost", "1", 0, 8},
    {"engine", "rad/s", 0, 0},
}};

inline takt::PlantDescription describe() {
  takt::PlantDescription plant{};
  plant.name = "sample";
  plant.macro_step_ns = 1'000'000;
  plant.table = table;
  plant.plant_inputs = plant_inputs;
  return plant;
}

inline std::array<double, inputs> start_values() {
  std::array<double, inputs> values{};
  for (std::size_t k = 0; k < inputs; ++k) values[k] = plant_inputs[k].start;
  return values;
}

/// Port of the virtual bus, from "can0: virtual bus can0 on 127.0.0.1:PORT (...)".
inline std::uint16_t port_of(const takt::IoPort& io) {
  const std::string text = io.events().at(0).text;
  return static_cast<std::uint16_t>(std::stoi(text.substr(text.rfind(':') + 1)));
}

/// Value of the first "name":NUMBER in a JSON text; -1 where there is none.
inline double number_in(const std::string& json, const std::string& name, const std::string& after = "") {
  const auto from = after.empty() ? 0 : json.find(after);
  const auto at = from == std::string::npos ? from : json.find("\"" + name + "\":", from);
  return at == std::string::npos ? -1.0 : std::stod(json.substr(at + name.size() + 3));
}

}  // namespace sample
