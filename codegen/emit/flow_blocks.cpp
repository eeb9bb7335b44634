#include "codegen/emit/flow_blocks.hpp"

#include <algorithm>

#include "codegen/emit/network_tables.hpp"
#include "codegen/text/literal.hpp"
#include "runtime/solver/typical_change.hpp"

namespace takt::codegen {
namespace {

const FlowTables& flows_at(const SubsystemView& view, std::size_t index) {
  return *view.surrogate.algebra[index].newton.flows;
}

std::string element(const std::string& array, std::size_t index) { return array + "[" + std::to_string(index) + "]"; }

std::string pattern_of(const SubsystemView& view, std::size_t index) {
  return view.file + "_flows_" + std::to_string(index);
}

std::string coefficients_of(std::size_t index) { return "law_coefficients_" + std::to_string(index); }

std::string type_of(const FlowTables& flows) {
  return "takt::FlowNetwork<takt::FixedSizes<" + std::to_string(flows.potentials.size()) + ", " +
         std::to_string(flows.edges.size()) + ", " + std::to_string(flows.network.links()) + ">>";
}

/// Whether its conductances are factorised by prepare().
bool is_factorised(const FlowTables& flows, Coefficients& coefficients) {
  return flows.linear && std::all_of(flows.edges.begin(), flows.edges.end(),
                                     [&](const FlowEdge& edge) { return coefficients.is_fixed(edge.coefficients[0]); });
}

/// Coefficients of all edges in a row; at least one, for arrays without any are none.
std::size_t coefficient_count(const FlowTables& flows) {
  std::size_t count = 0;
  for (const FlowEdge& edge : flows.edges) count += edge.coefficients.size();
  return std::max<std::size_t>(count, 1);
}

/// @param each  (target, expression) of every coefficient
template <class Each>
void each_coefficient(const FlowTables& flows, std::size_t index, const Each& each) {
  std::size_t place = 0;
  for (std::size_t edge = 0; edge < flows.edges.size(); ++edge)
    for (std::size_t k = 0; k < flows.edges[edge].coefficients.size(); ++k) {
      const std::string target = !flows.linear
                                     ? element(coefficients_of(index), place++)
                                     : element(flow_member(index) + (k == 0 ? ".conductance" : ".current"), edge);
      each(target, flows.edges[edge].coefficients[k]);
    }
}

bool is_zero(const SubsystemView& view, Expr e) { return view.graph().is_constant(e, 0.0); }

/// A loop over the edges of one law, from `first` on.
void write_law(const SubsystemView& view, const FlowLaw& law, std::pair<std::size_t, std::size_t> edges, Writer& text) {
  Statements statements(view.graph(), nullptr);
  statements.bind(law.argument, "x");
  for (std::size_t k = 0; k < law.coefficients.size(); ++k) statements.bind(law.coefficients[k], element("c", k));
  statements.count(law.value);
  statements.count(law.slope);
  const std::string value = statements.value(law.value);
  const std::string slope = statements.value(law.slope);
  text.open("for (std::uint32_t edge = " + std::to_string(edges.first) + "; edge < " + std::to_string(edges.second) +
            "; ++edge, c += " + std::to_string(law.coefficients.size()) + ")");
  text.line("[[maybe_unused]] const double x = n.argument(pattern, edge);");
  text.lines(statements.text());
  text.line("n.value[edge] = " + value + ";");
  text.line("n.slope[edge] = " + slope + ";");
  text.close();
}

void write_laws(const SubsystemView& view, std::size_t index, Writer& text) {
  const FlowTables& flows = flows_at(view, index);
  text.blank();
  text.comment("Laws of its edges.");
  text.open("void " + pattern_of(view, index) + "_laws(const takt::FlowPattern& pattern, " + type_of(flows) +
            "& n, [[maybe_unused]] const double* c) noexcept");
  std::size_t first = 0;
  while (first < flows.edges.size()) {
    std::size_t last = first;
    while (last < flows.edges.size() && flows.edges[last].law == flows.edges[first].law) ++last;
    write_law(view, flows.laws[flows.edges[first].law], {first, last}, text);
    first = last;
  }
  text.close();
}

}  // namespace

std::vector<std::size_t> flow_blocks(const SubsystemView& view) {
  std::vector<std::size_t> found;
  for (std::size_t index = 0; index < view.surrogate.algebra.size(); ++index)
    if (view.surrogate.algebra[index].kind == AlgebraicStep::Kind::flows) found.push_back(index);
  return found;
}

std::string flow_member(std::size_t index) { return "flows_" + std::to_string(index); }

std::vector<Expr> roots_of(const FlowTables& flows, Coefficients& coefficients) {
  std::vector<Expr> roots = flows.injected;
  for (const FlowEdge& edge : flows.edges) roots.push_back(edge.offset);
  for (const FlowEdge& edge : flows.edges)
    for (const Expr coefficient : edge.coefficients)
      if (!coefficients.is_fixed(coefficient)) roots.push_back(coefficient);
  return roots;
}

void write_flow_tables(const SubsystemView& view, Writer& text) {
  for (const std::size_t index : flow_blocks(view)) {
    const FlowTables& flows = flows_at(view, index);
    const std::string name = pattern_of(view, index);
    NetworkTables network = flows.network;
    for (std::uint32_t step = 0; step < network.size(); ++step) network.node[step] = step;
    write_network_tables(network, name + "_network", text);
    const FlowPlaces places = places_of(flows);
    write_table(text, name + "_from", places.from);
    write_table(text, name + "_to", places.to);
    write_table(text, name + "_link", places.link);
    write_table(text, name + "_by_flow", places.by_flow);
    std::string members = name + "_network, " + std::to_string(flows.edges.size());
    for (const char* table : {"from", "to", "link", "by_flow"}) members += ", " + name + "_" + table;
    const auto typical = [&](SymbolId symbol) {
      return ", " + double_literal(typical_change(view.graph().symbol(symbol).unit));
    };
    members += typical(flows.potentials.front()) + typical(flows.edges.front().through);
    text.line("constexpr takt::FlowPattern " + name + "{" + members + "};");
    if (!flows.linear) write_laws(view, index, text);
  }
}

std::vector<std::string> flow_lines(const SubsystemView& view, Coefficients& coefficients) {
  std::vector<std::string> lines;
  for (const std::size_t index : flow_blocks(view)) {
    const FlowTables& flows = flows_at(view, index);
    each_coefficient(flows, index, [&](const std::string& target, Expr coefficient) {
      if (!coefficients.is_fixed(coefficient) || is_zero(view, coefficient)) return;
      const std::string text = view.graph().is_constant(coefficient)
                                   ? double_literal(view.graph().node(coefficient).value)
                                   : coefficients.text_of(coefficient).text;
      lines.push_back(target + " = " + text + ";");
    });
    if (is_factorised(flows, coefficients))
      lines.push_back(flow_member(index) + ".factor(" + pattern_of(view, index) + ");");
  }
  return lines;
}

std::string emit_flow_solve(const SubsystemView& view, std::size_t index, Coefficients& coefficients,
                            Statements& statements) {
  const FlowTables& flows = flows_at(view, index);
  const NewtonBlock& block = view.surrogate.algebra[index].newton;
  const std::string numbers = flow_member(index), pattern = pattern_of(view, index);
  while (statements.batch_calls(roots_of(flows, coefficients))) continue;
  const auto store = [&](const std::string& target, Expr value) {
    const std::string text = statements.value(value);  // writes what it needs first
    statements.writer().line(target + " = " + text + ";");
  };
  for (std::size_t node = 0; node < flows.injected.size(); ++node)
    if (!is_zero(view, flows.injected[node]))
      store(element(numbers + ".injected", flows.network.position[node]), flows.injected[node]);
  for (std::size_t edge = 0; edge < flows.edges.size(); ++edge)
    if (!is_zero(view, flows.edges[edge].offset)) store(element(numbers + ".offset", edge), flows.edges[edge].offset);
  each_coefficient(flows, index, [&](const std::string& target, Expr coefficient) {
    if (!coefficients.is_fixed(coefficient)) store(target, coefficient);
  });
  std::string damping;
  if (flows.linear) {
    if (!is_factorised(flows, coefficients)) statements.writer().line(numbers + ".factor(" + pattern + ");");
    statements.writer().line(numbers + ".solve_linear(" + pattern + ");");
  } else {
    const int iterations = view.plan.newton_iterations.value_or(block.iterations);
    const std::string laws =
        "[&] { " + pattern + "_laws(" + pattern + ", " + numbers + ", " + coefficients_of(index) + ".data()); }";
    damping = statements.object("takt::NewtonDamping", "damping",
                                numbers + ".solve(" + pattern + ", " + std::to_string(iterations) + ", " + laws + ")");
  }
  for (std::size_t node = 0; node < flows.potentials.size(); ++node)
    statements.bind(flows.potentials[node], element(numbers + ".at", flows.network.position[node]));
  for (std::size_t edge = 0; edge < flows.edges.size(); ++edge) {
    statements.bind(flows.edges[edge].across, element(numbers + ".across", edge));
    statements.bind(flows.edges[edge].through, element(numbers + ".through", edge));
  }
  return damping;
}

FlowStart flow_start(const SubsystemView& view, std::size_t index) {
  const FlowTables& flows = flows_at(view, index);
  FlowStart start;
  for (std::size_t node = 0; node < flows.potentials.size(); ++node)
    start.guesses.emplace_back(element(flow_member(index) + ".potential", flows.network.position[node]),
                               flows.guesses[node]);
  start.after = flow_member(index) + ".begin(" + pattern_of(view, index) + ");";
  return start;
}

void write_flow_members(Writer& text, const SubsystemView& view) {
  for (const std::size_t index : flow_blocks(view)) {
    const FlowTables& flows = flows_at(view, index);
    text.line("/// Network of " + std::to_string(flows.edges.size()) + " flows between " +
              std::to_string(flows.potentials.size()) + " unknown potentials; what its laws read.");
    text.line(type_of(flows) + " " + flow_member(index) + "{};");
    if (!flows.linear)
      text.line("std::array<double, " + std::to_string(coefficient_count(flows)) + "> " + coefficients_of(index) +
                "{};");
  }
}

}  // namespace takt::codegen
