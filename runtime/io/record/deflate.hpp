#pragma once
// Compression by zlib. Where Takt was configured without it (no libz.a), deflate_absent.cpp says so.

#include <cstddef>
#include <string>
#include <string_view>

namespace takt {

[[nodiscard]] bool can_deflate() noexcept;

/// A zlib stream at its fastest level: the recorder's thread has to keep up with the plant.
/// @throw std::runtime_error  there is no zlib
[[nodiscard]] std::string deflated(std::string_view bytes);

/// @param size  of what comes out, in bytes
/// @throw std::runtime_error  the stream is damaged, or holds more or less than that; there is no zlib
[[nodiscard]] std::string inflated(std::string_view stream, std::size_t size);

}  // namespace takt
