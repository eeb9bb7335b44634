#include "runtime/program/recording.hpp"

#include <unistd.h>

#include <array>
#include <fstream>
#include <iterator>
#include <stdexcept>

#include "runtime/io/record/deflate.hpp"
#include "runtime/io/record/run_files.hpp"
#include "runtime/plant/memory_table.hpp"
#include "runtime/stats/format.hpp"

namespace takt {
namespace {

constexpr double most_bytes = 512e6;  // memory is locked
constexpr const char* network_file = "network.html";
constexpr std::uintmax_t most_attached = std::uintmax_t{64} << 20U;

std::string host_name() {
  std::array<char, 256> name{};
  return ::gethostname(name.data(), name.size() - 1) == 0 ? name.data() : "";
}

std::string text_of(const std::filesystem::path& file) {
  std::ifstream in(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

/// @throw std::runtime_error
RecordAttachment attachment_of(const std::filesystem::path& file) {
  std::error_code error;
  if (!std::filesystem::is_regular_file(file, error))
    throw std::runtime_error("--attach " + file.string() + ": no such file");
  if (std::filesystem::file_size(file, error) > most_attached)
    throw std::runtime_error("--attach " + file.string() + ": it is larger than 64 MiB");
  std::ifstream in(file, std::ios::binary);
  std::string text{std::istreambuf_iterator<char>(in), {}};
  if (!in) throw std::runtime_error("--attach " + file.string() + ": cannot be read");
  const std::filesystem::path ending = file.extension();
  const char* type = ending == ".toml"   ? "application/toml"
                     : ending == ".json" ? "application/json"
                     : ending == ".csv"  ? "text/csv"
                                         : "application/octet-stream";
  return {.name = file.filename().string(), .type = type, .text = std::move(text)};
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
    throw std::runtime_error(
        "--compress: this plant was built without zlib of its machine; install that (zlib1g-dev:arm64) where it is "
        "built, and build it again");
  for (const std::string& file : options.attach) (void)attachment_of(file);
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
  std::vector<RecordAttachment> attachments;
  for (const std::string& file : options.attach) attachments.push_back(attachment_of(file));
  return {.directory = directory,
          .parameters_set = results.parameters_set,
          .steady = options.steady.value_or(false),
          .formats = options.formats,
          .compress = options.compress,
          .trigger = trigger_of(plant, options),
          .properties = {{"plant", plant.name},
                         {"hash", plant.input_hash},
                         {"generator", plant.generator},
                         {"host", host_name()},
                         {"command", options.origin.command}},
          .attachments = std::move(attachments)};
}

void keep_network(const CommandLine& options, const std::filesystem::path& directory) {
  if (!options.network.empty()) write_run_file(directory, network_file, text_of(options.network));
}

std::string kept_network(const CommandLine& options, const std::filesystem::path& directory) {
  return options.network.empty() ? "" : text_of(directory / network_file);
}

std::vector<std::uint32_t> state_entries(const PlantDescription& plant) {
  std::vector<std::uint32_t> entries;
  for (std::uint32_t index = 0; index < plant.table.size(); ++index) {
    const Role role = plant.table[index].role;
    if (role == Role::state || role == Role::plant_input || role == Role::output) entries.push_back(index);
  }
  return entries;
}

std::string listed(const PlantDescription& plant, const CommandLine& options) {
  if (!options.list_recorded) return memory_table(plant);
  std::vector<std::uint32_t> entries;
  for (const RecordPlan& record : plant.records)
    entries.insert(entries.end(), record.entries.begin(), record.entries.end());
  if (options.record_states > SimDuration{}) entries = state_entries(plant);
  std::string text;
  for (const std::uint32_t entry : entries) text += std::string(plant.table[entry].path) + "\n";
  return text;
}

}  // namespace takt
