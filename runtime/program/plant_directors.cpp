#include "runtime/program/plant_directors.hpp"

#include <stdexcept>
#include <string>
#include <string_view>

#include "runtime/plant/quantity.hpp"
#include "runtime/steering/action_log.hpp"
#include "runtime/steering/steering.hpp"

namespace takt {
namespace {

std::string_view word_of(std::string_view& text) {
  text.remove_prefix(std::min(text.find_first_not_of(' '), text.size()));
  const std::string_view word = text.substr(0, text.find(' '));
  text.remove_prefix(word.size());
  return word;
}

/// "5 s: tune electric.link.c 2 mF", asked for at the first boundary from then on.
LoggedAction parse_scripted(const std::string& text, const PlantDescription& plant) {
  const std::size_t colon = text.find(':');
  if (colon == std::string::npos) throw std::runtime_error("--action " + text + ": expected \"TIME: VERB PATH VALUE\"");
  try {
    const double seconds = parse_quantity(std::string_view(text).substr(0, colon), "s");
    if (!(seconds >= 0.0 && seconds < 9e9)) throw std::runtime_error("the time must lie between 0 s and 9e9 s");
    const auto ns = static_cast<std::int64_t>(seconds * 1e9 + 0.5);
    std::string_view rest = std::string_view(text).substr(colon + 1);
    const std::string_view verb = word_of(rest), path = word_of(rest);
    LoggedAction logged{.author = "command line", .action = parse_action(plant, verb, path, rest)};
    const std::int64_t h = plant.macro_step_ns;
    logged.time = SimTime{(ns + h - 1) / h * h};
    if (is_tuning(logged.action.verb)) logged.time += Steering::latency(plant);
    return logged;
  } catch (const std::exception& error) {
    throw std::runtime_error("--action " + text + ": " + error.what());
  }
}

}  // namespace

PlantDirectors::PlantDirectors(const PlantDescription& plant, const CommandLine& options, SimTime start) {
  std::vector<LoggedAction> actions;
  if (!options.replay.empty()) actions = read_action_log(options.replay, plant);
  for (const std::string& text : options.actions) actions.push_back(parse_scripted(text, plant));
  std::erase_if(actions, [&](const LoggedAction& logged) {
    const bool tunes = is_tuning(logged.action.verb);
    return start > SimTime{} && logged.time - (tunes ? Steering::latency(plant) : SimDuration{}) <= start;
  });
  if (actions.empty()) return;
  auto replay = std::make_unique<ActionReplay>(std::move(actions), plant);
  replay_ = replay.get();
  add(std::move(replay));
}

void PlantDirectors::add(std::unique_ptr<Director> director) {
  pointers_.push_back(director.get());
  directors_.push_back(std::move(director));
}

}  // namespace takt
