#include "runtime/io/record/record_trigger.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <stdexcept>
#include <utility>

#include "runtime/plant/quantity.hpp"
#include "runtime/units/words.hpp"

namespace takt {
namespace {

using Comparison = RecordTrigger::Comparison;
constexpr std::size_t head_of_row = 3;
/// Those of two letters first: "<=" begins with "<".
constexpr std::array<std::pair<std::string_view, Comparison>, 6> comparisons{{{">=", Comparison::at_least},
                                                                              {"<=", Comparison::at_most},
                                                                              {"==", Comparison::equal},
                                                                              {"!=", Comparison::unequal},
                                                                              {">", Comparison::above},
                                                                              {"<", Comparison::below}}};

[[noreturn]] void fail(const std::string& text, const std::string& what) {
  throw std::runtime_error("--trigger " + text + ": " + what);
}

std::uint32_t recorded_entry(const PlantDescription& plant, std::string_view path, const std::string& text) {
  std::string some;
  for (const RecordPlan& record : plant.records)
    for (const std::uint32_t entry : record.entries) {
      if (plant.table[entry].path == path) return entry;
      if (some.size() < 200) some += (some.empty() ? "" : ", ") + std::string(plant.table[entry].path);
    }
  fail(text, some.empty() ? "this plant records nothing; name the signal under [record] of the plant file"
                          : "\"" + std::string(path) + "\" is not recorded; recorded are " + some +
                                (some.size() < 200 ? "" : " ... ([record] of the plant file)"));
}

}  // namespace

bool RecordTrigger::met_by(double signal) const noexcept {
  switch (comparison) {
    case Comparison::above:
      return signal > value;
    case Comparison::at_least:
      return signal >= value;
    case Comparison::below:
      return signal < value;
    case Comparison::at_most:
      return signal <= value;
    case Comparison::equal:
      return signal == value;
    case Comparison::unequal:
      return signal != value;
  }
  return false;
}

RecordTrigger parse_trigger(const PlantDescription& plant, const std::string& text) {
  const std::size_t at = text.find_first_of("<>=!");
  const auto found = std::find_if(comparisons.begin(), comparisons.end(), [&](const auto& one) {
    return at != std::string::npos && std::string_view(text).substr(at).starts_with(one.first);
  });
  if (found == comparisons.end()) fail(text, "expected a comparison, as in \"electric.link.v > 400 V\"");
  const std::string_view path = trimmed(std::string_view(text).substr(0, at));
  const std::string_view value = trimmed(std::string_view(text).substr(at + found->first.size()));
  RecordTrigger trigger{.text = text, .comparison = found->second};
  trigger.entry = recorded_entry(plant, path, text);
  try {
    trigger.value = parse_quantity(value, plant.table[trigger.entry].unit);
  } catch (const std::runtime_error& error) {
    fail(text, error.what());
  }
  return trigger;
}

double words_of_rows(const PlantDescription& plant, SimDuration time) {
  double words = 0.0;
  for (const RecordPlan& record : plant.records) {
    const std::int64_t period = std::max(record.period_ns, plant.macro_step_ns);
    words += (static_cast<double>(time.ns()) / static_cast<double>(std::max<std::int64_t>(period, 1)) + 2.0) *
             static_cast<double>(record.entries.size() + head_of_row);
  }
  return words;
}

TriggerGate::TriggerGate(RecordTrigger trigger, TriggerPlace place, std::size_t words)
    : trigger_(std::move(trigger)), place_(place), ring_(std::max<std::size_t>(words, 1)) {}

bool TriggerGate::take(const RecordedRow& row, const Write& write) {
  bool triggered = false;
  if (row.plan == place_.plan) {
    const bool met = trigger_.met_by(std::bit_cast<double>(row.values[place_.column]));
    triggered = met && !was_met_;
    was_met_ = met;
  }
  if (triggered) open(row.time, write);
  if (open_until_ && row.time <= *open_until_)
    write(row);
  else
    keep(row);
  return triggered;
}

void TriggerGate::open(SimTime time, const Write& write) {
  while (used_ > 0) {
    const SimTime of_row{static_cast<std::int64_t>(word(1))};
    if (time - of_row <= trigger_.before) {
      values_.resize(word(2));
      for (std::size_t k = 0; k < values_.size(); ++k) values_[k] = word(head_of_row + k);
      write({.plan = word(0), .time = of_row, .values = values_});
    }
    drop_oldest();
  }
  open_until_ = time + trigger_.after;
}

void TriggerGate::keep(const RecordedRow& row) {
  while (used_ > 0 && row.time - SimTime{static_cast<std::int64_t>(word(1))} > trigger_.before) drop_oldest();
  const std::size_t words = head_of_row + row.values.size();
  if (words > ring_.size()) return;
  while (used_ + words > ring_.size()) drop_oldest();
  push(row.plan), push(static_cast<std::uint64_t>(row.time.ns())), push(row.values.size());
  for (const std::uint64_t value : row.values) push(value);
}

void TriggerGate::drop_oldest() {
  const std::size_t words = head_of_row + word(2);
  begin_ = (begin_ + words) % ring_.size();
  used_ -= words;
}

void TriggerGate::push(std::uint64_t word) {
  ring_[(begin_ + used_) % ring_.size()] = word;
  ++used_;
}

}  // namespace takt
