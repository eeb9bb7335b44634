#pragma once
// A UDP bus and a plant of plain memory behind it.

#include <array>
#include <cstddef>

#include "runtime/io/udp/plan.hpp"
#include "runtime/plant/description.hpp"

namespace sample_udp {

using takt::udp::BusPlan;
using takt::udp::FieldPlan;
using takt::udp::FieldType;
using takt::udp::FieldUse;
using takt::udp::FramePlan;
using takt::udp::Missing;

inline constexpr std::array<FieldPlan, 4> command_fields{{
    {.name = "counter", .type = FieldType::u32, .use = FieldUse::counter, .at = 0},
    {.name = "time", .type = FieldType::i64, .use = FieldUse::time, .at = 4},
    {.name = "torque",
     .type = FieldType::f64,
     .at = 12,
     .path = "torque",
     .scale = 2.0,
     .minimum = -100,
     .maximum = 100},
    {.name = "enable", .type = FieldType::u8, .at = 20, .path = "enable"},
}};
inline constexpr std::array<FieldPlan, 3> mode_fields{{
    {.name = "constant", .type = FieldType::u16, .use = FieldUse::constant, .at = 0, .constant = 0x5443},
    {.name = "counter", .type = FieldType::u8, .use = FieldUse::counter, .at = 2},
    {.name = "mode", .type = FieldType::i16, .at = 3, .path = "mode"},
}};
inline constexpr std::array<FieldPlan, 5> state_fields{{
    {.name = "counter", .type = FieldType::u16, .use = FieldUse::counter, .at = 0},
    {.name = "time", .type = FieldType::i64, .use = FieldUse::time, .at = 2},
    {.name = "speed", .type = FieldType::f32, .at = 10, .path = "plant.w", .scale = 0.5, .offset = 1.0, .safe = -1.0},
    {.name = "level", .type = FieldType::u8, .at = 14, .path = "plant.level"},
    {.name = "fixed", .type = FieldType::i8, .at = 15, .constant = -7},
}};
inline constexpr std::array<FramePlan, 2> receive{{
    {.name = "Command", .length = 21, .fields = command_fields, .timeout_ns = 50'000'000, .late_ns = 5'000'000},
    {.name = "Mode", .length = 5, .fields = mode_fields, .timeout_ns = 1'000'000'000, .missing = Missing::hold},
}};
inline constexpr std::array<FramePlan, 1> send{
    {{.name = "State", .length = 18, .fields = state_fields, .period_ns = 2'000'000}}};

/// @param peer  lives as long as the port
inline BusPlan bus(const char* peer, bool big_endian = false) {
  return {.name = "lab",
          .interface = "lo",
          .port = 0,
          .peer = peer,
          .big_endian = big_endian,
          .grid_ns = 200'000,
          .priority = 1,
          .receive = receive,
          .send = send};
}

struct Memory {
  double level = 0, w = 0;
};
inline constexpr std::array<takt::MemoryEntry, 2> table{{
    {"plant.level", "1", takt::Role::signal, 0, offsetof(Memory, level)},
    {"plant.w", "rad/s", takt::Role::signal, 0, offsetof(Memory, w)},
}};
enum Input : std::size_t { enable, mode, torque, inputs };
inline constexpr std::array<takt::PlantInputDescription, inputs> plant_inputs{
    {{"enable", "1", 3, 0}, {"mode", "1", 4, 0}, {"torque", "N*m", 5, -1}}};

inline takt::PlantDescription describe() {
  takt::PlantDescription plant{};
  plant.name = "sample";
  plant.macro_step_ns = 1'000'000;
  plant.table = table;
  plant.plant_inputs = plant_inputs;
  return plant;
}

inline std::array<double, inputs> start_values() { return {3, 4, 5}; }

}  // namespace sample_udp
