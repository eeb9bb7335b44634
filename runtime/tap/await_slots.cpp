#include "runtime/tap/await_slots.hpp"

#include <algorithm>

namespace takt {

AwaitSlots::AwaitSlots(const PlantDescription& plant, const TapSegment& segment)
    : memory_(plant.memory), memory_size_(plant.memory_size), segment_(segment) {
  for (Await& await : awaits_) await.condition.nodes.resize(StagedAwait::most_nodes);  // room for all that come
}

/// A copy is looked at: what is shared may change meanwhile.
AwaitSlots::Await* AwaitSlots::begin(const TapCommand& command) noexcept {
  if (command.slot >= awaits_.size() || awaits_[command.slot].id != 0 || command.id == 0) return nullptr;
  const StagedAwait& staged = segment_.awaits[command.slot];
  const std::uint32_t count = staged.count;
  if (count == 0 || count > StagedAwait::most_nodes) return nullptr;
  Await& await = awaits_[command.slot];
  await.condition.nodes.resize(count);
  std::copy_n(staged.nodes.begin(), count, await.condition.nodes.begin());
  if (!is_well_formed(await.condition.nodes, memory_size_)) return nullptr;
  await.id = command.id;
  await.author = command.author;
  await.observes = staged.observes;
  await.count = 0;
  return &await;
}

void AwaitSlots::read(const Await& await, std::array<double, StagedAwait::most_nodes>& values) const noexcept {
  for (std::size_t k = 0; k < await.condition.nodes.size(); ++k)
    if (const ExpressionNode& node = await.condition.nodes[k]; node.kind == ExpressionNode::Kind::value)
      values[k] = *reinterpret_cast<const double*>(memory_ + node.offset);
}

AwaitSlots::Await* AwaitSlots::find(std::uint64_t id) noexcept {
  const auto found =
      std::find_if(awaits_.begin(), awaits_.end(), [id](const Await& await) { return await.id == id && id != 0; });
  return found == awaits_.end() ? nullptr : &*found;
}

void AwaitSlots::recount() noexcept {
  used_ = observing_ = 0;
  for (const Await& await : awaits_)
    if (await.id != 0) ++used_, observing_ += await.observes ? 1U : 0U;
}

}  // namespace takt
