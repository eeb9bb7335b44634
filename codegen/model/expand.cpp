#include "codegen/model/expand.hpp"

#include <algorithm>

#include "codegen/library/line_keys.hpp"
#include "codegen/library/names.hpp"
#include "codegen/library/read_element.hpp"
#include "codegen/library/read_value.hpp"
#include "codegen/model/faults.hpp"
#include "codegen/model/laws.hpp"
#include "codegen/model/values.hpp"

namespace takt::codegen {
namespace {

constexpr int longest_array = 20000;
constexpr std::size_t most_instances = 250000;
constexpr std::size_t most_scopes = 20000;
constexpr std::size_t deepest_part = 100;

class Expander {
 public:
  explicit Expander(Workspace& work) : work_(work) {}

  void sections(Scope& scope, const TomlValue& table) {
    for (const TomlEntry& section : table.entries) {
      const auto& known = element_sections();
      const bool elements = std::find(known.begin(), known.end(), section.key) != known.end();
      if (!elements && section.key != "parts") continue;
      if (!is_table(section.value, "section '" + section.key + "'")) continue;
      for (const TomlEntry& line : section.value.entries) {
        if (section.key == "control" && line.key == "every") {
          scope.default_period = &line.value;
        } else if (line.key == "medium" &&
                   is_convective(domain_of(section.key).value_or(Domain::electric))) {
          scope.default_media[section.key] = &line.value;
        } else if (!valid_name(line)) {
          continue;
        } else if (elements) {
          element_line(scope, section.key, line);
        } else {
          part_line(scope, line);
        }
      }
    }
  }

 private:
  [[nodiscard]] bool is_table(const TomlValue& value, const std::string& what) {
    Diagnostics findings;
    const bool is = expect_kind(value, TomlValue::Kind::table, what, findings);
    work_.forward(findings);
    return is;
  }

  [[nodiscard]] bool valid_name(const TomlEntry& line) {
    if (!is_name(line.key)) {
      work_.error("M006", line.where, "'" + line.key + "' is no name",
                  "names are lower-case letters, digits and _, beginning with a letter");
      return false;
    }
    for (const DomainWords& words : domain_words) {
      if (line.key != words.reference) continue;
      work_.error("M019", line.where, "'" + line.key + "' is the name of a reference node");
      return false;
    }
    return true;
  }

  /// Members of an array, or one. nullopt after a report.
  [[nodiscard]] std::optional<int> members(const TomlEntry& line, const Reading& reading) {
    const TomlValue* count = line.value.get("n");
    if (count == nullptr) return 0;
    return read_count(work_, *count, reading, {"the length n of an array", 1, longest_array});
  }

  [[nodiscard]] bool room_for(std::size_t more, const Location& where) {
    if (work_.instances.size() + more <= most_instances &&
        work_.scopes.size() + more <= most_scopes)
      return true;
    work_.error("M023", where,
                "the plant has more than " + std::to_string(most_instances) + " elements or " +
                    std::to_string(most_scopes) + " parts");
    return false;
  }

  /// Elements of several sections may share a name (a motor in electric and rotational), an element
  /// and a part may not.
  [[nodiscard]] bool take_name(Scope& scope, const TomlEntry& line, bool is_part) {
    const auto [taken, fresh] = scope.taken.emplace(line.key, Scope::Taken{is_part, line.where});
    if (fresh || taken->second.is_part == is_part) return true;
    report_two(line, "an element and a part", is_part ? "the element" : "the part",
               taken->second.where);
    return false;
  }

  void report_two(const TomlEntry& line, const std::string& both, const std::string& other,
                  const Location& where) {
    work_.error("M019", line.where, "'" + line.key + "' names " + both,
                other + " stands in " + place_text(where) + "; give one of them another name");
  }

  /// Expressions of a scope name its parameters, its control blocks and, in the plant, its inputs
  /// without a section.
  void check_block_name(const Scope& scope, const TomlEntry& line) {
    Diagnostics findings;
    (void)is_free(line.key, NamePlace::block, line.where, findings);
    work_.forward(findings);
    if (const auto own = scope.parameters.find(line.key); own != scope.parameters.end()) {
      const Slot& slot = *own->second;
      report_two(line, "a parameter and a control block", "the parameter",
                 slot.definition != nullptr ? slot.definition->where : slot.where);
    }
    if (scope.part != nullptr) return;
    for (const PlantInput& input : work_.network.inputs)
      if (work_.network.graph().symbol(input.symbol).path == line.key)
        report_two(line, "an input and a control block", "the input", input.where);
  }

  // --- elements
  void element_line(Scope& scope, const std::string& section, const TomlEntry& line) {
    if (!is_table(line.value, "element '" + line.key + "'")) return;
    const ElementDefinition* definition = find_definition(section, line);
    Reading reading{&scope, section, std::nullopt};
    const auto count = definition == nullptr ? std::nullopt : members(line, reading);
    if (!count || !room_for(static_cast<std::size_t>(*count), line.where)) {
      work_.broken.insert(section + "." + scope.prefix + line.key);
      return;
    }
    check_line(*definition, line);
    if (!take_name(scope, line, false)) return;
    if (definition->is_control()) check_block_name(scope, line);
    const auto domain = domain_of(section);
    if (definition->self_node && domain && scope.terminals.contains({*domain, line.key})) {
      report_two(line, "a terminal of the part and an element that is a node",
                 "the part of the terminal", scope.part->where);
      return;
    }
    for (int member = 0; member < std::max(*count, 1); ++member) {
      if (*count > 0) reading.index = member;
      const std::string suffix = *count > 0 ? "[" + std::to_string(member) + "]" : std::string();
      make_instance(*definition, line, reading, section + "." + scope.prefix + line.key + suffix);
    }
  }

  [[nodiscard]] const ElementDefinition* find_definition(const std::string& section,
                                                         const TomlEntry& line) {
    const TomlValue* is = line.value.get("is");
    if (is == nullptr) {
      work_.error("M007", line.where, "'" + line.key + "' does not say what it is",
                  line.value.get("of") != nullptr && section != "control"
                      ? "instances of parts stand in [parts]"
                      : "write { is = \"ELEMENT\", ... }");
      return nullptr;
    }
    Diagnostics findings;
    const std::string name = read_string(*is, "'is'", findings);
    work_.forward(findings);
    if (name.empty()) return nullptr;
    const ElementDefinition* definition = work_.library.find(section, name);
    if (definition != nullptr) return definition;
    std::string hint = name_hint(name, work_.library.names(section));
    const auto elsewhere = work_.library.find_all(name);
    if (!elsewhere.empty())
      hint = "there is '" + elsewhere.front()->full_name() + "': it stands in section [" +
             elsewhere.front()->section + "]";
    work_.error("M010", is->where, "there is no element '" + name + "' in the section " + section,
                hint);
    return nullptr;
  }

  [[nodiscard]] static std::string value_hint(const ParameterDefinition& parameter) {
    if (parameter.kind == ParameterDefinition::Kind::gate)
      return "a signal that is 1 or 0, such as \"control.pwm.high\"";
    return parameter.unit_text == "any" ? std::string("...") : "... in " + parameter.unit_text;
  }

  /// Keys of the line and parameters without value; once for an array.
  void check_line(const ElementDefinition& definition, const TomlEntry& line) {
    const std::vector<std::string> known = line_keys(definition);
    for (const auto* list : {&definition.parameters, &definition.inputs}) {
      for (const auto& parameter : *list) {
        if (parameter.optional || line.value.find(parameter.name) != nullptr) continue;
        work_.error("M012", line.where, "'" + line.key + "' needs '" + parameter.name + "'",
                    "give " + parameter.name + " = " + value_hint(parameter));
      }
    }
    for (const TomlEntry& key : line.value.entries) {
      if (std::find(known.begin(), known.end(), key.key) != known.end()) continue;
      const bool heat = key.key == "heat";
      work_.error(heat ? "M016" : "M011", key.where,
                  "element '" + definition.full_name() + "' has no " +
                      (heat ? "heat port" : "parameter '" + key.key + "'"),
                  heat ? std::string() : name_hint(key.key, known));
    }
  }

  void make_instance(const ElementDefinition& definition, const TomlEntry& line,
                     const Reading& reading, const std::string& path) {
    Instance& instance = work_.instances.emplace_back();
    instance.definition = &definition;
    instance.path = path;
    instance.reading = reading;
    instance.entry = &line;
    for (const auto* list : {&definition.parameters, &definition.inputs}) {
      for (const auto& parameter : *list) make_parameter(parameter, instance, line);
    }
    if (!definition.is_control()) {
      make_element(work_, instance);
    } else if (definition.state_machine) {
      make_machine(work_, instance);
    } else {
      for (const auto& output : definition.outputs) {
        instance.let_symbols[output.name] =
            work_.make_symbol(path + "." + output.name, output.unit_text);
      }
      for (const auto& state : definition.states) {
        const SymbolId symbol = work_.make_symbol(path + "." + state.name, state.unit_text);
        instance.variables[state.name] = work_.named(symbol);
      }
    }
    for (const auto& [name, slot] : instance.parameters)
      work_.declare(slot->path, Target{std::nullopt, slot});
    make_fault_parameters(work_, instance);
  }

  void make_parameter(const ParameterDefinition& parameter, Instance& instance,
                      const TomlEntry& line) {
    Slot slot;
    slot.definition = &parameter;
    slot.given = line.value.get(parameter.name);
    slot.reading = instance.reading;
    slot.siblings = &instance.parameters;
    slot.name = parameter.name;
    slot.where = slot.given != nullptr ? slot.given->where : line.where;
    slot.path = instance.path +
                (is_variable(*instance.definition, parameter.name) ? ".param." : ".") +
                parameter.name;
    if (slot.given == nullptr && !parameter.optional)
      slot.state = Slot::State::failed;  // reported with the line
    instance.parameters[parameter.name] = &work_.make_slot(std::move(slot));
  }

  /// A branch variable hides the parameter of its name on paths.
  [[nodiscard]] static bool is_variable(const ElementDefinition& definition,
                                        const std::string& name) {
    if (definition.switches(name) || (definition.content && (name == "t" || name == "x")))
      return true;
    if (definition.branches.size() == 1 && definition.branches.front().name.empty()) {
      const DomainWords& words = words_of(definition.branches.front().domain);
      if (name == words.across || name == words.through || name == words.charge ||
          name == words.linkage)
        return true;
    }
    return false;
  }

  // --- parts
  void part_line(Scope& scope, const TomlEntry& line) {
    if (!is_table(line.value, "part '" + line.key + "'")) return;
    const PartDefinition* part = find_part(line);
    if (part == nullptr || recursive(scope, *part, line)) {
      work_.broken.insert("*." + scope.prefix + line.key);
      return;
    }
    if (!take_name(scope, line, true)) return;
    Reading reading{&scope, "", std::nullopt};
    const auto count = members(line, reading);
    if (!count || !room_for(static_cast<std::size_t>(*count), line.where)) return;
    check_part_line(*part, line);
    for (int member = 0; member < std::max(*count, 1); ++member) {
      if (*count > 0) reading.index = member;
      const std::string suffix = *count > 0 ? "[" + std::to_string(member) + "]" : std::string();
      if (!room_for(1, line.where)) return;
      make_scope(*part, {line, reading}, scope.prefix + line.key + suffix);
    }
  }

  [[nodiscard]] const PartDefinition* find_part(const TomlEntry& line) {
    const TomlValue* of = line.value.get("of");
    if (of == nullptr) {
      work_.error("M007", line.where, "'" + line.key + "' does not say what it is a part of",
                  "write { of = \"PART\", ... }");
      return nullptr;
    }
    Diagnostics findings;
    const std::string name = read_string(*of, "'of'", findings);
    work_.forward(findings);
    if (name.empty()) return nullptr;
    if (const auto found = work_.parts.find(name); found != work_.parts.end())
      return &found->second;
    std::vector<std::string> known;
    for (const auto& [part, definition] : work_.parts) known.push_back(part);
    work_.error("M020", of->where, "there is no part '" + name + "'",
                known.empty() ? "define it in [part." + name + "]" : name_hint(name, known));
    return nullptr;
  }

  [[nodiscard]] bool recursive(const Scope& scope, const PartDefinition& part,
                               const TomlEntry& line) {
    std::string chain = part.name;
    std::size_t depth = 1;
    for (const Scope* outer = &scope; outer != nullptr && outer->part != nullptr;
         outer = outer->parent) {
      if (++depth > deepest_part) {
        work_.error("M023", line.where,
                    "parts nest more than " + std::to_string(deepest_part) + " deep",
                    "name what is nested so deep in fewer parts");
        return true;
      }
      chain = outer->part->name + " -> " + chain;
      if (outer->part != &part) continue;
      work_.error("M021", line.where, "part '" + part.name + "' contains itself: " + chain,
                  "parts nest, but not in a circle");
      return true;
    }
    return false;
  }

  void check_part_line(const PartDefinition& part, const TomlEntry& line) {
    std::vector<std::string> known{"of", "at", "n"};
    for (const auto& parameter : part.parameters) {
      known.push_back(parameter.name);
      if (parameter.optional || line.value.find(parameter.name) != nullptr) continue;
      work_.error("M012", line.where, "'" + line.key + "' needs '" + parameter.name + "'",
                  "give " + parameter.name + " = ... in " + parameter.unit_text);
    }
    for (const TomlEntry& key : line.value.entries) {
      if (std::find(known.begin(), known.end(), key.key) != known.end()) continue;
      work_.error("M011", key.where, "part '" + part.name + "' has no parameter '" + key.key + "'",
                  name_hint(key.key, known));
    }
  }

  void make_scope(const PartDefinition& part, const PlantLine& at, const std::string& path) {
    const auto& [line, reading] = at;
    Scope& inner = work_.scopes.emplace_back();
    inner.parent = reading.scope;
    inner.part = &part;
    inner.prefix = path + ".";
    for (const auto& parameter : part.parameters) {
      Slot slot;
      slot.definition = &parameter;
      slot.given = line.value.get(parameter.name);
      slot.reading = reading;
      slot.siblings = &inner.parameters;
      slot.name = parameter.name;
      slot.path = "parts." + inner.prefix + parameter.name;
      slot.where = slot.given != nullptr ? slot.given->where : line.where;
      if (slot.given == nullptr && !parameter.optional) slot.state = Slot::State::failed;
      Slot& made = work_.make_slot(std::move(slot));
      inner.parameters[parameter.name] = &made;
      work_.declare(made.path, Target{std::nullopt, &made});
    }
    const auto nodes = connect(work_, at, part.terminals, "part '" + part.name + "'");
    for (const auto& terminal : part.terminals) {
      if (const auto node = nodes.find(terminal.name); node != nodes.end())
        inner.terminals[{terminal.domain, terminal.name}] = node->second;
    }
    sections(inner, *part.table);
  }

  Workspace& work_;
};

}  // namespace

void declare_parts(Workspace& work, const TomlValue& parts) {
  Diagnostics findings;
  if (!expect_kind(parts, TomlValue::Kind::table, "section 'part'", findings))
    return work.forward(findings);
  for (const TomlEntry& entry : parts.entries) {
    if (!is_name(entry.key)) {
      findings.error("M006", entry.where, "'" + entry.key + "' is no name",
                     "names are lower-case letters, digits and _, beginning with a letter");
      continue;
    }
    if (!expect_kind(entry.value, TomlValue::Kind::table, "part '" + entry.key + "'", findings))
      continue;
    std::vector<std::string> known{"doc", "param", "terminal", "parts"};
    known.insert(known.end(), element_sections().begin(), element_sections().end());
    check_keys(entry.value, known, "M005", "a part", findings);
    PartDefinition part;
    part.name = entry.key;
    part.table = &entry.value;
    part.where = entry.where;
    const TomlValue* parameters = entry.value.get("param");
    if (parameters != nullptr &&
        expect_kind(*parameters, TomlValue::Kind::table, "'param'", findings)) {
      for (const TomlEntry& parameter : parameters->entries) {
        if (is_name(parameter.key)) {
          (void)is_free(parameter.key, NamePlace::block, parameter.where, findings);
          part.parameters.push_back(read_parameter(parameter, findings));
        } else {
          findings.error("M006", parameter.where, "'" + parameter.key + "' is no name");
        }
      }
    }
    if (const TomlValue* terminals = entry.value.get("terminal")) {
      for (const auto& [text, place] : read_strings(*terminals, "'terminal'", findings)) {
        part.terminals.push_back(
            read_terminal(text, place->text_where, Domain::electric, findings));
      }
    }
    work.parts.emplace(entry.key, std::move(part));
  }
  work.forward(findings);
}

void expand_sections(Workspace& work, Scope& scope, const TomlValue& table) {
  Expander(work).sections(scope, table);
}

}  // namespace takt::codegen
