// What lasts from boundary to boundary, for checkpoints.

#include <algorithm>
#include <cstring>
#include <type_traits>

#include "runtime/steering/steering.hpp"

namespace takt {

/// Calls for everything, in an order that hangs on the plant alone.
template <class Self, class Call>
void Steering::for_all_state(Self& self, const Call& call) {
  call(self.forced_.data(), self.forced_.size());
  call(self.in_force_.data(), self.in_force_.size());
  call(&self.any_in_force_, 1);
  call(self.pending_.data(), self.pending_.size());
  call(&self.counts_, 1);
  call(self.tuned_.values.data(), self.tuned_.values.size());
  call(self.tuned_.faults.data(), self.tuned_.faults.size());
  call(&self.tuned_.fault_count, 1);
  Readings::for_all_state(self.readings_, call);
}

std::size_t Steering::state_size() const noexcept {
  std::size_t size = 0;
  for_all_state(*this, [&size](const auto* items, std::size_t count) { size += count * sizeof *items; });
  return size;
}

void Steering::save(std::byte* to) const noexcept {
  for_all_state(*this, [&to](const auto* items, std::size_t count) {
    static_assert(std::is_trivially_copyable_v<std::decay_t<decltype(*items)>>);
    if (count > 0) std::memcpy(to, items, count * sizeof *items);
    to += count * sizeof *items;
  });
}

void Steering::restore(const std::byte* from, SimTime now) {
  for_all_state(*this, [&from](auto* items, std::size_t count) {
    if (count > 0) std::memcpy(static_cast<void*>(items), from, count * sizeof *items);
    from += count * sizeof *items;
  });
  now_ = now;
  acted_ = true;  // perhaps, and an audit needs the run from its start
  tuner_.emplace(plant_, tuned_);
  for (std::uint64_t i = counts_.settled; i < counts_.asked; ++i) {
    Pending& pending = pending_[i % pending_.size()];
    pending.director = nobody;
    tuner_->ask(pending.action);
  }
}

/// For a checkpoint to come.
void Steering::keep_in_mind(const Action& action) noexcept { tuned_.take(plant_, action); }

}  // namespace takt
