#pragma once
// Standard input, output and error as a program finds and leaves them.

#include <string>
#include <string_view>

namespace takt {

/// First thing in every main. Closed descriptors 0, 1 and 2 are taken, so that no file opened later gets their number
/// and messages end up in it: by /dev/null, opened the wrong way round, so that using them fails as it did. And a file
/// that grows beyond the process's limit is an error of that write, not the end of the process (SIGXFSZ).
void open_standard_streams() noexcept;

/// Hands over what was printed to standard output.
/// @return why not all of it arrived; empty where it did
[[nodiscard]] std::string finish_standard_output();

/// A message to standard error while a run goes on, at once or, where nobody reads, not at all; on a terminal over the
/// progress line.
/// @return false: standard error is gone for good (closed, its reader ended)
bool tell(std::string_view text) noexcept;

}  // namespace takt
