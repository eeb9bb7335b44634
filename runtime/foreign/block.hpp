#pragma once
// Memory that a plant and the host process of one FMU share: one question at a time, and its answer.

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>

#include "runtime/stats/histogram.hpp"

namespace takt::foreign {

enum class Command : std::uint32_t {
  begin,  ///< a new instance, its parameters and inputs at time 0, initialised: outputs
  step,   ///< from reached_ns to start_ns in steps of step_ns, inputs held; then from start_ns, step_ns long: outputs
          ///< at its end
  save,   ///< its state, as bytes
  load,   ///< that state again, at start_ns; after begin
  end     ///< terminate, and leave
};

/// What has come of a question. Where it has not been done, `message` says why, and the outputs mean nothing.
enum class Outcome : std::uint32_t {
  done,
  failed,
  ended  ///< the FMU wants the simulation to end: no failure
};

/// Why nobody answers any more.
enum class Gone : std::uint32_t { no, by_signal, by_itself };

/// The plant writes the question and then `asked`; the host writes the answer and then `answered`, the same number.
struct Block {
  static constexpr std::uint32_t layout = 4;  ///< both sides must know the same
  std::uint32_t version = layout;
  std::uint32_t inputs = 0, parameters = 0, outputs = 0;
  std::atomic<std::uint32_t> asked{0}, answered{0};
  Command command = Command::begin;
  Outcome outcome = Outcome::done;
  std::int64_t reached_ns = 0, start_ns = 0, step_ns = 0;
  /// Paced: wall time (CLOCK_MONOTONIC) at which the next question may come; the host wakes by itself. 0: it is woken.
  std::int64_t next_ns = 0;
  std::int64_t spin_ns = 0;  ///< paced: so long the host looks before it naps
  std::int64_t call_ns = 0;  ///< what the FMU took for this answer
  std::uint64_t state_room = 0, state_bytes = 0;
  std::int32_t host = 0;                    ///< its process, from its first answer on
  std::atomic<std::uint32_t> came_back{0};  ///< copies of it that its FMU has made (runtime/fmu/own_process.hpp)
  std::array<char, 1024> message{};

  // Of the plant alone.
  std::atomic<Gone> gone{Gone::no};  ///< written by who watches the process
  std::atomic<bool> lost{false};     ///< it is not asked any more
  std::uint64_t late = 0;            ///< windows at whose end the answer was not there
  Histogram calls, exchanges;        ///< ns: of the FMU; from question to answer, without these

  /// After it lie, as doubles: parameters; inputs at the beginning, the middle and the end of a step; outputs. Then
  /// room for the bytes of a state.
  [[nodiscard]] double* values() noexcept { return reinterpret_cast<double*>(this + 1); }
  [[nodiscard]] double* given() noexcept { return values(); }
  [[nodiscard]] double* fed(std::size_t at) noexcept { return values() + parameters + at * inputs; }
  [[nodiscard]] double* results() noexcept { return values() + parameters + std::size_t{3} * inputs; }
  [[nodiscard]] std::byte* state() noexcept { return reinterpret_cast<std::byte*>(results() + outputs); }
  [[nodiscard]] std::size_t size() const noexcept {
    return sizeof(Block) + (parameters + std::size_t{3} * inputs + outputs) * sizeof(double) + state_room;
  }
};
static_assert(std::atomic<std::uint32_t>::is_always_lock_free);

/// Waits until `word` is no longer `seen`, at most timeout_ns; may come back early.
void wait_while(std::atomic<std::uint32_t>& word, std::uint32_t seen, std::int64_t timeout_ns) noexcept;
void wake(std::atomic<std::uint32_t>& word) noexcept;

}  // namespace takt::foreign
