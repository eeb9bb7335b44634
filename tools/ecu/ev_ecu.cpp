// ev_ecu: the vehicle control unit of the electric vehicle demo. It knows the plant from the CAN bus alone.
#include <sched.h>
#include <signal.h>
#include <sys/mman.h>

#include <cstdio>
#include <memory>
#include <optional>

#include "ev_can.hpp"
#include "runtime/command_line/command_line.hpp"
#include "runtime/io/can/bus.hpp"
#include "runtime/io/record/standard_streams.hpp"
#include "runtime/plant/wall_clock.hpp"
#include "tools/ecu/controller.hpp"

namespace {

using takt::wall_now;
using takt::WallDuration;
using takt::WallTime;
using takt::can::Bus;
using takt::can::BusError;
using takt::can::Frame;

volatile sig_atomic_t stop_asked = 0;

constexpr std::int64_t ms = 1'000'000;
constexpr WallDuration cycle_time{10 * ms};

WallDuration seconds(double s) { return WallDuration{static_cast<std::int64_t>(s * 1e9)}; }

struct Options {
  std::string bus = "socketcand:127.0.0.1:29536/can0";
  double seconds = 0;
  double patience_s = 10;
  bool verbose = false;
};

/// An ECU keeps its cycle whatever else the machine does; without the right to, it runs as it may.
void become_real_time() {
  sched_param parameters{};
  parameters.sched_priority = 50;
  if (sched_setscheduler(0, SCHED_FIFO, &parameters) != 0)
    std::fprintf(stderr, "ev_ecu: no right to SCHED_FIFO, cycles may be late\n");
  (void)mlockall(MCL_CURRENT | MCL_FUTURE);
}

/// A message with the time it came last; fresh within five of its cycles.
template <typename Message>
struct Heard {
  Message message;
  std::optional<WallTime> stamp;
  bool take(const Frame& frame, WallTime now) {
    if (!decode(frame, message)) return false;
    stamp = now;
    return true;
  }
  [[nodiscard]] bool fresh(WallTime now) const {
    return stamp && now - *stamp < WallDuration{5 * Message::info.period_ns};
  }
};

class Ecu {
 public:
  explicit Ecu(const Options& options) : options_(options) {}

  /// Until asked to stop, the time is over, or the bus is gone for good. @return exit code
  int run() {
    bool was_connected = false;
    const WallDuration patience = seconds(options_.patience_s);
    const WallTime end = options_.seconds > 0 ? wall_now() + seconds(options_.seconds) : WallTime{INT64_MAX};
    while (stop_asked == 0 && wall_now() < end) {
      std::unique_ptr<Bus> bus;
      // In short pieces, so that SIGTERM is heard.
      for (const WallTime until = wall_now() + patience; bus == nullptr && stop_asked == 0;) {
        try {
          bus = takt::can::open_bus(options_.bus, {});
        } catch (const BusError& error) {
          if (wall_now() >= until) {
            std::fprintf(stderr, "ev_ecu: %s\n", error.what());
            return was_connected ? 0 : 1;
          }
          const timespec pause{0, 50 * ms};
          nanosleep(&pause, nullptr);
        }
      }
      if (bus == nullptr) break;
      was_connected = true;
      std::fprintf(stderr, "ev_ecu: on %s\n", bus->text().c_str());
      try {
        drive(*bus, end);
      } catch (const BusError& error) {
        std::fprintf(stderr, "ev_ecu: %s; waiting %.0f s for it to come back\n", error.what(), options_.patience_s);
      }
    }
    std::fprintf(stderr, "ev_ecu: %llu cycles, %llu of them late, %llu frames sent\n",
                 static_cast<unsigned long long>(cycles_), static_cast<unsigned long long>(late_),
                 static_cast<unsigned long long>(sent_));
    return 0;
  }

 private:
  void drive(Bus& bus, WallTime end) {
    WallTime next = wall_now() + cycle_time;
    while (stop_asked == 0 && next < end) {
      for (WallTime now = wall_now(); now < next && stop_asked == 0; now = wall_now()) {
        bus.wait(next);
        hear(bus);
      }
      hear(bus);
      cycle(bus);
      next += cycle_time;
      const WallTime now = wall_now();
      if (next <= now) {  // keep the grid, drop the cycles that are over
        const std::int64_t missed = (now - next) / cycle_time + 1;
        late_ += static_cast<std::uint64_t>(missed);
        next += cycle_time * missed;
      }
    }
    say_goodbye(bus);
  }

  void hear(Bus& bus) {
    Frame frame;
    const WallTime now = wall_now();
    while (bus.receive(frame)) {
      driver_.take(frame, now) || battery_.take(frame, now) || contactors_.take(frame, now) ||
          motor_.take(frame, now) || vehicle_.take(frame, now);
    }
  }

  takt::ecu::Inputs inputs() const {
    const WallTime now = wall_now();
    takt::ecu::Inputs in;
    in.accelerator_percent = driver_.message.accelerator;
    in.brake_percent = driver_.message.brake;
    in.key = driver_.message.key > 0.5;
    in.driver_fresh = driver_.fresh(now);
    in.pack_voltage_v = battery_.message.pack_voltage;
    in.pack_temperature_c = battery_.message.temperature_max;
    in.battery_fresh = battery_.fresh(now);
    in.main_closed = contactors_.message.main_closed > 0.5;
    in.link_voltage_v = contactors_.message.link_voltage;
    in.contactors_fresh = contactors_.fresh(now);
    in.motor_speed_rpm = motor_.message.speed;
    in.inverter_temperature_c = motor_.message.inverter_temperature;
    in.motor_temperature_c = motor_.message.motor_temperature;
    in.motor_fresh = motor_.fresh(now);
    in.vehicle_speed_kmh = vehicle_.message.speed;
    in.vehicle_fresh = vehicle_.fresh(now);
    return in;
  }

  void cycle(Bus& bus) {
    const auto in = inputs();
    const auto before = controller_.state();
    const auto out = controller_.step(in);
    if (controller_.state() != before) std::fprintf(stderr, "ev_ecu: %s\n", state_text(controller_.state()));
    const bool heard = in.driver_fresh && in.battery_fresh && in.contactors_fresh && in.motor_fresh && in.vehicle_fresh;
    if (heard != heard_) {
      std::fprintf(stderr, heard ? "ev_ecu: all messages of the plant are here\n"
                                 : "ev_ecu: messages of the plant are missing, torque 0\n");
      heard_ = heard;
    }
    ev::VCU_Torque torque;
    torque.torque_request = out.torque_nm;
    torque.enable = out.enable ? 1.0 : 0.0;
    torque.alive = static_cast<double>(cycles_ % 16);
    send(bus, torque);
    if (cycles_ % 2 == 0) {
      ev::VCU_Contactors contactors;
      contactors.main = out.main ? 1.0 : 0.0;
      contactors.precharge = out.precharge ? 1.0 : 0.0;
      send(bus, contactors);
    }
    if (cycles_ % 10 == 0) {
      ev::VCU_Cooling cooling;
      cooling.fan_duty = out.fan_percent;
      send(bus, cooling);
    }
    if (options_.verbose && cycles_ % 100 == 0) {
      std::fprintf(stderr,
                   "ev_ecu: %7.1f km/h  pedal %5.1f %%  brake %5.1f %%  torque %7.1f Nm  pack %5.1f V %4.1f degC  "
                   "motor %5.1f degC  fan %3.0f %%\n",
                   in.vehicle_speed_kmh, in.accelerator_percent, in.brake_percent, out.torque_nm, in.pack_voltage_v,
                   in.pack_temperature_c, in.motor_temperature_c, out.fan_percent);
    }
    ++cycles_;
  }

  /// No torque before leaving; the contactors stay to the plant's time-out.
  void say_goodbye(Bus& bus) {
    send(bus, ev::VCU_Torque{});
    bus.wait({});
  }

  template <typename Message>
  void send(Bus& bus, const Message& message) {
    Frame frame;
    encode(message, frame);
    if (bus.send(frame)) ++sent_;
  }

  const Options& options_;
  takt::ecu::Controller controller_;
  Heard<ev::DRIVER_Command> driver_;
  Heard<ev::BMS_State> battery_;
  Heard<ev::BMS_Contactors> contactors_;
  Heard<ev::MCU_State> motor_;
  Heard<ev::VEH_State> vehicle_;
  bool heard_ = false;
  std::uint64_t cycles_ = 0, late_ = 0, sent_ = 0;
};

}  // namespace

int main(int argc, char** argv) {
  takt::open_standard_streams();
  Options options;
  takt::command_line::App app{
      "ev_ecu: vehicle control unit of the electric vehicle demo; sees nothing but the CAN bus"};
  app.add_option("--bus", options.bus, "CAN interface (can0) or socketcand:ADDRESS:PORT/CHANNEL")
      ->capture_default_str();
  app.add_option("--for", options.seconds, "seconds to run; 0: until SIGTERM or the bus is gone")
      ->capture_default_str();
  app.add_option("--patience", options.patience_s, "seconds to wait for the bus, also when it was lost")
      ->capture_default_str();
  app.add_flag("--verbose", options.verbose, "one line per second");
  app.example("ev_ecu --bus socketcand:127.0.0.1:29536/can0 --for 60 --verbose");
  if (const std::optional<int> code = app.parse(argc, argv)) return *code;
  struct sigaction action {};
  action.sa_handler = [](int) { stop_asked = 1; };
  sigaction(SIGTERM, &action, nullptr);
  sigaction(SIGINT, &action, nullptr);
  sigaction(SIGHUP, &action, nullptr);
  action.sa_handler = SIG_IGN;
  sigaction(SIGPIPE, &action, nullptr);
  become_real_time();
  try {
    return Ecu(options).run();
  } catch (const std::exception& error) {
    std::fprintf(stderr, "ev_ecu: %s\n", error.what());
    return 2;
  }
}
