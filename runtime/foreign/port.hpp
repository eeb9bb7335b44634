#pragma once
// What the subsystem of an FMU calls in its windows: hands its inputs to the host process, waits, takes the outputs.

#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>

#include "runtime/foreign/block.hpp"
#include "runtime/plant/description.hpp"

namespace takt::foreign {

/// One FMU as the plant sees it.
class Port {
 public:
  Block* block = nullptr;
  int process = 0;

  /// Asks and waits for the answer. False: the FMU failed, or its host is gone or silent for too long; then it is not
  /// asked again.
  bool ask(Command command, std::int64_t start_ns, std::int64_t step_ns) noexcept;
  [[nodiscard]] bool is_lost() const noexcept { return lost_; }

 private:
  void lose(const char* why) noexcept;
  bool lost_ = false;
};

/// Longest time for one answer; a host that takes longer is taken for hung.
inline constexpr std::int64_t longest_answer_ns = 10'000'000'000;

/// Of the FMU with this number in PlantDescription::foreign.
[[nodiscard]] Port& port(std::size_t number) noexcept;
inline constexpr std::size_t most_ports = 64;

/// Its outputs are held, or not finite, which ends the run.
template <class S>
void fail(S& s) noexcept {
  s.failed += 1.0;
  s.alert = 1.0;
  if constexpr (S::stops)
    for (double& x : s.x) x = std::numeric_limits<double>::quiet_NaN();
}

/// Initialises the FMU with what feed() has left in `fed`.
template <class S>
void begin(S& s, std::size_t number) noexcept {
  Port& to = port(number);
  if (to.block == nullptr) return fail(s);
  s.give(to.block->given());
  for (std::size_t at = 0; at < 3; ++at)
    for (std::uint32_t i = 0; i < to.block->inputs; ++i) to.block->fed(at)[i] = s.fed[i];
  if (!to.ask(Command::begin, 0, 0)) return fail(s);
  s.take(to.block->results());
}

/// One window: as many communication steps as it holds. Inputs at the beginning, the middle and the end of each.
template <class S>
void run(S& s, std::size_t number, const Window& window) noexcept {
  Port& to = port(number);
  for (std::int32_t step = 0; step < window.steps; ++step) {
    const std::int64_t passed_ns = step * window.step_ns;
    if (to.block == nullptr) return fail(s);
    for (std::size_t at = 0; at < 3; ++at) {
      const std::int64_t within_ns = passed_ns + static_cast<std::int64_t>(at) * window.step_ns / 2;
      s.feed(static_cast<double>(window.start_ns + within_ns) / 1e9, static_cast<double>(within_ns) / 1e9);
      for (std::uint32_t i = 0; i < to.block->inputs; ++i) to.block->fed(at)[i] = s.fed[i];
    }
    if (to.ask(Command::step, window.start_ns + passed_ns, window.step_ns))
      s.take(to.block->results());
    else
      fail(s);
  }
  const std::int64_t length_ns = window.steps * window.step_ns;
  s.feed(static_cast<double>(window.start_ns + length_ns) / 1e9, static_cast<double>(length_ns) / 1e9);
}

}  // namespace takt::foreign
