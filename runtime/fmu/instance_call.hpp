#pragma once
// How each function of Instance calls: for instance.cpp and instance_state.cpp alone.

#include <utility>

#include "float_control.hpp"  // of the platform, chosen by CMake
#include "runtime/fmu/instance.hpp"
#include "runtime/fmu/own_process.hpp"

namespace takt::fmu {

inline constexpr const char* not_now = "the standard forbids it in this mode";

/// One foreign call, the thread's floating-point control kept apart, and what its status means for the mode.
template <class Do>
Result Instance::call(const char* function, Do&& act) noexcept {
  const platform::FloatControl own = platform::float_control();
  platform::set_float_control(platform::plain_float_control);
  const Message::Caller caller(message_);
  const Status status = act();
  if (is_copy()) leave_as_copy();
  if (platform::float_control() != platform::plain_float_control) ++control_changes_;
  platform::set_float_control(own);
  if (status == Status::error) mode_ = Mode::failed;
  if (status == Status::fatal) mode_ = Mode::dead;
  return {status, function};
}

template <class Do>
Result Instance::call_in(Call kind, const char* function, Do&& act) noexcept {
  if (!holds(modes_for(kind), mode_)) return refused(function, not_now);
  return call(function, std::forward<Do>(act));
}

}  // namespace takt::fmu
