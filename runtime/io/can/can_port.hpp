#pragma once
// The plant on its CAN buses: an IoPort made from emitted tables.
//
// Per bus one I/O thread and two rings. The I/O thread wakes on its own grid, does all system calls, and is never woken
// by the real-time thread:
//   bus -> I/O thread -> ring -> latch(): decode, plant inputs; time-outs judged     (once per release)
//   publish(): encode what is due -> ring -> I/O thread -> bus                       (once per release)
// A message that stays away longer than its time-out sets its plant inputs to their safe values until it is back.
//
// Phases: constructor (resolves names, throws std::runtime_error), start(), latch()/publish(), stop(), events().

#include <atomic>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "runtime/io/can/plan.hpp"
#include "runtime/io/io_port.hpp"
#include "runtime/plant/description.hpp"

namespace takt::can {

class Bus;

class CanPort : public IoPort {
 public:
  static constexpr std::size_t ring_frames = 1024;  ///< per bus and direction; frames beyond are dropped and counted
  static constexpr std::size_t max_events = 4096;

  /// @param buses  emitted tables; must outlive the port
  /// @param overrides  "BUS.channel", "BUS.port", "BUS.virtual" -> value
  /// @param priority  SCHED_FIFO priority of the plant's thread; the I/O threads run below; 0: as the tables say
  CanPort(const PlantDescription& plant, std::span<const BusPlan> buses,
          const std::vector<std::pair<std::string, std::string>>& overrides, int priority);
  ~CanPort() override;

  void start() override;
  void latch(SimTime now, std::span<double> plant_inputs) noexcept override;
  void publish(SimTime now, const std::byte* plant_memory) noexcept override;
  [[nodiscard]] bool sends_from(std::size_t subsystem) const noexcept override;
  void publish_safe(SimTime now) noexcept override;
  void stop() override;
  [[nodiscard]] std::vector<IoEvent> events() const override;
  [[nodiscard]] std::string statistics_json() const override;

 private:
  struct Line;  // one bus with its rings, thread and states
  struct EventRecord {
    SimTime time;
    WallDuration age;
    std::uint16_t line = 0, plan = 0;
    std::uint8_t kind = 0;
  };
  void note(const EventRecord& event) noexcept;
  [[nodiscard]] std::string event_text(const EventRecord& record) const;
  /// Says the events of one bus on the terminal as they happen; called by its I/O thread. @return events looked at
  std::size_t say_events(std::size_t from, std::uint16_t line) const;

  std::vector<std::unique_ptr<Line>> lines_;
  std::vector<EventRecord> events_;  // [max_events]; the real-time thread writes, others read below event_count_
  std::atomic<std::size_t> event_count_{0};
  std::uint64_t events_lost_ = 0;
  bool running_ = false;
};

/// Used by the emitted make_io(). Free runs admit no outside world: nullptr.
[[nodiscard]] std::unique_ptr<IoPort> make_can_port(const PlantDescription& plant, std::span<const BusPlan> buses,
                                                    const IoOptions& options);

}  // namespace takt::can
