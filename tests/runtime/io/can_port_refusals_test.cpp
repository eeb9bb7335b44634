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
  CHECK_THROWS_WITH(with("can0.virtual", "maybe"), Catch::Contains("true (yes) or false (no)"));
  CHECK_THROWS_WITH(with("can0.speed", "1"), Catch::Contains("NAME.channel"));
}

TEST_CASE("an interface that is not there is no virtual bus: the error says what makes either") {
  const auto plant = sample::describe();
  for (const std::vector<std::pair<std::string, std::string>>& overrides :
       {std::vector<std::pair<std::string, std::string>>{{"can0.virtual", "no"}, {"can0.channel", "takt_none"}},
        {{"can0.channel", "takt_none"}}}) {
    const auto port = takt::rig::make_io(plant, {.paced = true, .overrides = overrides});
    CHECK_THROWS_WITH(port->start(),
                      Catch::Contains("bus takt_none: ") && Catch::Contains("ip link add dev takt_none type vcan") &&
                          Catch::Contains("virtual = true in [bus.can0]") && Catch::Contains("--bus can0.virtual=yes"));
  }
}

TEST_CASE("who asks for the virtual bus has it, by another name and whatever interfaces there are") {
  const auto plant = sample::describe();
  const auto port = takt::rig::make_io(
      plant,
      {.paced = true, .overrides = {{"can0.virtual", "yes"}, {"can0.channel", "takt_none"}, {"can0.port", "0"}}});
  port->start();
  CHECK(sample::port_of(*port) > 0);
  port->stop();
}
