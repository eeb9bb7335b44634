#pragma once
// The blocks that a file of ASAM MDF 4.10 is made of, appended one after another.

#include <array>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>

namespace takt {

/// What writer and reader both know: a block is a head (kind, length, number of links), links, data.
namespace mdf {
constexpr std::uint64_t head_of_block = 24, size_of_id = 64, no_link = 0;
constexpr std::string_view file_id = "MDF     ", version = "4.10    ", program = "Takt    ";
enum Head : std::size_t { first_data_group = 0, first_history, first_attachment = 3, first_event, head_comment };
enum DataGroup : std::size_t { next_data_group = 0, first_channel_group, data };
enum ChannelGroup : std::size_t { next_channel_group = 0, first_channel, acquisition };
enum Channel : std::size_t { next_channel = 0, channel_composition, channel_name, channel_unit = 6 };
enum ChannelType : std::uint8_t { values = 0, master = 2 };
constexpr std::uint8_t no_sync = 0, by_time = 1, float64_little_endian = 4;
enum Zip : std::uint8_t { deflate = 0, transposed = 1 };
}  // namespace mdf

/// Fields of a block, in their order.
class MdfFields {
 public:
  template <class T>
  MdfFields& add(T value) {
    std::array<char, sizeof(T)> raw{};
    std::memcpy(raw.data(), &value, sizeof(T));
    bytes_.append(raw.data(), raw.size());
    return *this;
  }
  MdfFields& text(std::string_view text) {
    bytes_.append(text);
    return *this;
  }
  MdfFields& fill(std::size_t zeros) {
    bytes_.append(zeros, '\0');
    return *this;
  }
  operator std::string_view() const { return bytes_; }

 private:
  std::string bytes_;
};

/// Errors are kept, not thrown, until close(): after the first one nothing is written any more, and the file ends with
/// its last whole block.
class MdfBlocks {
 public:
  MdfBlocks() = default;
  ~MdfBlocks();
  MdfBlocks(const MdfBlocks&) = delete;
  MdfBlocks& operator=(const MdfBlocks&) = delete;

  /// @throw std::runtime_error  with path and cause
  void open(const std::filesystem::path& path);
  [[nodiscard]] bool is_open() const { return descriptor_ >= 0; }
  /// @param kind  "DG"  @return where the block begins
  std::uint64_t append(std::string_view kind, std::span<const std::uint64_t> links, std::string_view data);
  /// Of kind TX, or MD for XML.
  std::uint64_t append_text(std::string_view kind, std::string_view text);
  /// Over fields of a block, from its data on.
  void overwrite(std::uint64_t block, std::uint64_t offset, std::string_view bytes);
  void link(std::uint64_t block, std::size_t number, std::uint64_t to);

  [[nodiscard]] bool ok() const { return error_ == 0; }
  [[nodiscard]] std::string problem() const;
  /// @throw std::runtime_error  the first error since open()
  void close();

 private:
  void write_at(std::uint64_t place, std::string_view bytes);
  std::filesystem::path path_;
  std::uint64_t size_ = 0;
  int descriptor_ = -1, error_ = 0;
};

}  // namespace takt
