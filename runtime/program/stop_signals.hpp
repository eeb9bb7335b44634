#pragma once
// Signals that end a run in order: safe values on the buses, results written, the reason said.

#include <vector>

#include "runtime/plant/time.hpp"

namespace takt {

class Executive;

/// Ctrl-C (SIGINT), SIGTERM, and a terminal that was closed (SIGHUP, unless it was ignored: nohup). A second SIGINT or
/// SIGTERM, one second or more after the first, ends the program at once; sooner it is the same wish twice: timeout(1)
/// sends its signal to the program and to its group. A closed pipe is an error of the write, not the end of the run.
void catch_stop_signals() noexcept;

/// Which run they stop, at once where one has come already; nullptr: none any more.
void stop_on_signal(Executive* executive) noexcept;

/// Ends the run in order for another reason, at once or when it begins.  @param because  static text.  From any thread
/// or signal handler.
void stop_run(const char* because) noexcept;

/// When the process went on after a stop (SIGCONT), the first times of the run. After catch_stop_signals().
[[nodiscard]] std::vector<WallTime> continued_at();

/// The signal that has come first; 0: none.
[[nodiscard]] int stop_signal() noexcept;

}  // namespace takt
