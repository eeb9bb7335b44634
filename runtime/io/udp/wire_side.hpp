#pragma once
// The I/O thread's side of a UDP bus: its socket, and what goes through it. All system calls are made here.

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "runtime/io/bus_counts.hpp"
#include "runtime/io/io_thread.hpp"
#include "runtime/io/udp/datagram_faults.hpp"
#include "runtime/io/udp/receiver.hpp"
#include "runtime/io/udp/sender.hpp"
#include "runtime/io/udp/udp_socket.hpp"
#include "runtime/io/udp/value_ring.hpp"
#include "runtime/stats/histogram.hpp"

namespace takt::udp {

/// Phases: constructor, open(), start(), the thread runs, stop(); counts are read after it.
class WireSide {
 public:
  struct Settings {
    int priority = 1;       ///< SCHED_FIFO
    std::size_t rows = 64;  ///< of each ring of received values, a power of two
  };
  /// Of the whole bus.
  struct Counts {
    std::uint64_t received = 0;  ///< datagrams of the peer
    std::uint64_t foreign = 0;   ///< of somebody else, not looked at
    Address first_foreign;
    std::uint64_t stale = 0;  ///< that had come before the plant began
    std::uint64_t cut = 0;    ///< lost while the bus was cut
  };
  struct SentCounts {
    std::uint64_t frames = 0, failed = 0;
    int reason = 0;  ///< errno of the first that failed
    WallTime first, newest;
  };

  WireSide(const BusPlan& plan, const Settings& settings);

  Endpoint endpoint;                         ///< until open()
  int priority;                              ///< until start()
  std::vector<std::string> disturbed;        ///< what goes wrong from the beginning, for people; before start()
  std::function<void()> say_events = [] {};  ///< called by the thread at each step; before start()
  BusCounts* told_counts = nullptr;          ///< nullptr: nobody looks; before start()

  /// Throws UdpError.
  void open();
  /// Nothing is opened: what is handed over goes nowhere. Before start().
  void rehearse() noexcept { is_rehearsal_ = true; }
  /// Throws UdpError. What has come before is thrown away.
  void start();
  void stop() { thread_.stop(); }
  void run() noexcept;

  /// Real-time thread, at each publish().
  void has_handed_over(WallTime due) noexcept { due_at_.store(due, std::memory_order_relaxed); }
  [[nodiscard]] Receiver& receiver() noexcept { return receiver_; }
  [[nodiscard]] const Receiver& receiver() const noexcept { return receiver_; }
  [[nodiscard]] ValueRing& to_send(std::size_t frame) noexcept { return *outlets_[frame].ring; }
  [[nodiscard]] FaultPoint& send_fault(std::size_t frame) noexcept { return *outlets_[frame].fault; }
  [[nodiscard]] FaultPoint& bus_fault() noexcept { return bus_fault_; }
  [[nodiscard]] const std::shared_ptr<SentMemory>& sent_memory() const noexcept { return memory_; }
  [[nodiscard]] const std::optional<UdpSocket>& socket() const noexcept { return socket_; }
  /// "UDP 127.0.0.1:5005, peer 127.0.0.1:5006, interface lo"; after open().
  [[nodiscard]] std::string text() const;

  // after stop()
  [[nodiscard]] const Counts& counts() const noexcept { return counts_; }
  [[nodiscard]] const SentCounts& sent_counts(std::size_t frame) const noexcept { return outlets_[frame].counts; }
  [[nodiscard]] const FrameWriter& writer(std::size_t frame) const noexcept { return outlets_[frame].writer; }
  [[nodiscard]] std::uint64_t met_sending(std::size_t frame) const noexcept { return outlets_[frame].fault->met(); }
  [[nodiscard]] const DelayedFrames& delayed() const noexcept { return delayed_; }
  [[nodiscard]] const Histogram& window_to_send() const noexcept { return window_to_send_; }
  [[nodiscard]] bool is_real_time() const noexcept { return is_real_time_; }
  [[nodiscard]] std::uint64_t dropped_by_kernel() const noexcept { return socket_ ? socket_->dropped_by_kernel() : 0; }

 private:
  struct Outlet {
    explicit Outlet(FrameWriter frame_writer) : writer(std::move(frame_writer)) {}
    FrameWriter writer;
    std::unique_ptr<ValueRing> ring;
    std::unique_ptr<FaultPoint> fault;
    std::vector<double> frozen;
    bool is_frozen = false;
    SentCounts counts;
  };
  void cycle() noexcept;
  void send_all(WallTime now) noexcept;
  void leave(std::size_t frame, const ValueRing::Row& row, WallTime now) noexcept;
  void send(std::size_t frame, std::span<const std::uint8_t> bytes) noexcept;
  void receive_all() noexcept;
  void tell_counts() noexcept;

  const BusPlan& plan_;
  bool is_rehearsal_ = false;
  std::optional<UdpSocket> socket_;
  IoThread thread_;
  Receiver receiver_;
  std::shared_ptr<SentMemory> memory_;
  std::vector<Outlet> outlets_;
  DelayedFrames delayed_;
  FaultPoint bus_fault_;
  std::atomic<WallTime> due_at_{};  // of what was handed over last
  Counts counts_;
  std::uint64_t left_ = 0, failed_ = 0;
  Histogram window_to_send_;  // ns
  bool is_real_time_ = false;
};

}  // namespace takt::udp
