#include "runtime/tap/leases.hpp"

#include <algorithm>

namespace takt {

Leases::Leases(const PlantDescription& plant) : input_rows_(plant.plant_inputs.size(), no_row) {
  for (std::uint32_t row = 0; row < plant.table.size(); ++row) {
    const MemoryEntry& entry = plant.table[row];
    if (entry.role == Role::plant_input) input_rows_[(entry.offset - plant.inputs_offset) / sizeof(double)] = row;
  }
}

std::optional<Action> Leases::end_of(const Action& action) const noexcept {
  using Verb = Action::Verb;
  switch (action.verb) {
    case Verb::set:
      if (input_rows_[action.target] == no_row) return std::nullopt;
      return Action{.verb = Verb::release, .target = input_rows_[action.target]};
    case Verb::override:
    case Verb::release:
      return Action{.verb = Verb::release, .target = action.target};
    case Verb::inject:
    case Verb::clear:
      return Action{.verb = Verb::clear, .target = action.target};
    case Verb::fault:
    case Verb::mend:
      return Action{.verb = Verb::mend, .target = action.target};
    case Verb::disturb:
      return Action{.verb = Verb::disturb, .target = action.target, .word = 0};
    case Verb::tune:
    case Verb::checkpoint:
      break;
  }
  return std::nullopt;
}

void Leases::note(const Action& action, std::uint32_t owner, std::uint16_t author) noexcept {
  const std::optional<Action> undo = end_of(action);
  if (!undo) return;
  const auto same = [&](const Lease& lease) {
    return lease.undo.verb == undo->verb && lease.undo.target == undo->target;
  };
  const auto last = std::remove_if(leases_.begin(), leases_.begin() + static_cast<std::ptrdiff_t>(count_), same);
  count_ = static_cast<std::size_t>(last - leases_.begin());
  if (owner != 0 && count_ < leases_.size()) leases_[count_++] = {.owner = owner, .author = author, .undo = *undo};
}

bool Leases::bind_run(std::uint32_t owner, std::uint16_t author) noexcept {
  const auto end = runs_.begin() + static_cast<std::ptrdiff_t>(bound_);
  if (std::any_of(runs_.begin(), end, [&](const Lease& lease) { return lease.owner == owner; })) return true;
  if (bound_ == runs_.size() || owner == 0) return false;
  runs_[bound_++] = {.owner = owner, .author = author};
  return true;
}

std::uint32_t Leases::detach(std::uint32_t owner) noexcept {
  const std::size_t before = count_ + bound_;
  const auto of_owner = [&](const Lease& lease) { return lease.owner == owner && !lease.lost; };
  count_ = static_cast<std::size_t>(
      std::remove_if(leases_.begin(), leases_.begin() + static_cast<std::ptrdiff_t>(count_), of_owner) -
      leases_.begin());
  bound_ = static_cast<std::size_t>(
      std::remove_if(runs_.begin(), runs_.begin() + static_cast<std::ptrdiff_t>(bound_), of_owner) - runs_.begin());
  return static_cast<std::uint32_t>(before - count_ - bound_);
}

void Leases::lose(std::uint32_t owner) noexcept {
  for (std::size_t k = 0; k < count_; ++k) leases_[k].lost = leases_[k].lost || owner == 0 || leases_[k].owner == owner;
  for (std::size_t k = 0; k < bound_; ++k) runs_[k].lost = runs_[k].lost || owner == 0 || runs_[k].owner == owner;
}

const Leases::Lease* Leases::next_lost() const noexcept {
  const auto end = leases_.begin() + static_cast<std::ptrdiff_t>(count_);
  const auto found = std::find_if(leases_.begin(), end, [](const Lease& lease) { return lease.lost; });
  return found == end ? nullptr : &*found;
}

const Leases::Lease* Leases::take_lost_run() noexcept {
  for (std::size_t k = 0; k < bound_; ++k) {
    if (!runs_[k].lost) continue;
    lost_run_ = runs_[k];
    runs_[k] = runs_[--bound_];
    return &lost_run_;
  }
  return nullptr;
}

}  // namespace takt
