#include "codegen/model/ports.hpp"

#include <algorithm>

#include "codegen/library/names.hpp"
#include "codegen/library/read_value.hpp"
#include "codegen/model/expand.hpp"
#include "codegen/model/fmu_units.hpp"
#include "codegen/model/foreign_variables.hpp"
#include "codegen/text/nearest.hpp"

namespace takt::codegen {
namespace {

constexpr const char* form =
    "write shaft = { at = \"rotational.crank\", across = \"w\", through = \"tau\" }";

/// The source on the circuit's side, as an element of its section. There is no such element to
/// write in a plant file: its value comes with the variable that the FMU takes.
std::string definition_of(const DomainWords& words, bool gives_through) {
  const std::string word(gives_through ? words.through : words.across);
  return "[" + std::string(words.name) + "." +
         (gives_through ? "fmu_port_through" : "fmu_port_across") + "]\n" +
         "doc = \"port of an FMU that gives the " + word +
         "\"\nsource = \"definition\"\nterminals = [\"p\", \"n\"]\n" + "param = { value = \"" +
         std::string(gives_through ? words.through_unit : words.across_unit) + "\" }\n" +
         "branch = { kind = \"" + (gives_through ? "T" : "A") + "\", law = \"" + word +
         " = value\" }\n";
}

class PortReader {
 public:
  PortReader(Workspace& work, const TomlEntry& entry, ForeignModel& model)
      : work_(work),
        entry_(entry),
        model_(model),
        what_("port '" + entry.key + "' of " + model.path) {}

  void read() {
    if (!is_name(entry_.key)) return error("M006", entry_.where, "'" + entry_.key + "' is no name");
    Diagnostics findings;
    const bool is_table = expect_kind(entry_.value, TomlValue::Kind::table, what_, findings);
    if (is_table)
      check_keys(entry_.value, {"at", "across", "through", "gives", "sign"}, "M005", "a port",
                 findings);
    work_.forward(findings);
    if (!is_table || findings.has_errors() || !find_nodes()) return broken();
    if (!find_variable("across", across_) || !find_variable("through", through_) || !choose() ||
        !read_sign())
      return broken();
    connect();
  }

 private:
  void broken() { work_.broken.insert(model_.path); }
  void error(std::string_view code, const Location& where, const std::string& message,
             const std::string& hint = {}) {
    work_.error(code, where, message, hint);
    broken();
  }
  bool no(std::string_view code, const Location& where, const std::string& message,
          const std::string& hint = {}) {
    error(code, where, message, hint);
    return false;
  }

  bool find_nodes() {
    const TomlValue* at = entry_.value.get("at");
    if (at == nullptr) return no("Y130", entry_.where, what_ + " does not say where it is", form);
    if (!at->is_array()) {
      if (!at->is_string())
        return no("Y130", at->where, "`at` of " + what_ + " is a node or two", form);
      if (!find_node(*at, from_, false)) return false;
      const DomainWords& words = words_of(domain());
      to_ = work_.node_at(domain(), std::string(words.name) + "." + std::string(words.reference),
                          at->where);
      return true;
    }
    if (at->items.size() != 2 || !at->items[0].is_string() || !at->items[1].is_string())
      return no("Y130", at->where, "`at` of " + what_ + " is a node or two", form);
    if (!find_node(at->items[0], from_, true) || !find_node(at->items[1], to_, true)) return false;
    const auto is_reference = [&](NodeId id) {
      return work_.network.nodes[static_cast<std::size_t>(id)].reference;
    };
    if (from_ == to_ || (is_reference(from_) && is_reference(to_)))
      return no("Y131", at->where, "both ends of " + what_ + " are the same node",
                "between them there is no difference");
    if (words_of(domain()).through_is_power && !is_reference(from_) && !is_reference(to_))
      return no(
          "Y131", at->where,
          what_ + " joins two walls: the heat that goes in at one need not come out at the other",
          "write two ports, one for each wall");
    const Domain other = work_.network.nodes[static_cast<std::size_t>(to_)].domain;
    if (other != domain())
      return no("Y131", at->where,
                "the ends of " + what_ + " are in two domains, " +
                    std::string(words_of(domain()).name) + " and " +
                    std::string(words_of(other).name),
                "a port joins one circuit: write one for each");
    return true;
  }

  [[nodiscard]] Domain domain() const {
    return work_.network.nodes[static_cast<std::size_t>(from_)].domain;
  }

  bool find_node(const TomlValue& name, NodeId& to, bool may_be_reference) {
    const std::string section = name.text.substr(0, name.text.find('.'));
    const auto domain =
        name.text.find('.') == std::string::npos ? std::nullopt : domain_of(section);
    std::vector<std::string> known;
    for (const NetworkNode& node : work_.network.nodes)
      if ((!domain || words_of(node.domain).name == section) && !node.reference)
        known.push_back(node.path);
    if (!domain)
      return no("Y131", name.where, "'" + name.text + "' does not name a node with its section",
                name_hint(name.text, known));
    if (is_convective(*domain))
      return no("Y131", name.where,
                what_ + " joins a " + section +
                    " circuit: its mass carries energy that two variables do not tell",
                "let the FMU drive a source of the circuit by signals, or join it where heat or "
                "torque crosses");
    const DomainWords& words = words_of(*domain);
    if (name.text == section + "." + std::string(words.reference)) {
      if (!may_be_reference)
        return no(
            "Y131", name.where,
            what_ + " is at " + name.text + ", whose " + std::string(words.across) + " is always 0",
            "name the node that the FMU acts on");
      to = work_.node_at(*domain, name.text, name.where);
      return true;
    }
    const auto found = work_.nodes.find(name.text);
    if (found == work_.nodes.end())
      return no("Y131", name.where,
                "there is no node '" + name.text + "' in the circuits of the plant",
                name_hint(name.text, known));
    to = found->second;
    return true;
  }

  bool find_variable(const char* key, std::size_t& to) {
    const TomlValue* name = entry_.value.get(key);
    if (name == nullptr || !name->is_string())
      return no("Y130", name != nullptr ? name->where : entry_.where,
                what_ + " does not say which variable of the FMU is its " + key + " variable",
                form);
    const auto& variables = model_.fmu->variables;
    std::vector<std::string> fit;
    to = variables.size();
    for (std::size_t index = 0; index < variables.size(); ++index) {
      const FmuVariable& of = variables[index];
      if (of.causality == FmuCausality::input || of.causality == FmuCausality::output)
        fit.push_back(of.name);
      if (of.name == name->text) to = index;
    }
    if (to == variables.size())
      return no("Y132", name->where, model_.path + " has no variable '" + name->text + "'",
                name_hint(name->text, fit));
    const FmuVariable& of = variables[to];
    const bool real = of.type == FmuType::float64 || of.type == FmuType::float32;
    if (!real || of.size != 1 || !of.dimensions.empty() ||
        of.variability != FmuVariability::continuous ||
        (of.causality != FmuCausality::input && of.causality != FmuCausality::output))
      return no("Y132", name->where,
                "'" + name->text + "' of " + model_.path + " cannot be a variable of a port",
                "it is a continuous input or output, one number of a floating type");
    return unit_fits(*name, of, key);
  }

  bool unit_fits(const TomlValue& name, const FmuVariable& of, const std::string& key) {
    const DomainWords& words = words_of(domain());
    const std::string unit(key == "across" ? words.across_unit : words.through_unit);
    const FmuQuantity quantity = quantity_of(*model_.fmu, of);
    const bool is_same =
        !quantity.dimension || *quantity.dimension == parse_unit(unit).value_or(Unit{}).dimension;
    if (is_same && !wrong_kind(kind_of_unit(quantity.unit), kind_of_unit(unit))) return true;
    return no(
        "Y133", name.where,
        "'" + of.name + "' of " + model_.path + " is in " + of.unit + ", the " + key +
            " variable of " + std::string(words.name) + " circuits in " + unit,
        "look whether `across` and `through` are exchanged, or the node is of another domain");
  }

  /// Who gives what: causality says it; `gives` may say it again.
  bool choose() {
    const auto gives = [&](std::size_t index) {
      return model_.fmu->variables[index].causality == FmuCausality::output;
    };
    const std::string &across = model_.fmu->variables[across_].name,
                      &through = model_.fmu->variables[through_].name;
    if (gives(across_) == gives(through_))
      return no("Y132", entry_.where,
                "'" + across + "' and '" + through + "' of " + model_.path + " are both " +
                    (gives(across_) ? "outputs" : "inputs"),
                "a port gives the circuit one of its variables (an output) and takes the other (an "
                "input)");
    made_.gives_through = gives(through_);
    const TomlValue* given = entry_.value.get("gives");
    if (given != nullptr) {
      if (!given->is_string() || (given->text != "through" && given->text != "across"))
        return no("Y130", given->where, "`gives` of " + what_ + " is \"through\" or \"across\"",
                  "leave it out: which variable is an output says it");
      if ((given->text == "through") != made_.gives_through)
        return no("Y132", given->where,
                  what_ + " cannot give its " + given->text + " variable: '" +
                      (made_.gives_through ? across : through) + "' is an input of the FMU",
                  std::string("write gives = \"") + (made_.gives_through ? "through" : "across") +
                      "\", or leave it out");
    }
    const std::size_t taken = made_.gives_through ? across_ : through_;
    if (std::any_of(model_.inputs.begin(), model_.inputs.end(),
                    [&](const ForeignModel::Fed& fed) { return fed.port.variable == taken; }))
      return no("Y132", entry_.value.get(made_.gives_through ? "across" : "through")->where,
                "'" + model_.fmu->variables[taken].name + "' of " + model_.path + " is fed already",
                "leave it out of `inputs`, and of other ports: the circuit feeds it");
    return true;
  }

  bool read_sign() {
    const TomlValue* sign = entry_.value.get("sign");
    if (sign == nullptr) return true;
    if (!sign->is_string() || (sign->text != "+" && sign->text != "-"))
      return no("Y130", sign->where,
                "the sign of a port is \"+\" (its through variable counts into the FMU) or \"-\" "
                "(out of it)");
    made_.sign = sign->text == "-" ? -1.0 : 1.0;
    return true;
  }

  void connect() {
    made_.name = entry_.key, made_.where = entry_.where;
    const std::string given = give();
    const std::size_t before = work_.instances.size();
    expand_sections(work_, own_scope(), source_of(minus() + given));
    if (work_.instances.size() != before + 1 || work_.instances.back().branches.empty())
      return broken();
    const Instance& source = work_.instances.back();
    made_.branch = source.branches.front();
    const DomainWords& words = words_of(domain());
    feed(source.path + "." + std::string(made_.gives_through ? words.across : words.through));
    const std::string path = model_.path + "." + made_.name + ".";
    made_.power = work_.make_symbol(path + "power", "W");
    made_.sent = work_.make_symbol(path + "sent", "J");
    made_.taken = work_.make_symbol(path + "taken", "J");
    made_.unclosed = work_.make_symbol(path + "unclosed", "J");
    model_.ports.push_back(made_);
  }

  /// A through variable that counts out of the FMU is turned round.
  [[nodiscard]] std::string minus() const {
    return made_.gives_through && made_.sign < 0.0 ? "-" : "";
  }

  /// The output that the source follows: one that is there, or a new one.  @return its path
  std::string give() {
    const std::size_t variable = made_.gives_through ? through_ : across_;
    const Graph& graph = work_.network.graph();
    for (const ForeignModel::Port& output : model_.outputs) {
      if (output.variable != variable) continue;
      made_.given = output.symbol;
      return graph.symbol(output.symbol).path;
    }
    const std::string path = model_.path + "." + plant_name(model_.fmu->variables[variable].name);
    model_.outputs.push_back(exchanged(work_, model_, {variable, 0}, {path, entry_.where}));
    made_.given = model_.outputs.back().symbol;
    return path;
  }

  /// @param variable  path of what the FMU takes
  void feed(const std::string& variable) {
    const std::size_t index = made_.gives_through ? across_ : through_;
    const FmuVariable& of = model_.fmu->variables[index];
    const FmuQuantity quantity = quantity_of(*model_.fmu, of);
    const std::string path = model_.path + "." + plant_name(of.name);
    const ForeignModel::Port port = exchanged(work_, model_, {index, 0}, {path, entry_.where});
    made_.fed = port.symbol;
    const bool turned = !made_.gives_through && made_.sign < 0.0;
    work_.foreign_lines.push_back({work_.network.foreign.size(), model_.inputs.size(),
                                   &text((turned ? "-" : "") + variable), nullptr, quantity.unit,
                                   quantity.dimension.has_value()});
    model_.inputs.push_back({port, {}});
  }

  /// Names of the plant, and the two nodes as terminals: they may lie inside of parts.
  Scope& own_scope() {
    Scope& scope = work_.scopes.emplace_back();
    scope.parent = &work_.scopes.front();
    scope.prefix = model_.path + ".";
    scope.terminals = {{{domain(), made_.name + "_p"}, from_},
                       {{domain(), made_.name + "_n"}, to_}};
    return scope;
  }

  TomlValue& text(const std::string& content) {
    TomlValue& made = work_.texts.emplace_back();
    made.kind = TomlValue::Kind::string;
    made.text = content;
    made.where = made.text_where = entry_.where;
    return made;
  }

  /// { SECTION = { NAME = { is = "fmu_port_...", at = [...], value = "fmu.engine.tau" } } }
  const TomlValue& source_of(const std::string& value) {
    const DomainWords& words = words_of(domain());
    const std::string section(words.name),
        type = made_.gives_through ? "fmu_port_through" : "fmu_port_across";
    if (work_.library.find(section, type) == nullptr) {
      Diagnostics findings;
      const auto definition =
          parse_toml(definition_of(words, made_.gives_through), work_.file, findings);
      if (definition) add_definitions(work_.library, *definition, findings);
      work_.forward(findings);
    }
    const auto table = [&](std::vector<TomlEntry> entries) {
      TomlValue made;
      made.kind = TomlValue::Kind::table;
      made.where = entry_.where, made.entries = std::move(entries);
      return made;
    };
    TomlValue at;
    at.kind = TomlValue::Kind::array;
    at.where = entry_.where;
    at.items = {text(made_.name + "_p"), text(made_.name + "_n")};
    TomlValue element = table({{"is", entry_.where, text(type)},
                               {"at", entry_.where, at},
                               {"value", entry_.where, text(value)}});
    return work_.texts.emplace_back(
        table({{section, entry_.where, table({{made_.name, entry_.where, std::move(element)}})}}));
  }

  Workspace& work_;
  const TomlEntry& entry_;
  ForeignModel& model_;
  const std::string what_;
  ForeignPort made_;
  NodeId from_{}, to_{};
  std::size_t across_ = 0, through_ = 0;
};

}  // namespace

void declare_ports(Workspace& work, const TomlValue& ports, ForeignModel& model) {
  Diagnostics findings;
  if (!expect_kind(ports, TomlValue::Kind::table, "'ports'", findings))
    return work.forward(findings);
  for (const TomlEntry& entry : ports.entries) PortReader(work, entry, model).read();
}

}  // namespace takt::codegen
