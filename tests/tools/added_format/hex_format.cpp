// Recorded signals as hexadecimal numbers: a line for each row, its time in ns, its rate, its values.

#include <bit>
#include <cstdio>
#include <stdexcept>

#include "runtime/io/record/record_formats.hpp"

namespace {

class HexSink final : public takt::RecordSink {
 public:
  ~HexSink() override { close(); }

  void open(const std::filesystem::path& path, const takt::RecordHead& head) override {
    path_ = path;
    file_ = std::fopen(path.c_str(), "w");
    if (file_ == nullptr) throw std::runtime_error("cannot write " + path.string());
    for (std::size_t rate = 0; rate < head.rates.size(); ++rate)
      for (const takt::RecordColumn& column : head.rates[rate].columns)
        std::fprintf(file_, "# %zu %s [%s]\n", rate, column.path.c_str(), column.unit.c_str());
  }

  void add(const takt::RecordedRow& row) override {
    bool written = std::fprintf(file_, "%lld %zu", static_cast<long long>(row.time.ns()), row.plan) > 0;
    for (const std::uint64_t bits : row.values)
      written = std::fprintf(file_, " %a", std::bit_cast<double>(bits)) > 0 && written;
    if (std::fputc('\n', file_) == EOF || !written) ++lost_;
  }

  void add_event(const takt::RecordEvent& event) override {
    std::fprintf(file_, "# %lld %s\n", static_cast<long long>(event.time.ns()), event.text.c_str());
  }

  void flush() override { std::fflush(file_); }
  void finish() override { flush(); }

  void conclude(const takt::RecordEnd& end) override {
    std::fprintf(file_, "# %s %zu bytes\n", end.summary.name.c_str(), end.summary.text.size());
    close();
  }

  [[nodiscard]] std::string problem() const override { return lost_ == 0 ? "" : "cannot write " + path_.string(); }
  [[nodiscard]] std::uint64_t lost() const override { return lost_; }

 private:
  void close() {
    if (file_ != nullptr && std::fclose(file_) != 0) ++lost_;
    file_ = nullptr;
  }

  std::filesystem::path path_;
  std::FILE* file_ = nullptr;
  std::uint64_t lost_ = 0;
};

const takt::RecordFormat hex_format{
    .word = "hex", .file = "signals.hex", .title = "hexadecimal", .make = takt::make_record_sink<HexSink>};
const takt::AddedRecordFormat added(hex_format);

}  // namespace
