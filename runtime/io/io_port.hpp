#pragma once
// What the executive sees of the outside world. Implementations own their threads and rings; the two calls of the
// real-time thread only move values between rings and plant memory.

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "runtime/plant/time.hpp"

namespace takt {

struct PlantDescription;

/// A counted event of the outside world, for the report ("can0: BMS_State timed out at 12.003 s, inputs to safe
/// values").
struct IoEvent {
  SimTime time;
  std::string text;
};

/// Phases: start() (may throw std::runtime_error, allocate, start threads), then latch()/publish() alternately from the
/// real-time thread, then stop().
class IoPort {
 public:
  virtual ~IoPort() = default;
  virtual void start() = 0;
  /// Before the windows released at this time: newest received values and time-outs into the plant inputs.
  /// @param plant_inputs  double[n], SI; in the order of PlantDescription::plant_inputs
  /// Real-time: wait-free, no system call.
  virtual void latch(SimTime now, std::span<double> plant_inputs) noexcept = 0;
  /// After the windows that end at this time: plant signals into the send rings.  Real-time: wait-free, no system call.
  virtual void publish(SimTime now, const std::byte* plant_memory) noexcept = 0;
  /// Whether publish() looks at values of this subsystem; known before start().
  [[nodiscard]] virtual bool sends_from(std::size_t /*subsystem*/) const noexcept { return true; }
  /// Safe-state outputs before an orderly exit.  Real-time: wait-free.
  virtual void publish_safe(SimTime now) noexcept = 0;
  virtual void stop() = 0;
  /// After stop(): events and one line per statistic, for the report; JSON object text.
  [[nodiscard]] virtual std::vector<IoEvent> events() const = 0;
  [[nodiscard]] virtual std::string statistics_json() const = 0;
};

struct IoOptions {
  bool paced = false;
  std::vector<std::pair<std::string, std::string>> overrides;  ///< --bus can0.channel=vcan0
  int priority = 0;  ///< SCHED_FIFO priority of the plant's thread, I/O stays below; 0: that of the rig
};

using IoFactory = std::unique_ptr<IoPort> (*)(const PlantDescription&, const IoOptions&);

}  // namespace takt
