#include "codegen/model/settings.hpp"

#include <algorithm>
#include <unordered_map>

#include "codegen/library/names.hpp"
#include "codegen/library/read_value.hpp"
#include "codegen/methods/method.hpp"
#include "codegen/model/joins.hpp"
#include "codegen/model/pattern.hpp"
#include "codegen/model/values.hpp"
#include "codegen/text/quantity.hpp"

namespace takt::codegen {
namespace {

std::vector<std::string> methods_of_parts() {
  std::vector<std::string> names = methods::names_for_parts();
  names.emplace_back("auto");
  return names;
}

constexpr int highest_order = 3;  // of inter- and extrapolation

/// Without '*' a pattern means what it names and everything below it.
bool means(std::string_view pattern, std::string_view path) {
  if (pattern.find('*') != std::string_view::npos) return matches_pattern(pattern, path);
  return path.starts_with(pattern) &&
         (path.size() == pattern.size() || path[pattern.size()] == '.');
}

class SettingsReader {
 public:
  explicit SettingsReader(Workspace& work)
      : work_(work), reading_{&work.scopes.front(), "", std::nullopt} {
    collect_names();
  }

  void read(const TomlValue& root, const TomlValue& solve) {
    read_section(solve, "solve", &SettingsReader::read_solve);
    read_section(solve, "sync", &SettingsReader::read_sync);
    read_section(solve.get("record") != nullptr ? solve : root, "record",
                 &SettingsReader::read_record);
    check_groups();
    check_whole();
    if (const TomlValue* plant = root.get("plant"); plant != nullptr && plant->is_table())
      read_start(*plant);
  }

 private:
  void read_section(const TomlValue& root, const std::string& section,
                    void (SettingsReader::*reader)(const TomlEntry&)) {
    const TomlValue* table = root.get(section);
    if (table == nullptr || !expect(*table, TomlValue::Kind::table, "section '" + section + "'"))
      return;
    for (const TomlEntry& entry : table->entries) (this->*reader)(entry);
  }

  /// What a setting can be about: domains, circuits (named by domain and a node), elements, control
  /// blocks and rates.
  void collect_names() {
    const auto add_path = [&](const std::string& path) {
      subjects_.push_back(path);
      const std::size_t dot = path.find('.');
      const std::string section = path.substr(0, dot);
      subjects_.push_back(section);
      if (section != "rotational" && section != "translational") return;
      subjects_.emplace_back("mechanical");
      if (dot != std::string::npos) subjects_.push_back("mechanical" + path.substr(dot));
    };
    for (const NetworkNode& node : work_.network.nodes) {
      if (!node.reference) add_path(node.path);
    }
    for (const Element& element : work_.network.elements) add_path(element.path);
    for (const ControlBlock& block : work_.network.blocks) {
      add_path(block.path);
      subjects_.push_back("control." + period_text(block.period_ns));
    }
    for (const ForeignModel& model : work_.network.foreign)
      for (const std::string& path : paths_of(model)) add_path(path);
    std::sort(subjects_.begin(), subjects_.end());
    subjects_.erase(std::unique(subjects_.begin(), subjects_.end()), subjects_.end());
  }

  [[nodiscard]] bool is_subject(const std::string& pattern) const {
    if (!work_.broken.empty()) return true;  // it may be what was refused
    return std::any_of(subjects_.begin(), subjects_.end(),
                       [&](const std::string& name) { return means(pattern, name); });
  }

  /// Legs and timed gates are no subsystems.
  [[nodiscard]] bool is_gate_block(const std::string& pattern) const {
    const auto named = [&](const auto& block) {
      return means(pattern, block.path) || means(pattern, "control");
    };
    return std::any_of(work_.network.legs.begin(), work_.network.legs.end(), named) ||
           std::any_of(work_.network.timed_gates.begin(), work_.network.timed_gates.end(), named);
  }

  [[nodiscard]] bool expect(const TomlValue& value, TomlValue::Kind kind, const std::string& what) {
    Diagnostics findings;
    const bool ok = expect_kind(value, kind, what, findings);
    work_.forward(findings);
    return ok;
  }

  void keys(const TomlValue& table, const std::vector<std::string>& known,
            const std::string& what) {
    Diagnostics findings;
    check_keys(table, known, "M005", what, findings);
    work_.forward(findings);
  }

  /// One of a few words; empty after a report.
  [[nodiscard]] std::string read_word(const TomlValue& value, const std::vector<std::string>& known,
                                      std::string_view code, const std::string& what) {
    if (!expect(value, TomlValue::Kind::string, what)) return {};
    if (std::find(known.begin(), known.end(), value.text) != known.end()) return value.text;
    work_.error(code, value.where, "'" + value.text + "' is no " + what,
                name_hint(value.text, known));
    return {};
  }

  void read_solve(const TomlEntry& entry) {
    const bool whole = entry.key == "whole";
    if (whole) subjects_.emplace_back(entry.key);  // what [sync] can name
    if (!whole && !is_subject(entry.key)) {
      work_.error("S002", entry.where, "nothing in the plant is called '" + entry.key + "'",
                  name_hint(entry.key, subjects_));
      return;
    }
    if (!expect(entry.value, TomlValue::Kind::table, "'" + entry.key + "'")) return;
    if (whole)
      keys(entry.value, {"step", "method", "newton", "tolerance"}, "[solve] whole");
    else
      keys(entry.value, {"step", "method", "stages", "newton", "edges", "network"}, "[solve]");
    SolveSetting setting;
    setting.pattern = entry.key;
    setting.where = entry.where;
    if (const auto* step = entry.value.get("step"))
      setting.step_ns = read_duration(work_, *step, reading_, "the step");
    if (const auto* method = entry.value.get("method")) {
      const std::string word = read_word(
          *method, whole ? methods::names_for_whole() : methods_of_parts(), "S003", "method");
      if (!word.empty()) setting.method = word;
    }
    if (const auto* stages = entry.value.get("stages"))
      setting.stages = read_stages(*stages, setting);
    if (const auto* newton = entry.value.get("newton")) {
      constexpr int most = 100;
      setting.newton_iterations =
          read_count(work_, *newton, reading_, {"the number of Newton iterations", 1, most});
    }
    if (const auto* tolerance = entry.value.get("tolerance"); whole && tolerance != nullptr)
      setting.tolerance = read_tolerance(*tolerance, setting);
    if (const auto* edges = entry.value.get("edges"))
      setting.edges = meaning(
          edge_words, read_word(*edges, all_words(edge_words), "S016", "treatment of edges"));
    if (const auto* form = entry.value.get("network"))
      setting.network = meaning(form_words, read_word(*form, all_words(form_words), "S016",
                                                      "form of a switched network"));
    work_.network.solve.push_back(std::move(setting));
  }

  [[nodiscard]] std::optional<int> read_stages(const TomlValue& value,
                                               const SolveSetting& setting) {
    const Method* method = setting.method ? methods::find(*setting.method) : nullptr;
    if (method != nullptr && method->chooses_stages)
      return read_count(work_, value, reading_, {"the number of stages", 2, most_stages});
    work_.error("S047", value.where,
                "a number of stages needs a method that has as many as its step needs",
                "write method = \"rkc\", or leave `stages` out");
    return std::nullopt;
  }

  [[nodiscard]] std::optional<double> read_tolerance(const TomlValue& value,
                                                     const SolveSetting& setting) {
    constexpr double least = 1e-13, most = 0.1;
    if (setting.method != "adaptive" && setting.method != "bdf")
      work_.error("S081", value.where, "a tolerance needs a method that chooses its steps",
                  "write method = \"adaptive\" or \"bdf\", or leave `tolerance` out");
    else if (!value.is_number() || value.number < least || value.number > most)
      work_.error("S081", value.where, "the tolerance must be a number from 1e-13 to 0.1",
                  "it is relative: 1e-4 is usual");
    else
      return value.number;
    return std::nullopt;
  }

  /// `whole` speaks about all circuits: beside it only control could be meant, which has no step.
  void check_whole() {
    const auto& all = work_.network.solve;
    const auto whole = std::find_if(all.begin(), all.end(), [](const SolveSetting& setting) {
      return setting.pattern == "whole";
    });
    work_.network.joined = whole != all.end();
    if (whole == all.end() || all.size() == 1) return;
    const SolveSetting& other = all.front().pattern == "whole" ? all[1] : all.front();
    work_.error("S080", other.where,
                "'whole' solves all circuits as one system, so '" + other.pattern +
                    "' has no solver of its own",
                "leave out one of the two");
  }

  /// [plant] start and fixed.
  void read_start(const TomlValue& plant) {
    if (const auto* start = plant.get("start"))
      work_.network.steady_start =
          read_word(*start, {"given", "steady"}, "S020", "start") == "steady";
    const TomlValue* fixed = plant.get("fixed");
    if (fixed == nullptr) return;
    const std::vector<std::pair<std::string, SymbolId>> states = names_of_states();
    std::set<SymbolId> held;
    Diagnostics findings;
    for (const auto& [pattern, value] : read_strings(*fixed, "what stays fixed", findings)) {
      bool any = !work_.broken.empty();  // it may be what was refused
      for (const auto& [path, symbol] : states) {
        if (!means(pattern, path)) continue;
        held.insert(symbol);
        any = true;
      }
      if (!any)
        work_.error("S021", value->where, "there is no state '" + pattern + "' to keep fixed",
                    state_hint(pattern, states));
    }
    work_.forward(findings);
    work_.network.held_at_start.assign(held.begin(), held.end());
  }

  /// By what names a state can be meant: a storage also by its across and through variables.
  [[nodiscard]] std::vector<std::pair<std::string, SymbolId>> names_of_states() const {
    const Network& network = work_.network;
    const auto path = [&](SymbolId symbol) -> const std::string& {
      return network.graph().symbol(symbol).path;
    };
    std::vector<std::pair<std::string, SymbolId>> names;
    for (const ElementState& state : network.states)
      names.emplace_back(path(state.symbol), state.symbol);
    for (const Branch& branch : network.branches) {
      if (!branch.stored) continue;
      for (const SymbolId symbol : {*branch.stored, branch.across, branch.through})
        names.emplace_back(path(symbol), *branch.stored);
    }
    for (const ControlBlock& block : network.blocks)
      for (const ControlBlock::State& state : block.states)
        names.emplace_back(path(state.symbol), state.symbol);
    return names;
  }

  [[nodiscard]] static std::string state_hint(
      const std::string& pattern, const std::vector<std::pair<std::string, SymbolId>>& states) {
    constexpr std::size_t many = 5000;
    std::vector<std::string> paths;
    for (const auto& [path, symbol] : states) paths.push_back(path);
    return paths.size() > many ? std::string() : name_hint(pattern, paths);
  }

  void read_sync(const TomlEntry& entry) {
    if (!expect(entry.value, TomlValue::Kind::table, "sync group '" + entry.key + "'")) return;
    keys(entry.value, {"members", "every", "scheme", "order", "history", "smooth", "sequence"},
         "a sync group");
    if (!is_name(entry.key))
      work_.error("M006", entry.where, "'" + entry.key + "' is no name",
                  "names are lower-case letters, digits and _");
    if (std::find(subjects_.begin(), subjects_.end(), entry.key) != subjects_.end())
      work_.error("M019", entry.where, "sync group '" + entry.key + "' has the name of a domain",
                  "give it another name");
    SyncSetting setting;
    setting.name = entry.key;
    setting.where = entry.where;
    const TomlValue* members = entry.value.get("members");
    if (members == nullptr) {
      work_.error("M007", entry.where, "sync group '" + entry.key + "' has no members",
                  "write members = [...]");
    } else {
      Diagnostics findings;
      for (const auto& [text, value] : read_strings(*members, "'members'", findings)) {
        members_.push_back({entry.key, text, value->where});
      }
      work_.forward(findings);
    }
    if (const auto* every = entry.value.get("every")) {
      setting.period_ns = read_duration(work_, *every, reading_, "the period 'every'").value_or(0);
    } else {
      work_.error("M007", entry.where,
                  "sync group '" + entry.key + "' does not say how often it exchanges",
                  "write every = \"1 ms\"");
    }
    if (const auto* scheme = entry.value.get("scheme"))
      setting.scheme =
          meaning(scheme_words, read_word(*scheme, all_words(scheme_words), "S013", "scheme"))
              .value_or(Scheme::by_dependency);
    setting.order_where = setting.sequence_where = setting.where;
    if (const auto* order = entry.value.get("order")) {
      setting.order = read_count(work_, *order, reading_, {"the order", 0, highest_order});
      setting.order_where = order->where;
    }
    if (const auto* history = entry.value.get("history"))
      setting.history =
          read_count(work_, *history, reading_, {"the history", 1, highest_order + 1});
    if (const auto* smooth = entry.value.get("smooth");
        smooth != nullptr && expect(*smooth, TomlValue::Kind::boolean, "'smooth'"))
      setting.smooth = smooth->flag;
    if (const auto* sequence = entry.value.get("sequence")) {
      Diagnostics findings;
      for (const auto& [text, value] : read_strings(*sequence, "'sequence'", findings))
        setting.sequence.push_back(text);
      setting.sequence_where = sequence->where;
      work_.forward(findings);
    }
    work_.network.sync.push_back(std::move(setting));
  }

  void check_groups() {
    std::vector<std::string> known = subjects_;
    std::unordered_map<std::string_view, SyncSetting*> groups;
    for (SyncSetting& group : work_.network.sync)
      known.push_back(group.name), groups.emplace(group.name, &group);
    for (const Member& member : members_)
      if (groups.contains(member.name)) inner_[member.group].push_back(member.name);
    const std::set<std::string_view> endless = groups_without_end();
    for (const Member& member : members_) {
      const bool group = groups.contains(member.name);
      if (!group && !is_subject(member.name) && is_gate_block(member.name))
        continue;  // belongs to the circuit it switches
      if (!group && !is_subject(member.name)) {
        work_.error("S005", member.where,
                    "sync group '" + member.group + "' has an unknown member '" + member.name + "'",
                    name_hint(member.name, known));
        continue;
      }
      if (const auto own = groups.find(member.group); own != groups.end())
        own->second->members.push_back(member.name);
      if (group && endless.contains(member.group) && reaches(member.name, member.group)) {
        work_.error("S014", member.where, "sync group '" + member.group + "' contains itself",
                    "groups nest, but not in a circle");
      }
    }
  }

  /// Groups that contain a circle: none in most plants, whose groups are peeled off from the
  /// innermost outwards.
  [[nodiscard]] std::set<std::string_view> groups_without_end() const {
    std::unordered_map<std::string_view, std::vector<std::string_view>> outer;
    std::unordered_map<std::string_view, std::size_t> left;
    std::set<std::string_view> endless;
    std::vector<std::string_view> ended;
    for (const SyncSetting& group : work_.network.sync) ended.push_back(group.name);
    for (const auto& [group, members] : inner_) {
      endless.insert(group);
      left[group] = members.size();
      for (const std::string_view member : members) outer[member].push_back(group);
    }
    std::erase_if(ended, [&](std::string_view group) { return endless.contains(group); });
    while (!ended.empty()) {
      const std::string_view group = ended.back();
      ended.pop_back();
      endless.erase(group);
      for (const std::string_view around : outer[group])
        if (--left[around] == 0) ended.push_back(around);
    }
    return endless;
  }

  /// Whether group `from` contains `to`, directly or through others.
  [[nodiscard]] bool reaches(std::string_view from, std::string_view to) const {
    std::vector<std::string_view> open{from};
    std::set<std::string_view> seen;
    while (!open.empty()) {
      const std::string_view group = open.back();
      open.pop_back();
      if (group == to) return true;
      if (!seen.insert(group).second) continue;
      if (const auto found = inner_.find(group); found != inner_.end())
        open.insert(open.end(), found->second.begin(), found->second.end());
    }
    return false;
  }

  void read_record(const TomlEntry& entry) {
    RecordSetting setting;
    setting.where = entry.where;
    const auto duration = parse_duration_ns(entry.key);
    if (!duration)
      work_.error("U003", entry.where, duration.error(),
                  "[record] lines are written \"1 ms\" = [\"electric.*.v\"]");
    if (duration && *duration <= 0)
      work_.error("S012", entry.where, "the period of recording must be longer than zero");
    Diagnostics findings;
    for (const auto& [text, value] : read_strings(entry.value, "what to record", findings)) {
      const bool block = text.starts_with("control.") && work_.names.contains(text + ".out");
      const std::string pattern = block ? text + ".out" : text;
      if (is_signal(pattern, *value)) setting.patterns.push_back(pattern);
    }
    work_.forward(findings);
    if (!duration || *duration <= 0) return;
    setting.period_ns = *duration;
    work_.network.record.push_back(std::move(setting));
  }

  [[nodiscard]] bool is_signal(const std::string& pattern, const TomlValue& value) {
    if (!work_.broken.empty()) return true;
    const Graph& graph = work_.network.graph();
    std::vector<std::string> paths;
    for (std::size_t index = 0; index < graph.symbol_count(); ++index) {
      const std::string& path = graph.symbol(static_cast<SymbolId>(index)).path;
      if (means(pattern, path)) return true;
      paths.push_back(path);
    }
    constexpr std::size_t many = 5000;
    const std::string hint = paths.size() > many ? std::string() : name_hint(pattern, paths);
    work_.error("S008", value.where, "there is no signal '" + pattern + "' to record", hint);
    return false;
  }

  struct Member {
    std::string group, name;
    Location where;
  };

  Workspace& work_;
  Reading reading_;
  std::vector<std::string> subjects_;
  std::vector<Member> members_;
  std::unordered_map<std::string_view, std::vector<std::string_view>>
      inner_;  // groups that are members, by group
};

}  // namespace

void read_settings(Workspace& work, const TomlValue& root, const TomlValue& solve) {
  SettingsReader(work).read(root, solve);
}

}  // namespace takt::codegen
