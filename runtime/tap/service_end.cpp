#include "runtime/tap/service_end.hpp"

#include <algorithm>
#include <stdexcept>
#include <utility>

namespace takt {

ServiceEnd::ServiceEnd(TapSegment& segment)
    : segment_(segment),
      commands_(segment.commands),
      answers_(segment.answers),
      events_(segment.events),
      samples_(segment),
      // Answers to what an earlier service has asked are nobody's.
      next_id_((std::uint64_t{segment.services.generation.load(std::memory_order_relaxed)} << 32U) + 1) {
  answers_.drop_all();
  TapCommand begin{.kind = TapCommand::Kind::begin};
  send({&begin, 1}, {});
}

void ServiceEnd::send(std::span<TapCommand> commands, OnAnswer then) {
  const std::uint64_t id = next_id_++;
  for (std::size_t k = 0; k < commands.size(); ++k) {
    commands[k].id = id;
    if (commands[k].kind == TapCommand::Kind::act) commands[k].count = static_cast<std::uint32_t>(commands.size() - k);
  }
  if (!commands_.try_push(commands))
    throw std::runtime_error("the plant has not taken " + std::to_string(decltype(TapSegment::commands)::capacity) +
                             " commands that were given before: try again later");
  waiting_.emplace(id, std::move(then));
}

std::size_t ServiceEnd::subscribe(std::span<const std::uint32_t> rows, std::int64_t period_ns, OnAnswer then,
                                  OnSample each) {
  if (rows_ + rows.size() > TapSegment::most_rows)
    throw std::runtime_error(std::to_string(rows.size()) + " values in addition to the " + std::to_string(rows_) +
                             " that are watched: all clients together may watch " +
                             std::to_string(TapSegment::most_rows));
  std::size_t slot = free_slot();
  std::copy(rows.begin(), rows.end(), segment_.rows[slot].begin());
  const TapCommand command{.period_ns = period_ns,
                           .kind = TapCommand::Kind::subscribe,
                           .slot = static_cast<std::uint8_t>(slot),
                           .count = static_cast<std::uint32_t>(rows.size())};
  begin(command, {.state = Slot::used, .rows = rows.size(), .period_ns = period_ns, .each = std::move(each)},
        std::move(then));
  return slot;
}

std::size_t ServiceEnd::subscribe_copies(std::uint16_t subsystem, OnAnswer then, OnSample each) {
  const std::size_t slot = free_slot();
  const TapCommand command{
      .kind = TapCommand::Kind::copies, .slot = static_cast<std::uint8_t>(slot), .count = subsystem};
  begin(command, {.state = Slot::used, .period_ns = segment_.header.macro_step_ns, .each = std::move(each)},
        std::move(then));
  return slot;
}

std::size_t ServiceEnd::free_slot() const {
  const auto found = std::find_if(subscriptions_.begin(), subscriptions_.end(),
                                  [](const Subscription& s) { return s.state == Slot::free; });
  if (found == subscriptions_.end())
    throw std::runtime_error("all " + std::to_string(TapSegment::most_subscriptions) +
                             " subscriptions are in use: end one, or ask for several paths at once");
  return static_cast<std::size_t>(found - subscriptions_.begin());
}

void ServiceEnd::begin(TapCommand command, Subscription&& subscription, OnAnswer then) {
  const std::size_t slot = command.slot;
  subscription.ticket = static_cast<std::uint32_t>(next_id_);
  send({&command, 1}, [this, slot, then = std::move(then)](const TapAnswer& answer) {
    if (answer.result != TapAnswer::Result::done && subscriptions_[slot].state == Slot::used) set_free(slot);
    if (then) then(answer);
  });
  rows_ += subscription.rows;
  subscriptions_[slot] = std::move(subscription);
  ++used_;
}

/// Samples of a free run come in no time; those of a paced one, in half their period at the latest.
int ServiceEnd::patience_ms(int otherwise) const noexcept {
  if (!waiting_.empty()) return 1;
  if (used_ == 0) return otherwise;
  if (!segment_.header.paced) return 2;
  std::int64_t shortest = INT64_MAX;
  for (const Subscription& subscription : subscriptions_)
    if (subscription.state == Slot::used) shortest = std::min(shortest, subscription.period_ns);
  return static_cast<int>(std::clamp<std::int64_t>(shortest / 2'000'000, 1, 20));
}

void ServiceEnd::set_free(std::size_t slot) {
  rows_ -= subscriptions_[slot].rows;
  --used_;
  subscriptions_[slot] = {};
}

void ServiceEnd::unsubscribe(std::size_t slot) {
  Subscription& subscription = subscriptions_[slot];
  if (subscription.state != Slot::used) return;
  subscription.state = Slot::ending;
  subscription.each = {};
  send_when_there_is_room({.kind = TapCommand::Kind::unsubscribe, .slot = static_cast<std::uint8_t>(slot)},
                          [this, slot](const TapAnswer&) {
                            if (subscriptions_[slot].state == Slot::ending) set_free(slot);
                          });
}

std::uint64_t ServiceEnd::await(const Wanted& wanted, std::uint16_t author, OnAwait on) {
  const auto free = std::find(awaits_.begin(), awaits_.end(), 0U);
  if (free == awaits_.end())
    throw std::runtime_error("all clients together may await " + std::to_string(awaits_.size()) +
                             " conditions at a time");
  const auto slot = static_cast<std::size_t>(free - awaits_.begin());
  StagedAwait& staged = segment_.awaits[slot];
  staged.count = static_cast<std::uint32_t>(wanted.nodes.size());
  staged.observes = wanted.observes;
  std::copy(wanted.nodes.begin(), wanted.nodes.end(), staged.nodes.begin());
  staged.text = {};
  std::copy_n(wanted.text.begin(), std::min(wanted.text.size(), staged.text.size() - 1), staged.text.begin());
  std::vector<TapCommand> row{{.period_ns = wanted.within_ns,
                               .kind = TapCommand::Kind::await,
                               .slot = static_cast<std::uint8_t>(slot),
                               .count = static_cast<std::uint32_t>(wanted.then.size() + 1)}};
  row.insert(row.end(), wanted.then.begin(), wanted.then.end());
  for (TapCommand& command : row) command.author = author;
  const std::uint64_t id = next_id_;
  send(row, [this, slot, on = std::move(on)](const TapAnswer& answer) {
    if (answer.result != TapAnswer::Result::begun) awaits_[slot] = 0;
    if (on) on(answer, segment_.awaits[slot]);
  });
  awaits_[slot] = id;
  return id;
}

void ServiceEnd::unawait(std::uint64_t id) {
  if (std::find(awaits_.begin(), awaits_.end(), id) == awaits_.end()) return;
  send_when_there_is_room({.period_ns = static_cast<std::int64_t>(id), .kind = TapCommand::Kind::unawait}, {});
}

void ServiceEnd::send_when_there_is_room(const TapCommand& command, OnAnswer then) {
  overdue_.emplace_back(command, std::move(then));
  send_overdue();
}

void ServiceEnd::send_overdue() {
  while (!overdue_.empty()) {
    try {
      send({&overdue_.front().first, 1}, overdue_.front().second);
    } catch (const std::runtime_error&) {
      return;  // tried again at the next poll()
    }
    overdue_.pop_front();
  }
}

std::uint16_t ServiceEnd::author(const std::string& text) {
  const std::string_view shown = std::string_view(text).substr(0, TapSegment::author_bytes - 1);
  std::uint32_t count = segment_.author_count.load(std::memory_order_relaxed);
  count = std::clamp<std::uint32_t>(count, 1, TapSegment::most_authors);
  for (std::uint16_t k = 0; k < count; ++k)
    if (author_of(segment_, k) == shown) return k;
  if (count == TapSegment::most_authors) return 0;
  std::copy(shown.begin(), shown.end(), segment_.authors[count].begin());
  segment_.author_count.store(count + 1, std::memory_order_relaxed);
  return static_cast<std::uint16_t>(count);
}

void ServiceEnd::hand_over(const Sample& sample) {
  if (sample.slot >= subscriptions_.size()) return;
  Subscription& subscription = subscriptions_[sample.slot];
  if (subscription.state == Slot::free || subscription.ticket != sample.ticket) return;
  if (subscription.period_ns != 0) {
    if (subscription.each) subscription.each(sample);
    return;
  }
  const OnSample each = std::move(subscription.each);
  // Where its end is under way, the answer to that sets it free.
  if (subscription.state == Slot::used) set_free(sample.slot);
  if (each) each(sample);
}

bool ServiceEnd::poll(const OnEvent& on_event) {
  bool any = false;
  send_overdue();
  for (TapEvent event; events_.pop(event); any = true)
    if (on_event) on_event(event);
  samples_.look();  // what is asked for is answered before the first sample of it comes
  for (TapAnswer answer; answers_.pop(answer); any = true) {
    auto found = waiting_.extract(answer.id);
    if (found.empty()) continue;
    if (found.mapped()) found.mapped()(answer);
    if (answer.result == TapAnswer::Result::begun) waiting_.insert(std::move(found));
  }
  Sample sample;
  while (samples_.read(sample)) any = true, hand_over(sample);
  return any;
}

}  // namespace takt
