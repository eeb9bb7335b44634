#include "runtime/foreign/port.hpp"

#include <linux/futex.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>
#include <ctime>

#include "runtime/plant/wall_clock.hpp"

namespace takt::foreign {
namespace {

constexpr std::int64_t look_ns = 100'000'000;  ///< how often a waiting plant sees whether its host lives
constexpr std::int64_t nap_ns = 20'000;        ///< paced

std::array<Port, most_ports> ports;
std::atomic<bool> rehearses{false};

void sleep_until(std::int64_t wall_ns) noexcept {
  const timespec t = to_timespec(WallTime{wall_ns});
  (void)::clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &t, nullptr);
}

}  // namespace

void wait_while(std::atomic<std::uint32_t>& word, std::uint32_t seen, std::int64_t timeout_ns) noexcept {
  const timespec timeout{static_cast<std::time_t>(timeout_ns / 1'000'000'000),
                         static_cast<long>(timeout_ns % 1'000'000'000)};
  (void)::syscall(SYS_futex, reinterpret_cast<std::uint32_t*>(&word), FUTEX_WAIT, seen, &timeout, nullptr, 0);
}

void wake(std::atomic<std::uint32_t>& word) noexcept {
  (void)::syscall(SYS_futex, reinterpret_cast<std::uint32_t*>(&word), FUTEX_WAKE, 1, nullptr, nullptr, 0);
}

Port& port(std::size_t number) noexcept { return ports[std::min(number, most_ports - 1)]; }

Rehearsal::Rehearsal() noexcept { rehearses.store(true); }
Rehearsal::~Rehearsal() { rehearses.store(false); }
bool is_rehearsal() noexcept { return rehearses.load(std::memory_order_relaxed); }

void Port::lose(const char* why) noexcept {
  block->outcome = Outcome::failed;
  if (block->message[0] == '\0') std::strncpy(block->message.data(), why, block->message.size() - 1);
  block->lost.store(true);
}

void Port::note_gone() noexcept {
  lose(block->gone.load() == Gone::by_signal
           ? "its host process was ended by a signal: the FMU crashed, or somebody killed it"
           : "its host process has ended by itself: the FMU may have called exit()");
}

void Port::post(Command command) noexcept {
  block->command = command;
  posted_ns_ = wall_now().ns();
  block->asked.store(block->asked.load(std::memory_order_relaxed) + 1, std::memory_order_release);
}

/// @return the FMU is well; an instance after an error takes no more calls, its message stays
bool Port::take_answer() noexcept {
  if (block->outcome != Outcome::done) block->lost.store(true);
  return block->outcome == Outcome::done;
}

bool Port::wait_long() noexcept {
  const std::uint32_t number = block->asked.load(std::memory_order_relaxed);
  for (;;) {
    const std::uint32_t seen = block->answered.load(std::memory_order_acquire);
    if (seen == number) return take_answer();
    if (block->gone.load() != Gone::no) {
      note_gone();
      return false;
    }
    if (wall_now().ns() - posted_ns_ >= longest_answer_ns) {
      lose("it has not answered for 10 s");
      return false;
    }
    wait_while(block->answered, seen, look_ns);
  }
}

bool Port::ask(Command command) noexcept {
  if (is_lost()) return false;
  if (under_way_ && !wait_long()) return false;  // of a paced run that has ended
  under_way_ = false;
  post(command);
  wake(block->asked);
  return wait_long();
}

void Port::end() noexcept {
  constexpr std::int64_t patience_ns = 1'000'000'000;
  if (is_lost() || !has_answered()) return;
  post(Command::end);
  wake(block->asked);
  while (!has_answered() && block->gone.load() == Gone::no && wall_now().ns() - posted_ns_ < patience_ns)
    wait_while(block->answered, block->answered.load(), look_ns);
}

/// Paced. On another core the answer is looked for all the time; on its own one, or where nobody waits, who waits
/// sleeps: as long as the last answer took, then a little at a time.
bool Port::wait_until(std::int64_t limit_ns) noexcept {
  const std::int64_t expected_ns = posted_ns_ + block->call_ns - block->call_ns / 8;
  while (!has_answered()) {
    const std::int64_t now_ns = wall_now().ns();
    if (now_ns >= limit_ns || block->gone.load(std::memory_order_relaxed) != Gone::no) return has_answered();
    if (!spins) sleep_until(std::min(limit_ns, std::max(now_ns + nap_ns, expected_ns)));
  }
  return true;
}

bool Port::can_be_asked(const Step& step) noexcept {
  has_news_ = false;
  if (is_rehearsal() || is_lost()) return false;
  if (!under_way_) return true;
  // Who spins holds others up: only once for an answer that does not come.
  if (!wait_until(spins ? 0 : step.answer_by_ns)) {
    if (block->gone.load() != Gone::no) note_gone();
    if (wall_now().ns() - posted_ns_ >= longest_answer_ns) lose("it has not answered for 10 s");
    return false;
  }
  under_way_ = false;
  has_news_ = take_answer();
  return has_news_;
}

Answer Port::advance(const Step& step) noexcept {
  if (is_rehearsal()) return Answer::rehearsed;
  if (is_lost()) return no_answer();
  if (under_way_) {
    ++block->late;
    return Answer::late;
  }
  at_start_ = false;
  block->reached_ns = at_ns_;
  block->start_ns = step.start_ns, block->step_ns = step.step_ns;
  block->next_ns = step.next_ns;
  at_ns_ = step.start_ns + step.step_ns;
  post(Command::step);
  if (step.answer_by_ns == 0) {
    wake(block->asked);
    if (!wait_long()) return no_answer();
  } else if (!wait_until(step.answer_by_ns)) {
    if (block->gone.load() != Gone::no) {
      note_gone();
      return Answer::failed;
    }
    under_way_ = true;
    ++block->late;
    return Answer::late;
  } else if (!take_answer()) {
    return no_answer();
  }
  const std::int64_t passed_ns = wall_now().ns() - posted_ns_;
  block->calls.record(static_cast<std::uint64_t>(std::max<std::int64_t>(0, block->call_ns)));
  block->exchanges.record(static_cast<std::uint64_t>(std::max<std::int64_t>(0, passed_ns - block->call_ns)));
  return Answer::taken;
}

}  // namespace takt::foreign
