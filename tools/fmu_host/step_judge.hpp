#pragma once
// Whether the step of a model exchange is stable: the eigenvalues of the FMU's Jacobian, where it stands, against the
// stability function of the method (runtime/start/mode_stability.hpp). Not real-time: before the first step of a plant,
// and now and then in runs of `takt fmu`.

#include <string>

#include "runtime/fmu/model_exchange.hpp"

namespace takt::fmu_host {

struct Judged {
  bool refused = false;
  std::string text;  ///< what is wrong, with the largest step that holds; empty: nothing, or it is not decided
};

/// Of a step that was refused as not stable; empty: none was.
[[nodiscard]] std::string text_of_refused_step(const fmu::ModelExchange& model, double step_s);

/// Of more than 300 states by their fastest modes alone.
/// @param chooses  takes the implicit method instead of an explicit one that is not stable: not refused
/// @throw std::runtime_error  the FMU refuses to be linearised
[[nodiscard]] Judged judge_step(fmu::ModelExchange& model, fmu::Instance& instance, double step_s, bool chooses);

}  // namespace takt::fmu_host
