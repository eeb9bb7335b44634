#include "codegen/text/hash.hpp"

#include <cstdint>

namespace takt::codegen {

std::string hash_text(std::string_view text) {
  std::uint64_t hash = 0xcbf29ce484222325u;
  for (const char c : text) {
    hash ^= static_cast<unsigned char>(c);
    hash *= 0x100000001b3u;
  }
  constexpr std::string_view digits = "0123456789abcdef";
  std::string hex;
  for (int shift = 60; shift >= 0; shift -= 4) hex += digits[(hash >> shift) & 15u];
  return hex;
}

}  // namespace takt::codegen
