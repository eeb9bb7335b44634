#include "runtime/io/can/protect/protection.hpp"

#include <array>
#include <catch2/catch.hpp>
#include <string>
#include <vector>

#include "runtime/io/can/protect/settings.hpp"

using namespace takt::can;

namespace {

using Bytes = std::vector<std::uint8_t>;

constexpr std::array<std::uint8_t, 16> ids_from_1{1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16};

/// Bytes of 0, protected.
Bytes zeros(const ProtectionSettings& settings, std::uint64_t counter) {
  Bytes data(settings.length);
  protect(make_protection(settings), counter, data);
  return data;
}

/// The example of profile 1, with 8 bytes.
constexpr ProtectionSettings profile_1{.profile = Profile::p01, .length = 8, .data_id = 0x123};

/// What a receiver says about counters one after the other.
std::vector<Verdict> verdicts(const ProtectionSettings& settings, const std::vector<std::uint64_t>& counters) {
  const Protection protection = make_protection(settings);
  Receiver receiver;
  std::vector<Verdict> result;
  for (const std::uint64_t counter : counters)
    result.push_back(check(protection, receiver, zeros(settings, counter)).verdict);
  return result;
}

}  // namespace

// PRS_E2EProtocol, "E2E Protect" examples of each profile; Specification of CRC Routines, check values.
TEST_CASE("sums are those that the standard gives for the digits 1 to 9") {
  const auto sum_of = [](const Crc& crc) {
    CrcSum sum(crc);
    for (const char digit : std::string("123456789")) sum.add(static_cast<std::uint8_t>(digit));
    return sum.value();
  };
  CHECK(sum_of({.width = 8, .polynomial = 0x1D, .start = 0xFF, .exclusive_or = 0xFF}) == 0x4B);
  CHECK(sum_of(crc8_h2f) == 0xDF);
  CHECK(sum_of(crc16_ccitt) == 0x29B1);
  CHECK(sum_of(crc32_p4) == 0x1697D06A);
  CHECK(sum_of(crc64_ecma) == 0x995DC9BBDF1939FA);
  CHECK(sum_of({.width = 15, .polynomial = 0x4599}) == 0x059E);  // CRC-15 of CAN
  CHECK(sum_of({.width = 5, .polynomial = 0x05, .start = 0x1F, .exclusive_or = 0x1F, .reflected = true}) ==
        0x19);                                                                               // USB
  CHECK(sum_of({.width = 4, .polynomial = 0x3, .start = 0xF, .exclusive_or = 0xF}) == 0xB);  // Interlaken
}

TEST_CASE("protected bytes are those of the standard's examples") {
  SECTION("profiles 1 and 11, whose bytes are the same") {
    for (const Profile profile : {Profile::p01, Profile::p11}) {
      ProtectionSettings s = profile_1;
      s.profile = profile;
      CHECK(zeros(s, 0) == Bytes{0xCC, 0x00, 0, 0, 0, 0, 0, 0});
      CHECK(zeros(s, 1) == Bytes{0x91, 0x01, 0, 0, 0, 0, 0, 0});
      s.data_id_mode = DataIdMode::nibble;
      CHECK(zeros(s, 0) == Bytes{0x2A, 0x10, 0, 0, 0, 0, 0, 0});
      CHECK(zeros(s, 1) == Bytes{0x77, 0x11, 0, 0, 0, 0, 0, 0});
      s.length = 16, s.crc_offset = 64, s.counter_offset = 72, s.data_id_nibble_offset = 76;
      CHECK(zeros(s, 0) == Bytes{0, 0, 0, 0, 0, 0, 0, 0, 0x7D, 0x10, 0, 0, 0, 0, 0, 0});
    }
  }
  SECTION("profiles 2 and 22, whose bytes are the same") {
    for (const Profile profile : {Profile::p02, Profile::p22}) {
      ProtectionSettings s{.profile = profile, .length = 8, .data_id_list = ids_from_1};
      const std::array<std::uint8_t, 16> checksums{0x1B, 0x98, 0x31, 0x0D, 0x18, 0x9B, 0x65, 0x08,
                                                   0x1D, 0x9E, 0x37, 0x0B, 0x1E, 0x9D, 0xCD, 0x0E};
      const Protection protection = make_protection(s);
      std::uint64_t counter = protection.first;
      for (const std::uint8_t checksum : checksums) {
        CHECK(zeros(s, counter) == Bytes{checksum, static_cast<std::uint8_t>(counter), 0, 0, 0, 0, 0, 0});
        counter = next_counter(protection, counter);
      }
      CHECK(counter == 1);
      s.length = 16, s.offset = 64;
      CHECK(zeros(s, 1) == Bytes{0, 0, 0, 0, 0, 0, 0, 0, 0x14, 0x01, 0, 0, 0, 0, 0, 0});
    }
  }
  SECTION("profile 4") {
    ProtectionSettings s{.profile = Profile::p04, .length = 16, .data_id = 0x0A0B0C0D};
    CHECK(zeros(s, 0) == Bytes{0, 0x10, 0, 0, 0x0A, 0x0B, 0x0C, 0x0D, 0x86, 0x2B, 0x05, 0x56, 0, 0, 0, 0});
    s.length = 24, s.offset = 64;
    CHECK(zeros(s, 0) ==
          Bytes{0, 0, 0, 0, 0, 0, 0, 0, 0, 0x18, 0, 0, 0x0A, 0x0B, 0x0C, 0x0D, 0x69, 0xD7, 0x50, 0x2E, 0, 0, 0, 0});
  }
  SECTION("profile 5") {
    ProtectionSettings s{.profile = Profile::p05, .length = 8, .data_id = 0x1234};
    CHECK(zeros(s, 0) == Bytes{0x1C, 0xCA, 0, 0, 0, 0, 0, 0});
    s.length = 16, s.offset = 64;
    CHECK(zeros(s, 0) == Bytes{0, 0, 0, 0, 0, 0, 0, 0, 0x28, 0x91, 0, 0, 0, 0, 0, 0});
  }
  SECTION("profile 6") {
    ProtectionSettings s{.profile = Profile::p06, .length = 8, .data_id = 0x1234};
    CHECK(zeros(s, 0) == Bytes{0xB1, 0x55, 0, 8, 0, 0, 0, 0});
    s.length = 16, s.offset = 64;
    CHECK(zeros(s, 0) == Bytes{0, 0, 0, 0, 0, 0, 0, 0, 0x4E, 0xB7, 0, 0x10, 0, 0, 0, 0});
  }
  SECTION("profile 7") {
    ProtectionSettings s{.profile = Profile::p07, .length = 24, .data_id = 0x0A0B0C0D};
    CHECK(zeros(s, 0) == Bytes{0x1F, 0xB2, 0xE7, 0x37, 0xFC, 0xED, 0xBC, 0xD9, 0, 0, 0, 0x18,
                               0,    0,    0,    0,    0x0A, 0x0B, 0x0C, 0x0D, 0, 0, 0, 0});
    s.length = 32, s.offset = 64;
    const Bytes data = zeros(s, 0);
    CHECK(Bytes(data.begin() + 8, data.begin() + 16) == Bytes{0x17, 0xF7, 0xC8, 0x17, 0x32, 0x38, 0x65, 0xA8});
  }
}

TEST_CASE("a counter wraps where its profile says so") {
  const auto after = [](Profile profile, std::uint64_t counter) {
    return next_counter(make_protection({.profile = profile, .length = 24}), counter);
  };
  CHECK((after(Profile::p01, 13) == 14 && after(Profile::p01, 14) == 0));
  CHECK((after(Profile::p11, 14) == 0 && after(Profile::p02, 14) == 15 && after(Profile::p22, 15) == 0));
  CHECK((after(Profile::p04, 0xFFFE) == 0xFFFF && after(Profile::p04, 0xFFFF) == 0));
  CHECK((after(Profile::p05, 255) == 0 && after(Profile::p06, 255) == 0));
  CHECK((after(Profile::p07, 0xFFFFFFFE) == 0xFFFFFFFF && after(Profile::p07, 0xFFFFFFFF) == 0));
}

TEST_CASE("a receiver tells sequences from what is lost, repeated or jumps") {
  using V = Verdict;
  CHECK(verdicts(profile_1, {3, 4, 5}) == std::vector{V::initial, V::ok, V::ok});
  CHECK(verdicts(profile_1, {13, 14, 0, 1}) == std::vector{V::initial, V::ok, V::ok, V::ok});
  CHECK(verdicts(profile_1, {3, 3, 4}) == std::vector{V::initial, V::repeated, V::ok});
  CHECK(verdicts(profile_1, {14, 1, 2}) == std::vector{V::initial, V::some_lost, V::ok});
  CHECK(verdicts(profile_1, {3, 6, 7}) == std::vector{V::initial, V::wrong_sequence, V::ok});
  CHECK(verdicts(profile_1, {3, 2, 3}) == std::vector{V::initial, V::wrong_sequence, V::ok});
  ProtectionSettings wide = profile_1;
  wide.max_delta_counter = 4;
  const Protection protection = make_protection(wide);
  Receiver receiver;
  (void)check(protection, receiver, zeros(wide, 0));
  const Checked four = check(protection, receiver, zeros(wide, 4));
  CHECK((four.verdict == V::some_lost && four.lost == 3));
  CHECK(check(protection, receiver, zeros(wide, 9)).verdict == V::wrong_sequence);
  CHECK((is_taken(V::ok) && is_taken(V::initial) && is_taken(V::some_lost)));
  CHECK((!is_taken(V::wrong_checksum) && !is_taken(V::repeated) && !is_taken(V::wrong_sequence)));
}

TEST_CASE("a frame with a wrong checksum does not change what the next is judged by") {
  const Protection protection = make_protection(profile_1);
  Receiver receiver;
  CHECK(check(protection, receiver, zeros(profile_1, 3)).verdict == Verdict::initial);
  Bytes wrong = zeros(profile_1, 4);
  wrong[7] ^= 1U;
  CHECK(check(protection, receiver, wrong).verdict == Verdict::wrong_checksum);
  CHECK(check(protection, receiver, zeros(profile_1, 4)).verdict == Verdict::ok);
  Bytes invalid = zeros(profile_1, 15);  // a right checksum, but no counter of this profile
  CHECK(check(protection, receiver, invalid).verdict == Verdict::wrong_checksum);
}

TEST_CASE("a frame of another length or data id is not taken") {
  for (const Profile profile : {Profile::p01, Profile::p04, Profile::p05, Profile::p06, Profile::p07, Profile::p11}) {
    ProtectionSettings s{.profile = profile, .length = 24, .data_id = 0x123};
    const Protection protection = make_protection(s);
    Receiver receiver;
    ProtectionSettings other = s;
    other.data_id = 0x124;
    CHECK(check(protection, receiver, zeros(other, 0)).verdict == Verdict::wrong_checksum);
    if (profile != Profile::p04 && profile != Profile::p06 && profile != Profile::p07) continue;
    other = s;
    other.length = 28;
    CHECK(check(protection, receiver, zeros(other, 0)).verdict == Verdict::wrong_checksum);
  }
  ProtectionSettings s{.profile = Profile::p01, .length = 8, .data_id = 0x123, .data_id_mode = DataIdMode::nibble};
  Receiver receiver;
  ProtectionSettings other = s;
  other.data_id = 0x223;  // only in the nibble that is sent
  CHECK(check(make_protection(s), receiver, zeros(other, 0)).verdict == Verdict::wrong_checksum);
}

TEST_CASE("the plain form puts fields of any place and goes over the bytes it is told") {
  // Counter in the high nibble of byte 6, checksum byte 7, over bytes 1 to 7.
  ProtectionSettings s{.length = 8, .data_id_list = {0xA0, 0xB1, 0xC2}, .data_id_count = 3};
  s.counter = bits_field(52, 4);
  s.counters = 16;
  s.checksum = bits_field(56, 8);
  s.crc = {.width = 8, .polynomial = 0x2F, .start = 0xFF, .exclusive_or = 0xFF};
  s.from = 1, s.to = 7;
  const Bytes data = zeros(s, 4);
  CHECK(data[6] == 0x40);
  CrcSum sum(s.crc);
  for (const std::uint8_t byte : Bytes{0, 0, 0, 0, 0, 0x40, 0xB1}) sum.add(byte);  // 4 % 3 = 1
  CHECK(data[7] == sum.value());
  Bytes other = data;
  other[0] = 1;  // no byte of the checksum
  Receiver receiver;
  CHECK(check(make_protection(s), receiver, other).verdict == Verdict::initial);
  other[1] = 1;
  CHECK(check(make_protection(s), receiver, other).verdict == Verdict::wrong_checksum);
  CHECK(protected_bits(make_protection(s)) == [] {
    std::array<std::uint8_t, 64> bits{};
    bits[6] = 0xF0, bits[7] = 0xFF;
    return bits;
  }());
}

TEST_CASE("a checksum alone and a counter alone protect, too") {
  ProtectionSettings sum_only{.length = 4};
  sum_only.checksum = bits_field(0, 4);  // shares its byte: the other nibble counts
  sum_only.crc = {.width = 4, .polynomial = 0x3};
  sum_only.to = 3;
  const Protection summed = make_protection(sum_only);
  Receiver receiver;
  Bytes data{0xA0, 1, 2, 3};
  protect(summed, 0, data);
  CHECK((data[0] & 0xF0U) == 0xA0);
  CHECK(check(summed, receiver, data).verdict == Verdict::initial);
  CHECK(check(summed, receiver, data).verdict == Verdict::ok);
  data[0] ^= 0x10U;
  CHECK(check(summed, receiver, data).verdict == Verdict::wrong_checksum);

  ProtectionSettings counter_only{.length = 4};
  counter_only.counter = bytes_field(1, 2, true);
  counter_only.counters = 1U << 16U;
  CHECK(zeros(counter_only, 0x1234) == Bytes{0, 0x12, 0x34, 0});
  CHECK(verdicts(counter_only, {0xFFFF, 0, 0}) == std::vector{Verdict::initial, Verdict::ok, Verdict::repeated});
}

TEST_CASE("fields reach as far as last_byte_of says") {
  CHECK(last_byte_of(make_protection({.profile = Profile::p01})) == 1);
  CHECK(last_byte_of(make_protection({.profile = Profile::p02, .offset = 48})) == 7);
  CHECK(last_byte_of(make_protection({.profile = Profile::p04})) == 11);
  CHECK(last_byte_of(make_protection({.profile = Profile::p05})) == 2);
  CHECK(last_byte_of(make_protection({.profile = Profile::p06})) == 4);
  CHECK(last_byte_of(make_protection({.profile = Profile::p07, .offset = 8})) == 20);
}
