// The part of the tap's port that undoes what was done by clients whose connections are lost.

#include "runtime/tap/tap_port.hpp"

namespace takt {
namespace {

constexpr WallDuration longest_silence{5'000'000'000};  // of the service; the keeper starts another one after 3 s

}  // namespace

using Result = TapAnswer::Result;

/// A service that is gone and does not come back, with its keeper, has lost all connections.
void TapPort::listen_for_service() noexcept {
  const std::uint64_t beats = segment_.services.server_beats.load(std::memory_order_relaxed);
  const WallTime now = clock_.now();
  if (beats != service_beats_ || !listens_) {
    service_beats_ = beats, heard_ = now, listens_ = true;
  } else if (now - heard_ > longest_silence) {
    leases_.lose(0);
    heard_ = now;
  }
}

/// Some at a boundary; where there is no room, at the next one.
void TapPort::undo_lost(SimTime now, ActionSink& sink) noexcept {
  if (const Leases::Lease* run = leases_.take_lost_run()) {
    stops_ = true;
    sink.stop("the connection that this run was bound to is lost");
    note({.time_ns = now.ns(), .kind = TapEvent::Kind::run_lost, .author = run->author});
  }
  for (int left = commands_at_once; left > 0; --left) {
    const Leases::Lease* lease = leases_.next_lost();
    if (lease == nullptr) return;
    const Action undo = lease->undo;
    const std::uint16_t author = lease->author;
    const SimTime effective = sink.act(undo, author);
    if (effective < SimTime{}) return;
    leases_.note(undo, 0, author);
    note({.time_ns = effective.ns(), .kind = TapEvent::Kind::undone, .author = author, .action = undo});
  }
}

void TapPort::take_lease(const TapCommand& command, SimTime now) noexcept {
  TapAnswer result{.id = command.id, .time_ns = now.ns()};
  if (command.kind == TapCommand::Kind::lease && !leases_.bind_run(command.owner, command.author))
    result.result = Result::full;
  if (command.kind == TapCommand::Kind::detach) result.count = leases_.detach(command.owner);
  if (command.kind == TapCommand::Kind::lost && command.owner != 0) leases_.lose(command.owner);
  answer(result);
}

}  // namespace takt
