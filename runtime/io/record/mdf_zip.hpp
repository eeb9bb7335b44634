#pragma once
// The data of DZ blocks of MDF: samples, transposed, as a zlib stream.

#include <cstddef>
#include <string>
#include <string_view>

namespace takt {

/// Bytes of like meaning stand beside each other: the first of every record, then the second ... ; what is no whole
/// record follows as it is.
/// @param record  bytes of one, > 0
[[nodiscard]] std::string transposed(std::string_view bytes, std::size_t record);
[[nodiscard]] std::string transposed_back(std::string_view bytes, std::size_t record);

/// @param record  bytes of one, > 0  @throw std::runtime_error  there is no zlib
[[nodiscard]] std::string zipped_samples(std::string_view samples, std::size_t record);
/// @param data  of a DZ block that holds samples  @throw std::runtime_error  what is wrong with it
[[nodiscard]] std::string unzipped_samples(std::string_view data);

}  // namespace takt
