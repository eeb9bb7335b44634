// The part of the executive that is about checkpoints: taking one between macro-steps, and going on from one.

#include <algorithm>
#include <cstring>
#include <stdexcept>

#include "runtime/executive/executive.hpp"

namespace takt {

void Executive::make_room_for_checkpoints(const std::filesystem::path& folder, CheckpointGuest* guest) {
  room_ = std::make_unique<CheckpointRoom>(plant_, folder, guest);
  Checkpoint& content = room_->content();
  content.memory.resize(plant_.memory_size);
  content.exchanges.resize(exchanges_.state_size());
  content.steering.resize(steering_->state_size());
  content.stored_start.resize(stored_start_.size());
  for (const SubsystemDescription& s : plant_.subsystems)
    content.events.resize(content.events.size() + s.events.size());
  steering_->take_checkpoints(
      {.taker = this,
       .is_free = [](void* self) noexcept { return static_cast<Executive*>(self)->room_->is_free(); },
       .take = [](void* self, SimTime now) noexcept { static_cast<Executive*>(self)->take_checkpoint(now); },
       .write = [this] { return room_->write(); },
       .problem = [this] { return room_->problem(); }});
}

/// All have met, and there is room.
void Executive::take_checkpoint(SimTime now) noexcept {
  Checkpoint& content = room_->content();
  exchanges_.deliver();
  content.macro_step = static_cast<std::uint64_t>(now.since_origin() / macro_step_);
  content.digest = digest_.value();
  std::memcpy(content.memory.data(), plant_.memory, plant_.memory_size);
  exchanges_.save(content.exchanges.data());
  steering_->save(content.steering.data());
  std::copy(stored_start_.begin(), stored_start_.end(), content.stored_start.begin());
  auto place = content.events.begin();
  for (std::size_t i = 0; i < plant_.subsystems.size(); ++i) place = owner_of(i).watch().save_begin(i, place);
  room_->fill();
}

/// In place of a start. Everything has been prepared: coefficients, and buses with their safe values.
void Executive::resume() {
  const Checkpoint& from = *options_.resume;
  if (workers_.size() > 1) throw std::runtime_error("a checkpoint is resumed on one core: leave --cores away");
  if (from.exchanges.size() != exchanges_.state_size() || from.stored_start.size() != stored_start_.size() ||
      from.steering.size() != steering_->state_size())
    throw std::runtime_error("the checkpoint is of another build or rig: build the plant again with that rig");
  std::memcpy(plant_.memory, from.memory.data(), from.memory.size());
  exchanges_.restore(from.exchanges.data());
  digest_.go_on(from.digest);
  std::copy(from.stored_start.begin(), from.stored_start.end(), stored_start_.begin());
  auto place = from.events.begin();
  for (std::size_t i = 0; i < plant_.subsystems.size(); ++i) place = leader().watch().restore_begin(i, place);
  steps_done_ = from.macro_step;
  opened_steps_ = closed_steps_ = counted_steps_ = changed_in_ = from.macro_step;
  latch_.begin();
  steering_->restore(from.steering.data(), start_of(steps_done_));
}

}  // namespace takt
