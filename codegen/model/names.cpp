// What names in the plant file mean.

#include <algorithm>
#include <charconv>

#include "codegen/model/values.hpp"

namespace takt::codegen {
namespace {

bool is_section(std::string_view name) {
  const auto& sections = element_sections();
  return name == "parts" || std::find(sections.begin(), sections.end(), name) != sections.end();
}

/// Value of "3", "i", "i+1", "i-1"; nothing where it is none of them or negative.
std::optional<long> index_value(std::string_view text, const std::optional<double>& index) {
  std::string bare;
  for (const char character : text) {
    if (character != ' ') bare += character;
  }
  std::string_view rest = bare;
  long value = 0;
  if (rest.starts_with('i')) {
    if (!index) return std::nullopt;
    value = static_cast<long>(*index);
    rest.remove_prefix(1);
    if (rest.empty()) return value;
    if (rest.front() != '+' && rest.front() != '-') return std::nullopt;
  }
  const bool minus = rest.starts_with('-');
  if (rest.starts_with('+') || minus) rest.remove_prefix(1);
  int number = 0;
  const auto result = std::from_chars(rest.data(), rest.data() + rest.size(), number);
  if (result.ec != std::errc() || result.ptr != rest.data() + rest.size() || number < 0)
    return std::nullopt;
  value += minus ? -static_cast<long>(number) : number;
  return value < 0 ? std::nullopt : std::optional(value);
}

/// Full paths a name may mean, the nearest first: in a part what is its own, then what is the
/// plant's.
struct Paths {
  std::vector<std::string> own, outer;
};

Paths paths_of(const std::string& name, const Reading& reading) {
  Paths paths;
  const std::size_t dot = name.find('.');
  const std::string first = name.substr(0, dot);
  const std::string& prefix = reading.scope->prefix;
  if (dot != std::string::npos && is_section(first)) {
    paths.own.push_back(first + "." + prefix + name.substr(dot + 1));
    if (!prefix.empty()) paths.outer.push_back(name);
    return paths;
  }
  if (!reading.section.empty()) {
    paths.own.push_back(reading.section + "." + prefix + name);
    if (!prefix.empty()) paths.outer.push_back(reading.section + "." + name);
  }
  paths.outer.push_back(name);
  return paths;
}

const Target* find_path(const Workspace& work, const std::vector<std::string>& paths) {
  for (const std::string& path : paths) {
    if (const auto found = work.names.find(path); found != work.names.end()) return &found->second;
    if (!path.starts_with("control.")) continue;
    if (const auto output = work.names.find(path + ".out"); output != work.names.end())
      return &output->second;
  }
  return nullptr;
}

/// Whether a path leads into an element or part that was refused.
bool is_broken(const Workspace& work, const std::string& path) {
  if (work.broken.empty()) return false;
  const std::size_t first_dot = path.find('.');
  for (std::size_t end = first_dot; end != std::string::npos;
       end = path.find_first_of(".[", end + 1)) {
    if (work.broken.contains(path.substr(0, end)) ||
        (end > first_dot && work.broken.contains("*" + path.substr(first_dot, end - first_dot))))
      return true;
  }
  return work.broken.contains(path);
}

std::optional<Named> value_of(Workspace& work, const Target& target) {
  Graph& graph = work.network.graph();
  if (target.slot != nullptr) {
    ++target.slot->reads;
    resolve(work, *target.slot);
    if (target.slot->state == Slot::State::done && target.slot->table) return std::nullopt;
    if (target.slot->definition != nullptr &&
        target.slot->definition->kind == ParameterDefinition::Kind::text)
      return std::nullopt;
    if (target.slot->state != Slot::State::done) return work.refused();
    return work.named(*target.slot);
  }
  if (!target.symbol) return Named{graph.zero(), std::nullopt};
  return work.named(*target.symbol);
}

}  // namespace

std::optional<std::string> with_indices(std::string_view path, const std::optional<double>& index) {
  std::string result;
  while (!path.empty()) {
    const std::size_t open = std::min(path.find('['), path.size());
    result += path.substr(0, open);
    path.remove_prefix(open);
    if (path.empty()) break;
    const std::size_t close = path.find(']');
    if (close == std::string_view::npos) return std::nullopt;
    const auto value = index_value(path.substr(1, close - 1), index);
    if (!value) return std::nullopt;
    result += "[" + std::to_string(*value) + "]";
    path.remove_prefix(close + 1);
    if (!path.empty() && path.front() != '.') return std::nullopt;
  }
  return result;
}

std::optional<Named> find_name(Workspace& work, std::string_view name, const Reading& reading) {
  if (name == "i" && reading.index)
    return Named{work.network.graph().constant(*reading.index), Dimension{}};
  const auto indexed = with_indices(name, reading.index);
  if (!indexed) return std::nullopt;
  // From the inside to the outside: parameters and elements of the part, then those of the plant.
  if (const auto own = reading.scope->parameters.find(*indexed);
      own != reading.scope->parameters.end())
    return value_of(work, Target{std::nullopt, own->second});
  const Paths paths = paths_of(*indexed, reading);
  if (const Target* own = find_path(work, paths.own)) return value_of(work, *own);
  const Scope& plant = work.scopes.front();
  if (const auto global = plant.parameters.find(*indexed); global != plant.parameters.end())
    return value_of(work, Target{std::nullopt, global->second});
  if (const Target* outer = find_path(work, paths.outer)) return value_of(work, *outer);
  // What names a refused element is not judged.
  const auto broken = [&](const std::string& path) { return is_broken(work, path); };
  const bool refused = std::any_of(paths.own.begin(), paths.own.end(), broken) ||
                       std::any_of(paths.outer.begin(), paths.outer.end(), broken);
  return refused ? std::optional(work.refused()) : std::nullopt;
}

}  // namespace takt::codegen
