#include "runtime/plant/packed_table.hpp"

#include <catch2/catch.hpp>
#include <string>

TEST_CASE("a packed table has the rows it was made of") {
  constexpr const char* units[] = {"V", "kg/s"};
  constexpr takt::PackedTable::Place places[] = {{64, 8}, {4096, 0}};
  constexpr const char* rows =
      "electric.r.v\0"
      "0 5 0 0 12 0\0"
      "fluid.pipe[1].q\0"
      "1 0 65535 1 0 1\0";
  const auto table = takt::unpacked({.rows = rows, .count = 2, .units = units, .places = places});
  REQUIRE(table.size() == 2);
  CHECK(std::string(table[0].path) == "electric.r.v");
  CHECK(std::string(table[0].unit) == "V");
  CHECK(table[0].role == takt::Role::signal);
  CHECK(table[0].subsystem == 0);
  CHECK(table[0].offset == 64 + 12 * 8);
  CHECK_FALSE(table[0].start_only);
  CHECK(std::string(table[1].path) == "fluid.pipe[1].q");
  CHECK(std::string(table[1].unit) == "kg/s");
  CHECK(table[1].role == takt::Role::parameter);
  CHECK(table[1].subsystem == 0xffff);
  CHECK(table[1].offset == 4096);
  CHECK(table[1].start_only);
}
