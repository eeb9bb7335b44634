#pragma once
// A CAN bus inside this process for machines whose kernel has none. Its clients come over TCP on 127.0.0.1, never from
// another machine, and speak socketcand or slcan (with CAN FD); python-can's interfaces of these names are such. It is
// a bus: what one client sends, the plant and all other clients see, the sender does not.
//
// What clients can make it do per wait() is bounded: messages are taken in turns, one from each, no more per time than
// a real bus carries. Whoever sends more has to wait, as there.

#include <array>
#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "runtime/io/can/bus.hpp"
#include "runtime/io/can/byte_stream.hpp"
#include "runtime/io/can/virtual_client.hpp"

namespace takt::can {

struct VirtualBusSettings {
  std::string channel;           ///< the name clients open
  std::uint16_t port = 0;        ///< 0: any that is free
  std::string token{};           ///< what clients present; empty: nothing
  WallDuration grid{1'000'000};  ///< between two wait()
};

/// Messages taken from all clients per step of the grid: of 1 Mbit/s 21 frames a millisecond, of CAN FD some more.
[[nodiscard]] std::size_t messages_per_grid(WallDuration grid);

/// In the number of a bus with which a connection of its is passed on.
inline constexpr std::uint32_t speaks_slcan_mark = 1U << 31U;

class VirtualBus : public Bus {
 public:
  static constexpr std::size_t max_clients = 16;  ///< that have opened the bus
  /// Of any user but this process's and root, where there is no token: all come from the address of this machine, so
  /// the user is what tells them apart.
  static constexpr std::size_t max_of_a_user = 8;
  /// Connections that have not opened the bus yet. Where these places are taken the oldest gives way, after a grace in
  /// which every client of the protocols has opened; until then others wait in the queue of the kernel.
  static constexpr std::size_t max_waiting = 48;
  static constexpr int max_queued = 128;
  static constexpr WallDuration grace{250'000'000};
  static constexpr std::size_t max_accepts = 4;      ///< per wait()
  static constexpr std::size_t max_reports = 64;     ///< of clients that have left, a quarter of them without a seat
  static constexpr std::size_t max_received = 4096;  ///< frames kept for receive(); more are dropped and counted

  /// Throws BusError where the port is taken.
  explicit VirtualBus(VirtualBusSettings settings);
  ~VirtualBus() override;
  VirtualBus(const VirtualBus&) = delete;
  VirtualBus& operator=(const VirtualBus&) = delete;

  void wait(WallTime until) override;
  [[nodiscard]] bool receive(Frame& frame) override;
  [[nodiscard]] bool send(const Frame& frame) override;
  [[nodiscard]] bool carries(const Frame& frame) const override { return frame.len <= (frame.fd ? 64 : 8); }
  [[nodiscard]] std::string text() const override;
  [[nodiscard]] std::vector<std::pair<std::string, std::uint64_t>> counters() const override;
  [[nodiscard]] std::vector<ClientReport> clients() const override;
  [[nodiscard]] std::vector<std::string> remarks() const override;
  [[nodiscard]] std::uint64_t kept_out() const override;
  /// Closes in order: clients get what waits for them and the end of the stream, what they still send is read, so that
  /// none is told of a broken connection.
  void finish() override;

  /// Takes over a connected stream socket as a client.
  void adopt(int socket);
  /// Called once for each client as soon as it takes frames; again where it returns false.
  using Taker = std::function<bool(int socket, bool speaks_slcan)>;
  void pass_on(Taker taker) { taker_ = std::move(taker); }

 private:
  void listen();
  [[nodiscard]] std::size_t seated() const;
  [[nodiscard]] bool has_place(WallTime now) const;
  void make_place();
  void give_seat(VirtualClient& client);
  [[nodiscard]] std::size_t serve_some(WallTime now, bool seated, std::size_t most);
  void accept_clients();
  [[nodiscard]] std::size_t read_clients();
  void serve_clients(WallTime now);
  void distribute(const Frame& frame, const VirtualClient* sender, WallTime now);
  void flush_clients(WallTime now);
  void remove_gone();
  [[nodiscard]] bool has_input() const;

  VirtualBusSettings settings_;
  std::size_t most_messages_;  // per wait()
  int listener_ = -1;
  std::vector<std::unique_ptr<VirtualClient>> clients_;
  std::size_t turn_ = 0;  // whose message is next
  ReceivedFrames received_{max_received};
  Taker taker_;
  std::vector<ClientReport> left_;       // [max_reports] at most
  ClientReport others_left_{};           // sums of those beyond
  std::array<std::uint64_t, 8> ends_{};  // by VirtualClient::End
  std::uint64_t connections_ = 0, refused_of_users_ = 0, dropped_received_ = 0;
  std::size_t reports_without_seat_ = 0;
  std::size_t largest_messages_ = 0, largest_bytes_ = 0;  // of one wait()
};

}  // namespace takt::can
