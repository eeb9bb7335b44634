#include "runtime/io/can/protection_states.hpp"

#include <algorithm>

namespace takt::can {
namespace {

std::vector<const MessageInfo*> sent_of(const BusPlan& plan) {
  std::vector<const MessageInfo*> all;
  for (const SendPlan& message : plan.send) all.push_back(&message.info);
  for (const RestPlan& message : plan.rest) all.push_back(&message.info);
  return all;
}

std::size_t counters_of(const BusPlan& plan) {
  const auto all = sent_of(plan);
  return std::any_of(all.begin(), all.end(), [](const MessageInfo* info) { return info->protection != nullptr; })
             ? all.size()
             : 0;
}

}  // namespace

SendProtection::SendProtection(const BusPlan& plan) : next_(counters_of(plan)) {
  const auto all = sent_of(plan);
  for (std::size_t k = 0; k < all.size(); ++k) {
    std::size_t same = 0;
    while (all[same]->id != all[k]->id || all[same]->extended != all[k]->extended) ++same;
    protections_.push_back(all[k]->protection);
    counter_of_.push_back(same);
    restart(k);
  }
}

Frame SendProtection::with(std::size_t message, const Frame& frame, std::uint64_t counter) const noexcept {
  Frame result = frame;
  protect(*protections_[message], counter, result.data);
  result.guarded = true;
  return result;
}

Frame SendProtection::guarded(std::size_t message, const Frame& frame) const noexcept {
  if (frame.guarded || protections_[message] == nullptr) return frame;
  return with(message, frame, next_[counter_of_[message]].load(std::memory_order_relaxed));  // one word, alone
}

void SendProtection::passed(std::size_t message, const Frame& frame) noexcept {
  if (frame.guarded || protections_[message] == nullptr) return;
  auto& next = next_[counter_of_[message]];
  next.store(next_counter(*protections_[message], next.load(std::memory_order_relaxed)), std::memory_order_relaxed);
}

Frame SendProtection::repeated(std::size_t message, const Frame& frame) const noexcept {
  if (protections_[message] == nullptr) return frame;
  const std::uint64_t next = next_[counter_of_[message]].load(std::memory_order_relaxed);
  return with(message, frame, next > 0 ? next - 1 : last_counter(*protections_[message]));
}

void SendProtection::restart(std::size_t message) noexcept {
  if (protections_[message] != nullptr)
    next_[counter_of_[message]].store(protections_[message]->first, std::memory_order_relaxed);
}

ReceiveProtection::ReceiveProtection(std::span<const ReceivePlan> plans)
    : plans_(plans), receivers_(plans.size()), counts_(plans.size()) {}

bool ReceiveProtection::takes(std::size_t message, const Frame& frame) noexcept {
  const Protection* const protection = plans_[message].info.protection;
  if (protection == nullptr) return true;
  const Checked checked = check(*protection, receivers_[message], frame.data);
  Counts& counts = counts_[message];
  counts.lost += checked.lost;
  if (checked.verdict == Verdict::wrong_checksum) ++counts.wrong_checksum;
  if (checked.verdict == Verdict::repeated) ++counts.repeated;
  if (checked.verdict == Verdict::wrong_sequence) ++counts.wrong_sequence;
  return is_taken(checked.verdict) || protection->take_wrong;
}

Frame ReceiveProtection::repeated(std::size_t message, Frame frame) const noexcept {
  const Protection* const protection = plans_[message].info.protection;
  if (protection != nullptr && receivers_[message].seen) protect(*protection, receivers_[message].counter, frame.data);
  return frame;
}

}  // namespace takt::can
