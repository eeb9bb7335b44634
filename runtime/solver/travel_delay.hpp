#pragma once
// What arrives from the other end of a line within one window, and what leaves (runtime/coupling/travel_line.hpp).
// A subsystem with line ends has
//   void step_begins(const Window& w, std::int32_t step) noexcept;   sets what arrives during the micro-step
//   void step_ended(const Window& w, std::int32_t step) noexcept;    keeps what leaves at its end
// Every method calls them around each micro-step; for others the calls are nothing. Real-time: all of it bounded, no
// heap.

#include <array>
#include <cstddef>
#include <cstdint>

#include "runtime/plant/window.hpp"

namespace takt {

/// Values at the end of each of the `parts` parts of a window.
template <std::size_t samples>
struct Leaving {
  double parts = 1.0;
  std::array<double, samples> value{};
};

/// Values at the beginning and the end of each part of a window; straight lines between them.
template <std::size_t samples>
struct Arriving {
  double parts = 1.0;
  std::array<double, samples + 1> value{};
};

template <class S>
inline void step_begins(S& s, const Window& w, std::int32_t step) noexcept {
  if constexpr (requires { s.step_begins(w, step); }) s.step_begins(w, step);
}
template <class S>
inline void step_ended(S& s, const Window& w, std::int32_t step) noexcept {
  if constexpr (requires { s.step_ended(w, step); }) s.step_ended(w, step);
}

/// The input over the part of the window in which the micro-step lies.
template <std::size_t samples>
inline void arrive(InputPolynomial& input, const Arriving<samples>& line, const Window& w, std::int32_t step) noexcept {
  const std::int32_t steps = w.steps / static_cast<std::int32_t>(line.parts);  // in a part
  const std::int32_t part = step / steps;
  if (step != part * steps) return;
  const double begin = static_cast<double>(step * w.step_ns) / 1e9;
  const double slope = (line.value[static_cast<std::size_t>(part) + 1] - line.value[static_cast<std::size_t>(part)]) /
                       (static_cast<double>(steps * w.step_ns) / 1e9);
  input = {line.value[static_cast<std::size_t>(part)] - slope * begin, slope};
}

/// After a micro-step that ends a part: what arrives at that instant.
template <std::size_t samples>
inline void arrived(InputPolynomial& input, const Arriving<samples>& line, const Window& w,
                    std::int32_t step) noexcept {
  const std::int32_t steps = w.steps / static_cast<std::int32_t>(line.parts);
  if ((step + 1) % steps == 0) input = {line.value[static_cast<std::size_t>(step / steps) + 1]};
}

/// @return whether the micro-step ends a part
template <std::size_t samples>
[[nodiscard]] inline bool leaves(const Leaving<samples>& line, const Window& w, std::int32_t step) noexcept {
  return (step + 1) % (w.steps / static_cast<std::int32_t>(line.parts)) == 0;
}
template <std::size_t samples>
inline void leave(Leaving<samples>& line, double value, const Window& w, std::int32_t step) noexcept {
  const std::int32_t steps = w.steps / static_cast<std::int32_t>(line.parts);
  if ((step + 1) % steps == 0) line.value[static_cast<std::size_t>(step / steps)] = value;
}

}  // namespace takt
