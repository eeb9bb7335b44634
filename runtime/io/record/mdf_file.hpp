#pragma once
// Recorded signals as ASAM MDF 4.10, one channel group per period. The file is finished at every moment: a block of
// samples is appended whole, then linked, then counted, so that whatever kills the process costs what was not flushed.
// Source: ASAM MDF 4.1 base standard (blocks ID, HD, FH, MD, TX, DG, CG, CN, DL, DT).

#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/plant/time.hpp"

namespace takt {

struct MdfChannel {
  std::string name, unit;
};

/// Channels that are sampled together; their master is time in seconds.
struct MdfGroup {
  std::string name;
  std::vector<MdfChannel> channels;
};

/// Errors are kept, not thrown, until close(), as in TextFile: the file then ends with the last block that is whole.
/// Phases: open(), add() and flush(), close().
class MdfFile {
 public:
  MdfFile() = default;
  ~MdfFile();
  MdfFile(const MdfFile&) = delete;
  MdfFile& operator=(const MdfFile&) = delete;

  /// @param title  for people: which plant
  /// @throw std::runtime_error  with path and cause
  void open(const std::filesystem::path& path, std::string_view title, std::span<const MdfGroup> groups);
  /// Time 0 of the samples in UTC, and by how much TAI is ahead of it (0: the kernel does not know).
  void begin_at(std::int64_t utc_ns, int tai_ahead_s);
  /// @param values  the bits of float64, in the order of the group's channels
  void add(std::size_t group, SimTime time, std::span<const std::uint64_t> values);
  /// Hands everything to the system, so that it survives the end of this process.
  void flush();
  void flush_if_large() {
    if (buffered_ > most_buffered) flush();
  }
  [[nodiscard]] std::string problem() const;
  /// @throw std::runtime_error  the first error since open()
  void close();

 private:
  static constexpr std::size_t most_buffered = std::size_t{1} << 20U;
  struct Group {
    std::vector<std::uint64_t> samples;  // not yet in the file: time and values, sample by sample
    std::size_t width = 0;               // words of a sample
    std::uint64_t data_group = 0, channel_group = 0, list = 0;  // places of blocks; list: the last one, 0: none
    std::uint64_t count = 0;                                    // samples in the file
  };
  std::uint64_t append(std::string_view kind, std::span<const std::uint64_t> links, std::string_view data);
  std::uint64_t append_text(std::string_view kind, std::string_view text);
  std::uint64_t append_group(const MdfGroup& group, std::uint64_t& channel_group);
  void write_at(std::uint64_t place, std::string_view bytes);
  void link(std::uint64_t block, std::size_t number, std::uint64_t to);
  void flush(Group& group);

  std::filesystem::path path_;
  std::string title_;  // for XML
  std::vector<Group> groups_;
  std::size_t buffered_ = 0;  // bytes
  std::uint64_t size_ = 0, head_ = 0, history_ = 0;
  int descriptor_ = -1, error_ = 0;
};

}  // namespace takt
