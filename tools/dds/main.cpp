// takt-dds: a run that is under way on DDS, as a process beside it. README.md says what it does; config/dds what is on
// the wire.

#include <fmt/format.h>
#include <signal.h>
#include <sys/eventfd.h>

#include <cstdio>
#include <exception>

#include "runtime/command_line/failure_text.hpp"
#include "tools/dds/bridge.hpp"
#include "tools/takt/arguments.hpp"
#include "tools/takt/command.hpp"

namespace {

volatile int stop_asked = 0;

/// Blocked but for ppoll(), in all threads: those of Cyclone DDS inherit it.
void take_signals() {
  struct sigaction action {};
  action.sa_handler = [](int) { stop_asked = 1; };
  sigset_t both;
  ::sigemptyset(&both);
  for (const int number : {SIGINT, SIGTERM}) ::sigaddset(&both, number), ::sigaction(number, &action, nullptr);
  ::sigprocmask(SIG_BLOCK, &both, nullptr);
  ::signal(SIGPIPE, SIG_IGN);
}

}  // namespace

int main(int argc, char** argv) {
  try {
    takt::dds::Options options;
    if (const auto code = takt::dds::parse_options(argc, argv, options)) return *code;
    take_signals();
    takt::dds::Bridge bridge(options, ::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK));
    return bridge.run(stop_asked);
  } catch (const takt::tools::UsageError& error) {
    fmt::print(stderr, "takt-dds: {}\n", error.what());
    return takt::tools::exit_usage;
  } catch (const std::exception& error) {
    fmt::print(stderr, "takt-dds: {}\n", takt::command_line::failure_text(error));
    return takt::tools::exit_failed;
  }
}
