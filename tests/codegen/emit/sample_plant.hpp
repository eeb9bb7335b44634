#pragma once
// A plant built by hand, past the front end: an RC circuit whose resistor heats a wall, and a sampled switch.
//
//   electric    q' = i,  v = q/c,  i = (drive - v)/(r*(1 + alpha*(t_wall - 300 K))),  loss = (drive - v)*i
//   solid       e' = h,  t = e/cth,  h received from the loss
//   control     drive = v_in while the wall is below t_max, else 0; counts its executions
// With alpha = 0 and the switch on:  v = v_in (1 - exp(-t/(r c))),  e - e0 = v_in^2 c/2 (1 - exp(-2 t/(r c))).

#include <cstddef>

#include "codegen/dae/algebra/surrogate.hpp"
#include "codegen/model/network.hpp"

namespace takt::codegen::sample {

struct Plant {
  Network network;
  DaeResult dae;
};

inline constexpr double v_in = 10.0, resistance = 100.0, capacitance = 1e-4, heat_capacity = 2.0, start_t = 300.0;

[[nodiscard]] Plant make_plant();

/// One circuit with nothing in it but a nonlinear equation: i + i^3 = v_in, solved by Newton.
[[nodiscard]] Plant make_newton_plant();

/// RC ladder on a source of 1 V, three equations a section; more than the emitter puts into one function.
inline constexpr std::size_t ladder_sections = 1200;
[[nodiscard]] Plant make_ladder_plant(std::size_t sections);

}  // namespace takt::codegen::sample
