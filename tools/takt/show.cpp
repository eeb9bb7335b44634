#include "tools/takt/show.hpp"

#include <fmt/format.h>

#include <string_view>

#include "tools/takt/printed_text.hpp"

namespace takt::tools {

using namespace takt::codegen;

namespace {

template <class Index>
std::size_t at(Index index) {
  return static_cast<std::size_t>(index);
}

std::string_view kind_word(BranchKind kind) {
  switch (kind) {
    case BranchKind::across_source:
      return "A across source";
    case BranchKind::across_storage:
      return "C across storage";
    case BranchKind::dissipator:
      return "R dissipator";
    case BranchKind::through_storage:
      return "L through storage";
    case BranchKind::through_source:
      return "T through source";
    case BranchKind::port:
      return "P port";
  }
  return "?";
}

/// "v = r*i" from the law's form and expression.
std::string law_text(const Network& network, const Branch& branch) {
  const auto name = [&](SymbolId symbol) { return network.graph().symbol(symbol).path; };
  if (branch.form == LawForm::none) return "";
  const std::string value = network.graph().text(branch.law);
  switch (branch.form) {
    case LawForm::across_of:
      return name(branch.across) + " = " + value;
    case LawForm::through_of:
      return name(branch.through) + " = " + value;
    case LawForm::stored_of:
      return (branch.stored ? name(*branch.stored) : "stored") + " = " + value;
    case LawForm::from_stored:
      return name(branch.kind == BranchKind::across_storage ? branch.across : branch.through) + " = " + value;
    case LawForm::implicit:
      return "0 = " + value;
    case LawForm::none:
      break;
  }
  return "";
}

std::string sum_text(const Network& network, const std::vector<LinearTerm>& terms) {
  if (terms.empty()) return "0";
  std::string text;
  for (const LinearTerm& term : terms) {
    const std::string& path = network.branches[at(term.branch)].path;
    const bool first = text.empty();
    const double size = term.coefficient < 0 ? -term.coefficient : term.coefficient;
    text += term.coefficient < 0 ? (first ? "-" : " - ") : (first ? "" : " + ");
    text += size == 1.0 ? path : fmt::format("{}*{}", size, path);
  }
  return text;
}

std::string names(const Network& network, const std::vector<BranchId>& branches) {
  std::string text;
  for (const BranchId branch : branches) text += (text.empty() ? "" : ", ") + network.branches[at(branch)].path;
  return text;
}

void print_circuit(Text& text, const Network& network, const CircuitTopology& circuit) {
  text.print("circuit {} ({}): {} nodes, {} branches, {} two-ports\n", circuit.name, text_of(circuit.domain),
             circuit.nodes.size(), circuit.branches.size(), circuit.two_ports.size());
  for (const BranchId branch : circuit.tree) {
    text.print("  tree    {:<18} {}\n", kind_word(network.branches[at(branch)].kind),
               network.branches[at(branch)].path);
  }
  for (const CotreeRow& row : circuit.cotree) {
    const Branch& branch = network.branches[at(row.branch)];
    text.print("  cotree  {:<18} {} = {}\n", kind_word(branch.kind), branch.path, sum_text(network, row.terms));
  }
  if (circuit.singular) {
    text.print("  singular: see the findings\n");
    return;
  }
  const std::string cause = index_cause(network, circuit);
  text.print("  d-index {}{}{}\n", circuit.index, cause.empty() ? "" : ": ", cause);
}

void print_algebra(Text& text, const Network& network, const std::vector<AlgebraicStep>& algebra) {
  const auto name = [&](SymbolId symbol) { return network.graph().symbol(symbol).path; };
  for (const AlgebraicStep& step : algebra) {
    if (step.kind == AlgebraicStep::Kind::assignment) {
      text.print("  {} = {}\n", name(step.assignment.symbol), network.graph().text(step.assignment.value));
      continue;
    }
    if (step.newton.linear)
      text.print("  linear over tables, {} entries of factors:", step.newton.linear->tables.entries());
    else if (step.newton.flows)
      text.print("  {} over tables, {} flows:", step.newton.flows->linear ? "conductances" : "Newton",
                 step.newton.flows->edges.size());
    else
      text.print("  Newton, {} iterations:", step.newton.iterations);
    for (const SymbolId unknown : step.newton.unknowns) text.print(" {}", name(unknown));
    text.print("\n");
    for (const Expr residual : step.newton.residuals) text.print("    0 = {}\n", network.graph().text(residual));
  }
}

void print_blocks(Text& text, const Network& network) {
  for (const ControlBlock& block : network.blocks) {
    text.print("{}  {} every {} s\n", block.path, block.type, static_cast<double>(block.period_ns) * 1e-9);
    for (const auto& output : block.outputs) {
      text.print("  {} = {}\n", network.graph().symbol(output.symbol).path, network.graph().text(output.value));
    }
    for (const auto& state : block.states) {
      text.print("  {} next = {}\n", network.graph().symbol(state.symbol).path, network.graph().text(state.next));
    }
  }
}

}  // namespace

std::string index_cause(const Network& network, const CircuitTopology& circuit) {
  if (circuit.index < 2) return "";
  std::vector<BranchId> loops, cutsets, free;
  for (const BranchId branch : circuit.index_causes) {
    const Branch& of = network.branches[at(branch)];
    (of.kind == BranchKind::through_storage ? cutsets : of.form == LawForm::none ? free : loops).push_back(branch);
  }
  std::string text;
  if (!cutsets.empty()) text = "cutset of through storages and sources: " + names(network, cutsets);
  if (!loops.empty())
    text += (text.empty() ? "" : "; ") + ("loop of across storages and sources: " + names(network, loops));
  if (!free.empty()) text += (text.empty() ? "" : "; ") + ("free equations: " + names(network, free));
  return text;
}

std::string network_text(const Network& network) {
  Text text;
  for (const Element& element : network.elements) {
    text.print("{}  {}\n", element.path, element.type);
    for (const BranchId id : element.branches) {
      const Branch& branch = network.branches[at(id)];
      text.print("  {:<18} {} -> {}   {}\n", kind_word(branch.kind), network.nodes[at(branch.from)].path,
                 network.nodes[at(branch.to)].path, law_text(network, branch));
    }
  }
  for (const TwoPort& two_port : network.two_ports) {
    text.print("two-port {} = {} * {}\n", network.branches[at(two_port.a)].path, two_port.ratio,
               network.branches[at(two_port.b)].path);
  }
  print_blocks(text, network);
  for (const PlantInput& input : network.inputs) {
    const Symbol& symbol = network.graph().symbol(input.symbol);
    text.print("input {} [{}]: start {}, safe {}\n", symbol.path, symbol.unit, input.start, input.safe);
  }
  for (const Parameter& parameter : network.parameters) {
    const Symbol& symbol = network.graph().symbol(parameter.symbol);
    text.print("parameter {} = {} {}{}\n", symbol.path, parameter.value, symbol.unit,
               parameter.structural ? " (a change needs a rebuild)" : "");
  }
  return text.take();
}

std::string tree_text(const Network& network, const TopologyResult& topology) {
  Text text;
  for (const CircuitTopology& circuit : topology.circuits) print_circuit(text, network, circuit);
  return text.take();
}

std::string dae_text(const Network& network, const DaeResult& dae) {
  Text text;
  for (const Surrogate& subsystem : dae.subsystems) {
    text.print("{} ({}): {} equations, {} differential, {} algebraic, d-index {}\n", subsystem.name,
               text_of(subsystem.domain), subsystem.equations, subsystem.differential, subsystem.algebraic,
               subsystem.index);
    print_algebra(text, network, subsystem.algebra);
    for (const SurrogateState& state : subsystem.states) {
      text.print("  d/dt {} = {}\n", network.graph().symbol(state.symbol).path, network.graph().text(state.derivative));
    }
    for (const Assignment& update : updates_of(subsystem.kind)) {
      text.print("  next {} = {}\n", network.graph().symbol(update.symbol).path, network.graph().text(update.value));
    }
  }
  for (const Flux& flux : dae.fluxes) {
    text.print("flux {} -> {}\n", network.graph().symbol(flux.source).path, network.graph().symbol(flux.received).path);
  }
  return text.take();
}

}  // namespace takt::tools
