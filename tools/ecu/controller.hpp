#pragma once
// Vehicle control unit of the demo: what an ECU does with the frames it sees, once every 10 ms. No I/O here.

#include <cstdint>
#include <string>

namespace takt::ecu {

/// What the ECU knows, in the units of the bus. `fresh` flags: the message came within its time-out.
struct Inputs {
  double accelerator_percent = 0, brake_percent = 0;
  bool key = false, driver_fresh = false;
  double pack_voltage_v = 0, pack_temperature_c = 25;
  bool battery_fresh = false;
  bool main_closed = false;
  double link_voltage_v = 0;
  bool contactors_fresh = false;
  double motor_speed_rpm = 0, inverter_temperature_c = 25, motor_temperature_c = 25;
  bool motor_fresh = false;
  double vehicle_speed_kmh = 0;
  bool vehicle_fresh = false;
};

struct Outputs {
  double torque_nm = 0;
  bool enable = false;
  bool main = false, precharge = false;
  double fan_percent = 0;
};

enum class State : std::uint8_t { off, precharging, closing, ready, fault };
[[nodiscard]] const char* state_text(State state);

/// off -> (key) precharging -> (link > 95 % of pack) closing: main and precharge -> (main closed) ready: main alone.
/// Precharging longer than 3 s, or a silent battery for 1 s, opens everything until the key was off.
class Controller {
 public:
  static constexpr double cycle_s = 0.010;
  Outputs step(const Inputs& in);
  [[nodiscard]] State state() const { return state_; }

 private:
  void contactors(const Inputs& in);
  double torque(const Inputs& in) const;
  double fan(const Inputs& in);
  State state_ = State::off;
  double in_state_s_ = 0, battery_silent_s_ = 0;
  bool fan_on_ = false;
};

/// 1 below `from`, 0 above `to`, linear between.
[[nodiscard]] double derate(double temperature, double from, double to);

}  // namespace takt::ecu
