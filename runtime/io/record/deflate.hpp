#pragma once
// Compression by zlib. In the runtime for another machine whose libz.a is not there, deflate_absent.cpp says so.

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>

namespace takt {

[[nodiscard]] bool can_deflate() noexcept;

/// Makes zlib streams at the fastest level: the recorder's thread has to keep up with the plant. Keeps its memory: what
/// one thread of a process gives back to the system interrupts all its cores.
class Deflater {
 public:
  /// @throw std::runtime_error  there is no zlib
  Deflater();
  ~Deflater();
  Deflater(const Deflater&) = delete;
  Deflater& operator=(const Deflater&) = delete;
  /// A stream of its own behind what `out` holds.
  void append(std::string_view bytes, std::string& out);

 private:
  struct Stream;
  std::unique_ptr<Stream> stream_;
};

/// @throw std::runtime_error  there is no zlib
[[nodiscard]] std::string deflated(std::string_view bytes);

/// @param size  of what comes out, in bytes
/// @throw std::runtime_error  the stream is damaged, or holds more or less than that; there is no zlib
[[nodiscard]] std::string inflated(std::string_view stream, std::size_t size);

}  // namespace takt
