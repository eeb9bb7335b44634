#include "runtime/io/record/recorded_file.hpp"

#include <algorithm>
#include <charconv>
#include <limits>
#include <vector>

#include "runtime/csv/csv.hpp"
#include "runtime/io/record/mdf_reader.hpp"

namespace takt {
namespace {

void append_number(std::string& text, double value) {
  char digits[32];
  text.append(digits, std::to_chars(digits, digits + sizeof digits, value).ptr);
}

void append_row(std::string& text, const MdfSignals& group, std::size_t row, bool has_it) {
  for (const MdfSignal& signal : group.signals) {
    text += ',';
    if (has_it) append_number(text, signal.values[row]);
  }
}

}  // namespace

std::filesystem::path recorded_file(const std::filesystem::path& path) {
  std::error_code none;
  if (!std::filesystem::is_directory(path, none)) return path;
  const std::filesystem::path csv = path / "signals.csv", mdf = path / "signals.mf4";
  return !std::filesystem::exists(csv, none) && std::filesystem::exists(mdf, none) ? mdf : csv;
}

std::string mdf_as_csv(const std::filesystem::path& file) {
  const std::vector<MdfSignals> groups = read_mdf(file);
  std::string text = "time [s]";
  for (const MdfSignals& group : groups)
    for (const MdfSignal& signal : group.signals) text += "," + csv_head(signal.path, signal.unit);
  text += '\n';
  std::vector<std::size_t> next(groups.size(), 0);
  for (;;) {
    double time = std::numeric_limits<double>::infinity();
    bool any = false;
    for (std::size_t k = 0; k < groups.size(); ++k)
      if (next[k] < groups[k].time_s.size()) time = std::min(time, groups[k].time_s[next[k]]), any = true;
    if (!any) return text;
    append_number(text, time);
    for (std::size_t k = 0; k < groups.size(); ++k) {
      // Not greater, in place of equal: a damaged time that is no number must not stop all.
      const bool has_it = next[k] < groups[k].time_s.size() && !(groups[k].time_s[next[k]] > time);
      append_row(text, groups[k], next[k], has_it);
      next[k] += has_it ? 1 : 0;
    }
    text += '\n';
  }
}

}  // namespace takt
