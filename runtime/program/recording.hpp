#pragma once
// What the command line says of the recorder.

#include <filesystem>

#include "runtime/io/record/recorder.hpp"
#include "runtime/program/options.hpp"

namespace takt {

/// Whether what is asked for can be recorded.
/// @throw std::runtime_error  a trigger on what is not recorded, or that would keep too much; compression without zlib
void check_recording(const PlantDescription& plant, const CommandLine& options);

/// @param directory  of the run  @param results  parameters that are set, for the logs
[[nodiscard]] Recorder::Options recorder_options(const PlantDescription& plant, const CommandLine& options,
                                                 const std::filesystem::path& directory, const RunResults& results);

}  // namespace takt
