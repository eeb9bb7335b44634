#include "runtime/executive/checkpoint.hpp"

#include <unistd.h>

#include <boost/crc.hpp>
#include <cstdio>
#include <fstream>
#include <nlohmann/json.hpp>
#include <span>
#include <stdexcept>

#include "runtime/io/record/run_files.hpp"
#include "runtime/io/record/text_file.hpp"
#include "runtime/json/parse_json.hpp"
#include "runtime/trust/ours.hpp"

namespace takt {
namespace {

constexpr const char* first_line = "# takt checkpoint 2";

[[noreturn]] void refuse(const std::filesystem::path& file, const std::string& why) {
  throw std::runtime_error(file.string() + ": " + why);
}

template <class C>
auto bytes_of(C& items) {
  return std::as_writable_bytes(std::span(items));
}

/// In the order of the file.
template <class Self, class Call>
void for_parts(Self& checkpoint, const Call& call) {
  call("memory", checkpoint.memory);
  call("exchanges", checkpoint.exchanges);
  call("steering", checkpoint.steering);
  call("stored_start", checkpoint.stored_start);
  call("events", checkpoint.events);
  call("guests", checkpoint.guests);
}

nlohmann::ordered_json identity(const PlantDescription& plant) {
  return {{"plant", plant.name},
          {"hash", plant.input_hash},
          {"generator", plant.generator},
          {"macro_step_ns", plant.macro_step_ns}};
}

}  // namespace

Checkpoint read_checkpoint(const std::filesystem::path& file, const PlantDescription& plant) {
  std::error_code none;
  if (!std::filesystem::is_regular_file(file, none)) refuse(file, "there is no such file");
  // It becomes the memory of the plant, and only its checksum says what it is.
  if (const std::string why = why_file_not_ours(file); !why.empty())
    refuse(file, "is not loaded: " + why + "; if you trust what it is, make a copy that is yours");
  std::ifstream in(file, std::ios::binary);
  std::string line;
  if (!in || !std::getline(in, line)) refuse(file, "cannot be read");
  if (line != first_line) refuse(file, "is no checkpoint (\"" + std::string(first_line) + "\")");
  std::getline(in, line);
  const auto head = json_or_none<nlohmann::ordered_json>(line);
  if (!head.is_object() || !head.contains("parts") || !head["parts"].is_object()) refuse(file, "its head is damaged");
  const auto wanted = identity(plant);
  for (const auto& [key, value] : wanted.items()) {
    if (!head.contains(key)) refuse(file, "its head is damaged");
    if (head[key] != value)
      refuse(file, "is of another plant or build: " + key + " is " + head[key].dump() + ", here " + value.dump());
  }
  Checkpoint checkpoint;
  boost::crc_32_type sum;
  try {
    checkpoint.macro_step = head.at("macro_step").get<std::uint64_t>();
    checkpoint.digest = head.at("digest").get<std::uint64_t>();
    const std::uintmax_t most = std::filesystem::file_size(file);
    for_parts(checkpoint, [&](const char* name, auto& part) {
      const auto size = head.at("parts").at(name).get<std::uint64_t>();
      if (size > most || size % sizeof part[0] != 0) refuse(file, "its head is damaged");
      part.resize(size / sizeof part[0]);
      const auto bytes = bytes_of(part);
      if (!bytes.empty() && !in.read(reinterpret_cast<char*>(bytes.data()), static_cast<std::streamsize>(bytes.size())))
        refuse(file, "is cut off");
      sum.process_bytes(bytes.data(), bytes.size());
    });
  } catch (const nlohmann::json::exception&) {
    refuse(file, "its head is damaged");
  }
  std::uint32_t stored = 0;
  if (!in.read(reinterpret_cast<char*>(&stored), sizeof stored)) refuse(file, "is cut off");
  if (stored != sum.checksum()) refuse(file, "is damaged: its checksum does not fit");
  if (checkpoint.memory.size() != plant.memory_size) refuse(file, "is of another build: plant memory has another size");
  return checkpoint;
}

void write_checkpoint(const std::filesystem::path& file, const PlantDescription& plant, const Checkpoint& checkpoint) {
  const std::filesystem::path part = file.string() + ".part";
  TextFile out;
  out.open(part);
  auto head = identity(plant);
  head["macro_step"] = checkpoint.macro_step;
  head["digest"] = checkpoint.digest;
  for_parts(checkpoint,
            [&](const char* name, const auto& items) { head["parts"][name] = std::as_bytes(std::span(items)).size(); });
  out.add(std::string(first_line) + '\n' + head.dump() + '\n');
  boost::crc_32_type sum;
  for_parts(checkpoint, [&](const char*, const auto& items) {
    const auto bytes = std::as_bytes(std::span(items));
    out.add(std::string_view(reinterpret_cast<const char*>(bytes.data()), bytes.size()));
    sum.process_bytes(bytes.data(), bytes.size());
  });
  const std::uint32_t stored = sum.checksum();
  out.add(std::string_view(reinterpret_cast<const char*>(&stored), sizeof stored));
  std::error_code ignored;
  try {
    out.close();
    std::filesystem::rename(part, file);
  } catch (const std::exception&) {
    std::filesystem::remove(part, ignored);
    throw;
  }
}

bool CheckpointRoom::write() {
  if (!full_.load(std::memory_order_acquire)) return false;
  char name[64];
  std::snprintf(name, sizeof name, "checkpoint-%.9gs.takt",
                static_cast<double>(content_.macro_step) * static_cast<double>(plant_.macro_step_ns) * 1e-9);
  try {
    if (guest_failed_) throw std::runtime_error(std::string(name) + ": an FMU has not given its state");
    if (guest_ != nullptr) content_.guests = guest_->bytes();
    write_checkpoint(run_file(folder_, name), plant_, content_);
  } catch (const std::runtime_error& error) {
    if (problem_.empty()) problem_ = error.what();
  }
  full_.store(false, std::memory_order_release);
  return true;
}

}  // namespace takt
