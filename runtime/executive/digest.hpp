#pragma once
// Fingerprint of a run: all states, coupling values and plant inputs at every outermost synchronisation time, bit for
// bit. Values are keyed by their names, not by their place, so the order of the plan does not matter.

#include <cstdint>
#include <string_view>

namespace takt {

/// Not cryptographic. Each value gives fold(bits ^ key, other key), the values of one time are added, the times
/// chained. Mixing by the halves of a 128-bit product as in wyhash (Wang Yi, public domain description). Real-time:
/// about 1 ns per value.
class Digest {
 public:
  /// Key of a value from its name (FNV-1a, 64 bits, finished by one fold).
  [[nodiscard]] static constexpr std::uint64_t key(std::string_view name, std::uint64_t index = 0) noexcept {
    std::uint64_t hash = 0xcbf29ce484222325u;
    for (const char c : name) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3u;
    return fold(hash + index * 0x9e3779b97f4a7c15u, 0xd6e8feb86659fd93u) | 1u;
  }
  constexpr void add(std::uint64_t key, std::uint64_t bits) noexcept { sum_ += term(key, bits); }
  /// What a value adds: several may sum up their own, in any order.
  [[nodiscard]] static constexpr std::uint64_t term(std::uint64_t key, std::uint64_t bits) noexcept {
    return fold(bits ^ key, key * 0xa0761d6478bd642fu ^ 0xe7037ed1a0b428dbu);
  }
  constexpr void add(std::uint64_t sum_of_terms) noexcept { sum_ += sum_of_terms; }
  /// The values of one synchronisation time are complete.
  constexpr void close(std::uint64_t macro_step) noexcept {
    chain_ = fold(chain_ ^ sum_, 0x8ebc6af09c88c6e3u ^ macro_step);
    sum_ = between;
  }
  /// From the value at the end of a macro-step.
  constexpr void go_on(std::uint64_t value) noexcept { chain_ = value, sum_ = between; }
  [[nodiscard]] constexpr std::uint64_t value() const noexcept { return chain_; }

 private:
  static constexpr std::uint64_t fold(std::uint64_t a, std::uint64_t b) noexcept {
    __extension__ using Wide = unsigned __int128;
    const Wide product = static_cast<Wide>(a) * b;
    return static_cast<std::uint64_t>(product) ^ static_cast<std::uint64_t>(product >> 64);
  }
  static constexpr std::uint64_t between = 0x589965cc75374cc3u;
  std::uint64_t chain_ = 0x2d358dccaa6c78a5u, sum_ = between;
};

}  // namespace takt
