#pragma once
// The memory that a running plant and the services of its tap share: what is asked of the plant, what it answers, what
// is observed, how it is. Its other end is a process forked from the same file, so the memory table is known there.

#include <array>
#include <atomic>
#include <bitset>
#include <cstdint>
#include <memory>
#include <string_view>
#include <type_traits>
#include <vector>

#include "runtime/io/bus_counts.hpp"
#include "runtime/plant/description.hpp"
#include "runtime/plant/time.hpp"
#include "runtime/scenario/expression.hpp"
#include "runtime/steering/action.hpp"
#include "runtime/tap/ring.hpp"

namespace takt {

/// From a service to the real-time thread.
struct TapCommand {
  enum class Kind : std::uint8_t {
    begin,      ///< a service begins: what earlier ones have subscribed ends
    act,        ///< `action`; `count` of them in a row, this one the first, take effect at one boundary
    subscribe,  ///< slot: `count` rows, staged in TapSegment::rows, every `period_ns`; 0: once
    copies,     ///< slot: the windows of subsystem `count` (WindowCopies), at every boundary
    unsubscribe,
    pause,
    resume,
    step,  ///< `period_ns` macro-steps, then pause
    stop,
    await,    ///< slot: the condition that is staged in TapSegment::awaits, for `period_ns`; the other `count` - 1
              ///< of the row, to act, pause or stop, are done where it holds
    unawait,  ///< that of the command `period_ns`
    lease,    ///< the run ends where the connection of `owner` is lost
    detach,   ///< what `owner` has done stays, whatever becomes of its connection
    lost      ///< the connection of `owner` is
  };
  std::uint64_t id = 0;
  std::int64_t period_ns = 0;
  Kind kind = Kind::begin;
  std::uint8_t slot = 0;
  std::uint16_t author = 0;  ///< of TapSegment::authors
  std::uint32_t count = 1;
  std::uint32_t owner = 0;  ///< connection that an action is bound to; 0: none
  Action action{};
};
static_assert(std::is_trivially_copyable_v<TapCommand>);

/// What became of a command.
struct TapAnswer {
  enum class Result : std::uint8_t {
    done,
    full,        ///< there is no room for so many actions at once: nothing has taken effect
    partly,      ///< as full, but `count` of them have taken effect
    wrong,       ///< not understood
    paced,       ///< in real time there is no pause
    not_paused,  ///< nothing to resume
    replaced,    ///< by a later command, before it came to its end
    ended,       ///< the run did, before
    begun,       ///< an await: another answer follows
    not_held,    ///< its condition, in time
    given_up     ///< the await, by its client
  };
  std::uint64_t id = 0;
  std::int64_t time_ns = 0;    ///< simulated: when it takes, or took, effect
  std::int64_t period_ns = 0;  ///< of a subscription: in whole macro-steps; of an await: when it held, or ends
  Result result = Result::done;
  std::uint32_t count = 0;
};

/// What others than its author may want to know of.
struct TapEvent {
  static constexpr std::size_t event_bytes = 120;
  enum class Kind : std::uint8_t {
    action,
    no_room,
    refused,
    paused,
    resumed,
    stepped,
    stopped,
    nobody_resumes,
    overruns,
    verdicts,
    held,      ///< a condition, `text`
    not_held,  ///< in time
    undone,    ///< by `action`: the connection it was bound to is lost
    run_lost   ///< the run ends for that
  };
  std::int64_t time_ns = 0;
  std::uint64_t number = 0;  ///< overruns or verdicts so far, macro-steps
  Kind kind = Kind::action;
  std::uint16_t author = 0;
  Action action{};
  std::array<char, event_bytes> text{};  ///< why it was refused; the condition
};

/// A condition, from a service to the real-time thread.
struct StagedAwait {
  static constexpr std::size_t most_nodes = 64;
  std::uint32_t count = 0;  ///< of nodes
  bool observes = false;    ///< it reads what has to be brought up to date
  std::array<ExpressionNode, most_nodes> nodes{};
  std::array<char, TapEvent::event_bytes> text{};
  std::array<double, most_nodes> held{};  ///< [rt] before it is told that it holds: what its nodes have read there
};

/// [rt] written by the real-time thread at every boundary; nobody needs an order between them.
struct TapStatus {
  enum class Phase : std::uint32_t { starting, running, paused, ended };
  alignas(64) std::atomic<std::uint64_t> macro_steps{0}, overruns{0}, inner_late{0}, verdicts{0}, ledger_alarms{0};
  std::atomic<std::int64_t> time_ns{0}, busy_ns{0};
  std::atomic<Phase> phase{Phase::starting};
  std::atomic<std::uint32_t> rows{0};  ///< observed
  alignas(64) std::atomic<std::uint64_t> samples{0}, samples_dropped{0}, answers_dropped{0},
      events_dropped{0}, commands{0};
};

/// Written by the keeper and by the service that it has forked.
struct TapServices {
  enum class State : std::uint32_t {
    starting,
    open,        ///< clients are served
    down,        ///< between two services
    cannot_open  ///< there is no socket: see the events
  };
  static constexpr std::size_t most_events = 32, event_bytes = 240;
  struct Event {
    std::int64_t time_ns = 0;
    std::array<char, event_bytes> text{};
  };
  alignas(64) std::atomic<std::uint64_t> keeper_beats{0}, server_beats{0};
  std::atomic<State> state{State::starting};
  std::atomic<std::uint32_t> generation{0};        ///< services so far
  std::atomic<std::uint64_t> clients_refused{0};   ///< no seat was free for them
  std::atomic<std::uint64_t> clients_gave_way{0};  ///< had asked nothing when others came
  std::atomic<std::uint32_t> event_count{0};       ///< release, read with acquire
  std::array<Event, most_events> events{};         ///< above event_count; the first of them
};

struct TapHeader {
  static constexpr std::uint64_t the_magic = 0x7061742d746b6174;  // "takt-tap"
  static constexpr std::uint32_t the_version = 1;
  static constexpr std::size_t most_cpus = 64;
  std::uint64_t magic = the_magic;
  std::uint32_t version = the_version;
  std::int32_t process = 0;  ///< of the plant
  std::array<char, 64> plant{}, hash{};
  std::int64_t macro_step_ns = 0;
  std::uint64_t macro_steps = 0;  ///< of the run; 0: until stopped
  bool paced = false;
  std::uint32_t cpu_count = 0;
  std::array<std::int32_t, most_cpus> cpus{};
  std::bitset<1U << 16U> elsewhere{};  ///< by subsystem: another host computes it
};

struct TapSegment {
  static constexpr std::size_t most_subscriptions = 16, most_rows = 4096, most_actions = 16;
  static constexpr std::size_t most_awaits = 16, most_then = 8;         ///< at a time; actions of one
  static constexpr std::size_t most_leases = 64, most_run_leases = 32;  ///< at a time
  static constexpr std::size_t most_authors = 512, author_bytes = 64;
  static constexpr std::size_t value_words = 1U << 18U;

  TapHeader header{};
  TapStatus status{};
  std::atomic<std::uint32_t> bus_count{0};  ///< before the run
  std::array<BusCounts, BusCounts::most> buses;
  TapServices services{};
  RingMemory<TapCommand, 256> commands;           // service -> plant
  RingMemory<TapAnswer, 1024> answers;            // plant -> service
  RingMemory<TapEvent, 1024> events;              // plant -> service
  RingMemory<std::uint64_t, value_words> values;  // plant -> service: samples, see SampleHead
  /// Staged by the service before it subscribes; the plant copies them.
  std::array<std::array<std::uint32_t, most_rows>, most_subscriptions> rows;
  std::array<StagedAwait, most_awaits> awaits;  ///< likewise, before it awaits
  /// Texts of a service; an entry does not change once a command has named it. The first stands for all that have no
  /// room.
  std::atomic<std::uint32_t> author_count{1};
  std::array<std::array<char, author_bytes>, most_authors> authors;
};

/// In front of the values of a sample: this word, then the simulated time in ns.
struct SampleHead {
  std::uint32_t ticket;  ///< lower half of the id of the subscription's command
  std::uint16_t slot;
  std::uint16_t count;
};
static_assert(sizeof(SampleHead) == sizeof(std::uint64_t));
static_assert(TapSegment::most_rows <= 0xffff);

/// What is put into the header.
struct TapRun {
  bool paced = false;
  std::uint64_t macro_steps = 0;
  std::span<const int> cpus = {};  ///< of the plant's threads
  std::vector<bool> elsewhere{};   ///< by subsystem: another host computes it; empty: none
};

/// A memfd that nobody can shrink, mapped; children that are forked later see it.
class TapMemory {
 public:
  /// @throw std::system_error
  TapMemory(const PlantDescription& plant, const TapRun& run);
  ~TapMemory();
  TapMemory(const TapMemory&) = delete;
  TapMemory& operator=(const TapMemory&) = delete;
  [[nodiscard]] TapSegment& operator*() const noexcept { return *segment_; }
  [[nodiscard]] TapSegment* operator->() const noexcept { return segment_; }

 private:
  TapSegment* segment_ = nullptr;
};

/// Of an author, as the log and the events name him. Safe against a service gone mad.
[[nodiscard]] std::string_view author_of(const TapSegment& segment, std::uint16_t author) noexcept;
/// For the keeper and the services. The first most_events are kept.
void add_service_event(TapSegment& segment, std::string_view text) noexcept;

}  // namespace takt
