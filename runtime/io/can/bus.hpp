#pragma once
// A bus as an I/O thread or a program sees it: SocketCAN, the virtual bus in this process, or a server.
// Not real-time: every call may do system calls; none blocks but wait().

#include <cstdint>
#include <memory>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "runtime/io/can/frame.hpp"
#include "runtime/io/can/link/link.hpp"

namespace takt::can {

struct LinkReport;

/// Cannot be opened, or lost. The text says what and why.
class BusError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// What became of one client of a bus that has clients.
struct ClientReport {
  std::uint64_t number = 0;   ///< in the order they came, from 1
  const char* protocol = "";  ///< "none": not known yet
  std::uint64_t frames_from = 0, frames_to = 0;
  std::uint64_t dropped = 0;      ///< frames for it, because it reads too slowly
  std::uint64_t not_carried = 0;  ///< frames that its protocol does not have
  std::uint64_t garbage = 0;      ///< bytes and messages without meaning
  const char* end = "";
};

/// Of the controller of a bus.
struct LinkChange {
  LinkState state = LinkState::unknown;
  bool restarted = false;  ///< by this process, after bus-off
};

class Bus {
 public:
  virtual ~Bus() = default;
  /// Waits for frames until then; returns as soon as some are there, or earlier.
  /// Throws BusError where the bus is lost.
  virtual void wait(WallTime until) = 0;
  /// The next received frame; false where there is none.
  [[nodiscard]] virtual bool receive(Frame& frame) = 0;
  /// False where the frame could not be taken (queue full, FD on a classic bus): it is dropped.
  [[nodiscard]] virtual bool send(const Frame& frame) = 0;
  /// Whether such a frame can leave at all, be there room or not.
  [[nodiscard]] virtual bool carries(const Frame& /*frame*/) const { return true; }
  /// What it is, for people: "SocketCAN vcan0", "virtual bus can0 on 127.0.0.1:29536 (...)".
  [[nodiscard]] virtual std::string text() const = 0;
  /// Counters by name, for the report.
  [[nodiscard]] virtual std::vector<std::pair<std::string, std::uint64_t>> counters() const = 0;
  [[nodiscard]] virtual std::vector<ClientReport> clients() const { return {}; }
  /// Of its controller now; unknown: it has none.  Wait-free.
  [[nodiscard]] virtual LinkState state() const { return LinkState::unknown; }
  /// The next change of its controller since the last call; false where there is none.
  [[nodiscard]] virtual bool take_change(LinkChange& /*change*/) { return false; }
  /// How much earlier than it can be received a frame may be stamped.
  [[nodiscard]] virtual WallDuration stamps_behind() const { return {}; }
  /// Clients that found no seat, or lost their place before they had opened the bus.
  [[nodiscard]] virtual std::uint64_t kept_out() const { return 0; }
  /// Ends what goes on beside the I/O thread, so that link() is complete; clients are told that it is over.
  virtual void finish() {}
  /// After finish(): the interface; nullptr: it is none, or was not watched.
  [[nodiscard]] virtual const LinkReport* link() const { return nullptr; }
  /// What people should know when it is over, a sentence each.
  [[nodiscard]] virtual std::vector<std::string> remarks() const { return {}; }
};

/// Opens "can0" (SocketCAN), "socketcand:HOST:PORT/CHANNEL[/TOKEN]" or "slcan:HOST:PORT[/TOKEN]" (HOST an IPv4
/// address).
/// @param patience  how long to try again while the server or interface is not there
/// Throws BusError.
[[nodiscard]] std::unique_ptr<Bus> open_bus(const std::string& where, WallDuration patience);

}  // namespace takt::can
