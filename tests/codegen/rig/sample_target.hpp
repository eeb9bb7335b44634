#pragma once
// The imaginary plant that the sample rig is bound to.

#include "codegen/rig/rig.hpp"

inline takt::codegen::RigTarget sample_target() {
  return {.inputs = {{"cooling", "K"},
                     {"enable", "1"},
                     {"gain", "1"},
                     {"speed_limit", "rad/s"},
                     {"torque", "N*m"},
                     {"trim", "1"},
                     {"boost", "1"},
                     {"engine", "rad/s"}},
          .signals = {{"plant.alarm", "1"},
                      {"plant.level", "1"},
                      {"plant.share", "1"},
                      {"plant.t", "K"},
                      {"plant.w", "rad/s"}},
          .groups = {"plant", "power"},
          .release_ns = 1'000'000};
}
