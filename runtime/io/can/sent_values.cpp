// Values that the plant sends and that are not what a receiver finds, or not what the database allows: counted by
// signal.

#include "runtime/io/can/sent_values.hpp"

#include <algorithm>
#include <cmath>
#include <string_view>

#include "runtime/io/can/line.hpp"
#include "runtime/stats/format.hpp"

namespace takt::can {
namespace {

/// "4000", "4000 to 4100"; empty: none was a number.
std::string span_text(const SentValues& values) {
  if (values.saturated + values.out_of_range == 0) return {};
  const std::string least = formatted("%.7g", values.least), most = formatted("%.7g", values.most);
  return least == most ? least : least + " to " + most;
}

/// "it holds -3276.8 to 3276.7"
std::string held_text(const SignalBits& signal, const HeldValues& held) {
  const bool is_float = signal.type == SignalBits::Type::float32 || signal.type == SignalBits::Type::float64;
  if (is_float) return "it holds floats of " + std::to_string(signal.length) + " bits";
  const double half = std::abs(signal.factor) / 2;
  return "it holds " + formatted("%.10g", held.low + half) + " to " + formatted("%.10g", held.high - half);
}

}  // namespace

SentValues counted_values(const MessageInfo& info, const SignalPlan& signal) {
  SentValues counted;
  if (signal.path == nullptr) return counted;
  const std::string_view path = signal.signal, name = path.substr(path.find('.') + 1);
  for (std::size_t k = 0; k < info.signals.size(); ++k)
    if (name == info.signals[k].name)
      counted.place = static_cast<std::uint16_t>(k), counted.held = held_values(info.signals[k]);
  return counted;
}

void SentValues::count(double value, bool saturates, SimTime now) noexcept {
  const bool is_first_number = saturated + out_of_range == 0, is_number = value == value;
  if (is_first_number && not_numbers == 0) first = now;
  if (!is_number) {
    ++not_numbers;
    return;
  }
  ++(saturates ? saturated : out_of_range);
  least = is_first_number ? value : std::min(least, value);
  most = is_first_number ? value : std::max(most, value);
}

void CanPort::Line::count_values(std::size_t index, SimTime now, bool is_safe) noexcept {
  auto& state = sending[index];
  const SendPlan& message = plan.send[index];
  for (std::size_t k = 0; k < state.counted.size(); ++k) {
    const SignalPlan& signal = message.signals[k];
    SentValues& values = state.counted[k];
    const double value = state.values[k];
    const bool is_number = value == value;
    const bool saturates = value <= values.held.low || value >= values.held.high;
    const bool is_beyond = value < signal.minimum || value > signal.maximum;
    if ((is_number && !saturates && !is_beyond) || values.place == SignalBits::none) continue;
    if (is_safe && signal.safe == signal.safe) continue;
    if (!is_there(message.info.signals, values.place, state.last.data.data())) continue;
    values.count(value, saturates, now);
  }
}

std::vector<std::string> CanPort::Line::sent_values_texts() const {
  std::string clipped, beyond;
  const auto add = [](std::string& list, const std::string& text) { list += (list.empty() ? "" : "; ") + text; };
  for (std::size_t k = 0; k < sending.size(); ++k)
    for (std::size_t s = 0; s < sending[k].counted.size(); ++s) {
      const SentValues& values = sending[k].counted[s];
      const std::string name = plan.send[k].signals[s].signal,
                        from = formatted("first at %.3f s", values.first.seconds());
      const std::string seen = span_text(values);
      if (values.saturated > 0)
        add(clipped, name + " (" + std::to_string(values.saturated) + ", " + from + ", " + seen + "; " +
                         held_text(plan.send[k].info.signals[values.place], values.held) + ")");
      if (values.not_numbers > 0)
        add(clipped, name + " (" + std::to_string(values.not_numbers) + " no numbers, " + from + ")");
      if (values.out_of_range > 0)
        add(beyond, name + " (" + std::to_string(values.out_of_range) + ", " + from + ", " + seen + ")");
    }
  std::vector<std::string> texts;
  const std::string head = std::string(plan.name) + ": ";
  if (!clipped.empty())
    texts.push_back(head + "values that their signals do not hold were sent as the nearest that they do: " + clipped);
  if (!beyond.empty()) texts.push_back(head + "values beyond the range that the database gives were sent: " + beyond);
  return texts;
}

std::optional<IoFinding> CanPort::Line::saturation() const {
  std::optional<SimTime> first;
  std::string names;
  for (std::size_t k = 0; k < sending.size(); ++k)
    for (std::size_t s = 0; s < sending[k].counted.size() && plan.send[k].saturation_fails; ++s) {
      const SentValues& values = sending[k].counted[s];
      if (values.do_not_fit() == 0) continue;
      first = std::min(first.value_or(values.first), values.first);
      names += (names.empty() ? "" : ", ") + std::string(plan.send[k].signals[s].signal) + " (" +
               std::to_string(values.do_not_fit()) + ")";
    }
  if (!first) return std::nullopt;
  return IoFinding{.code = "X053",
                   .where = "bus " + std::string(plan.name),
                   .text = "values that their signals do not hold were sent as others: " + names,
                   .time = *first};
}

}  // namespace takt::can
