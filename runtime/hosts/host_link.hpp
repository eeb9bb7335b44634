#pragma once
// Several hosts compute one plant in lock-step: what each computes is carried to the others, as between the workers of
// one host.

#include <atomic>
#include <chrono>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <thread>
#include <vector>

#include "runtime/executive/executive.hpp"
#include "runtime/hosts/host_plan.hpp"
#include "runtime/hosts/sender.hpp"

namespace takt::hosts {

/// Every host has the whole plant in memory and starts it alike; each computes its own subsystems. After each of its
/// windows the others are told how far it is, with the messages that its exchanges have sent (Mail); the leader tells
/// which instants are open, with the plant inputs. So a worker waits for one on another host as for one on its own, and
/// what is computed is the same. At the end of a macro-step that somebody looks at, and of the run, the leader gets the
/// plant memory of the others.
/// Phases: construct, after the executive's prepare() and when all have met (meeting.hpp); start(); then the leader
/// runs run(), another host help(); finish(). Nothing of it is real-time.
class HostLink {
 public:
  struct Settings {
    std::int64_t silence_ns = 5'000'000'000;           ///< after which a host is lost: the run ends in order
    bool (*goes_on)() = +[] { return true; };          ///< asked where it does not lead
    std::function<std::vector<std::string>()> said{};  ///< where it does not lead: what the leader is to report
  };
  /// The run, who computes what of it, and the process on each host.
  struct Of {
    Executive& executive;
    const HostPlan& plan;
    std::vector<std::uint64_t> identities;
  };
  HostLink(const Of& of, Transport& transport, const Settings& settings);
  ~HostLink();
  HostLink(const HostLink&) = delete;
  HostLink& operator=(const HostLink&) = delete;

  void start();
  /// Waits for the end of the run.  @return what went wrong; empty: nothing
  [[nodiscard]] std::string finish();
  /// What the others have to say. After finish().
  [[nodiscard]] const std::vector<std::string>& said() const noexcept { return said_; }

 private:
  using Clock = std::chrono::steady_clock;
  struct Peer {
    bool has_left = false, is_done = false;
    std::vector<std::byte> part;
    Clock::time_point heard{};
  };
  struct OutMail {
    std::size_t mail = 0;
    std::uint64_t sent = 0;
    std::vector<std::uint64_t> due;  // messages that have been sent when so many slots of a macro-step are computed
  };

  void find_out_mails();
  [[nodiscard]] static std::uint64_t messages_at(const OutMail& mail, std::uint64_t slots);
  // Under way.
  void carry();
  bool take_messages();
  void take(std::span<const std::byte> message);
  void take_news(ByteReader& from, std::size_t host);
  void take_openings(ByteReader& from);
  void take_mails(ByteReader& from);
  void take_part(ByteReader& from, std::size_t host);
  bool send_news();
  void put_openings(ByteWriter& to, std::uint64_t opened);
  void put_inputs(ByteWriter& to, std::uint64_t opened);
  void put_actions(ByteWriter& to);
  void put_mails(ByteWriter& to, std::uint64_t slots);
  void put_memory(ByteWriter& to, std::uint64_t macro_steps);
  void send_part();
  [[nodiscard]] bool others_have_left() const;
  [[nodiscard]] bool is_over() const;
  void look_for_lost();
  void lose(std::size_t host, const std::string& because);
  void send();

  Executive& executive_;
  Executive::Inside inside_;
  const HostPlan& plan_;
  Transport& transport_;
  const Settings settings_;
  const std::vector<std::uint64_t> identities_;  // by host
  std::vector<Peer> peers_;                      // by host
  std::vector<OutMail> out_mails_;
  Sender sender_;
  std::vector<std::byte> received_;
  std::thread thread_;
  std::atomic<bool> ends_{false};  // the own run is over

  // What has been told.
  std::uint64_t told_opened_ = 0, told_slots_ = 0, told_steps_ = 0, told_end_;
  bool told_left_ = false, told_part_ = false;
  std::uint64_t taken_opened_ = 0;
  std::vector<double> told_inputs_;  // at the last instant
  std::uint64_t told_same_ = 0;      // instants in a row that have them
  Clock::time_point told_{};
  std::vector<std::string> said_;
  std::string problem_;  // text of a lost host: stays where it is
};

}  // namespace takt::hosts
