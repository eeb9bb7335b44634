// Two CAN controllers at the ends of one wire, as a test commands them. An emulated adapter puts its protocol around
// it.
#pragma once

#include <array>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <map>
#include <mutex>
#include <string>
#include <string_view>

namespace takt::adapters {

using Instant = std::chrono::steady_clock::time_point;

/// Fault confinement of ISO 11898-1, in the order and with the numbers of enum can_state in linux/can/netlink.h.
enum class State : std::uint8_t { active, warning, passive, bus_off };

struct Counters {
  unsigned transmit = 0;
  unsigned receive = 0;
};

/// What an adapter tells its computer about a channel. Called by the thread of Wire::carry() alone, only for started
/// channels. A frame is whatever bytes the adapter gave to Wire::send().
class Host {
 public:
  virtual ~Host() = default;
  virtual void sent(int channel, std::string_view frame, Instant when) = 0;
  virtual void received(int channel, std::string_view frame, Instant when) = 0;
  virtual void discarded(int /*channel*/, std::string_view /*frame*/) {}  // its sender went, or was, off the bus
  virtual void state_changed(int channel, State state, Counters counters) = 0;
  virtual void not_acknowledged(int channel, Counters counters) = 0;
};

/// A third node, which nobody sees, acknowledges every frame: a channel can send while the other one is stopped or
/// bus-off. All functions may be called by any thread.
class Wire {
 public:
  /// The channel takes part, error-active. What was on its way before is forgotten.
  void start(int channel);
  void stop(int channel);
  /// Out of bus-off without a stop; nothing happens in other states.
  void restart(int channel);

  /// Queues a frame for the wire. Forgotten, and never reported as sent, if the channel is stopped or bus-off.
  void send(int channel, std::string frame);

  [[nodiscard]] State state(int channel) const;
  [[nodiscard]] Counters counters(int channel) const;

  /// Obeys one line (README.md lists them); "ok", "ok ..." or "error: ...".
  [[nodiscard]] std::string obey(const std::string& line);

  /// Carries frames and reports; does not return.
  [[noreturn]] void carry(Host& host);

 private:
  struct Channel {
    bool started = false;
    State state = State::active;
    Counters counters;
    unsigned session = 0;  // counts starts, stops and bus-offs: what was queued in another session is void
    [[nodiscard]] bool on_bus() const { return started && state != State::bus_off; }
  };
  enum class Kind : std::uint8_t { frame, discarded, state, no_acknowledge };
  struct Event {
    Kind kind;
    int channel;
    unsigned session;
    std::string frame;
  };

  void queue(Kind kind, int channel, std::string frame);
  [[nodiscard]] bool is_dropped(const Event& event);
  static void tell(Host& host, const Event& event, const Channel& channel, bool arrives);
  [[nodiscard]] std::string set_state(int channel, State state, Counters counters);
  [[nodiscard]] std::string describe(int channel) const;

  mutable std::mutex mutex_;
  std::condition_variable changed_;
  std::array<Channel, 2> channels_;
  std::multimap<Instant, Event> due_;
  std::chrono::milliseconds delay_{0};
  unsigned to_drop_ = 0;
};

/// One line to the log, standard error.
void log(const std::string& line);

/// Obeys the lines of standard input, answers each with one line on standard output; does not return while input is
/// open.
void obey_input(Wire& wire);

}  // namespace takt::adapters
