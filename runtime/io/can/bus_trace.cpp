#include "runtime/io/can/bus_trace.hpp"

#include <signal.h>

#include <chrono>
#include <iterator>

#include "runtime/io/record/standard_streams.hpp"

namespace takt::can {
namespace {

using Clock = std::chrono::steady_clock;
constexpr std::chrono::milliseconds rest{10}, flush_every{500};

}  // namespace

BusTrace::BusTrace(const std::filesystem::path& directory, const std::vector<TraceFiles::Settings>& buses,
                   WallTime begin) {
  const UtcOfRun utc(begin);
  for (const TraceFiles::Settings& bus : buses) buses_.emplace_back(directory, bus, utc);
}

BusTrace::~BusTrace() {
  stop_.store(true);
  if (thread_.joinable()) thread_.join();
}

void BusTrace::start() {
  sigset_t all, before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);  // signals belong to the main thread
  thread_ = std::thread([this] { work(); });
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
}

void BusTrace::work() {
  auto flushed = Clock::now();
  while (!stop_.load()) {
    for (Bus& bus : buses_) bus.files.take(false);
    if (const auto now = Clock::now(); now - flushed > flush_every) {
      for (Bus& bus : buses_) {
        bus.files.flush();
        const std::string problem = bus.told ? "" : bus.files.problem();
        if (problem.empty()) continue;
        bus.told = true;
        tell("takt: " + problem + "; the run goes on, what follows on this bus is not kept there\n");
      }
      flushed = now;
    }
    std::this_thread::sleep_for(rest);
  }
}

void BusTrace::finish() {
  stop_.store(true);
  if (thread_.joinable()) thread_.join();
  for (Bus& bus : buses_) {
    bus.files.take(true);
    bus.files.close();
  }
}

std::vector<std::string> BusTrace::problems() const {
  std::vector<std::string> all;
  for (const Bus& bus : buses_) {
    const std::string problem = bus.files.problem();
    if (problem.empty()) continue;
    all.push_back(problem);
    for (const TraceFiles::Account& account : bus.files.accounts())
      if (account.lost > 0)
        all.back() += "; " + std::to_string(account.lost) + " frames are missing at the end of " + account.file;
  }
  return all;
}

std::vector<TraceFiles::Account> BusTrace::accounts(std::size_t bus) const {
  return std::next(buses_.begin(), static_cast<std::ptrdiff_t>(bus))->files.accounts();
}

}  // namespace takt::can
