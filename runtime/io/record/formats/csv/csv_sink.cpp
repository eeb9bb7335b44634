#include "runtime/io/record/formats/csv/csv_sink.hpp"

#include <bit>
#include <stdexcept>

#include "runtime/csv/csv.hpp"
#include "runtime/io/record/formats/csv/csv_reader.hpp"

namespace takt {

extern const RecordFormat csv_format;
const RecordFormat csv_format{.word = "csv",
                              .file = "signals.csv",
                              .title = "",
                              .make = make_record_sink<CsvSink>,
                              .is_one = nullptr,
                              .read = read_csv_signals};

void CsvSink::open(const std::filesystem::path& path, const RecordHead& head) {
  file_.open(path);
  file_.add("time [s]");
  std::size_t columns = 0;
  for (const RecordRate& rate : head.rates) {
    first_column_.push_back(columns);
    columns += rate.columns.size();
    for (const RecordColumn& column : rate.columns) {
      file_.add(',');
      file_.add(csv_head(column.path, column.unit));
    }
  }
  file_.add('\n');
  file_.flush();
  cells_.resize(columns);
  present_.resize(columns);
}

void CsvSink::add(const RecordedRow& row) {
  if (row.time != time_) write_row();
  time_ = row.time;
  const std::size_t first = first_column_[row.plan];
  for (std::size_t i = 0; i < row.values.size(); ++i) {
    cells_[first + i] = std::bit_cast<double>(row.values[i]);
    present_[first + i] = true;
  }
}

void CsvSink::write_row() {
  if (!time_) return;
  file_.add_seconds(*time_);
  for (std::size_t column = 0; column < cells_.size(); ++column) {
    file_.add(',');
    if (present_[column]) file_.add(cells_[column]);
    present_[column] = false;
  }
  file_.add('\n');
  file_.flush_if_large();
  time_.reset();
}

void CsvSink::finish() {
  write_row();
  try {
    file_.close();
  } catch (const std::runtime_error&) {
    return;  // it is kept
  }
}

}  // namespace takt
