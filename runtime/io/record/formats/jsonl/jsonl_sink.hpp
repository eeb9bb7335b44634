#pragma once
// Recorded signals as JSON Lines (jsonlines.org): an object on each line, which jq, pandas and DuckDB read as it comes.
// The head, then a line for each time with the signals that are due, and lines for events; README.md has the form.

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/io/record/record_sink.hpp"
#include "runtime/io/record/text_file.hpp"

namespace takt {

/// The file ends with its last whole line.
class JsonlSink final : public RecordSink {
 public:
  void open(const std::filesystem::path& path, const RecordHead& head) override;
  void begin_at(std::int64_t utc_ns, int tai_ahead_s) override;
  void add(const RecordedRow& row) override;
  void add_event(const RecordEvent& event) override;
  void flush() override { file_.flush(); }
  void finish() override;
  void conclude(const RecordEnd& end) override;
  [[nodiscard]] std::string problem() const override { return file_.problem(); }
  [[nodiscard]] std::uint64_t lost() const override { return file_.lines_lost() - notes_lost_; }

 private:
  void write_row();
  void write_note(const std::string& line);

  TextFile file_;
  std::vector<std::vector<std::string>> keys_;  // of each rate: ,"path [unit]":
  std::optional<SimTime> time_;                 // of the row that is gathered
  std::string row_;
  std::uint64_t notes_lost_ = 0;  // lines that are no rows
};

}  // namespace takt
