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
#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "runtime/io/can/plan.hpp"
#include "runtime/io/io_port.hpp"
#include "runtime/plant/description.hpp"

namespace takt::can {

class Bus;
class BusFaults;
class BusTrace;
class FrameFaults;

class CanPort final : public IoPort {
 public:
  /// Per bus and direction, more for received ones where releases are rare; frames beyond are dropped and counted.
  static constexpr std::size_t ring_frames = 1024;
  static constexpr std::size_t max_events = 4096;

  /// @param buses  emitted tables; must outlive the port
  /// @param overrides  "BUS.channel", "BUS.port", "BUS.virtual", "BUS.token", "BUS.trace" -> value; "BUS.send.MESSAGE",
  ///                   "BUS.receive.MESSAGE", "BUS.node.NODE", "BUS.bus" -> fault
  /// @param priority  SCHED_FIFO priority of the plant's thread; the I/O threads run below; 0: as the tables say
  CanPort(const PlantDescription& plant, std::span<const BusPlan> buses,
          const std::vector<std::pair<std::string, std::string>>& overrides, int priority);
  ~CanPort() override;

  void start() override;
  void latch(SimTime now, WallTime release, std::span<double> plant_inputs) noexcept override;
  void publish(SimTime now, WallTime due, const std::byte* plant_memory) noexcept override;
  [[nodiscard]] bool sends_from(std::size_t subsystem) const noexcept override;
  [[nodiscard]] std::vector<std::size_t> sent() const override;
  [[nodiscard]] std::vector<OutsideFault> outside_faults() const override;
  void disturb(std::uint32_t fault, std::uint64_t word) noexcept override;
  void forget_sent() noexcept override;
  void publish_safe(SimTime now) noexcept override;
  void stop() override;
  [[nodiscard]] std::string problem() const override;
  [[nodiscard]] std::vector<IoFinding> findings() const override;
  [[nodiscard]] std::vector<Silence> silences() const override;
  [[nodiscard]] std::vector<IoEvent> events() const override;
  [[nodiscard]] std::string statistics_json() const override;
  [[nodiscard]] std::unique_ptr<SafeSender> safe_sender() override;
  void pass_connections_to(int socket) override;
  [[nodiscard]] std::size_t count_in(std::span<BusCounts> counts) override;
  [[nodiscard]] std::string take_start_steps(const StepSurroundings& around) override;
  [[nodiscard]] std::string take_stop_steps(const StepSurroundings& around) override;
  /// Nothing will reach a bus, nothing is said. Before start().
  void rehearse();
  /// Where traces of buses go; nowhere: empty, there are none. Before start().
  void keep_traces_in(const std::filesystem::path& directory) { trace_directory_ = directory; }
  /// Steps that the rig has. Before start().
  void follow(const SequencePlan& sequences) { sequences_ = sequences; }

 private:
  struct Line;  // one bus with its rings, thread and states
  class Stage;  // takes steps
  /// A value that a step has replaced.
  struct Undo {
    SetPlan before;      ///< with the value that stood there
    std::string text;    ///< "can0.Supply.on = 0"
    bool lasts = false;  ///< a constant without safe value: it keeps what a step gives it until the end
  };
  struct EventRecord {
    SimTime time;
    WallDuration age;
    std::uint16_t line = 0, plan = 0;
    std::uint8_t kind = 0;
  };
  /// A message in one direction, with all its pages; a node or the whole of a bus.
  struct Disturbed {
    OutsideFault fault;
    FrameFaults* frames;              ///< nullptr: a node or a bus
    BusFaults* bus;                   ///< else
    std::vector<std::size_t> places;  ///< indices of whom they are
  };
  void add_disturbed(const std::vector<const MessageInfo*>& messages, FrameFaults& faults, const std::string& prefix);
  void add_disturbed(Line& line);
  void override(const std::string& key, const std::string& value);
  void note(const EventRecord& event) noexcept;
  void make_trace_rings();
  void begin_trace(WallTime begin);
  [[nodiscard]] std::vector<std::string> trace_events(const Line& line) const;
  [[nodiscard]] std::string event_text(const EventRecord& record) const;
  /// Says the events of one bus on the terminal as they happen; called by its I/O thread. @return events looked at
  std::size_t say_events(std::size_t from, std::uint16_t line) const;

  std::vector<std::unique_ptr<Line>> lines_;
  std::vector<Disturbed> disturbed_;  // in the order of outside_faults()
  std::vector<EventRecord> events_;   // [max_events]; the real-time thread writes, others read below event_count_
  std::atomic<std::size_t> event_count_{0};
  std::uint64_t events_lost_ = 0;
  SequencePlan sequences_;
  std::vector<Undo> undos_;           // of [[start]], in the order of its steps
  std::vector<IoEvent> step_events_;  // written before and after real time
  std::filesystem::path trace_directory_;
  std::unique_ptr<BusTrace> trace_;  // of the buses that have a ring for it, in the order of lines_
  SimTime end_;                      // of the run, once safe values have been sent
  bool running_ = false;
};

/// Used by the emitted make_io(). Free runs admit no outside world: nullptr.
[[nodiscard]] std::unique_ptr<CanPort> make_can_port(const PlantDescription& plant, std::span<const BusPlan> buses,
                                                     const IoOptions& options, const SequencePlan& sequences = {});

}  // namespace takt::can
