// What the plant receives; see sample_rig_on_bus.hpp.
#include "tests/runtime/io/sample_rig_on_bus.hpp"

using namespace sample_rig;
namespace bus = takt::rig::bus_can0;

TEST_CASE("the emitted settings are those of the rig file") {
  const auto settings = takt::rig::rig_settings();
  CHECK(std::string(settings.name) == "sample");
  CHECK((settings.paced && settings.cpu == 1 && settings.priority == 70 && settings.spin_ns == 20'000));
  CHECK((settings.policy == takt::OverrunPolicy::stop && settings.max_catch_up == 5 &&
         settings.stop_after_consecutive == 7));
  CHECK((settings.stop_above_ns == 30'000'000 && settings.grace_ns == 1'000'000'000 && settings.regain));
}

TEST_CASE("free runs have no buses") {
  const auto plant = sample::describe();
  CHECK(takt::rig::make_io(plant, {.paced = false, .overrides = {}}) == nullptr);
}

TEST_CASE("received signals reach the plant inputs in SI units") {
  Rig rig;
  auto client = rig.client();
  bus::Command command;
  command.torque = -123.5;
  command.enable = 1;
  command.cooling = 20.0;
  bus::Multi multi;
  multi.page = 0;
  multi.first = 60;
  REQUIRE(client.send(frame_of(command)));
  REQUIRE(client.send(frame_of(multi)));
  REQUIRE(eventually([&] {
    rig.latch();
    return rig.inputs[sample::speed_limit] != 5.0;
  }));
  CHECK(rig.inputs[sample::torque] == -123.5);
  CHECK(rig.inputs[sample::trim] == -246.0);  // the same signal
  CHECK(rig.inputs[sample::enable] == 1.0);
  CHECK(rig.inputs[sample::cooling] == Approx(293.15));
  CHECK(rig.inputs[sample::speed_limit] == Approx(6.283185307));
  CHECK(rig.inputs[sample::gain] == 1.0);  // the other page was not sent
  multi.page = 1;
  multi.second = 3.0;
  REQUIRE(client.send(frame_of(multi)));
  REQUIRE(eventually([&] {
    rig.latch();
    return rig.inputs[sample::gain] != 1.0;
  }));
  CHECK(rig.inputs[sample::gain] == 7.0);
  CHECK(rig.inputs[sample::boost] == 30.0);
  multi.second = std::numeric_limits<double>::quiet_NaN();  // must not get into a plant
  REQUIRE(client.send(frame_of(multi)));
  command.torque = 1.0;
  REQUIRE(client.send(frame_of(command)));
  REQUIRE(eventually([&] {
    rig.latch();
    return rig.inputs[sample::torque] == 1.0;
  }));
  CHECK((rig.inputs[sample::gain] == 7.0 && rig.inputs[sample::boost] == 30.0));
  rig.io->stop();
  CHECK(sample::number_in(rig.io->statistics_json(), "not_numbers", "\"Multi\"") == 1.0);  // once, not by input
}

TEST_CASE("a message of J1939 is taken from any source but one that has a message of its own") {
  Rig rig;
  auto client = rig.client();
  Frame frame = frame_of(bus::EEC1{.speed = 600});
  const auto heard_from = [&](std::uint32_t id, double speed) {
    frame = frame_of(bus::EEC1{.speed = speed});
    frame.id = id;
    REQUIRE(client.send(frame));
    return eventually([&] {
      rig.latch();
      return rig.inputs[sample::engine] == Approx(speed * 3.14159265358979 / 30);
    });
  };
  CHECK(heard_from(0x0CF004FE, 600));
  CHECK(heard_from(0x0CF00400, 700));  // source 0
  CHECK(heard_from(0x18F00427, 800));  // source 39, priority 6
  frame.id = 0x0CF00403;               // the database has another message for source 3
  REQUIRE(client.send(frame));
  frame.id = 0x0CF00500;  // another group
  REQUIRE(client.send(frame));
  CHECK(heard_from(0x0CF00401, 900));
  rig.io->stop();
  const std::string json = rig.io->statistics_json();
  CHECK((sample::number_in(json, "frames_not_mapped") == 2.0 && sample::number_in(json, "frames", "\"EEC1\"") == 4.0));
}

TEST_CASE("a release that is computed late sees what had arrived by then, and no more") {
  Rig rig;
  auto client = rig.client();
  const takt::WallTime release = takt::wall_now();
  bus::Command command;
  command.torque = 50;
  REQUIRE(client.send(frame_of(command)));
  for (int k = 0; k < 20; ++k) {  // long enough for it to arrive
    pause_ms(5);
    rig.io->latch(rig.now, release, rig.inputs);
    REQUIRE(rig.inputs[sample::torque] != 50.0);
  }
  REQUIRE(eventually([&] {
    rig.latch();
    return rig.inputs[sample::torque] == 50.0;
  }));
}

TEST_CASE("a message that stays away sets its inputs to safe values until it is back") {
  const takt::WallTime begin = takt::wall_now();
  Rig rig;
  auto client = rig.client();
  bus::Command command;
  command.torque = 50;
  command.enable = 1;
  REQUIRE(client.send(frame_of(command)));
  REQUIRE(eventually([&] {
    rig.latch();
    return rig.inputs[sample::torque] == 50.0;
  }));
  REQUIRE(eventually([&] {
    rig.latch();
    return rig.inputs[sample::torque] == -1.0;
  }));
  CHECK(rig.inputs[sample::enable] == 0.0);
  CHECK(rig.inputs[sample::cooling] == 333.0);
  CHECK(rig.inputs[sample::trim] == 7.0);         // of two inputs of one signal each has its own
  CHECK(rig.inputs[sample::speed_limit] == 5.0);  // its message has no time-out
  REQUIRE(client.send(frame_of(command)));
  REQUIRE(eventually([&] {
    rig.latch();
    return rig.inputs[sample::torque] == 50.0;
  }));
  rig.io->stop();
  std::string all;
  for (const auto& event : rig.io->events()) all += event.text + "\n";
  CHECK(all.find("can0: Command timed out at") != std::string::npos);
  CHECK(all.find("can0: Command is back at") != std::string::npos);
  CHECK(all.find("Multi") == std::string::npos);
  const std::string json = rig.io->statistics_json();
  CHECK(sample::number_in(json, "timeouts", "\"Command\"") >= 1);
  // Of two frames: the time between them, within that of the test.
  REQUIRE(sample::number_in(json, "frames", "\"Command\"") == 2.0);
  const double cycle_us = sample::number_in(json, "mean_cycle_us", "\"Command\"");
  CHECK((cycle_us > 0.0 && cycle_us <= static_cast<double>((takt::wall_now() - begin).ns()) / 1e3));
}

TEST_CASE("a message never seen times out as well") {
  Rig rig;
  REQUIRE(eventually([&] {
    rig.latch();
    return rig.inputs[sample::torque] == -1.0;
  }));
  CHECK(rig.io->events().at(1).text.find("Command not seen within") != std::string::npos);
}
