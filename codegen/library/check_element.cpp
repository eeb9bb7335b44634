// What an element's expressions may name, checked once where it is defined.

#include <algorithm>
#include <map>
#include <set>

#include "codegen/library/names.hpp"
#include "codegen/library/read_element.hpp"
#include "codegen/library/read_value.hpp"

namespace takt::codegen {
namespace {

using Names = std::set<std::string, std::less<>>;

Names words_of_branch(const BranchDefinition& branch, const std::string& prefix) {
  const DomainWords& words = words_of(branch.domain);
  Names names{prefix + std::string(words.across), prefix + std::string(words.through)};
  if (branch.kind == BranchKind::across_storage) names.insert(prefix + std::string(words.charge));
  if (branch.kind == BranchKind::through_storage) names.insert(prefix + std::string(words.linkage));
  return names;
}

class ElementChecker {
 public:
  ElementChecker(const ElementDefinition& element, Diagnostics& diagnostics)
      : element_(element), diagnostics_(diagnostics) {
    for (const auto* list : {&element.parameters, &element.inputs}) {
      for (const auto& parameter : *list) {
        declare(parameter.name, parameter.where);
        if (parameter.kind == ParameterDefinition::Kind::table && is_function_name(parameter.name))
          diagnostics_.error("M050", parameter.where,
                             "'" + parameter.name + "' is predefined: a function of expressions",
                             "give the table another name");
        names_.insert("param." + parameter.name);
        parameters_.insert(parameter.name);
        parameters_.insert("param." + parameter.name);
      }
    }
    for (const auto& state : element.states) declare(state.name, element.where);
    for (const auto& unknown : element.unknowns) declare(unknown.name, unknown.where);
    for (const auto* list : {&element.lets, &element.outputs}) {
      for (const auto& let : *list) declare(let.name, let.value.where);
    }
    for (const auto& delay : element.delays) declare(delay.name, delay.where);
    for (const auto& mode : element.modes) declare(mode.name, mode.where);
    for (const auto& point : element.points) declare(point.name, point.next.where);
    for (const auto& edge : element.edges) declare(edge.name, edge.rise.where);
    for (const auto& branch : element.branches) declare_branch(branch);
    if (element.heat) declare("t", element.where);
    declare_temperatures();
    names_.insert("time");
    if (element.is_control()) names_.insert("dt");
  }

  void check() {
    for (const auto* list : {&element_.parameters, &element_.inputs}) {
      for (const auto& parameter : *list) check_parameter(parameter);
    }
    for (const auto& branch : element_.branches) check_branch(branch);
    for (const auto& equation : element_.equations) {
      check_names(equation.left, names_);
      check_names(equation.right, names_);
    }
    for (const auto& unknown : element_.unknowns) check_names(unknown.start, parameters_);
    for (const auto& state : element_.states) {
      check_names(state.change, names_);
      check_names(state.start, parameters_);
      if (state.like.ast) check_names(state.like, names_);
    }
    for (const auto* list : {&element_.lets, &element_.outputs}) {
      for (const auto& let : *list) check_names(let.value, names_);
    }
    for (const auto& delay : element_.delays) {
      check_names(delay.of, names_);
      for (const SourceExpression* constant : {&delay.by, &delay.start, &delay.power})
        check_names(*constant, parameters_);
    }
    for (const auto& two_port : element_.two_ports) check_names(two_port.ratio, parameters_);
    if (element_.heat) {
      check_names(element_.heat->temperature, parameters_);
      if (element_.heat->loss) check_names(*element_.heat->loss, names_);
    }
    check_switching();
    for (const EventDefinition& event : element_.events) {
      check_names(event.when, names_);
      for (const EventDefinition::Set& set : event.sets) check_names(set.value, names_);
    }
    check_convection();
    for (const RangeDefinition& range : element_.ranges) {
      check_names(range.of, names_);
      if (range.min) check_names(*range.min, names_);
      if (range.max) check_names(*range.max, names_);
    }
    check_cycles();
  }

 private:
  void declare(const std::string& name, const Location& where, bool clash = false) {
    if (!is_free(name, NamePlace::definition, where, diagnostics_)) return;
    const auto [other, fresh] = places_.emplace(name, where);
    if (!names_.insert(name).second || clash)
      diagnostics_.error(
          "L005", where, "'" + name + "' names two things in element '" + element_.name + "'",
          fresh ? std::string() : "the other stands in " + place_text(other->second));
  }

  /// A parameter may share its name with a branch variable; nothing else may.
  void declare_branch(const BranchDefinition& branch) {
    const auto same = [&](const TerminalDefinition& node) { return node.name == branch.name; };
    const auto& nodes = element_.internal_nodes;
    // a.p is the pressure of a terminal a that mass flows through.
    const auto hides = [&](const TerminalDefinition& node) {
      return same(node) && is_convective(node.domain);
    };
    if (!branch.name.empty()) {
      names_.merge(words_of_branch(branch, branch.name + "."));
      if (std::any_of(nodes.begin(), nodes.end(), same) ||
          (element_.heat && branch.name == "heat") ||
          std::any_of(element_.terminals.begin(), element_.terminals.end(), hides))
        declare(branch.name, branch.where, true);
      else
        declare(branch.name, branch.where);
      names_.erase(branch.name);
    }
    if (element_.branches.size() != 1) return;
    for (const std::string& word : words_of_branch(branch, "")) {
      if (parameters_.contains(word) && !element_.switches(word)) continue;
      declare(word, branch.where);
    }
  }

  /// a.t and a.p of the terminals a, t of the own node; streams are mass flows with an enthalpy
  /// flow.
  void declare_temperatures() {
    for (const auto* list : {&element_.terminals, &element_.internal_nodes})
      for (const TerminalDefinition& node : *list) {
        if (!is_convective(node.domain)) continue;
        names_.insert(node.name + ".t");
        names_.insert(node.name + ".p");
        names_.insert(node.name + ".x");
      }
    if (element_.content && !parameters_.contains("t")) declare("t", element_.content->where);
    const auto home = domain_of(element_.section);
    if (home && is_convective(*home)) names_.insert("r_gas");
  }

  void check_convection() {
    for (const StreamDefinition& stream : element_.streams) {
      check_names(stream.flow, names_);
      if (stream.temperature) check_names(*stream.temperature, names_);
      if (stream.fraction) check_names(*stream.fraction, names_);
    }
    if (!element_.content) return;
    if (element_.content->temperature) check_names(*element_.content->temperature, names_);
    if (element_.content->fraction) check_names(*element_.content->fraction, names_);
    if (element_.content->mass) check_names(*element_.content->mass, names_);
    if (element_.content->start) check_names(*element_.content->start, parameters_);
  }

  void check_switching() {
    for (const auto& mode : element_.modes) {
      check_names(mode.on, names_);
      check_names(mode.off, names_);
      check_names(mode.start, parameters_);
    }
    for (const auto& point : element_.points) {
      check_names(point.next, names_);
      check_names(point.tolerance, parameters_);
      check_names(point.start, parameters_);
    }
    if (element_.edges.empty()) return;
    Names names = names_;
    for (const std::string& name : names_) {
      if (!parameters_.contains(name)) names.insert("before." + name);
    }
    for (const auto& edge : element_.edges) {
      check_names(edge.rise, names);
      check_names(edge.fall, names);
    }
  }

  void check_parameter(const ParameterDefinition& parameter) {
    check_names(parameter.default_value, parameters_);
    for (const Constraint& constraint : parameter.constraints)
      check_names(constraint.expression, parameters_);
  }

  void check_branch(const BranchDefinition& branch) {
    Names names = names_;
    names.merge(words_of_branch(branch, ""));
    check_names(branch.law, names);
    if (branch.energy) check_names(*branch.energy, names);
    if (branch.passes) check_names(*branch.passes, names);
    if (branch.start) check_names(*branch.start, parameters_);
  }

  void check_names(const SourceExpression& expression, const Names& names) {
    if (expression.ast) check_names(*expression.ast, expression, names);
  }

  void check_names(const Ast& ast, const SourceExpression& expression, const Names& names) {
    if (ast.kind == Ast::Kind::name && !names.contains(ast.name) && !is_global(ast.name)) {
      diagnostics_.error("L009", shifted(expression.where, ast.offset),
                         "'" + ast.name + "' is unknown in element '" + element_.name + "'",
                         name_hint(ast.name, {names.begin(), names.end()}));
    }
    for (const auto& argument : ast.args) check_names(*argument, expression, names);
  }

  /// Paths into the plant are resolved when the element is used.
  [[nodiscard]] static bool is_global(const std::string& name) {
    if (name == "pi" || name == "time") return true;
    const std::string first = name.substr(0, name.find('.'));
    const auto& sections = element_sections();
    return first != name && std::find(sections.begin(), sections.end(), first) != sections.end();
  }

  // --- cycles among lets and outputs, whose values are put in place of their names
  enum class Mark : std::uint8_t { untouched, busy, done };

  void check_cycles() {
    for (const auto* list : {&element_.lets, &element_.outputs}) {
      for (const auto& let : *list) values_[let.name] = &let.value;
    }
    for (const auto& [name, value] : values_) visit(name);
  }

  void visit(const std::string& name) {
    const auto found = values_.find(name);
    if (found == values_.end() || marks_[name] == Mark::done) return;
    if (marks_[name] == Mark::busy) {
      diagnostics_.error("L011", found->second->where,
                         "'" + name + "' of element '" + element_.name + "' depends on itself");
      return;
    }
    marks_[name] = Mark::busy;
    if (found->second->ast) visit(*found->second->ast);
    marks_[name] = Mark::done;
  }

  void visit(const Ast& ast) {
    if (ast.kind == Ast::Kind::name) visit(ast.name);
    for (const auto& argument : ast.args) visit(*argument);
  }

  const ElementDefinition& element_;
  Diagnostics& diagnostics_;
  Names names_;
  Names parameters_;
  std::map<std::string, Location> places_;  ///< where names_ are given
  std::map<std::string, const SourceExpression*> values_;
  std::map<std::string, Mark> marks_;
};

}  // namespace

void check_element(const ElementDefinition& element, Diagnostics& diagnostics) {
  ElementChecker(element, diagnostics).check();
}

}  // namespace takt::codegen
