#include "tools/takt/can_log_file.hpp"

#include <array>
#include <filesystem>
#include <fstream>

#include "tools/takt/arguments.hpp"

namespace takt::tools {
namespace {

/// What to do with a file of another format.
std::string remedy(const std::string& file, std::string_view format) {
  if (format.ends_with("ASAM MDF")) {
    const std::filesystem::path log = std::filesystem::path(file).replace_extension(".log");
    if (std::filesystem::exists(log)) return "; the same frames are in " + log.string();
  }
  return ": this reads candump -L, candump, Vector ASC and the JSON lines of takt can; python-can converts others: "
         "python3 -m can.logconvert FILE OUT.log";
}

}  // namespace

LogCounts read_log(const std::string& file, const std::function<void(const LoggedFrame&, std::uint64_t line)>& take) {
  std::ifstream in(existing_file(file, "log"), std::ios::binary);
  std::array<char, 32> beginning{};
  in.read(beginning.data(), beginning.size());
  if (in.gcount() == 0) throw UsageError(file + " is empty: no log of a format that I know");
  const auto foreign = foreign_log({beginning.data(), static_cast<std::size_t>(in.gcount())});
  if (!foreign.empty())
    throw UsageError(file + (foreign.ends_with("MDF") ? " is an " : " is a ") + std::string(foreign) + " file" +
                     remedy(file, foreign));
  in.clear();
  in.seekg(0);
  LogReader reader;
  LogCounts counts;
  bool understood = false;
  std::uint64_t number = 0;
  for (std::string line; std::getline(in, line);) {
    ++number;
    LoggedFrame logged;
    const auto kind = reader.read(line, logged);
    if (kind == LogReader::Line::not_understood && counts.not_understood++ == 0) counts.first_not_understood = number;
    counts.events += kind == LogReader::Line::event ? 1U : 0U;
    understood = understood || (kind != LogReader::Line::not_understood && kind != LogReader::Line::empty);
    if (kind != LogReader::Line::frame) continue;
    ++counts.frames;
    take(logged, number);
  }
  if (!understood) throw UsageError(file + " is no log of a format that I know" + remedy(file, ""));
  return counts;
}

std::string rest_text(const LogCounts& counts) {
  return (counts.events > 0 ? ", " + std::to_string(counts.events) + " error frames and other events" : "") + ", " +
         std::to_string(counts.not_understood) + " lines not understood\n";
}

}  // namespace takt::tools
