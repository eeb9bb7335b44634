#pragma once
// Which call is allowed when. The modes are those of the state machines of FMI 2.0.4 (3.2.3, 4.2.4) and FMI 3.0.2
// (2.3, 3.2, 4.2); where the two differ, the table here holds what both allow, so that one rule serves both. README.md
// has it as a table.

#include <cstdint>

#include "runtime/fmu/table.hpp"

namespace takt::fmu {

enum class Mode : std::uint16_t {
  none = 1,  ///< no instance
  instantiated = 2,
  initialization = 4,
  event = 8,
  continuous_time = 16,  ///< model exchange
  step = 32,             ///< co-simulation; FMI 2: slaveInitialized, stepComplete
  discarded = 64,        ///< co-simulation: a step has not come to its end
  terminated = 128,
  failed = 256,  ///< after Error
  dead = 512,    ///< after Fatal
};

using Modes = std::uint16_t;
template <class... M>
constexpr Modes modes(M... mode) noexcept {
  return static_cast<Modes>((static_cast<unsigned>(mode) | ...));
}
[[nodiscard]] constexpr bool holds(Modes set, Mode mode) noexcept { return (set & static_cast<Modes>(mode)) != 0; }

enum class Call : std::uint8_t {
  instantiate,
  enter_initialization,
  exit_initialization,
  get,
  do_step,
  enter_event,
  leave_event,
  update_discrete_states,
  continuous_set,  ///< time, continuous states, completed step
  continuous_get,  ///< states, derivatives, indicators, nominals
  partials,
  get_state,
  set_state,
  terminate,
  reset,
  free
};

[[nodiscard]] constexpr Modes modes_for(Call call) noexcept {
  using enum Mode;
  switch (call) {
    case Call::instantiate:
      return modes(none);
    case Call::enter_initialization:
      return modes(instantiated);
    case Call::exit_initialization:
      return modes(initialization);
    case Call::get:
      return modes(initialization, event, continuous_time, step, discarded, terminated);
    case Call::do_step:
      return modes(step);
    case Call::enter_event:
      return modes(continuous_time, step);
    case Call::leave_event:
      return modes(event);
    case Call::update_discrete_states:
      return modes(event);
    case Call::continuous_set:
      return modes(continuous_time);
    case Call::continuous_get:
      return modes(initialization, event, continuous_time);
    case Call::partials:
      return modes(initialization, event, continuous_time, step);
    case Call::get_state:
      return modes(instantiated, initialization, event, continuous_time, step, terminated);
    case Call::set_state:
      return modes(instantiated, initialization, event, continuous_time, step, discarded, terminated, failed);
    case Call::terminate:
      return modes(event, continuous_time, step, discarded);
    case Call::reset:
      return modes(instantiated, initialization, event, continuous_time, step, discarded, terminated, failed);
    case Call::free:
      return modes(instantiated, initialization, event, continuous_time, step, discarded, terminated, failed);
  }
  return 0;
}

/// @param event_mode  an FMI 3 co-simulation whose events the importer handles: between them only continuous inputs
[[nodiscard]] constexpr Modes modes_for_setting(Use use, bool event_mode) noexcept {
  using enum Mode;
  switch (use) {
    case Use::read:
      return 0;
    case Use::start_approx:
      return modes(instantiated);
    case Use::start_exact:
      return modes(instantiated, initialization);
    case Use::tunable:
      return modes(instantiated, initialization, event) | (event_mode ? Modes{0} : modes(step));
    case Use::input_discrete:
      return modes(instantiated, initialization, event) | (event_mode ? Modes{0} : modes(step));
    case Use::input_continuous:
      return modes(instantiated, initialization, event, continuous_time, step);
  }
  return 0;
}

}  // namespace takt::fmu
