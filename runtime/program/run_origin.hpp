#pragma once
// Where, when and how a run was started.

#include <span>
#include <string>
#include <string_view>

#include "runtime/stats/run_results.hpp"

namespace takt {

/// Reads the clock, the name of the machine and its kernel, and /proc/cpuinfo. Never throws for what cannot be read: it
/// says "unknown".
/// @param rig  name of the rig; may be empty
/// @param arguments  of main()   Real-time: no.
[[nodiscard]] RunOrigin run_origin(const char* rig, std::span<char* const> arguments);

/// A word as a POSIX shell reads it back.
[[nodiscard]] std::string shell_word(std::string_view word);

/// Words as a POSIX shell reads them back; cut after 4000 characters, which the text says.
[[nodiscard]] std::string shell_words(std::span<char* const> arguments);

}  // namespace takt
