#pragma once
// Recorded signals as a table: a row for each time, a cell empty where its signal is recorded at a longer period.

#include <optional>
#include <vector>

#include "runtime/io/record/record_sink.hpp"
#include "runtime/io/record/text_file.hpp"

namespace takt {

/// The file ends with its last whole row.
class CsvSink final : public RecordSink {
 public:
  void open(const std::filesystem::path& path, const RecordHead& head) override;
  void add(const RecordedRow& row) override;
  void flush() override { file_.flush(); }
  void finish() override;
  [[nodiscard]] std::string problem() const override { return file_.problem(); }
  [[nodiscard]] std::uint64_t lost() const override { return file_.lines_lost(); }

 private:
  void write_row();

  TextFile file_;
  std::vector<std::size_t> first_column_;  // of each rate
  std::vector<double> cells_;              // of the row that is gathered
  std::vector<bool> present_;
  std::optional<SimTime> time_;
};

}  // namespace takt
