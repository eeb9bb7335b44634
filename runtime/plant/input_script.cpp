#include "runtime/plant/input_script.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <fstream>
#include <optional>
#include <stdexcept>

#include "runtime/csv/csv.hpp"
#include "runtime/plant/quantity.hpp"

namespace takt {
namespace {

constexpr std::int64_t longest_ns = 9'000'000'000'000'000'000;  // what a time in nanoseconds can hold, with room to add

std::optional<std::uint32_t> find_input(const PlantDescription& plant, std::string_view path) {
  for (std::size_t i = 0; i < plant.plant_inputs.size(); ++i) {
    if (path == plant.plant_inputs[i].path) return static_cast<std::uint32_t>(i);
  }
  return std::nullopt;
}

template <class T>
T number(std::string_view text, const std::string& where) {
  T value{};
  const auto [rest, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || rest != text.data() + text.size()) {
    throw std::runtime_error(where + ": \"" + std::string(text) + "\" is not a number");
  }
  return value;
}

double finite(double value, std::string_view text, const std::string& where) {
  if (!std::isfinite(value)) throw std::runtime_error(where + ": \"" + std::string(text) + "\" is not finite");
  return value;
}

/// @param unit_ns  that times are counted in
ScriptedInput read_change(std::string_view line, const std::string& where, const PlantDescription& plant,
                          std::int64_t unit_ns) {
  const std::vector<std::string> cells = csv_cells(line, where);
  if (cells.size() != 3) throw std::runtime_error(where + ": expected time_ns,input,value");
  const std::string &name = cells[1], &value = cells[2];
  const auto input = find_input(plant, name);
  if (!input) throw std::runtime_error(where + ": the plant has no input \"" + name + "\"");
  const auto time = number<std::uint64_t>(cells[0], where);
  if (time > static_cast<std::uint64_t>(longest_ns / unit_ns))
    throw std::runtime_error(where + ": later than a run can last");
  return {SimTime{static_cast<std::int64_t>(time) * unit_ns}, *input,
          finite(number<double>(value, where), value, where)};
}

/// What lines of the head and the end say of the run that wrote them.
struct Marks {
  bool by_a_run = false, has_end = false;
  std::int64_t reached_ns = 0;  ///< 0: not said
};

/// A run writes how many macro-steps it had when it ends. Until then the log holds what it is marked to have reached,
/// and where nothing else than inputs was changed, what comes before its last change.
void judge_end(const Marks& marks, bool has_actions, InputLog& log) {
  log.ended = marks.has_end;
  log.finished = marks.has_end || !marks.by_a_run;  // one written by hand is as long as its reader says
  if (log.finished) return;
  std::int64_t reached = marks.reached_ns;
  if (!has_actions || reached == 0)
    for (const ScriptedInput& change : log.changes) reached = std::max(reached, change.time.ns());
  log.macro_steps = static_cast<std::uint64_t>(reached / log.macro_step_ns);
}

void read_head(std::string_view line, const std::string& where, const PlantDescription& plant,
               std::pair<InputLog&, Marks&> into) {
  auto& [log, marks] = into;
  const auto rest_after = [&](std::string_view key) -> std::optional<std::string_view> {
    if (!line.starts_with(key)) return std::nullopt;
    return line.substr(key.size());
  };
  if (const auto name = rest_after("# plant "); name && *name != plant.name) {
    throw std::runtime_error(where + ": these are inputs of the plant \"" + std::string(*name) + "\", not of \"" +
                             plant.name + "\"");
  }
  if (const auto hash = rest_after("# hash ")) {
    marks.by_a_run = true;
    if (*hash != plant.input_hash)
      log.warnings.push_back("the log comes from another build of this plant: the digests need not agree");
  }
  if (const auto step = rest_after("# macro_step_ns ")) {
    log.macro_step_ns = number<std::int64_t>(*step, where);
    if (log.macro_step_ns <= 0) throw std::runtime_error(where + ": a macro-step takes more than 0 ns");
  }
  if (const auto steps = rest_after("# macro_steps ")) {
    marks.has_end = true;
    log.macro_steps = number<std::uint64_t>(*steps, where);
    if (log.macro_steps > static_cast<std::uint64_t>(longest_ns / log.macro_step_ns))
      throw std::runtime_error(where + ": more than a run can have");
  }
  if (const auto reached = rest_after("# reached_ns ")) {
    marks.reached_ns = std::max(marks.reached_ns, number<std::int64_t>(*reached, where));
    if (marks.reached_ns > longest_ns) throw std::runtime_error(where + ": later than a run can last");
  }
  if (const auto jumped = rest_after("# jumped "))
    log.warnings.push_back("simulated time jumped over " + std::string(*jumped) +
                           " macro-steps of the logged run, which are computed here: the results differ");
  if (rest_after("# actions ")) log.had_actions = true;
  if (const auto start = rest_after("# start ")) log.steady = *start == "steady";
  if (const auto set = rest_after("# set ")) {
    const std::size_t equals = set->find('=');
    if (equals == std::string_view::npos) throw std::runtime_error(where + ": expected name=value");
    log.parameters_set.emplace_back(set->substr(0, equals), set->substr(equals + 1));
  }
}

/// @return 0 where none is given
std::int64_t time_after(std::size_t at, const std::string& text) {
  if (at == std::string::npos) return 0;
  const double seconds = parse_quantity(text.substr(at + 1), "s");
  if (!(seconds >= 0.0 && seconds <= static_cast<double>(longest_ns) * 1e-9))
    throw std::runtime_error("--input " + text + ": the time must lie between 0 s and 9e9 s");
  return std::llround(seconds * 1e9);
}

}  // namespace

InputScript::InputScript(std::vector<ScriptedInput> changes, std::size_t plant_inputs)
    : changes_(std::move(changes)), values_(plant_inputs), in_force_(plant_inputs) {
  std::stable_sort(changes_.begin(), changes_.end(), [](const auto& a, const auto& b) { return a.time < b.time; });
}

void InputScript::apply(SimTime now, std::span<double> plant_inputs) noexcept {
  for (; next_ < changes_.size() && changes_[next_].time <= now; ++next_) {
    values_[changes_[next_].input] = changes_[next_].value;
    in_force_[changes_[next_].input] = true;
  }
  for (std::size_t i = 0; i < values_.size(); ++i) {
    if (in_force_[i]) plant_inputs[i] = values_[i];
  }
}

InputLog read_input_log(const std::filesystem::path& path, const PlantDescription& plant, OtherSteps other_steps) {
  std::error_code unreadable;
  const std::filesystem::path file = std::filesystem::is_directory(path, unreadable) ? path / "inputs.csv" : path;
  std::error_code error;
  if (std::filesystem::exists(file, error) && !std::filesystem::is_regular_file(file, error))
    throw std::runtime_error(file.string() + " is not a regular file");
  std::ifstream in(file);
  if (!in) throw std::runtime_error("cannot read " + file.string());
  InputLog log;
  log.macro_step_ns = plant.macro_step_ns;
  const bool has_actions = std::filesystem::exists(file.parent_path() / "actions.csv", error);
  std::string line;
  Marks marks;
  bool head = false, by_macro_steps = false;  // as logs were written before groups were paced
  for (std::size_t number = 1; std::getline(in, line); ++number) {
    const std::string where = file.string() + ":" + std::to_string(number);
    if (line.ends_with('\r')) line.pop_back();  // of an editor that ends lines so
    if (number == 1) {
      by_macro_steps = line == "# takt inputs 1";
      if (!by_macro_steps && line != "# takt inputs 2")
        throw std::runtime_error(where + ": not a log of plant inputs (\"# takt inputs 2\")");
    }
    if (line.empty()) continue;
    if (line.starts_with('#')) {
      if (head && in.eof()) break;  // cut off, and with it a number perhaps
      read_head(line, where, plant, {log, marks});
      if (other_steps == OtherSteps::refused && log.macro_step_ns != plant.macro_step_ns)
        throw std::runtime_error(where + ": logged with a synchronisation time of " +
                                 std::to_string(log.macro_step_ns) + " ns, the plant has " +
                                 std::to_string(plant.macro_step_ns));
    } else if (!head) {
      head = true;  // the column names
    } else if (in.eof()) {
      log.warnings.push_back(where + ": the last line is cut off and left out");  // of a run that was killed
    } else {
      log.changes.push_back(read_change(line, where, plant, by_macro_steps ? log.macro_step_ns : 1));
    }
  }
  // A run that ended in order knows; of one that was killed any action may be more than a fault of a bus, whose
  // consequences stand in the log.
  log.acted_on = log.had_actions || (has_actions && !marks.has_end);
  if (log.had_actions && !has_actions)
    throw std::runtime_error(file.string() +
                             ": the run was acted on by more than plant inputs, and actions.csv, which says how, "
                             "is not beside it");
  if (!head)
    throw std::runtime_error(file.string() +
                             ": not a log of plant inputs: it ends before the line \"time_ns,input,value\"");
  judge_end(marks, has_actions, log);
  return log;
}

ScriptedInput parse_scripted_input(const std::string& text, const PlantDescription& plant) {
  const std::size_t equals = text.find('='), at = text.find('@', equals);
  if (equals == std::string::npos)
    throw std::runtime_error("--input " + text + ": expected name=value or name=value@time");
  const auto input = find_input(plant, text.substr(0, equals));
  if (!input) {
    std::string known;
    for (const auto& i : plant.plant_inputs) known += std::string(known.empty() ? "" : ", ") + i.path;
    throw std::runtime_error("the plant has no input \"" + text.substr(0, equals) + "\"" +
                             (known.empty() ? "; it has none" : "; it has " + known));
  }
  const std::size_t end = at == std::string::npos ? text.size() : at;
  const double value =
      parse_quantity(std::string_view(text).substr(equals + 1, end - equals - 1), plant.plant_inputs[*input].unit);
  return {SimTime{time_after(at, text)}, *input, value};
}

}  // namespace takt
