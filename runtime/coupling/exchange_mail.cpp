// The part of the exchanges that is about several workers: who sends which values to whom in one message.

#include <map>
#include <tuple>

#include "runtime/coupling/exchange.hpp"

namespace takt {
namespace {

constexpr std::uint32_t depth_apart = 2048;  // messages on their way between hosts that do not wait

}  // namespace

void Exchanges::lay_out_mails() {
  const std::span<const std::uint16_t> workers = options_.workers;
  options_.workers = {};  // of the caller
  using Key = std::tuple<std::uint16_t, std::uint16_t, std::int64_t, std::uint8_t>;
  std::map<Key, std::vector<std::uint32_t>> crossing;
  for (std::uint32_t index = 0; index < links_.size(); ++index) {
    const ExchangePlan& plan = plant_.exchanges[index];
    if (!workers.empty() && workers[plan.producer] != workers[plan.consumer])
      crossing[{plan.producer, plan.consumer, period_of(plan), plan.lag}].push_back(index);
  }
  if (!crossing.empty()) mail_ports_.resize(ports_.size());
  for (const auto& [key, indices] : crossing) {
    const auto [producer, consumer, period, lag] = key;
    std::vector<Mail::Value> values;
    for (const std::uint32_t index : indices) {
      Link& link = links_[index];
      link.mail = static_cast<std::int32_t>(mails_.size());
      link.place_in_mail = static_cast<std::uint32_t>(values.size());
      if (link.line >= 0) {
        const double* block = memory(place_of(plant_.exchanges[index].delay.leaving));
        for (std::int64_t part = 0; part < lines_[static_cast<std::size_t>(link.line)].parts(); ++part)
          values.push_back({.source = block + 1 + part,
                            .cell = static_cast<std::uint32_t>(link.line),
                            .part = static_cast<std::int32_t>(part)});
        continue;
      }
      const bool flux = link.kind == CouplingKind::flux;
      const std::size_t sent =
          plant_.subsystems[producer].sent_offset + plant_.exchanges[index].output * sizeof(double);
      values.push_back({.source = flux ? memory(place_of(sent)) : link.output, .cell = link.cell, .flux = flux});
    }
    const auto beat = [&, every = period](std::uint16_t s) {
      return beat_of(ports_[s].beats, static_cast<std::uint32_t>(every / plant_.subsystems[s].period_ns));
    };
    const std::uint32_t mail = static_cast<std::uint32_t>(mails_.size());
    mail_ports_[producer].out.push_back({.mail = mail, .beat = beat(producer), .lag = lag});
    mail_ports_[consumer].in.push_back({.mail = mail, .beat = beat(consumer), .lag = lag});
    mails_.emplace_back(std::move(values), options_.apart ? depth_apart : mail_depth(plant_.macro_step_ns / period));
    mail_routes_.push_back(
        {producer, consumer, static_cast<std::uint32_t>(period / plant_.subsystems[producer].period_ns)});
  }
}

/// Those that the next H of the subsystem may know.
void Exchanges::take_messages(std::uint16_t subsystem) noexcept {
  for (const Post& post : mail_ports_[subsystem].in) {
    const Beat& beat = beats_[post.beat];
    if (beat.done > 0) continue;
    Mail& mail = mails_[post.mail];
    auto known = static_cast<std::uint64_t>(beat.number + 1 - post.lag);
    if (options_.apart && mail.sent() < known) {
      const std::uint64_t there = mail.sent();
      mail.note_late(known - there);
      if (mail.is_isolated()) [[unlikely]]
        isolate(mail);
      known = there;
    }
    while (mail.taken() < known) take(mail);
  }
}

void Exchanges::isolate(const Mail& mail) noexcept {
  for (const Mail::Value& value : mail.values())
    if (value.flux) fluxes_[value.cell].isolate();
}

void Exchanges::take(Mail& mail) noexcept {
  const auto number = static_cast<std::int64_t>(mail.taken());  // of the H it is about
  const double* message = mail.next();
  for (const Mail::Value& value : mail.values()) {
    if (value.flux) {
      fluxes_[value.cell].gather(*message++);
      fluxes_[value.cell].put(number);
    } else if (value.part >= 0) {
      if (value.part == 0) lines_[value.cell].put(travels_[value.cell], number, message);  // with those that follow
      ++message;
    } else {
      potentials_[value.cell].put(number + 1, *message++);
    }
  }
  mail.drop();
}

void Exchanges::deliver() noexcept {
  for (Mail& mail : mails_)
    while (mail.taken() < mail.sent()) take(mail);
}

}  // namespace takt
