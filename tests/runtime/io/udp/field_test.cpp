#include "runtime/io/udp/field.hpp"

#include <catch2/catch.hpp>
#include <random>

#include "runtime/io/udp/address.hpp"

using namespace takt::udp;

namespace {
constexpr std::array<FieldType, 10> all_types{FieldType::u8,  FieldType::i8,  FieldType::u16, FieldType::i16,
                                              FieldType::u32, FieldType::i32, FieldType::u64, FieldType::i64,
                                              FieldType::f32, FieldType::f64};
}

TEST_CASE("a value comes back through every type and both byte orders") {
  std::mt19937 random(7);
  for (const FieldType type : all_types)
    for (const bool big : {false, true})
      for (int k = 0; k < 500; ++k) {
        // Whole numbers up to 2^53 that the field holds; floats of single precision.
        const double low = is_float(type) ? -1e6 : std::max(smallest(type), -9007199254740992.0);
        const double high = is_float(type) ? 1e6 : std::min(largest(type), 9007199254740992.0);
        const double value = std::nearbyint(std::uniform_real_distribution(low, high)(random));
        const FieldBits held = bits_of(value, type);
        REQUIRE(held.fits);
        std::array<std::uint8_t, 8> bytes{};
        store_bits(held.bits, bytes.data(), size_of(type), big);
        const double back = value_of(load_bits(bytes.data(), size_of(type), big), type);
        CHECK(back == (type == FieldType::f32 ? static_cast<double>(static_cast<float>(value)) : value));
      }
}

TEST_CASE("byte orders are those of the network and of this machine") {
  std::array<std::uint8_t, 4> bytes{};
  store_bits(0x01020304, bytes.data(), 4, true);
  CHECK((bytes == std::array<std::uint8_t, 4>{1, 2, 3, 4}));
  CHECK(load_bits(bytes.data(), 4, false) == 0x04030201);
  CHECK(swapped(0x01020304, 4) == 0x04030201);
}

TEST_CASE("what a field does not hold becomes the end of its range, and is told") {
  CHECK((bits_of(256.0, FieldType::u8).bits == 255 && !bits_of(256.0, FieldType::u8).fits));
  CHECK((bits_of(-1.0, FieldType::u16).bits == 0 && !bits_of(-1.0, FieldType::u16).fits));
  CHECK(value_of(bits_of(-129.0, FieldType::i8).bits & 0xFF, FieldType::i8) == -128.0);
  CHECK(bits_of(254.6, FieldType::u8).bits == 255);
  for (const FieldType type : {FieldType::u64, FieldType::i64}) {
    const FieldBits beyond = bits_of(1e30, type);
    CHECK_FALSE(beyond.fits);
    CHECK(value_of(beyond.bits, type) == largest(type));
    CHECK(bits_of(largest(type), type).fits);
  }
  CHECK_FALSE(bits_of(1e39, FieldType::f32).fits);
  CHECK(value_of(bits_of(-1e39, FieldType::f32).bits, FieldType::f32) == -std::numeric_limits<float>::max());
}

TEST_CASE("addresses are IPv4 in digits with a port") {
  CHECK(read_address("192.168.1.20:5006") == Address{0xC0A80114, 5006});
  CHECK(text(Address{0xC0A80114, 5006}) == "192.168.1.20:5006");
  for (const char* wrong : {"", "5006", "localhost:1", "1.2.3:4", "1.2.3.4", "1.2.3.4:", "1.2.3.4:0", "1.2.3.4:65536",
                            "1.2.3.4:5x", "1.2.3.4:-5", " 1.2.3.4:5", "::1:5"})
    CHECK_FALSE(read_address(wrong));
  CHECK((is_of_one(0x7F000001) && !is_of_one(0) && !is_of_one(0xE0000001) && !is_of_one(0xFFFFFFFF)));
}
