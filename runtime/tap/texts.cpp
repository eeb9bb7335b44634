#include "runtime/tap/texts.hpp"

#include <algorithm>
#include <cstring>
#include <nlohmann/json.hpp>
#include <stdexcept>

#include "runtime/steering/reader_points.hpp"

namespace takt {
namespace {

std::string by(const TapSegment& segment, const TapEvent& event) {
  return " by " + std::string(author_of(segment, event.author));
}

std::string text_of(const TapEvent& event) {
  return std::string(event.text.data(), ::strnlen(event.text.data(), event.text.size()));
}

}  // namespace

std::string event_text(const PlantDescription& plant, const TapSegment& segment, const TapEvent& event) {
  using Kind = TapEvent::Kind;
  switch (event.kind) {
    case Kind::action:
      return action_text(plant, event.action) + by(segment, event);
    case Kind::refused:
      return "refused: " + action_text(plant, event.action) + ": " + text_of(event);
    case Kind::no_room:
      return "no room for: " + action_text(plant, event.action) + by(segment, event);
    case Kind::paused:
      return "paused" + by(segment, event);
    case Kind::resumed:
      return "resumed" + by(segment, event);
    case Kind::stepped:
      return "paused after " + std::to_string(event.number) + " macro-steps" + by(segment, event);
    case Kind::stopped:
      return "stopped" + by(segment, event);
    case Kind::nobody_resumes:
      return "the tap is gone, nobody can resume the run: it goes on";
    case Kind::overruns:
      return std::to_string(event.number) + " overruns so far, those within macro-steps included";
    case Kind::verdicts:
      return "not to be trusted: " + std::to_string(event.number) + " reasons so far";
    case Kind::held:
      return "holds: " + text_of(event) + ", awaited" + by(segment, event);
    case Kind::undone:
      return action_text(plant, event.action) + ": the connection is lost of who has acted before," +
             by(segment, event);
    case Kind::run_lost:
      return "stopped: the run was bound to a connection that is lost," + by(segment, event);
    case Kind::not_held:
      return "did not hold in time: " + text_of(event) + ", awaited" + by(segment, event);
  }
  return {};
}

nlohmann::ordered_json event_line(const TapDesk::Event& event) {
  nlohmann::ordered_json line{{"event", event.text}, {"time_ns", event.time_ns}, {"number", event.number}};
  if (!event.action.verb.empty())
    line["action"] = {{"verb", event.action.verb},
                      {"path", event.action.path},
                      {"value", event.action.argument},
                      {"author", event.author},
                      {"element", event.of_element}};
  return line;
}

std::string refusal_text(const TapAnswer& answer) {
  using Result = TapAnswer::Result;
  switch (answer.result) {
    case Result::done:
      return {};
    case Result::full:
      return "the plant has no room for so many actions at once: nothing has taken effect; try again later";
    case Result::partly:
      return "the plant has no room for so many actions at once: only the first " + std::to_string(answer.count) +
             " of them have taken effect";
    case Result::wrong:
      return "the plant does not understand this command";
    case Result::paced:
      return "this run keeps pace with the wall clock: it cannot be paused; only a run with --pace free can";
    case Result::not_paused:
      return "the run is not paused";
    case Result::replaced:
      return "another client has paused, resumed or stepped the run before this was done";
    case Result::ended:
      return "the run has ended before this was done";
    case Result::begun:
      return {};
    case Result::not_held:
      return "the condition did not hold in time";
    case Result::given_up:
      return "given up before this was done";
  }
  return {};
}

const char* state_name(BusCounts::State state) noexcept {
  constexpr const char* names[] = {"", "active", "warning", "passive", "bus-off", "down"};
  const auto at = static_cast<std::size_t>(state);
  return at < 6 ? names[at] : "";
}

const char* phase_name(TapStatus::Phase phase) noexcept {
  constexpr const char* names[] = {"starting", "running", "paused", "ended"};
  const auto at = static_cast<std::size_t>(phase);
  return at < 4 ? names[at] : "?";
}

const char* role_text(Role role) noexcept {
  constexpr const char* names[] = {"parameter", "plant_input", "state", "input", "output", "signal", "structural"};
  return names[static_cast<std::size_t>(role)];
}

std::uint32_t row_of(const PlantDescription& plant, std::string_view path) {
  const auto found = std::lower_bound(plant.table.begin(), plant.table.end(), path,
                                      [](const MemoryEntry& entry, std::string_view p) { return entry.path < p; });
  if (found != plant.table.end() && path == found->path) return static_cast<std::uint32_t>(found - plant.table.begin());
  check_length(path);
  if (const auto row = find_row(plant, path)) return *row;
  throw std::runtime_error("the plant has no value \"" + std::string(path) + "\"" +
                           nearest_row(plant, path, [](const MemoryEntry&) { return true; }));
}

void check_length(std::string_view path) {
  constexpr std::size_t longest = 500;
  if (path.size() > longest)
    throw std::runtime_error("a path of " + std::to_string(path.size()) + " bytes: " + std::to_string(longest) +
                             " at most");
}

bool matches(const std::string& pattern, const char* path) {
  if (pattern.find_first_of("*?") == std::string::npos) return std::strstr(path, pattern.c_str()) != nullptr;
  const char *p = pattern.c_str(), *star = nullptr, *again = nullptr;
  while (*path != '\0') {
    if (*p == '*') {
      star = p++, again = path;
    } else if (*p == '?' || *p == *path) {
      ++p, ++path;
    } else if (star != nullptr) {
      p = star + 1, path = ++again;
    } else {
      return false;
    }
  }
  while (*p == '*') ++p;
  return *p == '\0';
}

}  // namespace takt
