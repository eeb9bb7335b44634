#pragma once
// Recorded signals as ASAM MDF 4.10, one channel group per period. The file is finished at every moment: a block of
// samples is appended whole, then linked, then counted, so that whatever kills the process costs what was not flushed.
// Source: ASAM MDF 4.1 base standard (blocks ID, HD, FH, MD, TX, DG, CG, CN, HL, DL, DT, DZ, EV, AT).

#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "runtime/io/record/formats/mdf/mdf_blocks.hpp"
#include "runtime/io/record/formats/mdf/mdf_chain.hpp"
#include "runtime/io/record/formats/mdf/mdf_zip.hpp"
#include "runtime/io/record/record_sink.hpp"

namespace takt {

/// After an error the file ends with the last block that is whole.
class MdfFile final : public RecordSink {
 public:
  void open(const std::filesystem::path& path, const RecordHead& head) override;
  void begin_at(std::int64_t utc_ns, int tai_ahead_s) override;
  void add(const RecordedRow& row) override;
  /// At once in the file.
  void add_event(const RecordEvent& event) override;
  void flush() override;
  void finish() override { flush(); }
  void conclude(const RecordEnd& end) override;
  [[nodiscard]] std::string problem() const override { return blocks_.problem(); }
  [[nodiscard]] std::uint64_t lost() const override { return lost_; }

 private:
  static constexpr std::size_t most_buffered = std::size_t{1} << 20U;
  struct Group {
    std::vector<std::uint64_t> samples;  // not yet in the file: time and values, sample by sample
    MdfChain chain;
  };
  std::uint64_t append_group(const RecordRate& rate, std::uint64_t& channel_group);
  std::uint64_t append_channel(const RecordColumn& column, std::size_t number);
  void attach(const RecordAttachment& attachment);
  /// Of the comment: new lines, or new values of lines.
  void set_properties(std::span<const RecordProperty> properties);
  void append_to_chain(std::uint64_t& last, std::size_t of_head, std::uint64_t block);
  void write_comment();
  void flush(Group& group);

  MdfBlocks blocks_;
  std::string title_;
  std::vector<RecordProperty> properties_;
  std::optional<SampleZip> zip_;
  std::vector<Group> groups_;
  std::size_t buffered_ = 0;  // bytes
  std::uint64_t header_ = 0, history_ = 0, last_event_ = 0, last_attachment_ = 0, lost_ = 0;
};

}  // namespace takt
