#pragma once
// Several hosts compute one plant in real time: each on its own clock, held to that of the leading host. What crosses
// comes in time, or is done without.

#include <array>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <deque>
#include <functional>
#include <span>
#include <string>
#include <thread>
#include <vector>

#include "runtime/executive/executive.hpp"
#include "runtime/hosts/clock_offset.hpp"
#include "runtime/hosts/host_plan.hpp"
#include "runtime/hosts/sender.hpp"
#include "runtime/plant/rig_settings.hpp"
#include "runtime/stats/run_results.hpp"

namespace takt::hosts {

/// Every host has the whole plant and runs its own subsystems on the grid of the leader's clock. What they send to
/// those of others is carried when it is there; a window does without what has not come (FluxCell, PotentialCell), and
/// that is counted. Nobody waits, but before the start: until all know their clocks. A host that is not heard of for
/// `silence` is lost for good: by what the rig says of it, the others end, or go on with what it sent last. Who finds
/// itself lost ends. Phases: construct, after the executive's prepare() (Options::apart) and when all have met
/// (meeting.hpp); start(); begin(); then every host calls the executive's run(); finish().
class RealTimeLink {
 public:
  using Clock = std::chrono::steady_clock;
  struct Settings {
    std::int64_t silence_ns = 5'000'000'000;
    std::int64_t wait_ns = 30'000'000'000;             ///< for the start
    std::vector<WhenLost> when_lost;                   ///< by host; empty: the run ends
    bool accepts_late = false;                         ///< the network may be too slow for what crosses
    bool (*goes_on)() = +[] { return true; };          ///< asked before the start
    std::function<std::vector<std::string>()> said{};  ///< where it does not lead: what the leader is to report
    int priority = 0;                                  ///< of the carrying thread, SCHED_FIFO; 0: an ordinary one
  };
  struct Of {
    Executive& executive;
    const HostPlan& plan;
    std::vector<std::uint64_t> identities;
  };
  RealTimeLink(const Of& of, Transport& transport, const Settings& settings);
  ~RealTimeLink();
  RealTimeLink(const RealTimeLink&) = delete;
  RealTimeLink& operator=(const RealTimeLink&) = delete;

  void start();
  /// Where all is ready for run(): waits until it is on all hosts, and all know when time 0 is, a little later than the
  /// return. On the thread of run(), so that nothing that takes its time comes in between.
  /// @throw std::runtime_error  who is missing, or whose couplings the network cannot hold
  void begin();
  /// Waits for the others.
  /// @param why  this host has ended before the time that all know of; empty: it has not
  /// @return what went wrong; empty: nothing
  [[nodiscard]] std::string finish(const std::string& why);
  /// After finish(), by host; where it does not lead, its own only.
  [[nodiscard]] const std::vector<HostResult>& results() const noexcept { return results_; }
  [[nodiscard]] const std::vector<std::string>& said() const noexcept { return said_; }

 private:
  struct Peer {
    bool is_lost = false, has_left = false, is_done = false;
    bool is_synchronised = false;
    std::uint64_t gives_up = 0;  // hosts that it has lost, as bits
    std::deque<std::uint64_t> sums;
    std::vector<std::byte> part;
    Clock::time_point heard{};
  };
  struct CrossingMail {
    std::size_t mail = 0, host = 0;  // whoever it comes from, or goes to
    std::size_t values = 0;
    std::deque<double> waits{};  // has come, and finds no room yet
  };

  void find_mails();
  void carry();
  [[nodiscard]] bool is_over() const;
  [[nodiscard]] bool others(bool Peer::*fact) const;  // all that are not lost
  [[nodiscard]] bool is_synchronised() const;
  // What comes (real_time_link_news.cpp).
  bool take_messages();
  void take(std::span<const std::byte> message);
  void take(const Head& head, ByteReader& from);
  void take_beginning(ByteReader& from, std::size_t host);
  void take_leave(ByteReader& from, std::size_t host);
  void take_flow(ByteReader& from, std::size_t host);
  void take_mails(ByteReader& from, std::size_t host);
  void take_inputs(ByteReader& from);
  void take_part(ByteReader& from, std::size_t host);
  void answer(ByteReader& from, std::size_t host);
  void hear_time(ByteReader& from, std::size_t host);
  bool hand_over();
  // What goes.
  void ask_time();
  void keep_to_the_leader();
  void lead_off();
  bool send_flow();
  std::uint32_t put_mails(ByteWriter& to);
  std::uint32_t put_sums(ByteWriter& to);
  std::uint32_t put_inputs(ByteWriter& to);
  void take_the_last();
  void send_part();
  void close_digests();
  void look_for_lost();
  void look_at_itself();
  void lose(std::size_t host, const std::string& because);
  void fail(const std::string& because);
  [[nodiscard]] HostResult own_result() const;
  [[nodiscard]] std::string too_slow_for() const;
  void send();

  Executive& executive_;
  Executive::Inside inside_;
  Apart& apart_;
  const HostPlan& plan_;
  Transport& transport_;
  const Settings settings_;
  const std::vector<std::uint64_t> identities_;  // by host
  std::vector<Peer> peers_;                      // by host
  std::vector<CrossingMail> out_, in_;
  Sender sender_;
  std::vector<std::byte> received_;
  std::thread thread_;
  std::atomic<bool> ends_{false}, is_ready_{false}, has_begun_{false},
      fails_before_{false};  // the last: problem_ says why
  std::string why_;          // this host has ended early; set before ends_

  std::vector<ClockOffset> clocks_;  // by host: of those that something crosses from, and of the leader
  std::vector<bool> asks_;
  std::int64_t leader_origin_ns_ = 0;
  Clock::time_point asked_{}, told_{};
  std::uint64_t told_end_ = Apart::never;
  bool told_left_ = false, told_part_ = false, told_synchronised_ = false;
  std::deque<std::uint64_t> own_sums_;
  std::uint64_t closed_ = 0;
  std::vector<HostResult> results_;
  std::vector<std::string> said_;
  std::string problem_, asked_to_end_;  // texts that the executive holds on to
  std::deque<std::string> lost_texts_;
};

}  // namespace takt::hosts
