#include "tests/codegen/topology/circuit_builder.hpp"

#include <algorithm>
#include <utility>

namespace takt::codegen::testing {
namespace {

const char* type_name(BranchKind kind) {
  switch (kind) {
    case BranchKind::across_source:
      return "across_source";
    case BranchKind::across_storage:
      return "across_storage";
    case BranchKind::dissipator:
      return "dissipator";
    case BranchKind::through_storage:
      return "through_storage";
    case BranchKind::through_source:
      return "through_source";
    case BranchKind::port:
      return "two_port";
  }
  return "";
}

}  // namespace

CircuitBuilder::CircuitBuilder(std::string name) {
  network_.name = std::move(name);
  network_.time = network_.graph().make_symbol("time", "s");
}

NodeId CircuitBuilder::add_node(Domain domain) {
  return make_node(domain, "n" + std::to_string(network_.nodes.size()), false);
}

NodeId CircuitBuilder::reference(Domain domain) {
  auto& known = references_.at(static_cast<std::size_t>(domain));
  if (!known) known = make_node(domain, std::string(words_of(domain).reference), true);
  return *known;
}

BranchId CircuitBuilder::add_branch(BranchKind kind, NodeId from, NodeId to, double value, LawForm dissipator_form) {
  const Domain domain = network_.nodes[static_cast<std::size_t>(from)].domain;
  const ElementId element = make_element(domain, type_name(kind));
  const BranchId id{static_cast<std::uint32_t>(network_.branches.size())};
  Branch branch = make_branch(element, kind, from, to, network_.elements.back().path);
  set_law(branch, value, dissipator_form);
  network_.elements.back().branches = {id};
  network_.branches.push_back(std::move(branch));
  return id;
}

void CircuitBuilder::add_two_port(NodeId a_from, NodeId a_to, NodeId b_from, NodeId b_to, double ratio) {
  const Domain domain = network_.nodes[static_cast<std::size_t>(a_from)].domain;
  const ElementId element = make_element(domain, type_name(BranchKind::port));
  const std::string path = network_.elements.back().path;
  const BranchId a{static_cast<std::uint32_t>(network_.branches.size())};
  const BranchId b{static_cast<std::uint32_t>(network_.branches.size() + 1)};
  network_.branches.push_back(make_branch(element, BranchKind::port, a_from, a_to, path + ".a"));
  network_.branches.push_back(make_branch(element, BranchKind::port, b_from, b_to, path + ".b"));
  network_.elements.back().branches = {a, b};
  network_.two_ports.push_back({.a = a, .b = b, .ratio = ratio, .where = network_.elements.back().where});
}

NodeId CircuitBuilder::make_node(Domain domain, const std::string& name, bool is_reference) {
  const DomainWords& words = words_of(domain);
  NetworkNode node;
  node.path = std::string(words.name) + "." + name;
  node.domain = domain;
  node.reference = is_reference;
  node.across =
      network_.graph().make_symbol(node.path + "." + std::string(words.across), std::string(words.across_unit));
  node.where = next_line();
  network_.nodes.push_back(std::move(node));
  return NodeId{static_cast<std::uint32_t>(network_.nodes.size() - 1)};
}

ElementId CircuitBuilder::make_element(Domain home, const std::string& type) {
  const DomainWords& words = words_of(home);
  Element element;
  element.path = std::string(words.name) + ".e" + std::to_string(network_.elements.size());
  element.type = std::string(words.name) + "." + type;
  element.home = home;
  element.where = next_line();
  network_.elements.push_back(std::move(element));
  return ElementId{static_cast<std::uint32_t>(network_.elements.size() - 1)};
}

Branch CircuitBuilder::make_branch(ElementId element, BranchKind kind, NodeId from, NodeId to,
                                   const std::string& path) {
  const Domain domain = network_.nodes[static_cast<std::size_t>(from)].domain;
  const DomainWords& words = words_of(domain);
  Branch branch;
  branch.element = element;
  branch.path = path;
  branch.domain = domain;
  branch.kind = kind;
  branch.from = from;
  branch.to = to;
  branch.across = network_.graph().make_symbol(path + "." + std::string(words.across), std::string(words.across_unit));
  branch.through =
      network_.graph().make_symbol(path + "." + std::string(words.through), std::string(words.through_unit));
  branch.where = network_.elements.back().where;
  return branch;
}

void CircuitBuilder::set_law(Branch& branch, double value, LawForm dissipator_form) {
  Graph& graph = network_.graph();
  const DomainWords& words = words_of(branch.domain);
  switch (branch.kind) {
    case BranchKind::across_source:
      branch.form = LawForm::across_of;
      branch.law = graph.constant(value);
      break;
    case BranchKind::through_source:
      branch.form = LawForm::through_of;
      branch.law = graph.constant(value);
      break;
    case BranchKind::dissipator:
      branch.form = dissipator_form;
      branch.law = dissipator_form == LawForm::across_of
                       ? graph.mul(graph.constant(value), graph.use(branch.through))
                       : graph.mul(graph.constant(1.0 / value), graph.use(branch.across));
      break;
    case BranchKind::across_storage:
      set_storage(branch, branch.across, value, words.charge, words.charge_unit);
      break;
    case BranchKind::through_storage:
      set_storage(branch, branch.through, value, words.linkage, words.linkage_unit);
      break;
    case BranchKind::port:
      break;
  }
}

void CircuitBuilder::set_storage(Branch& branch, SymbolId stored_of, double value, std::string_view name,
                                 std::string_view unit) {
  Graph& graph = network_.graph();
  branch.form = LawForm::stored_of;
  branch.law = graph.mul(graph.constant(value), graph.use(stored_of));
  branch.stored = graph.make_symbol(branch.path + "." + std::string(name), std::string(unit));
  branch.default_start = graph.zero();
}

Location CircuitBuilder::next_line() { return {.file = network_.name + ".toml", .line = ++line_, .column = 1}; }

}  // namespace takt::codegen::testing
