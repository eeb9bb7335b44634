#include "codegen/emit/flow_blocks.hpp"

#include <algorithm>

#include "codegen/code/print.hpp"
#include "codegen/code/runtime_names.hpp"
#include "codegen/emit/network_tables.hpp"
#include "codegen/emit/write_function.hpp"
#include "codegen/text/literal.hpp"
#include "runtime/solver/typical_change.hpp"

namespace takt::codegen {
namespace {

const FlowTables& flows_at(const SubsystemView& view, std::size_t index) {
  return *view.surrogate.algebra[index].newton.flows;
}

std::string pattern_of(const SubsystemView& view, std::size_t index) {
  return view.file + "_flows_" + std::to_string(index);
}

std::string coefficients_of(std::size_t index) {
  return "law_coefficients_" + std::to_string(index);
}

std::string type_of(const FlowTables& flows) {
  return "takt::FlowNetwork<takt::FixedSizes<" + std::to_string(flows.potentials.size()) + ", " +
         std::to_string(flows.edges.size()) + ", " + std::to_string(flows.network.links()) + ">>";
}

/// Whether its conductances are factorised by prepare().
bool is_factorised(const FlowTables& flows, Coefficients& coefficients) {
  return flows.linear &&
         std::all_of(flows.edges.begin(), flows.edges.end(), [&](const FlowEdge& edge) {
           return coefficients.is_fixed(edge.coefficients[0]);
         });
}

/// Coefficients of all edges in a row; at least one, for arrays without any are none.
std::size_t coefficient_count(const FlowTables& flows) {
  std::size_t count = 0;
  for (const FlowEdge& edge : flows.edges) count += edge.coefficients.size();
  return std::max<std::size_t>(count, 1);
}

code::Value of_network(code::Values& values, std::size_t index, std::string_view member) {
  return values.member(flow_member(index), member);
}

/// @param each  (target, expression) of every coefficient
template <class Each>
void each_coefficient(const FlowTables& flows, std::size_t index, code::Values& values,
                      const Each& each) {
  std::size_t place = 0;
  for (std::size_t edge = 0; edge < flows.edges.size(); ++edge)
    for (std::size_t k = 0; k < flows.edges[edge].coefficients.size(); ++k) {
      const code::Value array =
          !flows.linear ? values.variable(coefficients_of(index))
                        : of_network(values, index,
                                     k == 0 ? runtime::flows_conductance : runtime::flows_current);
      each(values.element(array, flows.linear ? edge : place++), flows.edges[edge].coefficients[k]);
    }
}

bool is_zero(const SubsystemView& view, Expr e) { return view.graph().is_constant(e, 0.0); }

/// A loop over the edges of one law, from `first` on.
void write_law(const SubsystemView& view, const FlowLaw& law,
               std::pair<std::size_t, std::size_t> edges, Writer& text) {
  Statements statements(view.graph(), nullptr);
  code::Values& values = statements.values();
  statements.bind(law.argument, values.variable("x"));
  for (std::size_t k = 0; k < law.coefficients.size(); ++k)
    statements.bind(law.coefficients[k], values.element("c", k));
  statements.count(law.value);
  statements.count(law.slope);
  const code::Value value = statements.value(law.value), slope = statements.value(law.slope);
  const code::Value edge = values.variable("edge");
  const auto store = [&](const char* array, code::Value given) {
    statements.block().assign(values.element_at(values.member("n", array), edge), given);
  };
  store("value", value);
  store("slope", slope);
  const code::Definition argument =
      alias_of(values, {"const double", "x"},
               values.call(values.member(values.variable("n"), "argument"),
                           {values.variable("pattern"), edge}));
  text.open("for (std::uint32_t edge = " + std::to_string(edges.first) + "; edge < " +
            std::to_string(edges.second) +
            "; ++edge, c += " + std::to_string(law.coefficients.size()) + ")");
  const code::UsedNames used(values, {statements.body().statements()});
  code::print(text, values, {where_used(values, argument, used), statements.body().statements()});
  text.close();
}

void write_laws(const SubsystemView& view, std::size_t index, Writer& text) {
  const FlowTables& flows = flows_at(view, index);
  text.blank();
  text.comment("Laws of its edges.");
  text.open("void " + pattern_of(view, index) + "_laws(const takt::FlowPattern& pattern, " +
            type_of(flows) + "& n, const double* c) noexcept");
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
    for (const char* table : {"from", "to", "link", "by_flow"})
      members += ", " + name + "_" + table;
    const auto typical = [&](SymbolId symbol) {
      return ", " + double_literal(typical_change(view.graph().symbol(symbol).unit));
    };
    members += typical(flows.potentials.front()) + typical(flows.edges.front().through);
    text.line("constexpr takt::FlowPattern " + name + "{" + members + "};");
    if (!flows.linear) write_laws(view, index, text);
  }
}

void emit_flow_coefficients(const SubsystemView& view, Coefficients& coefficients,
                            Statements& prepare) {
  code::Values& values = prepare.values();
  for (const std::size_t index : flow_blocks(view)) {
    const FlowTables& flows = flows_at(view, index);
    each_coefficient(flows, index, values, [&](code::Value target, Expr coefficient) {
      if (!coefficients.is_fixed(coefficient) || is_zero(view, coefficient)) return;
      prepare.last().assign(target, view.graph().is_constant(coefficient)
                                        ? values.number(view.graph().node(coefficient).value)
                                        : coefficients.value_of(coefficient, values));
    });
    if (is_factorised(flows, coefficients))
      prepare.last().act(values.call(of_network(values, index, runtime::flows_factor),
                                     {values.variable(pattern_of(view, index))}));
  }
}

namespace {

/// Solves it over its laws. @return its NewtonDamping
code::Value solve_laws(const SubsystemView& view, std::size_t index, Statements& statements) {
  code::Values& values = statements.values();
  const std::string numbers = flow_member(index), pattern = pattern_of(view, index),
                    own = coefficients_of(index);
  const int plain =
      view.plan.newton_iterations.value_or(view.surrogate.algebra[index].newton.iterations);
  const code::Value laws = values.verbatim(
      "[&] { " + pattern + "_laws(" + pattern + ", " + numbers + ", " + own + ".data()); }",
      {values.variable(own)});
  return statements.object(runtime::newton_damping, "damping",
                           values.call(of_network(values, index, "solve"),
                                       {values.variable(pattern),
                                        values.integer(static_cast<std::size_t>(plain)), laws}));
}

}  // namespace

code::Value emit_flow_solve(const SubsystemView& view, std::size_t index,
                            Coefficients& coefficients, Statements& statements) {
  const FlowTables& flows = flows_at(view, index);
  code::Values& values = statements.values();
  const auto of = [&](std::string_view member) { return of_network(values, index, member); };
  while (statements.batch_calls(roots_of(flows, coefficients))) continue;
  const auto store = [&](code::Value target, Expr e) {
    const code::Value value = statements.value(e);  // adds what it needs first
    statements.block().assign(target, value);
  };
  for (std::size_t node = 0; node < flows.injected.size(); ++node)
    if (!is_zero(view, flows.injected[node]))
      store(values.element(of(runtime::flows_injected), flows.network.position[node]),
            flows.injected[node]);
  for (std::size_t edge = 0; edge < flows.edges.size(); ++edge)
    if (!is_zero(view, flows.edges[edge].offset))
      store(values.element(of(runtime::flows_offset), edge), flows.edges[edge].offset);
  each_coefficient(flows, index, values, [&](code::Value target, Expr coefficient) {
    if (!coefficients.is_fixed(coefficient)) store(target, coefficient);
  });
  code::Value damping{};
  if (flows.linear) {
    const code::Value pattern = values.variable(pattern_of(view, index));
    if (!is_factorised(flows, coefficients))
      statements.block().act(values.call(of(runtime::flows_factor), {pattern}));
    statements.block().act(values.call(of(runtime::flows_solve_linear), {pattern}));
  } else {
    damping = solve_laws(view, index, statements);
  }
  for (std::size_t node = 0; node < flows.potentials.size(); ++node)
    statements.bind(flows.potentials[node],
                    values.element(of(runtime::flows_at), flows.network.position[node]));
  for (std::size_t edge = 0; edge < flows.edges.size(); ++edge) {
    statements.bind(flows.edges[edge].across, values.element(of(runtime::flows_across), edge));
    statements.bind(flows.edges[edge].through, values.element(of(runtime::flows_through), edge));
  }
  return damping;
}

FlowStart flow_start(const SubsystemView& view, std::size_t index, code::Values& values) {
  const FlowTables& flows = flows_at(view, index);
  FlowStart start;
  for (std::size_t node = 0; node < flows.potentials.size(); ++node)
    start.guesses.emplace_back(values.element(of_network(values, index, runtime::flows_potential),
                                              flows.network.position[node]),
                               flows.guesses[node]);
  start.after = values.call(of_network(values, index, runtime::flows_begin),
                            {values.variable(pattern_of(view, index))});
  return start;
}

void write_flow_members(Writer& text, const SubsystemView& view) {
  for (const std::size_t index : flow_blocks(view)) {
    const FlowTables& flows = flows_at(view, index);
    text.line("/// Network of " + std::to_string(flows.edges.size()) + " flows between " +
              std::to_string(flows.potentials.size()) + " unknown potentials; what its laws read.");
    text.line(type_of(flows) + " " + flow_member(index) + "{};");
    if (!flows.linear)
      text.line("std::array<double, " + std::to_string(coefficient_count(flows)) + "> " +
                coefficients_of(index) + "{};");
  }
}

}  // namespace takt::codegen
