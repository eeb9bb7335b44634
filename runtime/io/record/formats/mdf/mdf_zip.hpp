#pragma once
// The data of DZ blocks of MDF: samples, transposed, as a zlib stream.

#include <cstddef>
#include <string>
#include <string_view>

#include "runtime/io/record/deflate.hpp"

namespace takt {

/// Bytes of like meaning stand beside each other: the first of every record, then the second ... ; what is no whole
/// record follows as it is.
/// @param record  bytes of one, > 0
void transpose(std::string_view bytes, std::size_t record, std::string& out);
[[nodiscard]] std::string transposed_back(std::string_view bytes, std::size_t record);

/// Keeps its memory, as Deflater does.
class SampleZip {
 public:
  /// @param record  bytes of one, > 0  @return the data of a DZ block, until the next call
  [[nodiscard]] std::string_view block_of(std::string_view samples, std::size_t record);

 private:
  Deflater deflater_;
  std::string transposed_, data_;
};

/// @param data  of a DZ block that holds samples  @throw std::runtime_error  what is wrong with it
[[nodiscard]] std::string unzipped_samples(std::string_view data);

}  // namespace takt
