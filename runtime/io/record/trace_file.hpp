#pragma once
// The trace of a run as a file for ui.perfetto.dev.

#include <filesystem>

#include "runtime/stats/run_results.hpp"
#include "runtime/stats/run_trace.hpp"

namespace takt {

/// A thread per worker: slices are macro-steps, in them the windows and the waits for other workers, between them the
/// waits for releases; instants are releases, values sent and taken, and overruns with their causes; a counter per
/// worker is the RTF of each macro-step. Times are CLOCK_MONOTONIC. What is missing in between is a slice, too.
/// @param results  those of the run, overruns attributed
/// @return what the file holds and what was lost
/// @throw std::runtime_error  it cannot be written; then there is no file
[[nodiscard]] TraceResult write_trace(const std::filesystem::path& path, const RunTrace& trace,
                                      const RunResults& results);

}  // namespace takt
