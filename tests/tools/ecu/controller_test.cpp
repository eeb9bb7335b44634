#include "tools/ecu/controller.hpp"

#include <catch2/catch.hpp>

using namespace takt::ecu;

namespace {

Inputs healthy() {
  Inputs in;
  in.key = true;
  in.pack_voltage_v = 380;
  in.driver_fresh = in.battery_fresh = in.contactors_fresh = in.motor_fresh = in.vehicle_fresh = true;
  return in;
}

/// A controller that has gone through the precharge sequence.
Controller ready(Inputs& in) {
  Controller controller;
  controller.step(in);
  in.link_voltage_v = 379;
  controller.step(in);
  in.main_closed = true;
  controller.step(in);
  REQUIRE(controller.state() == State::ready);
  return controller;
}

}  // namespace

TEST_CASE("the main contactor closes only behind a charged link, and precharge opens only behind a closed main") {
  Controller controller;
  Inputs in = healthy();
  auto out = controller.step(in);
  CHECK((out.precharge && !out.main && !out.enable));
  in.link_voltage_v = 0.94 * 380;
  out = controller.step(in);
  CHECK((out.precharge && !out.main));
  in.link_voltage_v = 0.96 * 380;
  out = controller.step(in);
  CHECK((out.precharge && out.main && !out.enable));
  in.main_closed = true;
  out = controller.step(in);
  CHECK((!out.precharge && out.main && out.enable));
}

TEST_CASE("without key, or without knowing the battery, nothing closes") {
  Controller controller;
  Inputs in = healthy();
  in.key = false;
  CHECK_FALSE(controller.step(in).precharge);
  in.key = true;
  in.battery_fresh = false;
  CHECK_FALSE(controller.step(in).precharge);
}

TEST_CASE("a link that does not charge is given up until the key was off") {
  Controller controller;
  Inputs in = healthy();
  for (int k = 0; k < 400; ++k) controller.step(in);
  CHECK(controller.state() == State::fault);
  in.link_voltage_v = 380;
  CHECK_FALSE(controller.step(in).main);
  in.key = false;
  controller.step(in);
  in.key = true;
  controller.step(in);
  CHECK(controller.state() == State::precharging);
}

TEST_CASE("any missing message takes the torque away at once, a silent battery opens the contactors") {
  Inputs in = healthy();
  Controller controller = ready(in);
  in.accelerator_percent = 50;
  CHECK(controller.step(in).torque_nm == Approx(180));
  for (bool Inputs::*fresh : {&Inputs::driver_fresh, &Inputs::battery_fresh, &Inputs::contactors_fresh,
                              &Inputs::motor_fresh, &Inputs::vehicle_fresh}) {
    in.*fresh = false;
    const auto out = controller.step(in);
    CHECK((out.torque_nm == 0 && !out.enable && out.main));
    in.*fresh = true;
    CHECK(controller.step(in).torque_nm == Approx(180));
  }
  in.battery_fresh = false;
  for (int k = 0; k < 110; ++k) controller.step(in);
  CHECK_FALSE(controller.step(in).main);
}

TEST_CASE("torque is limited by power, recuperation fades out towards standstill") {
  Inputs in = healthy();
  Controller controller = ready(in);
  in.accelerator_percent = 100;
  in.motor_speed_rpm = 9549.296586;  // 1000 rad/s
  CHECK(controller.step(in).torque_nm == Approx(150));
  in.accelerator_percent = 0;
  in.brake_percent = 100;
  in.motor_speed_rpm = 1000;
  in.vehicle_speed_kmh = 50;
  CHECK(controller.step(in).torque_nm == Approx(-150));
  in.vehicle_speed_kmh = 3.0 * 3.6;  // in the middle of 1.5 to 4.5 m/s
  CHECK(controller.step(in).torque_nm == Approx(-75));
  in.vehicle_speed_kmh = 2;
  CHECK(controller.step(in).torque_nm == 0.0);
}

TEST_CASE("each hot part takes torque away") {
  Inputs in = healthy();
  Controller controller = ready(in);
  in.accelerator_percent = 100;
  in.motor_temperature_c = 150;
  CHECK(controller.step(in).torque_nm == Approx(180));
  in.motor_temperature_c = 25;
  in.inverter_temperature_c = 125;
  CHECK(controller.step(in).torque_nm == Approx(90));
  in.pack_temperature_c = 60;
  CHECK(controller.step(in).torque_nm == 0.0);
}

TEST_CASE("the fan has a hysteresis and runs full when temperatures are not known") {
  Inputs in = healthy();
  Controller controller = ready(in);
  CHECK(controller.step(in).fan_percent == 0.0);
  in.motor_temperature_c = 61;
  CHECK(controller.step(in).fan_percent > 30.0);
  in.motor_temperature_c = 57;
  CHECK(controller.step(in).fan_percent == 30.0);
  in.motor_temperature_c = 54;
  CHECK(controller.step(in).fan_percent == 0.0);
  in.motor_fresh = false;
  CHECK(controller.step(in).fan_percent == 100.0);
}
