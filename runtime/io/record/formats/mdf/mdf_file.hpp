#pragma once
// Recorded signals as ASAM MDF 4.10, one channel group per period. The file is finished at every moment: a block of
// samples is appended whole, then linked, then counted, so that whatever kills the process costs what was not flushed.
// Source: ASAM MDF 4.1 base standard (blocks ID, HD, FH, MD, TX, DG, CG, CN, HL, DL, DT, DZ, EV, AT).

#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/io/record/mdf_blocks.hpp"
#include "runtime/io/record/mdf_chain.hpp"
#include "runtime/io/record/mdf_zip.hpp"
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

/// A line of the file's comment.
struct MdfProperty {
  std::string name, value;
  bool whole_number = false;
};

struct MdfHead {
  std::string title;  ///< for people: which plant
  std::vector<MdfProperty> properties;
  bool compress = false;  ///< samples and attachments; needs can_deflate()
};

struct MdfEvent {
  enum class Kind : std::uint8_t { trigger = 5, marker = 6 };  // as the standard counts them
  SimTime time;
  std::string text;
  Kind kind = Kind::marker;
  SimDuration before{}, after{};  ///< of a trigger: what is kept around it
};

/// A text that travels in the file.
struct MdfAttachment {
  std::string name, type;  ///< "plant.toml", "application/toml"
  std::string text;
};

/// Errors are kept, not thrown, until close(), as in TextFile: the file then ends with the last block that is whole.
/// Phases: open(), begin_at(), add(), add_event() and flush(), attach() and set_properties(), close().
class MdfFile {
 public:
  /// @throw std::runtime_error  with path and cause
  void open(const std::filesystem::path& path, const MdfHead& head, std::span<const MdfGroup> groups);
  /// Time 0 of the samples in UTC, and by how much TAI is ahead of it (0: the kernel does not know).
  void begin_at(std::int64_t utc_ns, int tai_ahead_s);
  /// @param values  the bits of float64, in the order of the group's channels
  void add(std::size_t group, SimTime time, std::span<const std::uint64_t> values);
  /// At once in the file.
  void add_event(const MdfEvent& event);
  void attach(const MdfAttachment& attachment);
  /// Of the comment: new lines, or new values of lines.
  void set_properties(std::span<const MdfProperty> properties);
  /// Hands everything to the system, so that it survives the end of this process.
  void flush();
  void flush_if_large() {
    if (buffered_ > most_buffered) flush();
  }
  [[nodiscard]] std::string problem() const { return blocks_.problem(); }
  /// Samples that are not in the file, because of that problem.
  [[nodiscard]] std::uint64_t lost() const { return lost_; }
  /// @throw std::runtime_error  the first error since open()
  void close();

 private:
  static constexpr std::size_t most_buffered = std::size_t{1} << 20U;
  struct Group {
    std::vector<std::uint64_t> samples;  // not yet in the file: time and values, sample by sample
    MdfChain chain;
  };
  std::uint64_t append_group(const MdfGroup& group, std::uint64_t& channel_group);
  std::uint64_t append_channel(const MdfChannel& channel, std::size_t number);
  void append_to_chain(std::uint64_t& last, std::size_t of_head, std::uint64_t block);
  void write_comment();
  void flush(Group& group);

  MdfBlocks blocks_;
  MdfHead head_;
  std::optional<SampleZip> zip_;
  std::vector<Group> groups_;
  std::size_t buffered_ = 0;  // bytes
  std::uint64_t header_ = 0, history_ = 0, last_event_ = 0, last_attachment_ = 0, lost_ = 0;
};

}  // namespace takt
