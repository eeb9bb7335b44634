// An element comes into being: its nodes, branches and symbols.

#include "codegen/library/read_value.hpp"
#include "codegen/model/expand.hpp"
#include "codegen/model/values.hpp"

namespace takt::codegen {
namespace {

/// Makes nodes, branches and symbols of one element.
class ElementMaker {
 public:
  ElementMaker(Workspace& work, Instance& instance)
      : work_(work), instance_(instance), definition_(*instance.definition) {}

  void make() {
    Network& network = work_.network;
    instance_.element = static_cast<ElementId>(network.elements.size());
    Element element;
    element.path = instance_.path;
    element.type = definition_.full_name();
    element.home = domain_of(definition_.section).value_or(Domain::electric);
    element.joins_circuit = definition_.joins_circuit;
    element.pump = definition_.pump;
    element.has_equations = !definition_.equations.empty();
    element.where = instance_.entry->where;
    network.elements.push_back(std::move(element));

    make_vertices();
    for (const BranchDefinition& branch : definition_.branches) make_branch(branch);
    make_two_ports();
    for (const StateDefinition& state : definition_.states) {
      instance_.variables[state.name] =
          work_.named(work_.make_symbol(instance_.path + "." + state.name, state.unit_text));
    }
    for (const UnknownDefinition& unknown : definition_.unknowns) {
      instance_.variables[unknown.name] =
          work_.named(work_.make_symbol(instance_.path + "." + unknown.name, unknown.unit_text));
    }
    for (const LetDefinition& let : definition_.lets) {
      instance_.let_symbols[let.name] =
          work_.make_symbol(instance_.path + "." + let.name, let.unit_text);
    }
    make_switching();
    make_delays(work_, instance_);
    make_heat_port();
  }

 private:
  [[nodiscard]] Element& element() {
    return work_.network.elements[static_cast<std::size_t>(instance_.element)];
  }

  void make_vertices() {
    const Location& where = instance_.entry->where;
    instance_.vertices =
        connect(work_, {*instance_.entry, instance_.reading}, definition_.terminals,
                "element '" + definition_.full_name() + "'");
    for (const auto& terminal : definition_.terminals) {
      if (instance_.vertices.contains(terminal.name)) continue;
      // Reported; a node of its own lets the rest be checked.
      instance_.vertices[terminal.name] =
          work_.node_at(terminal.domain, instance_.path + ".open." + terminal.name, where);
    }
    check_ends();
    for (const auto& terminal : definition_.terminals) cross(terminal);
    for (const auto& node : definition_.internal_nodes) {
      const std::string section(words_of(node.domain).name);
      const std::string inner = instance_.path.substr(instance_.path.find('.'));
      instance_.vertices[node.name] =
          work_.node_at(node.domain, section + inner + "." + node.name, where);
    }
    if (definition_.self_node) {
      const Domain home = element().home;
      const NodeId self = work_.node_at(home, instance_.path, where);
      work_.network.nodes[static_cast<std::size_t>(self)].where = where;
      instance_.vertices["self"] = self;
      element().self = self;
      work_.walls.insert(self);
    }
  }

  /// An element that begins and ends at one node drives nothing and is driven by nothing. In a part
  /// its ends may meet outside, where that is meant; so may those of one of several branches.
  void check_ends() {
    const auto& terminals = definition_.terminals;
    const auto same = [&](const std::string& from, const std::string& to) {
      const auto a = instance_.vertices.find(from), b = instance_.vertices.find(to);
      return a != b && a != instance_.vertices.end() && b != instance_.vertices.end() &&
             a->second == b->second;
    };
    if (terminals.size() == 2 && same(terminals[0].name, terminals[1].name))
      return report_ends(instance_.path, terminals[0].name,
                         instance_.reading.scope->prefix.empty());
    for (const BranchDefinition& branch : definition_.branches)
      if (terminals.size() > 2 && same(branch.from, branch.to))
        return report_ends(instance_.path + "." + branch.name, branch.from, false);
  }

  void report_ends(const std::string& what, const std::string& terminal, bool refused) {
    const std::string message =
        "both ends of '" + what + "' are '" +
        work_.network.nodes[static_cast<std::size_t>(instance_.vertices.at(terminal))].path + "'";
    const std::string hint =
        "between a node and itself nothing flows that another element could see: name the other "
        "node, or take the element out";
    if (refused)
      work_.error("M048", instance_.entry->where, message, hint);
    else
      work_.warning("M048", instance_.entry->where, message, hint);
  }

  /// A solid terminal at a node that mass flows through gets a node of its own in the solid
  /// circuit.
  void cross(const TerminalDefinition& terminal) {
    const NodeId outer = instance_.vertices.at(terminal.name);
    const NetworkNode& node = work_.network.nodes[static_cast<std::size_t>(outer)];
    if (terminal.domain != Domain::solid || !is_convective(node.domain)) return;
    if (node.reference) {
      work_.error("M015", instance_.entry->where, "'" + node.path + "' has no temperature");
      return;
    }
    const NodeId inner =
        work_.node_at(Domain::solid, instance_.path + "." + terminal.name, instance_.entry->where);
    ++work_.node_uses[static_cast<std::size_t>(inner)];
    work_.crossings.push_back({&instance_, terminal.name, inner, outer});
    instance_.vertices[terminal.name] = inner;
  }

  [[nodiscard]] NodeId vertex(const std::string& name, Domain domain) {
    if (!name.empty()) {
      if (const auto found = instance_.vertices.find(name); found != instance_.vertices.end())
        return found->second;
    }
    return reference(domain);
  }

  [[nodiscard]] NodeId reference(Domain domain) {
    const DomainWords& words = words_of(domain);
    return work_.node_at(domain, std::string(words.name) + "." + std::string(words.reference),
                         instance_.entry->where);
  }

  BranchId add_branch(Branch branch) {
    const auto id = static_cast<BranchId>(work_.network.branches.size());
    branch.element = instance_.element;
    branch.where = instance_.entry->where;
    for (const NodeId end : {branch.from, branch.to})
      ++work_.node_uses[static_cast<std::size_t>(end)];
    work_.network.branches.push_back(std::move(branch));
    element().branches.push_back(id);
    return id;
  }

  void make_branch(const BranchDefinition& definition) {
    const DomainWords& words = words_of(definition.domain);
    Branch branch;
    branch.path = instance_.path + (definition.name.empty() ? "" : "." + definition.name);
    branch.domain = definition.domain;
    branch.kind = definition.kind;
    branch.form = definition.form;
    branch.from = vertex(definition.from, definition.domain);
    branch.to = vertex(definition.to, definition.domain);
    branch.across = declare_variable(definition, branch.path, words.across, words.across_unit);
    branch.through = declare_variable(definition, branch.path, words.through, words.through_unit);
    if (definition.kind == BranchKind::across_storage)
      branch.stored = declare_variable(definition, branch.path, words.charge, words.charge_unit);
    if (definition.kind == BranchKind::through_storage)
      branch.stored = declare_variable(definition, branch.path, words.linkage, words.linkage_unit);
    if (definition_.self_node && definition.from == "self" && definition.to.empty())
      work_.potentials.emplace(branch.from, branch.across);
    instance_.branches.push_back(add_branch(std::move(branch)));
  }

  SymbolId declare_variable(const BranchDefinition& branch, const std::string& path,
                            std::string_view word, std::string_view unit) {
    const SymbolId symbol = work_.make_symbol(path + "." + std::string(word), unit);
    // Across a branch there is a difference of temperatures, from absolute zero a temperature.
    const bool is_whole =
        work_.network.nodes[static_cast<std::size_t>(vertex(branch.to, branch.domain))].reference;
    if (branch.domain == Domain::solid && unit == "K")
      work_.kinds[symbol] = temperature_kind(is_whole ? 1.0 : 0.0);
    const Named variable = work_.named(symbol);
    if (!branch.name.empty()) instance_.variables[branch.name + "." + std::string(word)] = variable;
    if (definition_.branches.size() == 1) instance_.variables[std::string(word)] = variable;
    return symbol;
  }

  /// Symbols of what switches: gates, modes, linearisation points, energies at edges.
  void make_switching() {
    const auto make = [&](const std::string& name, std::string_view unit) {
      instance_.variables[name] = work_.named(work_.make_symbol(instance_.path + "." + name, unit));
    };
    for (const ParameterDefinition& parameter : definition_.parameters) {
      if (parameter.kind == ParameterDefinition::Kind::gate) make(parameter.name, "1");
    }
    for (const ModeDefinition& mode : definition_.modes)
      make(mode.name, mode.unit_text.empty() ? "1" : mode.unit_text);
    for (const PointDefinition& point : definition_.points) make(point.name, point.unit_text);
    for (const EdgeDefinition& edge : definition_.edges) make(edge.name, "J");
  }

  void make_two_ports() {
    instance_.first_two_port = work_.network.two_ports.size();
    for (const TwoPortDefinition& definition : definition_.two_ports) {
      TwoPort two_port;
      for (std::size_t index = 0; index < definition_.branches.size(); ++index) {
        if (definition_.branches[index].name == definition.a)
          two_port.a = instance_.branches[index];
        if (definition_.branches[index].name == definition.b)
          two_port.b = instance_.branches[index];
      }
      two_port.where = instance_.entry->where;
      work_.network.two_ports.push_back(two_port);
    }
  }

  void make_heat_port() {
    if (!definition_.heat) return;
    if (const TomlValue* heat = instance_.entry->value.get("heat")) connect_heat(*heat);
    if (definition_.heat->loss && !instance_.let_symbols.contains("loss")) {
      instance_.let_symbols["loss"] = work_.make_symbol(instance_.path + ".loss", "W");
    }
    if (!instance_.heat_node) return;
    instance_.temperature_symbol = work_.make_symbol(instance_.path + ".t", "K");
    work_.kinds[*instance_.temperature_symbol] = temperature_kind(1.0);
    if (!definition_.heat->loss ||
        is_convective(work_.network.nodes[static_cast<std::size_t>(*instance_.heat_node)].domain))
      return;
    Branch branch;
    branch.path = instance_.path + ".heat";
    branch.domain = Domain::solid;
    branch.kind = BranchKind::through_source;
    branch.form = LawForm::through_of;
    branch.from = reference(Domain::solid);
    branch.to = *instance_.heat_node;
    branch.across = work_.make_symbol(branch.path + ".across", "K");
    branch.through = work_.make_symbol(branch.path + ".h", "W");
    instance_.heat_branch = add_branch(std::move(branch));
  }

  void connect_heat(const TomlValue& value) {
    Diagnostics findings;
    const std::string text = read_string(value, "'heat'", findings);
    work_.forward(findings);
    if (text.empty()) return;
    const auto node =
        find_vertex(work_, {text, value.text_where, Domain::solid}, instance_.reading);
    if (!node) return;
    if (work_.network.nodes[static_cast<std::size_t>(*node)].reference) {
      work_.error("M016", value.where, "a heat port cannot be connected to absolute zero",
                  "name a wall");
      return;
    }
    instance_.heat_node = node;
    work_.heat_uses.push_back({*node, value.where});
  }

  Workspace& work_;
  Instance& instance_;
  const ElementDefinition& definition_;
};

}  // namespace

void make_element(Workspace& work, Instance& instance) { ElementMaker(work, instance).make(); }

}  // namespace takt::codegen
