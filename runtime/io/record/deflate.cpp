#include "runtime/io/record/deflate.hpp"

#include <zlib.h>

#include <stdexcept>

namespace takt {

bool can_deflate() noexcept { return true; }

struct Deflater::Stream {
  z_stream z{};
};

Deflater::Deflater() : stream_(std::make_unique<Stream>()) {
  if (deflateInit(&stream_->z, Z_BEST_SPEED) != Z_OK) throw std::runtime_error("zlib has no memory");
}

Deflater::~Deflater() { deflateEnd(&stream_->z); }

void Deflater::append(std::string_view bytes, std::string& out) {
  z_stream& z = stream_->z;
  const std::size_t before = out.size();
  deflateReset(&z);
  out.resize(before + deflateBound(&z, bytes.size()));
  z.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(bytes.data()));  // zlib only reads it
  z.avail_in = static_cast<uInt>(bytes.size());
  z.next_out = reinterpret_cast<Bytef*>(out.data() + before);
  z.avail_out = static_cast<uInt>(out.size() - before);
  if (deflate(&z, Z_FINISH) != Z_STREAM_END) throw std::runtime_error("zlib cannot compress");
  out.resize(before + z.total_out);
}

std::string deflated(std::string_view bytes) {
  std::string stream;
  Deflater().append(bytes, stream);
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
