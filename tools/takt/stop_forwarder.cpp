#include "tools/takt/stop_forwarder.hpp"

#include <signal.h>

namespace takt::tools {
namespace {

constexpr int stop_signals[] = {SIGINT, SIGTERM, SIGHUP};

// What a signal handler may read.
std::atomic<std::vector<std::atomic<int>>*> programs{nullptr};
std::atomic<int> came{0};

void handle(int signal) {
  if (came.exchange(signal) != 0) {  // somebody does not want to wait
    ::signal(signal, SIG_DFL);
    raise(signal);
    return;
  }
  if (const auto* all = programs.load())
    for (const std::atomic<int>& program : *all)
      if (const int id = program.load(); id > 0) kill(id, signal);
}

}  // namespace

StopForwarder::StopForwarder(std::size_t count) : programs_(count) {
  came = 0;
  programs = &programs_;
  for (const int signal : stop_signals) {
    struct sigaction old {
    }, action{};
    sigaction(signal, nullptr, &old);
    if (old.sa_handler == SIG_IGN) continue;  // nohup
    action.sa_handler = handle;
    sigaction(signal, &action, nullptr);
  }
}

StopForwarder::~StopForwarder() {
  for (const int signal : stop_signals) {
    struct sigaction old {};
    sigaction(signal, nullptr, &old);
    if (old.sa_handler == handle) ::signal(signal, SIG_DFL);
  }
  programs = nullptr;
}

bool StopForwarder::stopped() const noexcept { return came != 0; }

}  // namespace takt::tools
