#include "tools/takt/circuit_graph.hpp"

#include <fmt/format.h>

#include <iterator>
#include <map>
#include <set>

#include "codegen/text/escape.hpp"
#include "tools/takt/check_report.hpp"

namespace takt::tools {

using namespace takt::codegen;

namespace {

struct Look {
  std::string_view word, colour;
};

/// Colours that differ in brightness, too.
Look look_of(BranchKind kind) {
  switch (kind) {
    case BranchKind::across_source:
      return {"A across source", "#c1121f"};
    case BranchKind::across_storage:
      return {"C across storage", "#1d4ed8"};
    case BranchKind::dissipator:
      return {"R dissipator", "#222222"};
    case BranchKind::through_storage:
      return {"L through storage", "#15803d"};
    case BranchKind::through_source:
      return {"T through source", "#ea7317"};
    case BranchKind::port:
      return {"P side of a two-port", "#8b8b8b"};
  }
  return {"?", "#000000"};
}

class CircuitGraph {
 public:
  CircuitGraph(const Checked& checked, bool collapsed)
      : checked_(checked), network_(checked.network), collapsed_(collapsed), circuits_(summarise(checked)) {}

  std::string run() {
    print("digraph {} {{\n", dot_literal(network_.name));
    print("  graph [label={}, labelloc=t, fontname=\"sans-serif\", compound=true, overlap=prism, nodesep=0.3];\n",
          dot_literal(network_.title.empty() ? network_.name : network_.title));
    print(
        "  node [fontname=\"sans-serif\", fontsize=10];\n  edge [fontname=\"sans-serif\", fontsize=9, "
        "arrowsize=0.6];\n");
    if (!collapsed_) print_legend();
    for (std::size_t k = 0; k < circuits_.size(); ++k) print_circuit(k);
    print_couplings();
    print("}}\n");
    return std::move(text_);
  }

 private:
  template <class... Arguments>
  void print(fmt::format_string<Arguments...> format, Arguments&&... arguments) {
    fmt::format_to(std::back_inserter(text_), format, std::forward<Arguments>(arguments)...);
  }

  void print_legend() {
    print(
        "  subgraph cluster_legend {{\n    label=\"thick: normal tree, thin: cotree\"; fontsize=9; "
        "color=\"#cccccc\";\n");
    int row = 0;
    for (const BranchKind kind : {BranchKind::across_source, BranchKind::across_storage, BranchKind::dissipator,
                                  BranchKind::through_storage, BranchKind::through_source, BranchKind::port}) {
      const Look look = look_of(kind);
      print("    legend{} [shape=plaintext, label={}, fontcolor={}];\n", row++, dot_literal(look.word),
            dot_literal(look.colour));
    }
    print("  }}\n");
  }

  /// The box that couplings of circuit k are tied to.
  void print_box(std::size_t k, const char* indent) {
    const CircuitSummary& each = circuits_[k];
    std::string label =
        fmt::format("{}\n{} {}", each.name, each.elements, each.circuit == nullptr ? "blocks" : "elements");
    if (each.surrogate != nullptr) label += fmt::format(", {} equations", each.surrogate->equations);
    if (each.circuit != nullptr && !each.circuit->singular) label += fmt::format("\nd-index {}", each.circuit->index);
    if (each.circuit != nullptr && each.circuit->index == 2 && !each.circuit->singular) label += " -> 1";
    print("{}circuit{} [shape=box, style=\"rounded,filled\", fillcolor=\"#f3f1ea\", label={}];\n", indent, k,
          dot_literal(label));
  }

  void print_circuit(std::size_t k) {
    const CircuitSummary& each = circuits_[k];
    if (each.circuit == nullptr || collapsed_) return print_box(k, "  ");
    print("  subgraph cluster_{} {{\n    label={}; color=\"#999999\"; style=rounded;\n", k, dot_literal(each.name));
    print_box(k, "    ");
    print_nodes(k);
    const std::set<BranchId> tree(each.circuit->tree.begin(), each.circuit->tree.end());
    for (const BranchId branch : each.circuit->branches) print_branch(k, branch, tree.contains(branch));
    for (const std::uint32_t port : each.circuit->two_ports)
      for (const BranchId side : {network_.two_ports[port].a, network_.two_ports[port].b}) print_branch(k, side, false);
    print("  }}\n");
  }

  /// Paths without the section where that is the circuit's domain anyway.
  std::string shortened(const CircuitTopology& circuit, const std::string& path) const {
    const std::string section = text_of(circuit.domain) + ".";
    return path.starts_with(section) ? path.substr(section.size()) : path;
  }

  std::string name_of(std::size_t k, NodeId id) {
    const auto index = static_cast<std::size_t>(id);
    return network_.nodes[index].reference ? fmt::format("reference{}_{}", k, index) : fmt::format("node{}", index);
  }

  void print_nodes(std::size_t k) {
    const CircuitTopology& circuit = *circuits_[k].circuit;
    for (const NodeId id : circuit.nodes)
      print("    {} [shape=ellipse, label={}];\n", name_of(k, id),
            dot_literal(shortened(circuit, network_.nodes[static_cast<std::size_t>(id)].path)));
    std::set<NodeId> references;
    const auto look = [&](BranchId id) {
      for (const NodeId end :
           {network_.branches[static_cast<std::size_t>(id)].from, network_.branches[static_cast<std::size_t>(id)].to})
        if (network_.nodes[static_cast<std::size_t>(end)].reference) references.insert(end);
    };
    for (const BranchId id : circuit.branches) look(id);
    for (const std::uint32_t port : circuit.two_ports)
      look(network_.two_ports[port].a), look(network_.two_ports[port].b);
    for (const NodeId id : references)
      print("    {} [shape=invtriangle, style=filled, fillcolor=\"#dddddd\", label={}];\n", name_of(k, id),
            dot_literal(shortened(circuit, network_.nodes[static_cast<std::size_t>(id)].path)));
  }

  void print_branch(std::size_t k, BranchId id, bool in_tree) {
    const Branch& branch = network_.branches[static_cast<std::size_t>(id)];
    const Look look = look_of(branch.kind);
    print("    {} -> {} [label={}, tooltip={}, color={}, fontcolor={}, penwidth={}, arrowhead={}{}];\n",
          name_of(k, branch.from), name_of(k, branch.to), dot_literal(shortened(*circuits_[k].circuit, branch.path)),
          dot_literal(fmt::format("{}, {}", branch.path, look.word)), dot_literal(look.colour),
          dot_literal(look.colour), in_tree ? 3 : 1, in_tree ? "normal" : "vee",
          branch.kind == BranchKind::port ? ", style=dotted" : "");
  }

  /// One arrow per pair of circuits and kind; of many variables the first few are named.
  void print_couplings() {
    std::map<std::string, std::size_t> place;
    for (std::size_t k = 0; k < circuits_.size(); ++k) place.emplace(circuits_[k].name, k);
    std::map<std::tuple<std::size_t, std::size_t, CouplingKind>, std::vector<const PlanCoupling*>> arrows;
    for (const PlanCoupling& coupling : checked_.plan.couplings)
      arrows[{place.at(checked_.plan.subsystems[coupling.producer].name),
              place.at(checked_.plan.subsystems[coupling.consumer].name), coupling.kind}]
          .push_back(&coupling);
    for (const auto& [ends, couplings] : arrows) {
      const auto& [from, to, kind] = ends;
      const bool flux = kind == CouplingKind::flux;
      print("  circuit{} -> circuit{} [style=dashed, color={}, arrowhead={}, label={}];\n", from, to,
            dot_literal(flux ? "#b45309" : "#6d28d9"), flux ? "normal" : "empty",
            dot_literal(coupling_label(flux ? "flux" : "potential", couplings)));
    }
  }

  std::string coupling_label(const std::string& kind, const std::vector<const PlanCoupling*>& couplings) const {
    constexpr std::size_t most_named = 3;
    if (collapsed_) return fmt::format("{} {}", couplings.size(), kind);
    std::string label = kind;
    for (std::size_t k = 0; k < couplings.size() && k < most_named; ++k) {
      label += "\n" + network_.graph().symbol(couplings[k]->from).path;
      if (couplings[k]->paradigm) label += fmt::format(" (paradigm {})", *couplings[k]->paradigm);
    }
    if (couplings.size() > most_named) label += fmt::format("\nand {} more", couplings.size() - most_named);
    return label;
  }

  const Checked& checked_;
  const Network& network_;
  bool collapsed_;
  std::vector<CircuitSummary> circuits_;
  std::string text_;
};

}  // namespace

std::string circuit_graph(const Checked& checked, std::size_t most_elements) {
  return CircuitGraph(checked, checked.network.elements.size() > most_elements).run();
}

}  // namespace takt::tools
