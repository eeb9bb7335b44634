#include "runtime/program/recording.hpp"

#include <unistd.h>

#include <array>
#include <stdexcept>

#include "runtime/io/record/deflate.hpp"
#include "runtime/stats/format.hpp"

namespace takt {
namespace {

constexpr double most_bytes = 512e6;  // memory is locked

std::string host_name() {
  std::array<char, 256> name{};
  return ::gethostname(name.data(), name.size() - 1) == 0 ? name.data() : "";
}

std::optional<RecordTrigger> trigger_of(const PlantDescription& plant, const CommandLine& options) {
  if (options.trigger.empty()) return std::nullopt;
  RecordTrigger trigger = parse_trigger(plant, options.trigger);
  trigger.before = options.before_trigger;
  trigger.after = options.after_trigger;
  return trigger;
}

}  // namespace

void check_recording(const PlantDescription& plant, const CommandLine& options) {
  if (options.compress && !can_deflate())
    throw std::runtime_error("--compress: Takt was built without zlib; install zlib1g-dev, configure and build again");
  if (const auto trigger = trigger_of(plant, options)) {
    const double bytes = 8.0 * words_of_rows(plant, trigger->before);
    if (bytes > most_bytes)
      throw std::runtime_error("--pre: " + formatted("%.3g", bytes / 1e6) + " MB would be kept in memory, " +
                               formatted("%.3g", most_bytes / 1e6) +
                               " MB are allowed; give a shorter time, or record less ([record] of the plant file)");
  }
}

Recorder::Options recorder_options(const PlantDescription& plant, const CommandLine& options,
                                   const std::filesystem::path& directory, const RunResults& results) {
  return {.directory = directory,
          .parameters_set = results.parameters_set,
          .steady = options.steady.value_or(false),
          .csv = options.csv,
          .mdf = options.mdf,
          .compress = options.compress,
          .trigger = trigger_of(plant, options),
          .properties = {{"plant", plant.name},
                         {"hash", plant.input_hash},
                         {"generator", plant.generator},
                         {"host", host_name()},
                         {"command", options.origin.command}}};
}

}  // namespace takt
