#pragma once
// Inside of CanPort: one bus, its two rings, its I/O thread, and what both sides remember.
// Members say whose they are: [rt] the real-time thread, [io] the I/O thread, [setup] nobody after start.

#include <atomic>
#include <boost/lockfree/spsc_queue.hpp>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "runtime/io/can/bus.hpp"
#include "runtime/io/can/bus_faults.hpp"
#include "runtime/io/can/can_port.hpp"
#include "runtime/io/can/frame_faults.hpp"
#include "runtime/io/can/gateway_route.hpp"
#include "runtime/io/can/last_frame.hpp"
#include "runtime/io/can/latency.hpp"
#include "runtime/io/can/protection_states.hpp"
#include "runtime/io/can/rest_bus.hpp"
#include "runtime/io/can/sent_values.hpp"
#include "runtime/io/can/socketcan_bus.hpp"
#include "runtime/io/can/trace_ring.hpp"
#include "runtime/io/io_thread.hpp"
#include "runtime/io/shared_array.hpp"

namespace takt::can {

struct CanPort::Line {
  using Ring = boost::lockfree::spsc_queue<Frame>;

  /// A mapped signal with its names resolved.
  struct Receiving {
    WallTime stamp;  ///< arrival of the newest frame
    bool seen = false, timed_out = false;
    std::vector<std::size_t> inputs;     ///< plant input of each signal
    std::vector<double> safe;            ///< its safe value
    std::vector<double> early;           ///< what came before time 0, DBC units; `absent`: nothing
    std::vector<WallTime> early_stamps;  ///< when
    std::uint64_t frames = 0, timeouts = 0, not_numbers = 0, out_of_range = 0;
    std::uint64_t before_start = 0;          ///< of the frames those that came before time 0
    WallTime first_counted, newest_counted;  ///< arrivals, where there are frames
    WallDuration max_age;                    ///< at latches, while not timed out
  };
  struct Sending {
    std::vector<std::size_t> offsets;  ///< of each signal in plant memory; npos: constant
    std::vector<double> values;        ///< newest, DBC units
    std::vector<SimDuration> windows;  ///< of who computes each: it is new where a window has ended
    SimTime due, free;                 ///< free: the spacing after the last frame is over
    bool owed = false;                 ///< due, but not free
    Frame last;                        ///< data last handed over, to see changes
    bool handed_over = false;
    std::uint64_t frames = 0;
    std::vector<SentValues> counted;  ///< of each signal
  };
  /// I/O thread's side of a message that is sent.
  struct Leaving {
    Frame newest;
    bool waiting = false, tried = false;
    std::optional<WallTime> last;                          ///< when the one before left
    WallTime first_left, newest_left;                      ///< where there are frames
    std::uint64_t frames = 0, superseded = 0, failed = 0;  ///< failed: at the first try
  };
  static constexpr std::size_t npos = static_cast<std::size_t>(-1);

  /// @param longest_wait  between two releases
  Line(const BusPlan& plan, std::uint8_t number, SimDuration longest_wait);
  void resolve(const PlantDescription& plant);
  void open();
  [[nodiscard]] std::unique_ptr<SocketCanBus> open_interface() const;
  void check_carried() const;
  /// By index of FrameFaults: what is sent, with the rest bus behind it; what is received.
  [[nodiscard]] std::vector<const MessageInfo*> sent_infos() const;
  [[nodiscard]] std::vector<const MessageInfo*> received_infos() const;
  struct Disturbance {
    std::string key, place, fault, direction;
  };
  void disturb(const std::vector<const MessageInfo*>& messages, FrameFaults& faults, const Disturbance& what);
  void disturb_node(const Disturbance& what);
  void disturb_gateway(const Disturbance& what);
  void disturb_bus(const Disturbance& what);
  void start_thread();

  // [rt], and before and after it the thread of a Stage
  void take_frames(WallTime release, std::span<double> inputs) noexcept;
  void take_early(std::span<double> inputs) noexcept;
  void take_values(std::size_t message, const double* values, std::span<double> inputs) noexcept;
  void send_due(SimTime now, WallTime wall, const std::byte* memory) noexcept;
  void hand_over(std::size_t index, WallTime wall) noexcept;
  /// Of the frame that was handed over last.  @param is_safe  it has the safe values, which the rig file has given
  void count_values(std::size_t index, SimTime now, bool is_safe) noexcept;
  [[nodiscard]] bool has_changed(std::size_t index) const noexcept;

  /// A change of the controller of an interface.
  struct Change {
    SimTime time;
    LinkChange what;
  };
  static constexpr std::size_t most_changes = 1024;
  void note_changes();
  void tell_counts() noexcept;
  [[nodiscard]] std::string change_text(const Change& change) const;
  /// It may be waited for, and is worth a word.
  [[nodiscard]] bool rest_waits() const {
    return rest.size() > 0 && plan.rest_start.kind != RestStart::Kind::at_once && !rehearsal;
  }
  [[nodiscard]] std::string rest_text() const;
  /// Clients were kept out, and of what the plant receives some never came; empty: not so. After the threads.
  [[nodiscard]] std::string kept_out_text() const;
  /// Simulated time at which it began, as far as simulated time follows the clock; the end where it never did.
  [[nodiscard]] SimTime rest_since(SimTime end) const;

  /// What became of the frames of the gateways that take some from here.  @param lines  of the port. After the threads.
  [[nodiscard]] std::vector<std::string> gateway_texts(const std::vector<std::unique_ptr<Line>>& lines) const;
  /// What the summary names, by message: frames with too little data, values out of range. After the threads.
  [[nodiscard]] std::vector<std::string> counted_texts() const;
  /// Of what was sent, by signal: values that did not fit, values out of range. After the threads.
  [[nodiscard]] std::vector<std::string> sent_values_texts() const;
  /// Where the rig wants a verdict of the former; empty: it does not, or all did fit.
  [[nodiscard]] std::optional<IoFinding> saturation() const;

  // [io]
  void run() noexcept;
  [[nodiscard]] WallTime after(WallTime time) const noexcept;
  [[nodiscard]] bool is_waiting() const noexcept;
  void cycle() noexcept;
  void send_waiting();
  void restart_nodes(WallTime now);
  void leave(Frame frame, WallTime now);
  void make_ready(const Frame& frame);
  /// @return false: the bus has no room
  bool send_one(std::size_t index);
  void send_rest();
  void begin_rest(WallTime now);
  void note_jitter(std::size_t index, WallTime now);
  [[nodiscard]] std::uint16_t node_of_sent(std::size_t index) const;
  void receive_all();
  bool hear(const Frame& frame, WallTime now);
  void offer_to_gateways(Frame frame, WallTime since, std::optional<std::uint16_t> by = {});
  void bring_forwarded(WallTime now);
  void pass_to_plant(Frame frame);
  [[nodiscard]] std::size_t received_as(const Frame& frame) const;

  const BusPlan& plan;  // [setup]
  std::string channel;  // [setup] after overrides
  std::uint16_t port;
  std::string token;           // [setup] as written
  int priority;                // [setup] of the I/O thread
  bool virtual_only;           // [setup] asked for; else the interface has to be there
  bool virtual_said = false;   // [setup] on the command line
  TraceFormats trace_formats;  // [setup]
  bool rehearsal = false;      // [setup]
  std::uint8_t number;
  std::function<std::size_t(std::size_t)> say_events;  // [io] says new events; from -> next
  std::size_t told = 0;                                // [io]
  std::shared_ptr<SharedArray<LastFrame>>
      last_sent;                            // [io] by index of sent_infos(), for the supervisor; nullptr: there is none
  std::vector<int> supervisors;             // [io] sockets on which connections of clients are passed on
  std::unique_ptr<Bus> bus;                 // [io]
  FrameFaults send_faults, receive_faults;  // set by anybody, obeyed by [io]
  BusFaults bus_faults;                     // likewise
  BusFaults gateway_faults;                 // likewise; its nodes are gateways, by index of plan.routes
  std::shared_ptr<SendProtection> send_protection;  // [io] by index of sent_infos(); the supervisor has it, too
  ReceiveProtection receive_protection;             // [io]
  std::vector<bool> was_stopped;                    // [io] by node
  RestBus rest;                                     // [io]
  WallTime opened;                                  // [io] when its thread began
  std::shared_ptr<SharedArray<std::atomic<bool>>>
      rest_has_begun;                                      // [io] for the supervisor; nullptr: it waits for nothing
  std::size_t next_rest = 0;                               // [io] whose turn it is where the bus has little room
  std::unique_ptr<TraceRing> trace;                        // [io] pushes what was on the bus; nullptr: nobody wants it
  std::vector<std::unique_ptr<GatewayRoute>> routes_from;  // [setup] of gateways that take frames from this bus
  std::vector<GatewayRoute*> routes_to;                    // [setup] that bring some
  std::vector<std::string> disturbed;                      // [setup] what goes wrong from the beginning
  std::string bus_text;

  std::size_t received_frames_at_once;  // [setup] capacity of the first
  Ring received, to_send;               // io -> rt, rt -> io
  std::vector<Receiving> receiving;     // [rt]
  std::vector<Sending> sending;         // [rt]
  std::vector<std::size_t> senders;     // [setup] subsystems whose values are sent
  std::vector<double> scratch;          // [rt] decoded values
  std::optional<WallTime> first_latch;  // [rt]
  WallTime time_zero;                   // [rt] once there is a first latch
  bool has_early = false;               // [rt]
  std::uint64_t send_ring_full = 0;     // [rt]
  std::atomic<SimTime> released{};      // [rt] of the newest release; read by [io]
  std::atomic<WallTime> due_at{};       // [rt] wall time of what was handed over last; read by [io]
  Latencies receive_to_window;          // [rt]

  std::vector<std::uint64_t> too_short;     // [io] by message received: frames with less data than it has
  std::vector<std::uint64_t> too_long;      // [io] likewise with more, which are taken
  std::vector<Leaving> leaving;             // [io] by index of sent_infos()
  std::vector<std::atomic<WallTime>> left;  // [io], by message: stamp of what has left last; read by a Stage
  std::uint64_t receive_ring_full = 0, not_mapped = 0, received_frames = 0;  // [io]
  std::atomic<std::uint64_t> bus_errors{0};                                  // [io], read by a Stage
  std::uint64_t left_frames = 0, failed_frames = 0;                          // [io] of all in `leaving`
  BusCounts* told_counts = nullptr;                                          // [io] nullptr: nobody looks
  std::vector<Change> changes;                                               // [io] most_changes are reserved
  std::uint64_t changes_lost = 0;                                            // [io]
  Latencies window_to_send, jitter, rest_jitter;                             // [io]
  bool real_time = false;                                                    // [io] got its priority

  IoThread thread;
};

}  // namespace takt::can
