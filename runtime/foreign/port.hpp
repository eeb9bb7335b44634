#pragma once
// What the subsystem of an FMU calls in its windows: hands its inputs to the host process, waits, takes the outputs.

#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>

#include "runtime/foreign/block.hpp"
#include "runtime/plant/description.hpp"

namespace takt::foreign {

/// What has come of a step.
enum class Answer : std::uint8_t {
  taken,      ///< the outputs are of its end
  late,       ///< paced: not there in time; the outputs are the last ones that have come
  ended,      ///< the FMU has ended the simulation; it is not asked again
  failed,     ///< the FMU failed, or its host is gone or silent for too long: then it is not asked again
  rehearsed,  ///< nobody was asked
};

/// One FMU as the plant sees it. Used by one thread at a time.
class Port {
 public:
  Block* block = nullptr;
  bool spins = false;  ///< paced: its host computes on another core, and others wait for it

  /// A step whose inputs are in the subsystem.
  struct Step {
    std::int64_t start_ns, step_ns;
    std::int64_t answer_by_ns, next_ns;  ///< as in Window
  };

  /// Asks and waits for the answer, however long it takes, but not for ever. Not real-time.
  /// @return it has been done; else block->message says why not
  bool ask(Command command) noexcept;
  /// The last one: a host that does not answer within a second is left to its end.
  void end() noexcept;
  /// Before inputs are written: an earlier question may still be under way. Paced: real-time, no call but clock and
  /// sleep. @return the host can be asked
  bool can_be_asked(const Step& step) noexcept;
  /// The answer to an earlier question has come with that: late, but newer than what is known.
  [[nodiscard]] bool has_news() const noexcept { return has_news_; }
  /// One communication step. Paced: real-time, no call but clock and sleep, back at step.answer_by_ns at the latest.
  /// Free: waits by futex, up to longest_answer_ns.
  Answer advance(const Step& step) noexcept;
  /// After Command::load: it stands there.
  void stands_at(std::int64_t simulated_ns) noexcept { at_start_ = false, at_ns_ = simulated_ns; }
  /// Nothing but begin() has been asked for.
  [[nodiscard]] bool is_at_start() const noexcept { return at_start_; }
  void begun() noexcept { at_start_ = true, at_ns_ = 0; }
  [[nodiscard]] bool has_ended() const noexcept { return is_lost() && block->outcome == Outcome::ended; }
  [[nodiscard]] bool is_lost() const noexcept { return block->lost.load(std::memory_order_relaxed); }

 private:
  void post(Command command) noexcept;
  [[nodiscard]] bool has_answered() const noexcept {
    return block->answered.load(std::memory_order_acquire) == block->asked.load(std::memory_order_relaxed);
  }
  bool wait_until(std::int64_t limit_ns) noexcept;
  bool wait_long() noexcept;
  bool take_answer() noexcept;
  [[nodiscard]] Answer no_answer() const noexcept { return has_ended() ? Answer::ended : Answer::failed; }
  void note_gone() noexcept;
  void lose(const char* why) noexcept;

  bool at_start_ = false, under_way_ = false, has_news_ = false;
  std::int64_t at_ns_ = 0;      // simulated: where the FMU stands, or will when it has answered
  std::int64_t posted_ns_ = 0;  // wall time
};

/// Longest time for one answer; a host that takes longer is taken for hung.
inline constexpr std::int64_t longest_answer_ns = 10'000'000'000;

/// Of the FMU with this number in PlantDescription::foreign.
[[nodiscard]] Port& port(std::size_t number) noexcept;
inline constexpr std::size_t most_ports = 64;

/// While there is one, FMUs are begun but not advanced: their outputs stay as they are. For measuring what the rest of
/// a plant takes.
class Rehearsal {
 public:
  Rehearsal() noexcept;
  ~Rehearsal();
  Rehearsal(const Rehearsal&) = delete;
  Rehearsal& operator=(const Rehearsal&) = delete;
};
[[nodiscard]] bool is_rehearsal() noexcept;

/// Over [0, s].
[[nodiscard]] inline double integral(const InputPolynomial& u, double s) noexcept {
  return s * (u.c0 + s * (u.c1 / 2.0 + s * (u.c2 / 3.0 + s * (u.c3 / 4.0))));
}

/// Values that are not finite end a run.
template <class S>
void end(S& s) noexcept {
  for (double& x : s.x) x = std::numeric_limits<double>::quiet_NaN();
}

/// The run ends, or goes on with outputs that are held.
template <class S>
void fail(S& s) noexcept {
  s.failed += 1.0;
  s.alert = 1.0;
  if constexpr (S::stops)
    end(s);
  else
    s.be_safe();
}

/// Initialises the FMU with what feed() has left in `fed`.
template <class S>
void begin(S& s, std::size_t number) noexcept {
  Port& to = port(number);
  if (to.block == nullptr) return fail(s);
  Block& block = *to.block;
  bool same = to.is_at_start();  // whoever has begun it with the same values need not do it again
  const auto put = [&same](double& place, double value) {
    same = same && place == value;
    place = value;
  };
  std::array<double, S::given> given{};
  s.give(given.data());
  for (std::uint32_t i = 0; i < block.parameters; ++i) put(block.given()[i], given[i]);
  for (std::size_t at = 0; at < 3; ++at)
    for (std::uint32_t i = 0; i < block.inputs; ++i) put(block.fed(at)[i], s.fed[i]);
  if (!same) {
    if (!to.ask(Command::begin)) return to.has_ended() ? end(s) : fail(s);
    to.begun();
  }
  s.take(block.results());
}

/// One window: as many communication steps as it holds. Inputs at the beginning, the middle and the end of each.
template <class S>
void run(S& s, std::size_t number, const Window& window) noexcept {
  Port& to = port(number);
  for (std::int32_t step = 0; step < window.steps; ++step) {
    const std::int64_t passed_ns = step * window.step_ns;
    if (to.block == nullptr) return fail(s);
    const std::int64_t next_ns = step + 1 < window.steps ? 0 : window.next_ns;  // else at once
    const Port::Step asked{window.start_ns + passed_ns, window.step_ns, window.answer_by_ns, next_ns};
    const bool can = to.can_be_asked(asked);
    if (to.has_news()) s.take(to.block->results());
    for (std::size_t at = 0; at < 3; ++at) {
      const std::int64_t within_ns = passed_ns + static_cast<std::int64_t>(at) * window.step_ns / 2;
      s.feed(static_cast<double>(window.start_ns + within_ns) / 1e9, static_cast<double>(within_ns) / 1e9);
      for (std::uint32_t i = 0; can && i < to.block->inputs; ++i) to.block->fed(at)[i] = s.fed[i];
      if constexpr (S::ports > 0)
        if (at == 0) s.begin_ports();
    }
    const Answer answer = to.advance(asked);
    switch (answer) {
      case Answer::taken:
        s.take(to.block->results());
        break;
      case Answer::late:
        s.late += 1.0, s.alert = 1.0;
        break;
      case Answer::ended:
        end(s);
        break;
      case Answer::failed:
        fail(s);
        break;
      case Answer::rehearsed:
        break;
    }
    if constexpr (S::ports > 0)
      if (answer == Answer::taken || answer == Answer::late) s.end_ports(static_cast<double>(window.step_ns) / 1e9);
  }
  const std::int64_t length_ns = window.steps * window.step_ns;
  if constexpr (S::ports > 0) s.receive_ports(static_cast<double>(length_ns) / 1e9);
  s.feed(static_cast<double>(window.start_ns + length_ns) / 1e9, static_cast<double>(length_ns) / 1e9);
}

}  // namespace takt::foreign
