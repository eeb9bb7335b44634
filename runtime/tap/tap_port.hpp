#pragma once
// The plant's end of the tap: takes commands from the segment, puts what is observed into it. It trusts nothing that a
// service has written.

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "runtime/executive/clock.hpp"
#include "runtime/executive/executive.hpp"
#include "runtime/plant/description.hpp"
#include "runtime/steering/director.hpp"
#include "runtime/steering/window_copies.hpp"
#include "runtime/tap/await_slots.hpp"
#include "runtime/tap/leases.hpp"
#include "runtime/tap/segment.hpp"

namespace takt {

/// Phases: construct, follow(), then as a Director.
/// At a boundary it first copies what is due, then judges what is awaited, then takes commands: a sample shows the
/// plant before what is done to it then. A free run may be held here; a paced run never is. A pause begins one boundary
/// after it was asked for, so that all signals are up to date there.
class TapPort final : public Director {
 public:
  struct Settings {
    bool paced = false;
    /// Macro-steps from one boundary at which it tells how the run is to the next, of a free run on several cores:
    /// between them workers may run ahead where nobody asks for anything.
    std::uint32_t tell_every = 1;
    bool holds_at_start = false;                    ///< a free run begins paused
    bool (*is_asked_to_stop)() noexcept = nullptr;  ///< by somebody else: ends a pause
  };
  /// @param plant  its memory stays where it is  @throw std::system_error, std::runtime_error
  TapPort(const PlantDescription& plant, TapSegment& segment, Clock& clock, const Settings& settings);
  TapPort(const TapPort&) = delete;
  TapPort& operator=(const TapPort&) = delete;

  /// What the status words are copied from.
  void follow(const RunStatus& run) noexcept { run_ = &run; }

  /// Real-time: wait-free in a paced run, bounded by commands_at_once commands, rows_at_once rows taken over, the
  /// rows that are due and the conditions of AwaitSlots. A free run that is paused sleeps here.
  void direct(SimTime now, ActionSink& sink) noexcept override;
  [[nodiscard]] bool looks_at(SimTime now) const noexcept override;
  /// Where something is due one macro-step later, too: only a boundary at which all meet can announce the next one.
  [[nodiscard]] bool may_act_at(SimTime now) const noexcept override {
    return tell_every_ns_ == 0 || commands_.has_news() || taking_ > 0 || copying_ > 0 || step_.id != 0 ||
           awaits_.any() || leases_.next_lost() != nullptr || now.ns() % tell_every_ns_ == 0 ||
           looks_at(now + SimDuration{macro_step_ns_});
  }
  void settled(const Action& action, SimTime now, const char* refused) noexcept override;
  [[nodiscard]] bool sets_by_hand() const noexcept override { return true; }
  [[nodiscard]] std::string name_of(std::uint16_t author) const override {
    return std::string(author_of(segment_, author));
  }
  void end(SimTime now) noexcept override;

  static constexpr int commands_at_once = 16;
  static constexpr std::uint32_t rows_at_once = 512;

 private:
  static constexpr std::int64_t never = INT64_MAX;

  struct Subscription {
    std::vector<std::uint32_t> offsets;   ///< in plant memory
    std::uint16_t copied = no_subsystem;  ///< instead: this one's windows
    std::uint64_t id = 0;
    std::int64_t period_ns = 0;  ///< 0: once
    std::int64_t from_ns = never;
    std::uint32_t count = 0, taken = 0;  ///< rows; what is not taken over yet is still staged
  };

  [[nodiscard]] bool is_due(std::size_t slot, SimTime now) const noexcept;
  void observe(SimTime now) noexcept;
  void sample(std::size_t slot, SimTime now) noexcept;
  void publish(SimTime now, TapStatus::Phase phase) noexcept;
  void take_commands(SimTime now, ActionSink& sink) noexcept;
  void take(const TapCommand& command, SimTime now, ActionSink& sink) noexcept;
  void act(const TapCommand& first, SimTime now, ActionSink& sink) noexcept;
  struct Wish {
    Action action;
    std::uint16_t author = 0;
    std::uint32_t owner = 0;
  };
  bool perform(const Wish& wish, SimTime now, ActionSink& sink, TapAnswer& result) noexcept;
  void stop(std::uint16_t author, SimTime now, ActionSink& sink) noexcept;
  void subscribe(const TapCommand& command, SimTime now) noexcept;
  void subscribe_copies(const TapCommand& command, SimTime now) noexcept;
  void unsubscribe(std::size_t slot) noexcept;
  void take_rows(SimTime now) noexcept;
  void begin_to_look(std::size_t slot, SimTime now) noexcept;
  void begin_await(const TapCommand& first, SimTime now, ActionSink& sink) noexcept;
  [[nodiscard]] bool may_be_awaited(const TapCommand& command) const noexcept;
  void judge_awaits(SimTime now, ActionSink& sink) noexcept;
  void judge(AwaitSlots::Await& await, SimTime now, ActionSink& sink) noexcept;
  void come_true(AwaitSlots::Await& await, SimTime now, ActionSink& sink) noexcept;
  void note_await(const AwaitSlots::Await& await, SimTime now, TapEvent::Kind kind) noexcept;
  void give_up_await(std::uint64_t id, SimTime now, TapAnswer::Result why) noexcept;
  void give_up_awaits(SimTime now, TapAnswer::Result why) noexcept;
  void listen_for_service() noexcept;
  void undo_lost(SimTime now, ActionSink& sink) noexcept;
  void take_lease(const TapCommand& command, SimTime now) noexcept;
  void look_after_leases(SimTime now, ActionSink& sink) noexcept {
    listens_ = listens_ && leases_.any();
    if (leases_.any()) listen_for_service(), undo_lost(now, sink);
  }
  void arrive(SimTime now) noexcept;
  void pause_here(std::uint16_t author, SimTime now) noexcept;
  void give_up_step(SimTime now, TapAnswer::Result why) noexcept;
  void hold(SimTime now, ActionSink& sink) noexcept;
  void set_paused(const TapCommand& command, SimTime now) noexcept;
  void note_changes(SimTime now) noexcept;
  void answer(const TapAnswer& answer) noexcept;
  void note(const TapEvent& event) noexcept;
  [[nodiscard]] bool is_possible(const Action& action) const noexcept;

  const std::byte* memory_;
  const PlantDescription& plant_;
  TapSegment& segment_;
  TapStatus& status_;
  Clock& clock_;
  const Settings settings_;
  const std::int64_t macro_step_ns_, tell_every_ns_;
  const RunStatus* run_ = nullptr;
  WindowCopies* copies_ = nullptr;
  RingReader<decltype(TapSegment::commands)> commands_;
  RingWriter<decltype(TapSegment::answers)> answers_;
  RingWriter<decltype(TapSegment::events)> events_;
  RingWriter<decltype(TapSegment::values)> values_;
  std::array<Subscription, TapSegment::most_subscriptions> subscriptions_;
  AwaitSlots awaits_;
  Leases leases_;
  bool listens_ = false;  // to whether there is a service
  std::uint64_t service_beats_ = 0;
  WallTime heard_;
  std::uint32_t rows_ = 0, taking_ = 0, copying_ = 0;
  std::uint32_t used_ = 0;  // no slot from here on
  bool paused_ = false, holds_ = false, stops_ = false;
  TapCommand step_{};  // under way: a step, or the way to the boundary of a pause; id 0: none
  std::uint64_t steps_left_ = 0;
  std::uint64_t overruns_ = 0, verdicts_ = 0;
  std::uint64_t samples_ = 0, samples_dropped_ = 0, answers_dropped_ = 0, events_dropped_ = 0, commands_taken_ = 0;
};

}  // namespace takt
