#pragma once
// What the command line says of the recorder.

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "runtime/io/record/recorder.hpp"
#include "runtime/program/options.hpp"

namespace takt {

/// Whether what is asked for can be recorded.
/// @throw std::runtime_error  a trigger on what is not recorded, or that would keep too much; compression without zlib;
/// a file to attach that is none, or too large
void check_recording(const PlantDescription& plant, const CommandLine& options);

/// @param directory  of the run  @param results  parameters that are set, for the logs
[[nodiscard]] Recorder::Options recorder_options(const PlantDescription& plant, const CommandLine& options,
                                                 const std::filesystem::path& directory, const RunResults& results);

/// The picture of the plant that --network names, as network.html of the run; nothing without.
void keep_network(const CommandLine& options, const std::filesystem::path& directory);
/// What of it goes into the report.
[[nodiscard]] std::string kept_network(const CommandLine& options, const std::filesystem::path& directory);

/// What the state of a plant at one instant is: all that a linearisation about it needs.
[[nodiscard]] std::vector<std::uint32_t> state_entries(const PlantDescription& plant);

/// --list: the table of plant memory; --list-recorded: paths of what would be recorded, a line each.
[[nodiscard]] std::string listed(const PlantDescription& plant, const CommandLine& options);

}  // namespace takt
