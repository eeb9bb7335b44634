#pragma once
// The plant's side of its supervisor: a small process of the same executable, forked before there is a thread or an
// open bus. It outlives the plant and sends the safe values where the plant no longer can. A spare of it, forked at the
// same time, takes its place when it dies: a process is not forked beside a real-time thread, whose pages it would take
// away.

#include <array>
#include <memory>
#include <string>
#include <vector>

#include "runtime/io/io_port.hpp"
#include "runtime/io/shared_array.hpp"
#include "runtime/plant/rig_settings.hpp"

namespace takt {

struct SupervisedPlant;

class Supervisor {
 public:
  struct Settings {
    SupervisorSettings supervisor;
    SimDuration macro_step;
    std::string plant;
    std::vector<int> cpus;  ///< of the plant
    int priority = 80;      ///< of the plant
  };

  /// @pre this process has one thread.  Throws std::runtime_error: what the supervisor cannot have.
  Supervisor(IoPort& io, const Settings& settings);
  /// As end().
  ~Supervisor();
  Supervisor(const Supervisor&) = delete;
  Supervisor& operator=(const Supervisor&) = delete;

  /// Real-time: wait-free, no system call.
  void beat(SimTime now) noexcept {
    words_[0].beat(now);
    if (phase_ != SupervisionWords::Phase::beating) enter(SupervisionWords::Phase::beating);
  }
  /// One more beat where simulated time stands still.
  void beat() noexcept { beat(words_[0].beat_time.load(std::memory_order_relaxed)); }
  /// It has sent in place of the plant since this was asked last.  Real-time: wait-free, no system call.
  [[nodiscard]] bool has_sent() noexcept {
    const std::uint32_t count = words_[0].outage_count.load(std::memory_order_acquire);
    if (count == outages_known_) return false;
    outages_known_ = count;
    return true;
  }
  /// No beat is expected until the next one.
  void rest() noexcept { enter(SupervisionWords::Phase::starting); }
  /// Safe values have been handed over: no beat is expected any more.  Real-time: wait-free.
  void leave() noexcept { enter(SupervisionWords::Phase::leaving); }
  /// Buses are closed in order: the supervisor ends, and is waited for.
  void end() noexcept;
  /// After end().
  [[nodiscard]] std::vector<IoEvent> events() const;
  /// After end(): what is to be thought of a run that has lost its supervisor.
  [[nodiscard]] std::vector<IoFinding> findings() const;

 private:
  void enter(SupervisionWords::Phase phase) noexcept {
    phase_ = phase;
    words_[0].phase.store(phase, std::memory_order_release);
  }
  [[nodiscard]] std::string what_became_of_it(std::size_t number) const;
  void fork_one(std::size_t number, SupervisedPlant plant);
  void wait_until_ready(int socket);

  SharedArray<SupervisionWords> words_{1};
  SupervisionWords::Phase phase_ = SupervisionWords::Phase::closed;
  std::unique_ptr<SafeSender> sender_;
  std::uint32_t outages_known_ = 0;
  std::array<int, 2> sockets_{-1, -1};  // to the supervisor, to its spare
  GuardLost when_lost_ = GuardLost::restart;
};

}  // namespace takt
