// What a port of buses refuses before it runs.
#include <catch2/catch.hpp>

#include "rig.hpp"
#include "tests/runtime/io/sample_plant.hpp"

TEST_CASE("a second plant on the same port is refused with the reason") {
  const auto plant = sample::describe();
  const auto first = takt::rig::make_io(plant, {.paced = true, .overrides = {{"can0.port", "0"}}});
  first->start();
  const std::string port = std::to_string(sample::port_of(*first));
  auto second = takt::rig::make_io(plant, {.paced = true, .overrides = {{"can0.port", port}}});
  CHECK_THROWS_WITH(second->start(), Catch::Contains("127.0.0.1:" + port) && Catch::Contains("is taken") &&
                                         Catch::Contains("another plant"));
  first->stop();
}

TEST_CASE("wrong overrides are refused") {
  const auto plant = sample::describe();
  const auto with = [&](const char* key, const char* value) {
    return takt::rig::make_io(plant, {.paced = true, .overrides = {{key, value}}});
  };
  CHECK_THROWS_WITH(with("can1.port", "1"), Catch::Contains("no bus of this name"));
  CHECK_THROWS_WITH(with("can0.port", "70000"), Catch::Contains("0 to 65535"));
  CHECK_THROWS_WITH(with("can0.virtual", "maybe"), Catch::Contains("true or false"));
  CHECK_THROWS_WITH(with("can0.speed", "1"), Catch::Contains("NAME.channel"));
}
