#include "runtime/io/record/recorded_file.hpp"

#include <algorithm>
#include <charconv>
#include <limits>
#include <vector>

#include "runtime/csv/csv.hpp"
#include "runtime/io/record/record_formats.hpp"

namespace takt {
namespace {

void append_number(std::string& text, double value) {
  char digits[32];
  text.append(digits, std::to_chars(digits, digits + sizeof digits, value).ptr);
}

void append_row(std::string& text, const RecordedGroup& group, std::size_t row, bool has_it) {
  for (const RecordedGroup::Signal& signal : group.signals) {
    text += ',';
    if (has_it) append_number(text, signal.values[row]);
  }
}

/// nullptr: none but CSV.
const RecordFormat* format_of(const std::filesystem::path& file) {
  for (const RecordFormat* format : record_formats())
    if (format->is_one != nullptr && format->read != nullptr && format->is_one(file)) return format;
  return nullptr;
}

}  // namespace

std::filesystem::path recorded_file(const std::filesystem::path& path) {
  std::error_code none;
  if (!std::filesystem::is_directory(path, none)) return path;
  const std::vector<const RecordFormat*> formats = record_formats();
  for (const RecordFormat* format : formats)
    if (format->read != nullptr && std::filesystem::exists(path / format->file, none)) return path / format->file;
  return path / formats.front()->file;
}

std::vector<RecordedGroup> read_recorded(const std::filesystem::path& file) {
  const RecordFormat* const format = format_of(file);
  return (format != nullptr ? format : record_formats().front())->read(file);
}

std::optional<std::string> recorded_as_csv(const std::filesystem::path& file) {
  const RecordFormat* const format = format_of(file);
  if (format == nullptr) return std::nullopt;
  return csv_text(format->read(file));
}

std::string csv_text(const std::vector<RecordedGroup>& groups) {
  std::string text = "time [s]";
  for (const RecordedGroup& group : groups)
    for (const RecordedGroup::Signal& signal : group.signals) text += "," + csv_head(signal.path, signal.unit);
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
