#pragma once
// Before a run on several hosts: all are there with the same plant, have the conditions of the run from the leader, and
// start from the same values.

#include <chrono>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "runtime/hosts/host_plan.hpp"
#include "runtime/hosts/message.hpp"
#include "runtime/hosts/sender.hpp"
#include "runtime/plant/input_script.hpp"

namespace takt::hosts {

/// What has to be the same everywhere.
struct Agreement {
  std::string generator;  ///< version of takt
  std::string plant;      ///< hash of all that the plant was generated from, rig and all
};

/// Of the run: what the leader was told on its command line.
struct Conditions {
  bool steady = false, sample_fluxes = false;
  double ledger_alarm = 0.0;
  std::vector<std::pair<std::string, std::string>> parameters;  ///< that differ from the plant's, SI
  std::vector<double> inputs;                                   ///< of the plant, at the start
  bool real_time = false, accepts_late = false;
  std::uint64_t macro_steps = 0;       ///< in real time; 0: until it is stopped
  std::vector<ScriptedInput> changes;  ///< in real time: of inputs, after the start
};

/// Phases: construct, meet(); then the leader tell() and expect(), another host take() and agree().
/// All throw std::runtime_error: who is missing, what is different where, that this host was asked to stop.
class Meeting {
 public:
  struct Settings {
    std::int64_t wait_ns = 30'000'000'000;     ///< for the others, at each step
    bool (*goes_on)() = +[] { return true; };  ///< asked while it waits
  };
  Meeting(const HostPlan& plan, Transport& transport, const Settings& settings);

  void meet(const Agreement& own);
  void tell(const Conditions& conditions);
  [[nodiscard]] Conditions take();
  /// @param start  hash of the plant as it is prepared here
  void agree(const std::string& start);
  void expect(const std::string& start);
  /// This host cannot go on.
  void leave(const std::string& because) noexcept;
  /// The process on each host, this one's too.
  [[nodiscard]] const std::vector<std::uint64_t>& identities() const noexcept { return identities_; }

 private:
  using Clock = std::chrono::steady_clock;
  struct Peer {
    bool is_heard = false, hears_all = false, is_ready = false;
  };
  void send();
  void say_hello(const Agreement& own);
  void take_hello(ByteReader& from, std::size_t host, const Agreement& own);
  /// @param done  nothing more is waited for  @param waited_for  what it is then, for people
  void wait(const std::function<bool()>& done, const std::function<void()>& now_and_then, const char* waited_for);
  void wait_or_throw(const std::function<bool()>& done, const std::function<void()>& now_and_then,
                     const char* waited_for);
  [[nodiscard]] bool take_message(ByteReader& from, Head& head);
  [[nodiscard]] bool all_of(bool Peer::*fact) const;
  [[nodiscard]] std::string without(bool Peer::*fact) const;

  const HostPlan& plan_;
  Transport& transport_;
  const Settings settings_;
  std::vector<std::uint64_t> identities_;  // by host; 0: not heard of
  std::vector<Peer> peers_;                // by host
  Sender sender_;
  std::vector<std::byte> received_, kept_;               // kept: conditions that came early
  std::function<void(const Head&, ByteReader&)> takes_;  // what comes in the step under way
  bool Peer::*awaited_ = nullptr;
};

}  // namespace takt::hosts
