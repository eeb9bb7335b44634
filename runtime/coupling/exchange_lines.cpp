// The part of the exchanges that is about lines: values that arrive some time after they have left.

#include <numeric>

#include "runtime/coupling/exchange.hpp"

namespace takt {

void Exchanges::lay_out_lines() {
  std::vector<std::uint32_t> delayed;
  for (std::uint32_t index = 0; index < links_.size(); ++index)
    if (plant_.exchanges[index].delay.travel_s > 0.0) delayed.push_back(index);
  if (delayed.empty()) return;
  travel_ports_.resize(ports_.size());
  std::vector<TravelLine::Rule> rules;
  std::size_t size = 0;
  for (const std::uint32_t index : delayed) {
    const ExchangePlan& plan = plant_.exchanges[index];
    const auto steps_of = [&](std::uint16_t s) {
      return plant_.subsystems[s].period_ns / plant_.subsystems[s].step_ns;
    };
    const std::int64_t parts = std::gcd(std::gcd(steps_of(plan.producer), steps_of(plan.consumer)),
                                        static_cast<std::int64_t>(plan.delay.samples));
    rules.push_back(TravelLine::rule_of(links_[index].rule.window_s, plan.delay.travel_s, plan.delay.power, parts));
    size += TravelLine::capacity_of(rules.back());
  }
  samples_.resize(size);
  travels_.resize(delayed.size());
  std::size_t first = 0;
  for (std::uint32_t line = 0; line < delayed.size(); ++line) {
    const std::uint32_t index = delayed[line];
    const ExchangePlan& plan = plant_.exchanges[index];
    links_[index].line = static_cast<std::int32_t>(line);
    lines_.emplace_back(rules[line], samples_.data() + first);
    first += TravelLine::capacity_of(rules[line]);
    const auto beat = [&](std::uint16_t s) { return beat_of(ports_[s].beats, 1); };
    const std::span<const std::uint16_t> workers = options_.workers;
    if (workers.empty() || workers[plan.producer] == workers[plan.consumer])
      travel_ports_[plan.producer].out.push_back(
          {.line = line, .block = place_of(plan.delay.leaving), .beat = beat(plan.producer)});
    travel_ports_[plan.consumer].in.push_back(
        {.line = line,
         .block = place_of(plan.delay.arriving),
         .beat = beat(plan.consumer),
         .input = place_of(plant_.subsystems[plan.consumer].inputs_offset + plan.input * sizeof(InputPolynomial)),
         .under_way = place_of(plan.delay.under_way)});
  }
}

/// At rest: what arrives now has been arriving all the time.
void Exchanges::begin_lines() noexcept {
  for (std::size_t i = 0; i < links_.size(); ++i) {
    const Link& link = links_[i];
    if (link.line < 0) continue;
    const auto index = static_cast<std::size_t>(link.line);
    TravelLine& line = lines_[index];
    const DelayPlan& delay = plant_.exchanges[i].delay;
    const auto parts = static_cast<double>(line.parts());
    *memory(place_of(delay.leaving)) = *memory(place_of(delay.arriving)) = parts;
    line.begin(travels_[index], link.input->c0, *link.output);
    *memory(place_of(delay.under_way)) = travels_[index].begun;
    if (link.mail < 0) continue;
    for (std::int64_t part = 0; part < line.parts(); ++part)
      mails_[static_cast<std::size_t>(link.mail)].begin(link.place_in_mail + static_cast<std::size_t>(part),
                                                        *link.output);
  }
}

void Exchanges::feed_lines(std::uint16_t subsystem) noexcept {
  for (const Travel& travel : travel_ports_[subsystem].in) {
    double* arriving = memory(travel.block) + 1;
    *memory(travel.under_way) = lines_[travel.line].open(travels_[travel.line], beats_[travel.beat].number, arriving);
    *reinterpret_cast<InputPolynomial*>(memory(travel.input)) = {arriving[0]};
  }
}

/// After the beats have gone on.
void Exchanges::collect_lines(std::uint16_t subsystem) noexcept {
  for (const Travel& travel : travel_ports_[subsystem].out) {
    const double* leaving = memory(travel.block) + 1;
    lines_[travel.line].put(travels_[travel.line], beats_[travel.beat].number - 1, leaving);
  }
}

const TravelLine::Account* Exchanges::travel(std::size_t exchange) const noexcept {
  const std::int32_t line = links_[exchange].line;
  return line < 0 ? nullptr : &travels_[static_cast<std::size_t>(line)];
}

bool Exchanges::interpolates(std::size_t exchange) const noexcept {
  const std::int32_t line = links_[exchange].line;
  return line >= 0 && lines_[static_cast<std::size_t>(line)].interpolates();
}

}  // namespace takt
