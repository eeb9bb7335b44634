#include "runtime/program/progress.hpp"

#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdio>

#include "runtime/io/record/standard_streams.hpp"

namespace takt {

Progress::Progress(const RunStatus& status, SimDuration macro_step, SimDuration total, bool quiet)
    : status_(status), macro_step_(macro_step), total_(total), terminal_(isatty(STDERR_FILENO) == 1) {
  if (!quiet) thread_ = std::thread([this] { work(); });
}

Progress::~Progress() {
  stop_.store(true, std::memory_order_relaxed);
  if (thread_.joinable()) thread_.join();
}

void Progress::work() {
  using namespace std::chrono_literals;
  const auto interval = terminal_ ? 250ms : 10s;
  auto due = std::chrono::steady_clock::now() + interval;
  while (!stop_.load(std::memory_order_relaxed)) {
    std::this_thread::sleep_for(20ms);
    if (std::chrono::steady_clock::now() < due) continue;
    due += interval;
    if (!print()) return;  // nobody will ever read it
  }
  if (terminal_) tell("\r\033[K");
}

/// @return false: standard error is gone
bool Progress::print() {
  const double simulated = static_cast<double>(status_.macro_steps.load(std::memory_order_relaxed)) *
                           static_cast<double>(macro_step_.ns()) * 1e-9;
  const double busy = status_.busy.load(std::memory_order_relaxed).seconds();
  // In the words of the verdict, so that both count the same.
  const std::uint64_t inner = status_.inner_late.load(std::memory_order_relaxed);
  const std::uint64_t overruns = std::max(inner, status_.overruns.load(std::memory_order_relaxed));
  char late[100] = "";
  if (inner > 0)
    std::snprintf(late, sizeof late, ", %llu late within macro-steps", static_cast<unsigned long long>(inner));
  const double rtf = simulated > 0.0 ? busy / simulated : 0.0;
  char of[32] = "";
  if (total_ > SimDuration{}) std::snprintf(of, sizeof of, " of %.6g", total_.seconds());
  const bool alarm = status_.ledger_alarms.load(std::memory_order_relaxed) > 0;
  const auto verdicts = static_cast<unsigned long long>(status_.verdicts.load(std::memory_order_relaxed));
  char doubt[64] = "";
  if (verdicts > 0) std::snprintf(doubt, sizeof doubt, ", NOT TO BE TRUSTED: %llu reasons so far", verdicts);
  char line[360];
  std::snprintf(line, sizeof line, "%s%.1f%s s simulated, RTF %.4f, %llu deadlines missed%s%s%s%s",
                terminal_ ? "\r\033[K" : "", simulated, of, rtf, static_cast<unsigned long long>(overruns - inner),
                late, alarm ? ", LEDGER ALARM: a flux does not balance" : "", doubt, terminal_ ? "" : "\n");
  return tell(line);
}

}  // namespace takt
