#pragma once
// SHA-256, for content that must be what it was: nobody can make another one with the same hash.

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace takt::codegen {

/// Source: FIPS 180-4, sections 4.1.2, 5 and 6.2.
class Sha256 {
 public:
  void add(std::string_view bytes);
  /// 64 hexadecimal digits; nothing may be added afterwards.
  [[nodiscard]] std::string finish();

 private:
  static constexpr std::size_t block_size = 64;
  void take_block(const char* block);

  std::array<std::uint32_t, 8> state_{0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
                                      0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};
  std::array<char, block_size> rest_{};
  std::size_t rest_size_ = 0;
  std::uint64_t size_ = 0;
};

}  // namespace takt::codegen
