#include "tools/ecu/controller.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace takt::ecu {
namespace {

constexpr double max_torque_nm = 360.0, max_power_w = 150e3, max_regen_nm = 150.0;
// The brake pedal asks for up to 14 kN at the road: at the motor's shaft, through the gear (7.05) and wheel (0.336 m).
constexpr double brake_torque_nm = 14e3 * 0.336 / 7.05;
constexpr double precharge_limit_s = 3.0, battery_silence_s = 1.0;

}  // namespace

const char* state_text(State state) {
  switch (state) {
    case State::off:
      return "off";
    case State::precharging:
      return "precharging";
    case State::closing:
      return "closing the main contactor";
    case State::ready:
      return "ready";
    case State::fault:
      return "fault: contactors open until the key was off";
  }
  return "";
}

double derate(double temperature, double from, double to) {
  return std::clamp((to - temperature) / (to - from), 0.0, 1.0);
}

void Controller::contactors(const Inputs& in) {
  const State before = state_;
  const bool known = in.battery_fresh && in.contactors_fresh;
  battery_silent_s_ = known ? 0.0 : battery_silent_s_ + cycle_s;
  if (in.driver_fresh && !in.key) {
    state_ = State::off;
  } else if (state_ == State::off) {
    if (in.driver_fresh && in.key && known && in.pack_voltage_v > 100.0) state_ = State::precharging;
  } else if (battery_silent_s_ > battery_silence_s) {
    state_ = State::fault;
  } else if (state_ == State::precharging) {
    if (known && in.link_voltage_v > 0.95 * in.pack_voltage_v) state_ = State::closing;
    if (in_state_s_ > precharge_limit_s) state_ = State::fault;
  } else if (state_ == State::closing) {
    if (known && in.main_closed) state_ = State::ready;
    if (in_state_s_ > precharge_limit_s) state_ = State::fault;
  }
  in_state_s_ = state_ == before ? in_state_s_ + cycle_s : 0.0;
}

/// Accelerator as a share of what the motor can give at this speed; the brake pedal recuperates as far as the motor
/// may, faded out towards standstill. Hot parts take torque away.
double Controller::torque(const Inputs& in) const {
  const double speed = std::abs(in.motor_speed_rpm) * 2.0 * std::numbers::pi / 60.0;
  const double limit = std::min(max_torque_nm, max_power_w / std::max(speed, 1.0));
  const double fade = std::clamp((in.vehicle_speed_kmh / 3.6 - 1.5) / 3.0, 0.0, 1.0);
  const double regen = std::min({in.brake_percent / 100.0 * brake_torque_nm, max_regen_nm, limit}) * fade;
  const double share = std::min({derate(in.motor_temperature_c, 140, 160), derate(in.inverter_temperature_c, 110, 130),
                                 derate(in.pack_temperature_c, 48, 58)});
  return share * (in.accelerator_percent / 100.0 * limit - regen);
}

/// On above 60 degC (motor), 55 (inverter), 32 (pack); off 5 K below all three; faster with temperature.
double Controller::fan(const Inputs& in) {
  const double above = std::max({(in.motor_temperature_c - 60.0) / 40.0, (in.inverter_temperature_c - 55.0) / 30.0,
                                 (in.pack_temperature_c - 32.0) / 10.0});
  const bool cool = in.motor_temperature_c < 55.0 && in.inverter_temperature_c < 50.0 && in.pack_temperature_c < 27.0;
  if (above > 0.0) fan_on_ = true;
  if (cool) fan_on_ = false;
  return fan_on_ ? 30.0 + 70.0 * std::clamp(above, 0.0, 1.0) : 0.0;
}

Outputs Controller::step(const Inputs& in) {
  contactors(in);
  Outputs out;
  out.precharge = state_ == State::precharging || state_ == State::closing;
  out.main = state_ == State::closing || state_ == State::ready;
  const bool all_fresh =
      in.driver_fresh && in.battery_fresh && in.contactors_fresh && in.motor_fresh && in.vehicle_fresh;
  out.enable = state_ == State::ready && all_fresh;
  out.torque_nm = out.enable ? torque(in) : 0.0;
  out.fan_percent = in.motor_fresh && in.battery_fresh ? fan(in) : 100.0;
  return out;
}

}  // namespace takt::ecu
