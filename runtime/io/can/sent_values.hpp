#pragma once
// Values of a signal that the plant sends which are not what a receiver finds, or not what the database allows.

#include <cstdint>

#include "runtime/io/can/codec.hpp"
#include "runtime/io/can/plan.hpp"

namespace takt::can {

/// Of one signal, in the frames that the plant has handed over.
struct SentValues {
  std::uint16_t place = SignalBits::none;  ///< in MessageInfo::signals; none: nothing is counted
  HeldValues held{absent, absent};
  std::uint64_t saturated = 0, not_numbers = 0, out_of_range = 0;  ///< each value is one of them at most
  double least = 0.0, most = 0.0;                                  ///< of all these, but for what is no number
  SimTime first;                                                   ///< of all these

  [[nodiscard]] std::uint64_t do_not_fit() const noexcept { return saturated + not_numbers; }
  /// @param value  DBC units, beyond what the signal holds or beyond its range, or no number.   Real-time: bounded
  void count(double value, bool saturates, SimTime now) noexcept;
};

/// What is to be counted: values of the plant; a constant is what the rig file says, which has been checked.
[[nodiscard]] SentValues counted_values(const MessageInfo& info, const SignalPlan& signal);

}  // namespace takt::can
