#include "runtime/steering/action_log.hpp"

#include <algorithm>
#include <charconv>
#include <fstream>
#include <stdexcept>

#include "runtime/csv/csv.hpp"
#include "runtime/steering/steering.hpp"

namespace takt {
namespace {

[[noreturn]] void refuse(const std::string& where, const std::string& what) {
  throw std::runtime_error(where + ": " + what);
}

void read_head(std::string_view line, const std::string& where, const PlantDescription& plant) {
  const auto after = [&](std::string_view key) {
    return line.starts_with(key) ? std::string(line.substr(key.size())) : std::string();
  };
  if (const std::string name = after("# plant "); !name.empty() && name != plant.name)
    refuse(where, "these are actions on the plant \"" + name + "\", not on \"" + plant.name + "\"");
  if (const std::string step = after("# macro_step_ns "); !step.empty() && step != std::to_string(plant.macro_step_ns))
    refuse(where, "logged with a synchronisation time of " + step + " ns, the plant has " +
                      std::to_string(plant.macro_step_ns));
}

LoggedAction read_line(std::string_view line, const std::string& where, const PlantDescription& plant) {
  const std::vector<std::string> fields = csv_cells(line, where);
  if (fields.size() != 5) refuse(where, "expected time_ns,author,verb,path,argument");
  std::int64_t ns = 0;
  const auto [rest, error] = std::from_chars(fields[0].data(), fields[0].data() + fields[0].size(), ns);
  if (error != std::errc{} || rest != fields[0].data() + fields[0].size() || ns < 0)
    refuse(where, "\"" + fields[0] + "\" is no time in nanoseconds");
  if (ns % plant.macro_step_ns != 0) refuse(where, "no macro-step begins at this time");
  try {
    return {SimTime{ns}, fields[1], parse_action(plant, fields[2], fields[3], fields[4])};
  } catch (const std::exception& wrong) {
    refuse(where, wrong.what());
  }
}

}  // namespace

std::vector<LoggedAction> read_action_log(const std::filesystem::path& path, const PlantDescription& plant) {
  std::error_code none;
  const std::filesystem::path folder = std::filesystem::is_directory(path, none) ? path : path.parent_path();
  const std::filesystem::path file = folder / "actions.csv";
  if (!std::filesystem::exists(file, none)) return {};
  std::ifstream in(file);
  if (!in) throw std::runtime_error("cannot read " + file.string());
  std::vector<LoggedAction> actions;
  std::string line;
  bool head = false;
  for (std::size_t number = 1; std::getline(in, line); ++number) {
    const std::string where = file.string() + ":" + std::to_string(number);
    if (line.ends_with('\r')) line.pop_back();
    if (number == 1 && line != "# takt actions 1") refuse(where, "not a log of actions (\"# takt actions 1\")");
    if (line.starts_with('#') || line.empty())
      read_head(line, where, plant);
    else if (!head)
      head = true;
    else if (!in.eof())  // else of a run that was killed
      actions.push_back(read_line(line, where, plant));
  }
  return actions;
}

ActionReplay::ActionReplay(std::vector<LoggedAction> actions, const PlantDescription& plant) {
  const SimDuration latency = Steering::latency(plant);
  for (LoggedAction& logged : actions) {
    auto author = std::find(authors_.begin(), authors_.end(), logged.author);
    if (author == authors_.end()) author = authors_.insert(author, logged.author);
    actions_.push_back({.asked = is_tuning(logged.action.verb) ? logged.time - latency : logged.time,
                        .author = static_cast<std::uint16_t>(author - authors_.begin()),
                        .action = logged.action});
  }
  std::stable_sort(actions_.begin(), actions_.end(), [](const auto& a, const auto& b) {
    const auto is_start = [](const Entry& e) { return e.asked == SimTime{} && e.action.verb == Action::Verb::set; };
    return a.asked != b.asked ? a.asked < b.asked : is_start(a) && !is_start(b);
  });
}

void ActionReplay::start(ActionSink& sink) {
  for (; next_ < actions_.size() && actions_[next_].asked == SimTime{} &&
         actions_[next_].action.verb == Action::Verb::set;
       ++next_)
    sink.act(actions_[next_].action, actions_[next_].author);
}

void ActionReplay::direct(SimTime now, ActionSink& sink) noexcept {
  for (; next_ < actions_.size() && actions_[next_].asked <= now; ++next_)
    if (sink.act(actions_[next_].action, actions_[next_].author) < SimTime{} && !refused_)
      refused_ = actions_[next_].asked;
}

}  // namespace takt
