#include "codegen/model/load_plant.hpp"

#include <algorithm>

#include "codegen/library/names.hpp"
#include "codegen/library/read_value.hpp"
#include "codegen/model/convection.hpp"
#include "codegen/model/expand.hpp"
#include "codegen/model/faults.hpp"
#include "codegen/model/foreign.hpp"
#include "codegen/model/joins.hpp"
#include "codegen/model/laws.hpp"
#include "codegen/model/media.hpp"
#include "codegen/model/modelica_models.hpp"
#include "codegen/model/settings.hpp"
#include "codegen/model/values.hpp"
#include "codegen/text/nearest.hpp"

namespace takt::codegen {
namespace {

const std::vector<std::string> sections{
    "plant", "input",   "parameters", "electric", "solid", "rotational", "translational",
    "fluid", "gas",     "control",    "fmu",      "model", "join",       "parts",
    "part",  "element", "medium",     "solve",    "sync",  "record"};

/// The plant's name: its folder, or the stem of a file of another name; other characters become
/// '_'.
std::string plant_name(const std::filesystem::path& file) {
  std::string name = file.stem().string();
  if (file.filename() == "plant.toml") {
    std::error_code ignored;
    const auto folder = std::filesystem::absolute(file, ignored)
                            .lexically_normal()
                            .parent_path()
                            .filename()
                            .string();
    if (!folder.empty()) name = folder;
  }
  for (char& character : name) {
    const bool upper = character >= 'A' && character <= 'Z';
    if (upper) character = static_cast<char>(character - 'A' + 'a');
    const bool fine =
        (character >= 'a' && character <= 'z') || (character >= '0' && character <= '9');
    if (!fine) character = '_';
  }
  return name.empty() ? std::string("plant") : name;
}

class PlantLoader {
 public:
  /// @param solve  what has [solve] and [sync]
  PlantLoader(Workspace& work, const TomlValue& root, const TomlValue& solve)
      : work_(work), root_(root), solve_(solve) {}

  /// False where no meaningful network came out.
  [[nodiscard]] bool load() {
    const std::size_t before = work_.diagnostics.error_count();
    check_sections();
    work_.scopes.emplace_back();
    plant_ = Reading{&work_.scopes.front(), "", std::nullopt};
    work_.network.time = work_.make_symbol("time", "s");
    declare_parameters();
    declare_inputs();
    if (const auto* elements = table("element")) {
      Diagnostics findings;
      add_definitions(work_.library, *elements, findings);
      work_.forward(findings);
    }
    if (const auto* media = root_.get("medium")) {
      Diagnostics findings;
      add_media(work_.library, *media, findings);
      work_.forward(findings);
    }
    if (const auto* plant = root_.get("plant"); plant != nullptr && plant->is_table())
      read_fault_wishes(work_, *plant);
    if (const auto* parts = root_.get("part")) declare_parts(work_, *parts);
    expand_sections(work_, work_.scopes.front(), root_);
    if (const auto* models = table("model")) declare_models(work_, *models);
    if (const auto* foreign = table("fmu")) declare_foreign(work_, *foreign);
    if (const auto* joins = table("join")) declare_joins(work_, *joins);
    check_fault_wishes(work_);
    name_potentials(work_);
    assign_media(work_);
    declare_temperatures(work_);
    lower_all();
    if (!work_.diagnostics.has_errors()) find_block_units(work_);
    couple_heat(work_);
    lower_convection(work_);
    add_common_ranges(work_);
    order_events(work_.network);
    read_plant_section();
    check_overrides();
    if (work_.instances.empty() && work_.network.foreign.empty() && work_.broken.empty()) {
      work_.error("M033", {work_.file, 0, 0}, "the plant has no elements",
                  "write elements into [electric], [solid], [rotational], [translational], [fluid] "
                  "or [gas]");
    }
    const bool sound = work_.diagnostics.error_count() == before;
    if (sound) check_nodes();
    read_settings(work_, root_, solve_);
    if (sound) collect_faults(work_);
    return sound;
  }

 private:
  void check_sections() {
    for (const TomlEntry& entry : root_.entries) {
      if (std::find(sections.begin(), sections.end(), entry.key) != sections.end()) continue;
      work_.error("M003", entry.where, "there is no section '" + entry.key + "'",
                  name_hint(entry.key, sections));
    }
  }

  /// A section that is a table; nullptr where it is missing or wrong (reported).
  [[nodiscard]] const TomlValue* table(std::string_view section) {
    const TomlValue* value = root_.get(section);
    if (value == nullptr) return nullptr;
    Diagnostics findings;
    const bool fine = expect_kind(*value, TomlValue::Kind::table,
                                  "section '" + std::string(section) + "'", findings);
    work_.forward(findings);
    return fine ? value : nullptr;
  }

  /// Names of plant parameters and inputs must be free.
  [[nodiscard]] bool free_name(const TomlEntry& entry) {
    if (!is_name(entry.key)) {
      work_.error("M006", entry.where, "'" + entry.key + "' is no name",
                  "names are lower-case letters, digits and _, beginning with a letter");
      return false;
    }
    Diagnostics findings;
    const bool free = is_free(entry.key, NamePlace::plant, entry.where, findings);
    work_.forward(findings);
    if (!free) return false;
    if (std::find(sections.begin(), sections.end(), entry.key) != sections.end()) {
      work_.error("M019", entry.where, "'" + entry.key + "' is the name of a section",
                  "give it another name");
      return false;
    }
    const auto& parameters = work_.scopes.front().parameters;
    const auto parameter = parameters.find(entry.key);
    if (parameter == parameters.end()) return true;
    work_.error("M019", entry.where, "'" + entry.key + "' names a parameter and an input",
                "the parameter stands in " + place_text(parameter->second->where) +
                    "; give one of them another name");
    return false;
  }

  void declare_parameters() {
    const TomlValue* parameters = table("parameters");
    if (parameters == nullptr) return;
    for (const TomlEntry& entry : parameters->entries) {
      if (!free_name(entry)) continue;
      Slot slot;
      slot.given = &entry.value;
      slot.reading = plant_;
      slot.name = slot.path = entry.key;
      slot.where = entry.value.where;
      Slot& made = work_.make_slot(std::move(slot));
      work_.scopes.front().parameters[entry.key] = &made;
      work_.declare(entry.key, Target{std::nullopt, &made});
    }
  }

  void declare_inputs() {
    const TomlValue* inputs = table("input");
    if (inputs == nullptr) return;
    for (const TomlEntry& entry : inputs->entries) {
      Diagnostics findings;
      if (!free_name(entry) || !expect_kind(entry.value, TomlValue::Kind::table,
                                            "input '" + entry.key + "'", findings)) {
        work_.forward(findings);
        continue;
      }
      check_keys(entry.value, {"unit", "start", "safe"}, "M005", "an input", findings);
      const TomlValue* unit = entry.value.get("unit");
      std::string text =
          unit == nullptr ? std::string("1") : read_string(*unit, "'unit'", findings);
      if (!parse_unit(text)) {
        const std::string near = nearest_unit(text);
        findings.error("U001", unit == nullptr ? entry.where : unit->where,
                       "unknown unit '" + text + "'",
                       near.empty() ? "" : "did you mean '" + near + "'?");
        text = "1";
      }
      if (entry.value.get("start") == nullptr)
        findings.error("M007", entry.where, "input '" + entry.key + "' needs its start value",
                       "write start = \"0 " + text + "\"");
      work_.forward(findings);
      PlantInput input;
      input.symbol = work_.make_symbol(entry.key, text);
      input.where = entry.where;
      inputs_.push_back({&entry, text});
      work_.network.inputs.push_back(input);
    }
  }

  void lower_inputs() {
    for (std::size_t index = 0; index < inputs_.size(); ++index) {
      PlantInput& input = work_.network.inputs[index];
      input.start = input_value(inputs_[index], "start").value_or(0.0);
      input.safe = inputs_[index].entry->value.get("safe") != nullptr
                       ? input_value(inputs_[index], "safe").value_or(0.0)
                       : input.start;
    }
  }

  struct InputLine {
    const TomlEntry* entry;
    std::string unit;
  };

  [[nodiscard]] std::optional<double> input_value(const InputLine& line, std::string_view key) {
    const TomlValue* given = line.entry->value.get(key);
    if (given == nullptr) return std::nullopt;
    const std::string what = "'" + std::string(key) + "' of input '" + line.entry->key + "'";
    const auto value = lower_value(work_, *given, plant_);
    if (!value) return std::nullopt;
    const bool bare =
        work_.network.graph().is_constant(value->value) && value->dimension == Dimension{};
    if (!check_dimension(work_, *value, {parse_unit(line.unit).value_or(Unit{}), line.unit},
                         {given->where, what, bare}))
      return std::nullopt;
    const SymbolId symbol =
        work_.network.inputs[static_cast<std::size_t>(&line - inputs_.data())].symbol;
    if (key == "start" && value->kind.sort == QuantityKind::Sort::temperature)
      work_.kinds.emplace(symbol,
                          temperature_kind(value->kind.weight));  // "20 degC" of an input in K
    return structural_value(work_, value->value, given->where, what);
  }

  void lower_all() {
    for (Slot& slot : work_.slots) {
      if (slot.definition == nullptr) resolve(work_, slot);
    }
    lower_inputs();
    for (Scope& scope : work_.scopes) {
      if (scope.part == nullptr) continue;
      for (const auto& parameter : scope.part->parameters)
        resolve(work_, *scope.parameters.find(parameter.name)->second);
    }
    for (Instance& instance : work_.instances) {
      if (instance.definition->gate_block != GateBlock::none)
        lower_gate_block(work_, instance);
      else if (instance.definition->state_machine)
        lower_machine(work_, instance);
      else if (instance.definition->is_control())
        lower_block(work_, instance);
      else
        lower_element(work_, instance);
    }
    lower_foreign(work_);
    check_gate_signals(work_);
  }

  void read_plant_section() {
    const TomlValue* plant = table("plant");
    if (plant == nullptr) return;
    Diagnostics findings;
    check_keys(*plant, {"title", "duration", "error", "start", "fixed", "faults"}, "M005",
               "[plant]", findings);
    if (const auto* title = plant->get("title"))
      work_.network.title = read_string(*title, "'title'", findings);
    work_.forward(findings);
    if (const auto* duration = plant->get("duration"))
      work_.network.default_duration_ns = read_duration(work_, *duration, plant_, "the duration");
    if (const auto* error = plant->get("error")) read_error(*error);
  }

  void read_error(const TomlValue& value) {
    constexpr double least = 1e-9, most = 0.1;
    if (value.is_string() && value.text == "off")
      work_.network.error = 0.0;
    else if (value.is_number() && value.number >= least && value.number <= most)
      work_.network.error = value.number;
    else
      work_.error("S046", value.where,
                  "the error of a plant must be a number from 1e-9 to 0.1, or \"off\"",
                  "it is the RMS error over the range of each recorded signal: 1e-3 is usual");
  }

  void check_overrides() {
    std::vector<std::string> known;
    for (const Slot& slot : work_.slots) known.push_back(slot.path);
    constexpr std::size_t many = 5000;
    if (known.size() > many) known.clear();
    for (const auto& [name, text] : work_.overrides) {
      work_.error("M032", {"--set " + name, 0, 0}, "there is no parameter '" + name + "' to set",
                  name_hint(name, known));
    }
  }

  /// A node only one branch touches is mostly a misspelt one; alone, a storage against the
  /// reference makes sense.
  void check_nodes() {
    std::vector<const Branch*> toucher(work_.network.nodes.size(), nullptr);
    for (const Branch& branch : work_.network.branches) {
      for (const NodeId end : {branch.from, branch.to})
        toucher[static_cast<std::size_t>(end)] = &branch;
    }
    for (std::size_t index = 0; index < toucher.size(); ++index) {
      const NetworkNode& node = work_.network.nodes[index];
      if (node.reference || work_.node_uses[index] != 1 ||
          work_.walls.contains(static_cast<NodeId>(index)))
        continue;
      if (toucher[index]->kind == BranchKind::across_storage && node.domain != Domain::electric)
        continue;
      work_.warning("M018", node.where, "node '" + node.path + "' is used only once",
                    did_you_mean(within_section(node.path), other_nodes(index)));
    }
  }

  /// As lines of the same section name them; those that several branches touch come first.
  [[nodiscard]] std::vector<std::string> other_nodes(std::size_t self) const {
    std::vector<std::string> names, alone;
    constexpr std::size_t many = 2000;
    if (work_.network.nodes.size() > many) return names;
    for (std::size_t index = 0; index < work_.network.nodes.size(); ++index) {
      const NetworkNode& node = work_.network.nodes[index];
      if (index == self || node.domain != work_.network.nodes[self].domain) continue;
      (work_.node_uses[index] > 1 ? names : alone).push_back(within_section(node.path));
    }
    names.insert(names.end(), alone.begin(), alone.end());
    return names;
  }

  [[nodiscard]] static std::string within_section(const std::string& path) {
    return path.substr(path.find('.') + 1);
  }

  Workspace& work_;
  const TomlValue &root_, &solve_;
  Reading plant_;
  std::vector<InputLine> inputs_;
};

}  // namespace

std::optional<Network> load_plant_text(
    const PlantText& plant, const Library& library,
    const std::vector<std::pair<std::string, std::string>>& overrides, Diagnostics& diagnostics) {
  const auto& [text, file, solve] = plant;
  const auto root = parse_toml(text, file.string(), diagnostics);
  if (!root) return std::nullopt;
  Workspace work(library, diagnostics);
  work.file = file.string();
  work.folder = file.parent_path();
  work.network.name = plant_name(file);
  work.network.files.push_back(file.string());
  work.network.files.insert(work.network.files.end(), library.files().begin(),
                            library.files().end());
  for (const auto& [name, value] : overrides) work.overrides[name] = value;
  if (solve != nullptr) work.network.files.push_back(solve->where.file.text());
  if (!PlantLoader(work, *root, solve == nullptr ? *root : *solve).load()) return std::nullopt;
  return std::move(work.network);
}

std::optional<Network> load_plant(const std::filesystem::path& plant, const LoadOptions& options,
                                  Diagnostics& diagnostics) {
  const Library library = load_library(options.library, diagnostics);
  std::error_code ignored;
  const std::filesystem::path file =
      std::filesystem::is_directory(plant, ignored) ? plant / "plant.toml" : plant;
  const auto text = read_text_file(file);
  if (!text) {
    diagnostics.error("M002", {file.string(), 0, 0},
                      "cannot read '" + file.string() + "': " + text.error(),
                      "check the path and the permissions");
    return std::nullopt;
  }
  if (diagnostics.has_errors()) {
    // Elements that are missing or wrong would bury the cause under findings about the plant.
    return std::nullopt;
  }
  std::optional<TomlValue> solve;
  if (options.solve) {
    solve = read_toml(*options.solve, diagnostics);
    if (!solve) return std::nullopt;
    check_keys(*solve, {"title", "solve", "sync", "record"}, "M005", "a parametrisation",
               diagnostics);
  }
  return load_plant_text({*text, file, solve ? &*solve : nullptr}, library, options.overrides,
                         diagnostics);
}

}  // namespace takt::codegen
