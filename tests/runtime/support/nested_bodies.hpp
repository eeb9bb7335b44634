#pragma once
// The two bodies in a group inside the macro-step: releases within it.

#include "tests/runtime/support/two_bodies.hpp"

namespace takt::test {

/// Both bodies exchange every 0.25 ms in a group inside the macro-step of 1 ms.
struct NestedBodies {
  static constexpr std::int64_t ms = 1'000'000;

  TwoBodies<> plant{{.window_ns = ms / 4, .step_ns = ms / 8}};
  PlantDescription description = plant.description();
  GroupPlan groups[2] = {{.name = "whole", .parent = 0, .period_ns = ms},
                         {.name = "inner", .parent = 0, .period_ns = ms / 4}};
  WindowPlan windows[2] = {description.windows[0], description.windows[1]};
  ExchangePlan exchanges[2] = {description.exchanges[0], description.exchanges[1]};

  NestedBodies() {
    for (WindowPlan& window : windows) window.group = 1;
    for (ExchangePlan& exchange : exchanges) exchange.period_ns = ms / 4;
    description.macro_step_ns = ms, description.groups = groups, description.windows = windows,
    description.exchanges = exchanges;
  }
};

}  // namespace takt::test
