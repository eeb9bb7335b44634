// libFuzzer entry of the reader of signals.mf4: whatever is in the file, it is read or refused with its name.

#include <unistd.h>

#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <stdexcept>
#include <string>

#include "runtime/io/record/formats/mdf/mdf_reader.hpp"
#include "runtime/io/record/recorded_file.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const std::filesystem::path file =
      std::filesystem::temp_directory_path() / ("fuzz_mdf_" + std::to_string(getpid()) + ".mf4");
  std::ofstream(file, std::ios::binary).write(reinterpret_cast<const char*>(data), static_cast<std::streamsize>(size));
  try {
    for (const takt::RecordedGroup& group : takt::read_mdf(file))
      for (const takt::RecordedGroup::Signal& signal : group.signals)
        if (signal.values.size() != group.time_s.size()) std::abort();
    if (takt::csv_text(takt::read_mdf(file)).empty()) std::abort();
  } catch (const std::runtime_error& error) {
    if (!std::string(error.what()).starts_with(file.string())) std::abort();
  }
  return 0;
}
