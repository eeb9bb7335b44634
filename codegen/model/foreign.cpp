#include "codegen/model/foreign.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <fstream>
#include <iterator>

#include "codegen/fmu/calls/call_table.hpp"
#include "codegen/fmu/findings.hpp"
#include "codegen/fmu/read_fmu.hpp"
#include "codegen/library/names.hpp"
#include "codegen/library/read_value.hpp"
#include "codegen/methods/method.hpp"
#include "codegen/model/fmu_units.hpp"
#include "codegen/model/foreign_variables.hpp"
#include "codegen/model/ports.hpp"
#include "codegen/model/values.hpp"
#include "codegen/text/hash.hpp"
#include "codegen/text/nearest.hpp"

namespace takt::codegen {
namespace {

bool is_number(FmuType type) {
  return type != FmuType::string && type != FmuType::binary && type != FmuType::clock;
}

std::string hash_of(const std::filesystem::path& file) {
  std::ifstream in(file, std::ios::binary);
  return hash_text(std::string(std::istreambuf_iterator<char>(in), {}));
}

class ForeignReader {
 public:
  ForeignReader(Workspace& work, const TomlEntry& entry) : work_(work), entry_(entry) {}

  void read() {
    if (!is_name(entry_.key))
      return error("M006", entry_.where, "'" + entry_.key + "' is no name",
                   "names are lower-case letters, digits and _, beginning with a letter");
    Diagnostics findings;
    const bool is_table =
        expect_kind(entry_.value, TomlValue::Kind::table, "FMU '" + entry_.key + "'", findings);
    if (is_table)
      check_keys(entry_.value,
                 {"file", "kind", "step", "method", "directional_derivatives", "inputs", "outputs",
                  "parameters", "on_error", "lag", "ports"},
                 "M005", "an FMU", findings);
    work_.forward(findings);
    if (!is_table || !open()) return;
    choose_kind();
    read_step();
    read_method();
    read_lag();
    read_outputs();
    read_fed("inputs", FmuCausality::input, model_.inputs);
    if (const TomlValue* ports = entry_.value.get("ports")) declare_ports(work_, *ports, model_);
    read_policy();
    read_fed("parameters", FmuCausality::parameter, model_.parameters);
    work_.network.foreign.push_back(std::move(model_));
  }

 private:
  void error(std::string_view code, const Location& where, const std::string& message,
             const std::string& hint = {}) {
    work_.error(code, where, message, hint);
    work_.broken.insert("fmu." + entry_.key);
  }

  [[nodiscard]] bool open() {
    model_.path = "fmu." + entry_.key;
    model_.where = entry_.where;
    const TomlValue* file = entry_.value.get("file");
    if (file == nullptr || !file->is_string()) {
      error("M007", entry_.where, "FMU '" + entry_.key + "' does not say its file",
            "write file = \"engine.fmu\"");
      return false;
    }
    const std::filesystem::path path = work_.folder / file->text;
    std::error_code missing;
    if (!std::filesystem::is_regular_file(path, missing)) {
      error("M002", file->where, "cannot read '" + path.string() + "'",
            "the path is relative to the plant file");
      return false;
    }
    Diagnostics findings;
    auto fmu = read_fmu(path, findings);
    work_.forward(told_once(findings));
    if (!fmu) {
      error("Y101", file->where, "the FMU '" + path.string() + "' cannot be used",
            "takt fmu check tells what is wrong with it");
      return false;
    }
    model_.folder = hash_of(path);
    model_.fmu = std::make_shared<const FmuDescription>(std::move(*fmu));
    work_.network.files.push_back(path.string());
    return true;
  }

  [[nodiscard]] static std::string list_of(const std::vector<std::string>& names) {
    std::string text;
    for (const std::string& name : names) text += (text.empty() ? "" : ", ") + name;
    return text.empty() ? "none" : text;
  }

  void choose_kind() {
    const FmuDescription& fmu = *model_.fmu;
    const TomlValue* kind = entry_.value.get("kind");
    model_.model_exchange = !fmu.co_simulation;
    if (kind != nullptr) {
      const bool cs = kind->is_string() && kind->text == "cs",
                 me = kind->is_string() && kind->text == "me";
      if (!cs && !me) return error("Y103", kind->where, "the kind of an FMU is \"cs\" or \"me\"");
      model_.model_exchange = me;
    }
    const std::optional<FmuInterface>& interface =
        model_.model_exchange ? fmu.model_exchange : fmu.co_simulation;
    if (!interface)
      return error("Y103", kind != nullptr ? kind->where : entry_.where,
                   std::string("the FMU offers no ") +
                       (model_.model_exchange ? "model exchange" : "co-simulation"),
                   std::string("write kind = \"") + (model_.model_exchange ? "cs" : "me") + "\"");
    if (interface->needs_execution_tool)
      error("Y104", entry_.where, "the FMU needs the tool that made it to run",
            "export it so that it runs alone (needsExecutionTool = false)");
  }

  void read_step() {
    const Reading reading{&work_.scopes.front(), "", std::nullopt};
    const TomlValue* step = entry_.value.get("step");
    if (step == nullptr)
      return error("M007", entry_.where,
                   "FMU '" + entry_.key + "' does not say its communication step",
                   "write step = \"1 ms\"");
    model_.step_ns = read_duration(work_, *step, reading, "the step").value_or(0);
    const FmuInterface* cs = model_.fmu->co_simulation ? &*model_.fmu->co_simulation : nullptr;
    if (!model_.model_exchange && cs != nullptr && cs->fixed_internal_step && model_.step_ns > 0) {
      const double parts = static_cast<double>(model_.step_ns) * 1e-9 / *cs->fixed_internal_step;
      if (parts < 0.5 || std::abs(parts - std::round(parts)) > 1e-6 * parts)
        error("Y105", step->where,
              "the step is no multiple of the FMU's own fixed step of " +
                  std::to_string(*cs->fixed_internal_step) + " s");
    }
  }

  void read_method() {
    const TomlValue* method = entry_.value.get("method");
    model_.method = model_.model_exchange ? "auto" : "";
    if (method != nullptr) {
      constexpr std::array known{"auto", "euler", "heun", "rk3", "rk4", "ros1", "ros2"};
      if (!model_.model_exchange)
        error("Y106", method->where, "an FMU of kind co-simulation brings its own method",
              "leave `method` out");
      else if (!method->is_string() ||
               std::find(known.begin(), known.end(), method->text) == known.end())
        error("Y106", method->where,
              "methods for FMUs of kind model exchange are auto, euler, heun, rk3, rk4, ros1 and "
              "ros2");
      else
        model_.method = method->text;
    }
    const TomlValue* partials = entry_.value.get("directional_derivatives");
    if (partials == nullptr) return;
    if (!partials->is(TomlValue::Kind::boolean))
      error("Y106", partials->where, "directional_derivatives is true or false",
            "false: Jacobians of the FMU are taken by differences of its derivatives");
    else if (!model_.model_exchange)
      error("Y106", partials->where,
            "nothing asks an FMU of kind co-simulation for directional derivatives",
            "leave `directional_derivatives` out");
    model_.directional_derivatives = partials->flag;
  }

  void read_lag() {
    if (const TomlValue* lag = entry_.value.get("lag")) {
      const bool is_whole =
          lag->is(TomlValue::Kind::integer) && (lag->number == 0.0 || lag->number == 1.0);
      if (!is_whole) error("Y111", lag->where, "the lag of an FMU is 0 or 1");
      model_.waited_for = is_whole && lag->number == 0.0;
    }
  }

  using Place = ForeignPlace;

  /// What a name means: a variable with all its elements, or one element ("x[1,2]"). Empty after a
  /// report.
  [[nodiscard]] std::vector<Place> find(const std::string& name, FmuCausality causality,
                                        const Location& where) {
    const FmuDescription& fmu = *model_.fmu;
    std::vector<std::string> fit;
    for (std::size_t index = 0; index < fmu.variables.size(); ++index) {
      const FmuVariable& variable = fmu.variables[index];
      if (variable.causality == causality) fit.push_back(variable.name);
      const std::vector<std::string> elements = element_names(fmu, variable);
      const auto one = std::find(elements.begin(), elements.end(), name);
      if (variable.name != name && one == elements.end()) continue;
      if (!may_be(variable, causality, name, where)) return {};
      if (variable.name != name) return {{index, static_cast<std::size_t>(one - elements.begin())}};
      std::vector<Place> all;
      for (std::size_t element = 0; element < variable.size; ++element)
        all.push_back({index, element});
      return all;
    }
    error("Y108", where, model_.path + " has no variable '" + name + "'", name_hint(name, fit));
    return {};
  }

  /// Outputs may be anything that the FMU computes, inside, too.
  [[nodiscard]] bool may_be(const FmuVariable& variable, FmuCausality causality,
                            const std::string& name, const Location& where) {
    const bool computed = causality == FmuCausality::output &&
                          variable.causality != FmuCausality::input &&
                          variable.causality != FmuCausality::independent;
    if (!is_number(variable.type)) {
      error("Y109", where, "'" + name + "' of " + model_.path + " is no number",
            "texts, binaries and clocks have no place in a plant");
    } else if (!computed && variable.causality != causality) {
      error("Y109", where,
            "'" + name + "' of " + model_.path + " is no " + std::string(word_of(causality)));
    } else {
      return true;
    }
    return false;
  }

  [[nodiscard]] static std::string_view word_of(FmuCausality causality) {
    return causality == FmuCausality::input       ? "input"
           : causality == FmuCausality::parameter ? "parameter"
                                                  : "output";
  }

  /// Elements of an array get their indices: "y_1", "y_1_2".
  void add_outputs(const std::string& plant, const std::vector<Place>& places,
                   const Location& where) {
    for (const Place& place : places) {
      const FmuVariable& of = model_.fmu->variables[place.variable];
      std::string name = plant;
      if (places.size() > 1)
        name = plant_name(plant +
                          element_names(*model_.fmu, of)[place.element].substr(of.name.size()));
      model_.outputs.push_back(port(place, model_.path + "." + name, where));
    }
  }

  ForeignModel::Port port(const Place& place, const std::string& path, const Location& where) {
    return exchanged(work_, model_, place, {path, where});
  }

  void read_outputs() {
    const TomlValue* outputs = entry_.value.get("outputs");
    if (outputs == nullptr) {
      const auto& variables = model_.fmu->variables;
      for (std::size_t index = 0; index < variables.size(); ++index)
        if (variables[index].causality == FmuCausality::output && is_number(variables[index].type))
          add_outputs(plant_name(variables[index].name),
                      find(variables[index].name, FmuCausality::output, entry_.where),
                      entry_.where);
      return;
    }
    const auto add = [&](const std::string& plant, const TomlValue& given) {
      add_outputs(plant, find(given.text, FmuCausality::output, given.where), given.where);
    };
    Diagnostics findings;
    if (outputs->is_table()) {
      for (const TomlEntry& line : outputs->entries) {
        if (!is_name(line.key)) {
          error("M006", line.where, "'" + line.key + "' is no name",
                "write outputs = { NAME = \"VARIABLE OF THE FMU\" }");
        } else if (!line.value.is_string()) {
          error("M007", line.where, "'" + line.key + "' names no variable of the FMU");
        } else {
          add(line.key, line.value);
        }
      }
    } else {
      for (const auto& [text, value] : read_strings(*outputs, "'outputs'", findings))
        add(plant_name(text), *value);
    }
    work_.forward(findings);
  }

  /// "stop", "hold", or { OUTPUT = VALUE }.
  void read_policy() {
    const TomlValue* policy = entry_.value.get("on_error");
    if (policy == nullptr) return;
    model_.stops = policy->is_string() && policy->text == "stop";
    if (!policy->is_table()) {
      if (!model_.stops && !(policy->is_string() && policy->text == "hold"))
        error("Y107", policy->where,
              "on_error is \"stop\", \"hold\" or a table of safe values of its outputs");
      return;
    }
    std::vector<std::string> names;
    for (const ForeignModel::Port& output : model_.outputs)
      names.push_back(
          work_.network.graph().symbol(output.symbol).path.substr(model_.path.size() + 1));
    for (const TomlEntry& line : policy->entries) {
      const auto name = std::find(names.begin(), names.end(), line.key);
      if (name == names.end())
        error("Y108", line.where, model_.path + " has no output '" + line.key + "'",
              name_hint(line.key, names));
      else
        read_safe(line, model_.outputs[static_cast<std::size_t>(name - names.begin())]);
    }
  }

  void read_safe(const TomlEntry& line, ForeignModel::Port& output) {
    Diagnostics findings;
    const SourceExpression text = read_expression(line.value, findings);
    work_.forward(findings);
    const std::optional<Literal> value = text.ast ? literal_of(*text.ast) : std::nullopt;
    if (!value)
      return error("Y107", line.value.where, "a safe value is a number with its unit",
                   "write 0 or \"20 degC\"");
    const FmuQuantity quantity = quantity_of(*model_.fmu, model_.fmu->variables[output.variable]);
    const Dimension given = value->unit ? value->unit->dimension : Dimension{};
    if (quantity.dimension && given != *quantity.dimension)
      return error("U004", line.value.where,
                   "the safe value of '" + line.key + "' has another dimension than it");
    if (const auto named =
            lower_value(work_, line.value, Reading{&work_.scopes.front(), "", std::nullopt}))
      if (const auto conflict = wrong_kind(named->kind, quantity.kind()))
        return error(
            "U007", line.value.where,
            "the safe value of '" + line.key + "' has another kind than it: " + conflict->cause,
            conflict->remedy);
    output.safe = value->value;
  }

  void read_fed(const std::string& key, FmuCausality causality,
                std::vector<ForeignModel::Fed>& to) {
    const TomlValue* fed = entry_.value.get(key);
    if (fed == nullptr) return;
    Diagnostics findings;
    if (!expect_kind(*fed, TomlValue::Kind::table, "'" + key + "'", findings))
      return work_.forward(findings);
    for (const TomlEntry& line : fed->entries) {
      const std::vector<Place> places = find(line.key, causality, line.where);
      if (places.size() > 1)
        error(
            "Y108", line.where,
            "'" + line.key + "' is an array of " + std::to_string(places.size()) + " elements",
            "name one: \"" +
                element_names(*model_.fmu, model_.fmu->variables[places.front().variable]).front() +
                "\"");
      else if (places.size() == 1)
        add_fed(line, places.front(), causality == FmuCausality::input, to);
    }
  }

  void add_fed(const TomlEntry& line, const Place& place, bool input,
               std::vector<ForeignModel::Fed>& to) {
    const FmuVariable& of = model_.fmu->variables[place.variable];
    const FmuQuantity quantity = quantity_of(*model_.fmu, of);
    const std::string path = model_.path + "." + plant_name(line.key);
    Workspace::ForeignLine later{
        work_.network.foreign.size(),   to.size(),      &line.value, nullptr, quantity.unit,
        quantity.dimension.has_value(), quantity.kind()};
    ForeignModel::Fed made{port(place, input ? path : "", line.where), {}};
    if (!input) {
      Slot slot;
      slot.given = &line.value;
      slot.reading = Reading{&work_.scopes.front(), "", std::nullopt};
      slot.name = slot.path = path;
      slot.where = line.value.where;
      later.slot = &work_.make_slot(std::move(slot));
      work_.declare(path, Target{std::nullopt, later.slot});
    }
    work_.foreign_lines.push_back(later);
    to.push_back(made);
  }

  Workspace& work_;
  const TomlEntry& entry_;
  ForeignModel model_;
};

}  // namespace

void declare_foreign(Workspace& work, const TomlValue& section) {
  for (const TomlEntry& entry : section.entries) ForeignReader(work, entry).read();
}

void lower_foreign(Workspace& work) {
  const Reading plant{&work.scopes.front(), "", std::nullopt};
  for (const Workspace::ForeignLine& line : work.foreign_lines) {
    if (line.model >= work.network.foreign.size()) continue;  // refused
    ForeignModel& model = work.network.foreign[line.model];
    ForeignModel::Fed& fed =
        line.slot != nullptr ? model.parameters[line.place] : model.inputs[line.place];
    std::optional<Named> value;
    if (line.slot != nullptr) {
      resolve(work, *line.slot);
      if (line.slot->state == Slot::State::done) value = work.named(*line.slot);
    } else {
      value = lower_value(work, *line.given, plant);
    }
    if (!value) continue;
    const Unit unit = parse_unit(line.unit).value_or(Unit{});
    const bool bare =
        work.network.graph().is_constant(value->value) && value->dimension == Dimension{};
    const std::string what =
        "what '" + model.fmu_of(fed.port).variables[fed.port.variable].name + "' of " +
        (model.members.empty() ? model.path : model.members[fed.port.member].path) + " is fed with";
    if (line.checked &&
        !check_dimension(work, *value, {unit, line.unit}, {line.given->where, what, bare}))
      continue;
    if (const auto conflict = wrong_kind(value->kind, line.kind); line.checked && conflict) {
      work.error("U007", line.given->where, what + " has another kind: " + conflict->cause,
                 conflict->remedy);
      continue;
    }
    fed.value = value->value;
  }
}

}  // namespace takt::codegen
