#include "runtime/foreign/port.hpp"

#include <linux/futex.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>
#include <ctime>

namespace takt::foreign {
namespace {

constexpr std::int64_t look_ns = 100'000'000;  ///< how often a waiting plant sees whether its host lives

std::array<Port, most_ports> ports;

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

void Port::lose(const char* why) noexcept {
  lost_ = true;
  std::strncpy(block->message.data(), why, block->message.size() - 1);
}

bool Port::ask(Command command, std::int64_t start_ns, std::int64_t step_ns) noexcept {
  if (lost_) return false;
  block->command = command;
  block->start_ns = start_ns;
  block->step_ns = step_ns;
  const std::uint32_t number = block->asked.load(std::memory_order_relaxed) + 1;
  block->asked.store(number, std::memory_order_release);
  wake(block->asked);
  for (std::int64_t waited_ns = 0;; waited_ns += look_ns) {
    std::uint32_t seen = block->answered.load(std::memory_order_acquire);
    for (; seen != number; seen = block->answered.load(std::memory_order_acquire)) {
      timespec before{}, after{};
      ::clock_gettime(CLOCK_MONOTONIC, &before);
      wait_while(block->answered, seen, look_ns);
      ::clock_gettime(CLOCK_MONOTONIC, &after);
      if ((after.tv_sec - before.tv_sec) * 1'000'000'000 + (after.tv_nsec - before.tv_nsec) >= look_ns) break;
    }
    if (block->answered.load(std::memory_order_acquire) == number) break;
    int status = 0;
    if (::waitpid(process, &status, WNOHANG) == process) {
      process = 0;
      lose(WIFSIGNALED(status) ? "its host process was ended by a signal: the FMU crashed, or somebody killed it"
                               : "its host process has ended by itself: the FMU may have called exit()");
      return false;
    }
    if (waited_ns >= longest_answer_ns) {
      lose("it has not answered for 10 s");
      return false;
    }
  }
  lost_ = block->failed != 0;  // an instance after an error takes no more calls; its message stays
  return !lost_;
}

}  // namespace takt::foreign
