#pragma once
#include <cstddef>
#include <cstdint>
#include <string>

#include "codegen/accuracy/plan_times.hpp"

namespace takt::codegen::tests {

inline constexpr std::int64_t us = 1'000;

/// Circuits in one group.
struct Plant {
  Network network;
  DaeResult dae;
  Plan plan;

  explicit Plant(std::size_t circuits, std::int64_t period_ns = 1000 * us) {
    plan.groups.push_back(
        {.name = "plant", .parent = {}, .period_ns = period_ns, .order = {}, .members = {}, .proposed = true});
    plan.macro_step_ns = period_ns;
    plan.records.push_back({.period_ns = 10'000 * us, .symbols = {}});
    for (std::size_t k = 0; k < circuits; ++k) {
      Surrogate surrogate;
      surrogate.name = "circuit_" + std::to_string(k);
      surrogate.equations = 10;
      surrogate.kind = SmoothCircuit{};
      dae.subsystems.push_back(surrogate);
      PlanSubsystem subsystem;
      subsystem.name = surrogate.name;
      subsystem.method = &methods::heun;
      subsystem.step_ns = subsystem.period_ns = period_ns;
      plan.subsystems.push_back(subsystem);
      plan.groups[0].members.push_back(k);
    }
  }
};

}  // namespace takt::codegen::tests
