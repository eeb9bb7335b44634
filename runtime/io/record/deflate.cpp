#include "runtime/io/record/deflate.hpp"

#include <zlib.h>

#include <stdexcept>

namespace takt {

bool can_deflate() noexcept { return true; }

std::string deflated(std::string_view bytes) {
  uLongf size = compressBound(bytes.size());
  std::string stream(size, '\0');
  if (compress2(reinterpret_cast<Bytef*>(stream.data()), &size, reinterpret_cast<const Bytef*>(bytes.data()),
                bytes.size(), Z_BEST_SPEED) != Z_OK)
    throw std::runtime_error("zlib cannot compress");
  stream.resize(size);
  return stream;
}

std::string inflated(std::string_view stream, std::size_t size) {
  constexpr std::size_t most = 1032;  // no stream holds more than that times its length
  if (size / most > stream.size()) throw std::runtime_error("its length is not that of what it holds");
  std::string bytes(size, '\0');
  uLongf got = size;
  if (uncompress(reinterpret_cast<Bytef*>(bytes.data()), &got, reinterpret_cast<const Bytef*>(stream.data()),
                 stream.size()) != Z_OK ||
      got != size)
    throw std::runtime_error("compressed data are damaged");
  return bytes;
}

}  // namespace takt
