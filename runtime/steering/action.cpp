#include "runtime/steering/action.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstdio>
#include <stdexcept>
#include <vector>

#include "runtime/plant/outside_fault.hpp"
#include "runtime/plant/quantity.hpp"
#include "runtime/steering/readings.hpp"
#include "runtime/units/nearest.hpp"
#include "runtime/units/words.hpp"

namespace takt {
namespace {

[[noreturn]] void refuse(const std::string& text) { throw std::runtime_error(text); }

std::string quoted(std::string_view text) { return "\"" + std::string(text) + "\""; }

/// The word in front, which is taken off.
std::string_view first_word(std::string_view& text) {
  text = trimmed(text);
  const std::size_t end = std::min(text.find(' '), text.size());
  const std::string_view word = text.substr(0, end);
  text = trimmed(text.substr(end));
  return word;
}

double quantity(std::string_view text, std::string_view unit, std::string_view path) {
  try {
    return parse_quantity(text, unit);
  } catch (const std::exception& error) {
    refuse(std::string(path) + ": " + error.what());
  }
}

/// A difference: 2 degC is a temperature, not how far two are apart.
double difference(std::string_view text, std::string_view unit, std::string_view path) {
  if (text.ends_with("degC")) refuse(std::string(path) + ": a difference of temperatures is given in K");
  return quantity(text, unit, path);
}

bool is_tunable(const MemoryEntry& entry) { return entry.role == Role::parameter && !entry.start_only; }
bool is_input(const MemoryEntry& entry) { return entry.role == Role::plant_input; }
bool is_read(const MemoryEntry& entry) { return entry.role != Role::parameter && entry.role != Role::structural; }

struct DistortionWord {
  std::string_view name;
  Distortion::Kind kind;
};
constexpr std::array<DistortionWord, 7> distortion_words{{{"stuck", Distortion::Kind::stuck},
                                                          {"offset", Distortion::Kind::offset},
                                                          {"gain", Distortion::Kind::gain},
                                                          {"drift", Distortion::Kind::drift},
                                                          {"noise", Distortion::Kind::noise},
                                                          {"delay", Distortion::Kind::delay},
                                                          {"open", Distortion::Kind::open}}};

std::uint64_t seed_of(std::string_view& text, std::string_view path) {
  const std::size_t at = text.find("seed");
  if (at == std::string_view::npos) return 1;
  const std::string_view digits = trimmed(text.substr(at + 4));
  std::uint64_t seed = 0;
  const auto [rest, error] = std::from_chars(digits.data(), digits.data() + digits.size(), seed);
  if (error != std::errc{} || rest != digits.data() + digits.size())
    refuse(std::string(path) + ": the seed " + quoted(digits) + " is not a whole number");
  text = trimmed(text.substr(0, at));
  return seed;
}

Distortion parse_distortion(std::string_view text, const MemoryEntry& row) {
  const std::string_view path = row.path;
  const std::string_view word = first_word(text);
  const auto* const found =
      std::find_if(distortion_words.begin(), distortion_words.end(), [&](const auto& w) { return w.name == word; });
  if (found == distortion_words.end())
    refuse(std::string(path) + ": " + quoted(word) +
           " is none of stuck, offset, gain, drift, noise, delay, open; nor a fault of an element of this name");
  Distortion distortion{.kind = found->kind};
  const std::string unit = row.unit;
  const bool counted = unit.empty() || unit == "1";
  using Kind = Distortion::Kind;
  if (distortion.kind == Kind::noise) distortion.seed = seed_of(text, path);
  if (distortion.kind == Kind::stuck && !text.empty()) refuse(std::string(path) + ": stuck takes no value");
  if (distortion.kind == Kind::stuck || (distortion.kind == Kind::open && text.empty())) return distortion;
  if (text.empty()) refuse(std::string(path) + ": " + std::string(word) + " needs a value");
  switch (distortion.kind) {
    case Kind::gain:
      distortion.amount = quantity(text, "1", path);
      break;
    case Kind::drift:
      distortion.amount = difference(text, counted ? "1/s" : unit + "/s", path);
      break;
    case Kind::delay:
      distortion.amount = quantity(text, "s", path);
      break;
    case Kind::open:
      distortion.amount = quantity(text, unit, path);
      break;
    default:
      distortion.amount = difference(text, unit, path);
  }
  if (distortion.kind == Kind::delay && !(distortion.amount > 0.0))
    refuse(std::string(path) + ": a delay is longer than 0 s");
  if (distortion.kind == Kind::noise && !(distortion.amount >= 0.0))
    refuse(std::string(path) + ": the standard deviation of a noise is not below 0");
  return distortion;
}

std::uint32_t row_of(const PlantDescription& plant, std::string_view path, bool (*fits)(const MemoryEntry&)) {
  const auto row = find_row(plant, path);
  if (row && fits(plant.table[*row])) return *row;
  if (!row) refuse("the plant has no value " + quoted(path) + nearest_row(plant, path, fits));
  switch (plant.table[*row].role) {
    case Role::structural:
      refuse(quoted(path) + " is structural: it is compiled in; rebuild the plant with another");
    case Role::parameter:
      if (fits == is_tunable)
        refuse(quoted(path) + " is read by nothing once the plant runs; set it before the run: --set " +
               std::string(path) + "=...");
      refuse(quoted(path) + " is a parameter: tune it");
    case Role::plant_input:
      refuse(quoted(path) + " is a plant input: set it");
    default:
      refuse(quoted(path) + (fits == is_input ? " is no plant input; override it" : " is computed; override it"));
  }
}

/// @return index into the faults of the plant, or their number
std::uint32_t find_fault(const PlantDescription& plant, std::string_view element, std::string_view name) {
  std::uint32_t index = 0;
  while (index < plant.faults.size() && (element != plant.faults[index].element || name != plant.faults[index].name))
    ++index;
  return index;
}

/// @return index into what may go wrong outside of the plant, or their number
std::uint32_t find_outside(const PlantDescription& plant, std::string_view path) {
  std::uint32_t index = 0;
  while (index < plant.outside_count && plant.outside[index].path != path) ++index;
  return index;
}

/// The path of a bus that has no such message, with what it has.
void refuse_unknown_outside(const PlantDescription& plant, std::string_view path) {
  std::vector<std::string> known;
  for (const OutsideFault& fault : outside_faults(plant)) known.push_back(fault.path);
  const std::string_view bus = path.substr(0, path.find('.'));
  const bool is_bus = std::any_of(known.begin(), known.end(),
                                  [&](const std::string& k) { return k.starts_with(std::string(bus) + "."); });
  if (!is_bus || find_row(plant, path)) return;
  const std::string hint = did_you_mean(std::string(path), known);
  refuse("there is no message " + quoted(path) + " on the bus" + (hint.empty() ? "" : "; " + hint));
}

Action parse_disturb(const PlantDescription& plant, std::uint32_t index, std::string_view argument) {
  const OutsideFault& fault = plant.outside[index];
  if (argument.empty()) refuse(fault.path + ": say what goes wrong: " + fault.kinds);
  try {
    return {.verb = Action::Verb::disturb, .target = index, .word = fault.pack(fault.of, argument)};
  } catch (const std::runtime_error& error) {
    refuse(fault.path + ": " + error.what());
  }
}

std::string faults_of(const PlantDescription& plant, std::string_view element) {
  std::string names;
  for (const FaultDescription& fault : plant.faults)
    if (element == fault.element) names += (names.empty() ? "" : ", ") + std::string(fault.name);
  return names;
}

Action parse_inject(const PlantDescription& plant, std::string_view path, std::string_view argument) {
  const std::uint32_t outside = find_outside(plant, path);
  if (outside < plant.outside_count) return parse_disturb(plant, outside, argument);
  refuse_unknown_outside(plant, path);
  const std::uint32_t fault = find_fault(plant, path, argument);
  if (fault < plant.faults.size()) return {.verb = Action::Verb::fault, .target = fault};
  if (const std::string known = faults_of(plant, path); !known.empty())
    refuse(std::string(path) + " has no fault " + quoted(argument) + "; it has " + known);
  const std::uint32_t row = row_of(plant, path, is_read);
  const Distortion distortion = parse_distortion(argument, plant.table[row]);
  if (const std::string why = why_not_distorted(plant, row, distortion); !why.empty()) refuse(why);
  return {.verb = Action::Verb::inject, .target = row, .distortion = distortion};
}

Action parse_clear(const PlantDescription& plant, std::string_view path, std::string_view argument) {
  if (const std::uint32_t outside = find_outside(plant, path); outside < plant.outside_count) {
    if (!argument.empty()) refuse(std::string(path) + ": clear takes no value");
    return {.verb = Action::Verb::disturb, .target = outside};
  }
  refuse_unknown_outside(plant, path);
  if (argument.empty()) return {.verb = Action::Verb::clear, .target = row_of(plant, path, is_read)};
  const std::uint32_t fault = find_fault(plant, path, argument);
  if (fault == plant.faults.size()) {
    const std::string known = faults_of(plant, path);
    refuse(std::string(path) + " has no fault " + quoted(argument) + (known.empty() ? "" : "; it has " + known));
  }
  return {.verb = Action::Verb::mend, .target = fault};
}

std::string number_text(double value) {
  char text[40];
  std::snprintf(text, sizeof text, "%.17g", value);
  return text;
}

std::string distortion_text(const Distortion& distortion) {
  const auto* const word = std::find_if(distortion_words.begin(), distortion_words.end(),
                                        [&](const auto& w) { return w.kind == distortion.kind; });
  std::string text(word->name);
  if (distortion.kind != Distortion::Kind::stuck) text += " " + number_text(distortion.amount);
  if (distortion.kind == Distortion::Kind::noise) text += " seed " + std::to_string(distortion.seed);
  return text;
}

}  // namespace

Action parse_action(const PlantDescription& plant, std::string_view verb, std::string_view path,
                    std::string_view argument) {
  argument = trimmed(argument);
  const auto value_of = [&](std::uint32_t row) {
    if (argument.empty()) refuse(std::string(path) + ": " + std::string(verb) + " needs a value");
    return quantity(argument, plant.table[row].unit, path);
  };
  if (verb == "set") {
    const std::uint32_t row = row_of(plant, path, is_input);
    const auto index = (plant.table[row].offset - plant.inputs_offset) / sizeof(double);
    return {.verb = Action::Verb::set, .target = static_cast<std::uint32_t>(index), .value = value_of(row)};
  }
  if (verb == "override") {
    const std::uint32_t row = row_of(plant, path, is_read);
    const Action action{.verb = Action::Verb::override, .target = row, .value = value_of(row)};
    if (const std::string why = why_not_overridden(plant, row); !why.empty()) refuse(why);
    return action;
  }
  if (verb == "tune") {
    const std::uint32_t row = row_of(plant, path, is_tunable);
    return {.verb = Action::Verb::tune, .target = row, .value = value_of(row)};
  }
  if (verb == "inject") return parse_inject(plant, path, argument);
  if (verb == "clear") return parse_clear(plant, path, argument);
  if (verb == "checkpoint") {
    if (!path.empty() || !argument.empty()) refuse("checkpoint takes no path and no value");
    for (const ForeignDescription& fmu : plant.foreign)
      if (fmu.why_no_state != nullptr) refuse(std::string("no checkpoint: ") + fmu.name + ": " + fmu.why_no_state);
    return {.verb = Action::Verb::checkpoint};
  }
  if (verb != "release") refuse(quoted(verb) + " is none of set, override, release, inject, clear, tune, checkpoint");
  if (!argument.empty()) refuse(std::string(path) + ": release takes no value");
  return {.verb = Action::Verb::release, .target = row_of(plant, path, is_read)};
}

ActionWords action_words(const PlantDescription& plant, const Action& action) {
  using Verb = Action::Verb;
  const auto row = [&] { return std::string(plant.table[action.target].path); };
  switch (action.verb) {
    case Verb::set:
      return {"set", plant.plant_inputs[action.target].path, number_text(action.value)};
    case Verb::override:
      return {"override", row(), number_text(action.value)};
    case Verb::release:
      return {"release", row(), ""};
    case Verb::inject:
      return {"inject", row(), distortion_text(action.distortion)};
    case Verb::clear:
      return {"clear", row(), ""};
    case Verb::tune:
      return {"tune", row(), number_text(action.value)};
    case Verb::fault:
      return {"inject", plant.faults[action.target].element, plant.faults[action.target].name};
    case Verb::mend:
      return {"clear", plant.faults[action.target].element, plant.faults[action.target].name};
    case Verb::disturb: {
      const OutsideFault& fault = plant.outside[action.target];
      if (action.word == 0) return {"clear", fault.path, ""};
      return {"inject", fault.path, fault.text(fault.of, action.word)};
    }
    case Verb::checkpoint:
      return {"checkpoint", "", ""};
  }
  return {};
}

std::string action_text(const PlantDescription& plant, const Action& action) {
  const ActionWords words = action_words(plant, action);
  return words.verb + (words.path.empty() ? "" : " " + words.path) +
         (words.argument.empty() ? "" : " " + words.argument);
}

std::string action_for_people(const PlantDescription& plant, const Action& action) {
  using Verb = Action::Verb;
  ActionWords words = action_words(plant, action);
  const auto with = [](double value, const std::string& unit) {
    char text[40];
    std::snprintf(text, sizeof text, "%.6g", value);
    return text + (unit.empty() || unit == "1" ? std::string() : " " + unit);
  };
  if (action.verb == Verb::set) {
    words.argument = with(action.value, plant.plant_inputs[action.target].unit);
  } else if (action.verb == Verb::override || action.verb == Verb::tune) {
    words.argument = with(action.value, plant.table[action.target].unit);
  } else if (action.verb == Verb::inject && action.distortion.kind != Distortion::Kind::stuck) {
    using Kind = Distortion::Kind;
    const Kind kind = action.distortion.kind;
    const std::string of_row = plant.table[action.target].unit, own = of_row.empty() ? "1" : of_row;
    const std::string unit = kind == Kind::gain    ? ""
                             : kind == Kind::delay ? "s"
                             : kind == Kind::drift ? own + "/s"
                                                   : of_row;
    words.argument = words.argument.substr(0, words.argument.find(' ')) + " " + with(action.distortion.amount, unit);
  }
  return words.verb + (words.path.empty() ? "" : " " + words.path) +
         (words.argument.empty() ? "" : " " + words.argument);
}

}  // namespace takt
