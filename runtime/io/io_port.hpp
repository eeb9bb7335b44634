#pragma once
// What the executive sees of the outside world. Implementations own their threads and rings; the two calls of the
// real-time thread only move values between rings and plant memory.

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "runtime/io/bus_counts.hpp"
#include "runtime/io/silence.hpp"
#include "runtime/io/supervision.hpp"
#include "runtime/plant/outside_fault.hpp"
#include "runtime/plant/time.hpp"

namespace takt {

struct PlantDescription;

/// A counted event of the outside world, for the report ("can0: BMS_State timed out at 12.003 s, inputs to safe
/// values").
struct IoEvent {
  SimTime time;
  std::string text;
};

/// Something outside that is to be thought of a whole run.
struct IoFinding {
  const char* code = "";  ///< of a verdict, not on the results but on what the run was for; empty: a warning
  std::string where, text;
  SimTime time;
};

/// What steps before time 0 and after the end of a run need. They run on an ordinary thread.
struct StepSurroundings {
  const std::byte* plant_memory = nullptr;  ///< in its start state
  bool (*goes_on)() = nullptr;              ///< false: the user wants an end
  std::function<void()> beat = [] {};       ///< called again and again while steps run
};

/// Phases: start() (may throw std::runtime_error, allocate, start threads), then latch()/publish() alternately from the
/// real-time thread, then stop().
class IoPort {
 public:
  virtual ~IoPort() = default;
  virtual void start() = 0;
  /// Before the windows released at this time: values received by then, and time-outs, into the plant inputs.
  /// @param release  wall time of it; the call may come later, and what has arrived since then is left for the next one
  /// @param plant_inputs  double[n], SI; in the order of PlantDescription::plant_inputs
  /// Real-time: wait-free, no system call.
  virtual void latch(SimTime now, WallTime release, std::span<double> plant_inputs) noexcept = 0;
  /// After the windows that end at this time: plant signals into the send rings.  Real-time: wait-free, no system call.
  /// @param due  wall time at which they are to leave: that of the release, or now
  virtual void publish(SimTime now, WallTime due, const std::byte* plant_memory) noexcept = 0;
  /// Whether publish() looks at values of this subsystem; known before start().
  [[nodiscard]] virtual bool sends_from(std::size_t /*subsystem*/) const noexcept { return true; }
  /// What publish() may look at: offsets of doubles in plant memory; known before start().
  [[nodiscard]] virtual std::vector<std::size_t> sent() const { return {}; }
  /// Where something can go wrong outside; known before start(). What they point to outlives the port.
  [[nodiscard]] virtual std::vector<OutsideFault> outside_faults() const { return {}; }
  /// @param fault  index of outside_faults()  @param word  what goes wrong from now on, as it packs it; 0: nothing
  /// Real-time: wait-free, no system call.
  virtual void disturb(std::uint32_t /*fault*/, std::uint64_t /*word*/) noexcept {}
  /// Somebody else has sent meanwhile: the next publish() sends also what has not changed.  Real-time: wait-free.
  virtual void forget_sent() noexcept {}
  /// Safe-state outputs before an orderly exit.  Real-time: wait-free.
  virtual void publish_safe(SimTime now) noexcept = 0;
  virtual void stop() = 0;
  /// The rig's steps between start() and the first publish().
  /// @return which failed and why; then what they had set is undone and safe values have been sent. Empty: all well
  [[nodiscard]] virtual std::string take_start_steps(const StepSurroundings& /*around*/) { return {}; }
  /// The rig's steps between publish_safe() and stop().  @return what failed; the others have been taken nevertheless
  [[nodiscard]] virtual std::string take_stop_steps(const StepSurroundings& /*around*/) { return {}; }
  /// After stop(): what makes the whole run a failure; empty: nothing.
  [[nodiscard]] virtual std::string problem() const { return {}; }
  /// After stop(): verdicts and warnings.
  [[nodiscard]] virtual std::vector<IoFinding> findings() const { return {}; }
  /// After stop(): when the plant had no values of the sender of a received message.
  [[nodiscard]] virtual std::vector<Silence> silences() const { return {}; }
  /// After stop(): events and one line per statistic, for the report; JSON object text.
  [[nodiscard]] virtual std::vector<IoEvent> events() const = 0;
  [[nodiscard]] virtual std::string statistics_json() const = 0;
  /// What a supervisor sends in place of this port; nullptr: nothing. Before start(), and before the supervisor is
  /// forked.
  [[nodiscard]] virtual std::unique_ptr<SafeSender> safe_sender() { return nullptr; }
  /// Where its buses count while they run, one entry each as far as they go.  @return entries used. Before start().
  [[nodiscard]] virtual std::size_t count_in(std::span<BusCounts> /*counts*/) { return 0; }
  /// Connections of clients go to the supervisor at the other end of this socket, too; called again, also to another
  /// one. Before start().
  virtual void pass_connections_to(int /*socket*/) {}
};

struct IoOptions {
  bool paced = false;
  std::vector<std::pair<std::string, std::string>> overrides;  ///< --bus can0.channel=vcan0
  /// Nothing reaches a bus and nothing comes from it, but threads and costs are those of a run.
  bool rehearsal = false;
  std::filesystem::path directory{};  ///< of the run, for files of its own; empty: the run keeps no results
  int priority = 0;  ///< SCHED_FIFO priority of the plant's thread, I/O stays below; 0: that of the rig
};

using IoFactory = std::unique_ptr<IoPort> (*)(const PlantDescription&, const IoOptions&);

}  // namespace takt
