#include "runtime/executive/progress.hpp"

#include <unistd.h>

#include <chrono>
#include <cstdio>

namespace takt {

Progress::Progress(const RunStatus& status, std::int64_t macro_step_ns, std::int64_t total_ns, bool quiet)
    : status_(status), macro_step_ns_(macro_step_ns), total_ns_(total_ns), terminal_(isatty(STDERR_FILENO) == 1) {
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
    print();
  }
  if (terminal_) std::fprintf(stderr, "\r\033[K");
}

void Progress::print() {
  const double simulated = static_cast<double>(status_.macro_steps.load(std::memory_order_relaxed)) *
                           static_cast<double>(macro_step_ns_) * 1e-9;
  const double busy = static_cast<double>(status_.busy_ns.load(std::memory_order_relaxed)) * 1e-9;
  const auto overruns = static_cast<unsigned long long>(status_.overruns.load(std::memory_order_relaxed));
  const double rtf = simulated > 0.0 ? busy / simulated : 0.0;
  char of[32] = "";
  if (total_ns_ > 0) std::snprintf(of, sizeof of, " of %.6g", static_cast<double>(total_ns_) * 1e-9);
  const bool alarm = status_.ledger_alarms.load(std::memory_order_relaxed) > 0;
  std::fprintf(stderr, "%s%.1f%s s simulated, RTF %.4f, %llu overruns%s%s", terminal_ ? "\r\033[K" : "", simulated, of,
               rtf, overruns, alarm ? ", LEDGER ALARM: a flux does not balance" : "", terminal_ ? "" : "\n");
  std::fflush(stderr);
}

}  // namespace takt
