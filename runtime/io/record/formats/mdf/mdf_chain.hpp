#pragma once
// The samples of one channel group of an MDF file: blocks in a list that grows at its end.

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "runtime/io/record/formats/mdf/mdf_blocks.hpp"
#include "runtime/io/record/formats/mdf/mdf_zip.hpp"

namespace takt {

class MdfChain {
 public:
  MdfChain() = default;
  /// @param data_group, channel_group  where their blocks begin  @param width  bytes of a sample, > 0
  MdfChain(std::uint64_t data_group, std::uint64_t channel_group, std::size_t width)
      : data_group_(data_group), channel_group_(channel_group), width_(width) {}

  /// What a reader finds is whole after each step: samples, the list that names them, the link to it, the count.
  /// @param samples  whole ones  @param zip  of the whole chain; nullptr: as they are
  /// @return false: they are not in the file, for a reason that `blocks` knows
  bool append(MdfBlocks& blocks, std::string_view samples, SampleZip* zip = nullptr);
  /// Samples in the file.
  [[nodiscard]] std::uint64_t count() const { return count_; }
  [[nodiscard]] std::size_t width() const { return width_; }

 private:
  std::uint64_t data_group_ = 0, channel_group_ = 0, list_ = mdf::no_link, count_ = 0;  // list_: the last one
  std::size_t width_ = 1;
};

}  // namespace takt
