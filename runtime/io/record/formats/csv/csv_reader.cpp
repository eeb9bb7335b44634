#include "runtime/io/record/formats/csv/csv_reader.hpp"

#include <charconv>
#include <fstream>
#include <stdexcept>
#include <string>
#include <string_view>

#include "runtime/csv/csv.hpp"

namespace takt {
namespace {

class TableReader {
 public:
  TableReader(const std::filesystem::path& file, std::istream& text) : file_(file), rows_(text) {}

  std::vector<RecordedGroup> read() {
    if (rows_.next()) take_head();
    while (rows_.next()) take_row();
    return std::move(groups_);
  }

 private:
  [[noreturn]] void fail(const std::string& what) const {
    throw std::runtime_error(file_.string() + ":" + std::to_string(rows_.line()) + ": " + what);
  }

  void take_head() {
    for (const std::string_view cell : rows_.cells()) {
      const auto [name, unit] = split_head(cell);
      if (!has_time_ && name != "time") fail("the first column must be 'time [s]', as in signals.csv of a run");
      if (has_time_) groups_.push_back({.time_s = {}, .signals = {{.path = name, .unit = unit, .values = {}}}});
      has_time_ = true;
    }
  }

  void take_row() {
    const std::vector<std::string_view>& row = rows_.cells();
    if (row.size() != groups_.size() + 1)
      fail(std::to_string(row.size()) + " values for " + std::to_string(groups_.size() + 1) + " columns");
    const double time = number(row.front());
    for (std::size_t k = 1; k < row.size(); ++k) {
      if (row[k].empty()) continue;  // recorded at another period
      groups_[k - 1].time_s.push_back(time);
      groups_[k - 1].signals.front().values.push_back(number(row[k]));
    }
  }

  [[nodiscard]] double number(std::string_view cell) const {
    double value = 0.0;
    const auto [end, error] = std::from_chars(cell.data(), cell.data() + cell.size(), value);
    if (error != std::errc{} || end != cell.data() + cell.size()) fail("'" + std::string(cell) + "' is not a number");
    return value;
  }

  const std::filesystem::path& file_;
  CsvRows rows_;
  bool has_time_ = false;
  std::vector<RecordedGroup> groups_;
};

}  // namespace

std::vector<RecordedGroup> read_csv_signals(const std::filesystem::path& file) {
  std::ifstream text(file);
  if (!text) throw std::runtime_error("cannot open " + file.string());
  try {
    return TableReader(file, text).read();
  } catch (const CsvMistake& mistake) {
    throw std::runtime_error(file.string() + ":" + std::to_string(mistake.line()) + ": " + mistake.what());
  }
}

}  // namespace takt
