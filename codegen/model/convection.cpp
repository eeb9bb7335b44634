#include "codegen/model/convection.hpp"

#include <algorithm>

#include "codegen/model/laws.hpp"
#include "codegen/model/media.hpp"
#include "codegen/model/values.hpp"

namespace takt::codegen {
namespace {

constexpr double mixing_flow = 1e-9;  // kg/s
constexpr double still_flow =
    100 * mixing_flow;  // kg/s; below, mixing reaches a hundredth of what mass brings
constexpr double default_temperature = 293.15;  // K

FlowNode& flow_node(Workspace& work, NodeId node, const Instance& instance) {
  FlowNode& made = work.flow_nodes[node];
  if (made.element) return made;
  const std::string& path = work.network.nodes[static_cast<std::size_t>(node)].path;
  made.t = work.make_symbol(path + ".t", "K");
  work.kinds[made.t] = temperature_kind(1.0);
  made.h = work.make_symbol(path + ".h", "J/kg");
  if (const Medium* medium = medium_at(work, node);
      medium != nullptr && !medium->definition->fraction.empty())
    made.x = work.make_symbol(path + ".x", "1");
  made.element = instance.element;
  return made;
}

bool is_flow_vertex(const Workspace& work, NodeId node) {
  const NetworkNode& at = work.network.nodes[static_cast<std::size_t>(node)];
  return is_convective(at.domain) && !at.reference;
}

void declare_words(Workspace& work, Instance& instance) {
  for (const auto& [name, node] : instance.vertices) {
    const NetworkNode& at = work.network.nodes[static_cast<std::size_t>(node)];
    if (!is_convective(at.domain)) continue;
    if (at.reference) {
      instance.variables[name + ".p"] = {work.network.graph().zero(), std::nullopt};
      continue;
    }
    if (const auto potential = work.potentials.find(node); potential != work.potentials.end())
      instance.variables[name + ".p"] = work.named(potential->second);
    if (const auto flow = work.flow_nodes.find(node); flow != work.flow_nodes.end()) {
      instance.variables[name + ".t"] = work.named(flow->second.t);
      instance.variables[name + ".x"] = flow->second.x
                                            ? work.named(*flow->second.x)
                                            : Named{work.network.graph().zero(), Dimension{}};
      if (name == "self" && instance.definition->content)
        instance.variables["t"] = work.named(flow->second.t);
    }
  }
  if (const Medium* medium = medium_of(work, instance))
    instance.variables["r_gas"] = {medium->r, parse_unit("J/kg/K").value_or(Unit{}).dimension};
}

class ConvectionLowering {
 public:
  explicit ConvectionLowering(Workspace& work)
      : work_(work), network_(work.network), graph_(work.network.graph()) {}

  void run() {
    for (Instance& instance : work_.instances) {
      for (const StreamDefinition& stream : instance.definition->streams)
        lower_stream(instance, stream);
    }
    for (auto& [id, node] : work_.flow_nodes) {
      const Medium* medium = medium_at(work_, id);
      if (medium == nullptr) continue;  // reported
      if (node.content == nullptr) {
        mix(id, node, *medium);
      } else if (node.content->definition->content->temperature) {
        give(*node.content, node, *medium);
      } else {
        store(*node.content, node, *medium);
      }
    }
  }

 private:
  Expr flow_or_zero(InstanceNames& names, const SourceExpression& source, std::string_view unit,
                    std::string_view what) {
    const auto value = names.lower(source);
    if (!value) return graph_.zero();
    names.expect(*value, unit, source, what);
    return value->value;
  }

  void lower_stream(Instance& instance, const StreamDefinition& stream) {
    InstanceNames names(work_, instance);
    const Medium* medium = medium_at(work_, instance.vertices.at(stream.from));
    const auto from = work_.flow_nodes.find(instance.vertices.at(stream.from));
    if (medium == nullptr || from == work_.flow_nodes.end())
      return;  // reported, or at the reference
    const Expr flow = flow_or_zero(names, stream.flow, "kg/s", "the flow of a stream");
    const Expr upstream = graph_.use(from->second.h);
    FlowNode* to = nullptr;
    Expr downstream{};
    if (stream.to.empty()) {
      downstream =
          enthalpy_at(graph_, *medium,
                      flow_or_zero(names, *stream.temperature, "K", "the temperature of a stream"));
    } else {
      to = &work_.flow_nodes.at(instance.vertices.at(stream.to));
      downstream = graph_.use(to->h);
    }
    const SymbolId symbol = work_.make_symbol(
        instance.path + (stream.name.empty() ? "" : "." + stream.name) + ".h_flow", "W");
    network_.variables.push_back(
        {instance.element, symbol, upwind(flow, upstream, downstream), instance.entry->where});
    const Expr carried = graph_.use(symbol);
    from->second.carried.push_back(graph_.neg(carried));
    from->second.mixing.push_back(brought(graph_.neg(flow), downstream, upstream));
    from->second.arriving.push_back(graph_.binary(Op::max, graph_.neg(flow), graph_.zero()));
    if (to != nullptr) {
      to->carried.push_back(carried);
      to->mixing.push_back(brought(flow, upstream, downstream));
      to->arriving.push_back(graph_.binary(Op::max, flow, graph_.zero()));
    } else {
      network_.enthalpy_sources.push_back({instance.element, graph_.neg(carried)});
    }
    if (from->second.x) carry_fraction(instance, stream, names, {flow, from->second, to});
  }

  struct StreamFlow {
    Expr flow;  ///< kg/s
    FlowNode& from;
    FlowNode* to;  ///< nullptr: it leaves the network
  };

  /// The passive fraction goes with the mass as the enthalpy does.
  void carry_fraction(Instance& instance, const StreamDefinition& stream, InstanceNames& names,
                      const StreamFlow& along) {
    const auto& [flow, from, to] = along;
    const Expr outside =
        stream.fraction ? flow_or_zero(names, *stream.fraction, "1", "the fraction of a stream")
                        : graph_.zero();
    const SymbolId symbol = work_.make_symbol(
        instance.path + (stream.name.empty() ? "" : "." + stream.name) + ".x_flow", "kg/s");
    const Expr carried = graph_.use(symbol);
    const Expr upstream = graph_.use(*from.x),
               downstream = to != nullptr ? graph_.use(*to->x) : outside;
    network_.variables.push_back(
        {instance.element, symbol, upwind(flow, upstream, downstream), instance.entry->where});
    from.x_inflows.push_back(graph_.neg(carried));
    from.x_mixing.push_back(brought(graph_.neg(flow), downstream, upstream));
    if (to == nullptr) return;
    to->x_inflows.push_back(carried);
    to->x_mixing.push_back(brought(flow, upstream, downstream));
  }

  Expr upwind(Expr flow, Expr upstream, Expr downstream) {
    const Expr forward = graph_.mul(graph_.binary(Op::max, flow, graph_.zero()), upstream);
    const Expr backward =
        graph_.mul(graph_.binary(Op::max, graph_.neg(flow), graph_.zero()), downstream);
    const Expr mixed = graph_.mul(graph_.constant(mixing_flow), graph_.sub(upstream, downstream));
    return graph_.add(graph_.sub(forward, backward), mixed);
  }

  /// What a flow into a junction adds to its enthalpy or fraction. Zero for what leaves, whatever
  /// the flows: while a solver still looks for flows that balance, the junction stays between what
  /// comes in.
  Expr brought(Expr flow, Expr from, Expr own) {
    const Expr mass =
        graph_.add(graph_.binary(Op::max, flow, graph_.zero()), graph_.constant(mixing_flow));
    return graph_.mul(mass, graph_.sub(from, own));
  }

  Expr sum_of(const std::vector<Expr>& parts) {
    Expr sum = graph_.zero();
    for (const Expr part : parts) sum = graph_.add(sum, part);
    return sum;
  }
  Expr inflow(const FlowNode& node) { return graph_.add(sum_of(node.carried), sum_of(node.heats)); }

  void variable(const FlowNode& node, SymbolId symbol, Expr value, const Location& where) {
    network_.variables.push_back({*node.element, symbol, value, where});
  }

  /// A node without contents.
  void mix(NodeId id, const FlowNode& node, const Medium& medium) {
    const NetworkNode& at = network_.nodes[static_cast<std::size_t>(id)];
    if (node.mixing.empty()) {
      work_.error("M040", at.where,
                  "no mass can flow to or from '" + at.path + "', so that it has no temperature",
                  "connect it by a pipe or an orifice, or give it a volume");
      return;
    }
    const SymbolId still = work_.make_symbol(at.path + ".still", "1");
    variable(node, still,
             graph_.binary(Op::less, sum_of(node.arriving), graph_.constant(still_flow)), at.where);
    const Expr guess = enthalpy_at(graph_, medium, graph_.constant(default_temperature));
    network_.balances.push_back({*node.element, node.h,
                                 graph_.add(sum_of(node.mixing), sum_of(node.heats)), guess, still,
                                 at.where});
    variable(node, node.t, temperature_of_enthalpy(graph_, medium, graph_.use(node.h)), at.where);
    if (node.x)
      network_.balances.push_back(
          {*node.element, *node.x, sum_of(node.x_mixing), graph_.zero(), std::nullopt, at.where});
  }

  /// A boundary: its temperature is given.
  void give(Instance& instance, const FlowNode& node, const Medium& medium) {
    InstanceNames names(work_, instance);
    const Expr t =
        flow_or_zero(names, *instance.definition->content->temperature, "K", "the temperature");
    variable(node, node.t, t, instance.entry->where);
    variable(node, node.h, enthalpy_at(graph_, medium, graph_.use(node.t)), instance.entry->where);
    network_.enthalpy_sources.push_back({instance.element, graph_.neg(inflow(node))});
    const auto& fraction = instance.definition->content->fraction;
    if (node.x)
      variable(node, *node.x,
               fraction ? flow_or_zero(names, *fraction, "1", "the fraction") : graph_.zero(),
               instance.entry->where);
  }

  /// Contents: e = m*h(t) of a liquid, e = m*u(t) of a gas.
  void store(Instance& instance, const FlowNode& node, const Medium& medium) {
    InstanceNames names(work_, instance);
    const ContentDefinition& content = *instance.definition->content;
    const Location& where = instance.entry->where;
    const Expr mass = flow_or_zero(names, *content.mass, "kg", "the mass of the contents");
    const bool gas = medium.definition->r.has_value();
    const Expr t = graph_.use(node.t);
    ElementState state;
    state.element = instance.element;
    state.symbol = work_.make_symbol(instance.path + ".e", "J");
    state.derivative = inflow(node);
    state.start =
        graph_.mul(mass, gas ? energy_at(graph_, medium, t) : enthalpy_at(graph_, medium, t));
    state.where = where;
    const Expr specific = graph_.div(graph_.use(state.symbol), mass);
    variable(node, node.t,
             gas ? temperature_of_energy(graph_, medium, specific)
                 : temperature_of_enthalpy(graph_, medium, specific),
             where);
    variable(node, node.h, gas ? enthalpy_at(graph_, medium, t) : specific, where);
    Expr start = graph_.constant(default_temperature);
    if (content.start) start = names.lower_start(*content.start).value_or(start);
    network_.contents.push_back(
        {instance.element, state.symbol, node.t, instance.start_temperature.value_or(start)});
    network_.states.push_back(state);
    if (node.x) store_fraction(instance, node, mass);
  }

  /// x = m_x/mass, m_x' = what streams carry.
  void store_fraction(Instance& instance, const FlowNode& node, Expr mass) {
    ElementState state;
    state.element = instance.element;
    state.symbol = work_.make_symbol(instance.path + ".m_x", "kg");
    state.derivative = sum_of(node.x_inflows);
    state.start = graph_.mul(mass, instance.start_fraction.value_or(graph_.zero()));
    state.where = instance.entry->where;
    variable(node, *node.x, graph_.div(graph_.use(state.symbol), mass), state.where);
    network_.states.push_back(state);
  }

  Workspace& work_;
  Network& network_;
  Graph& graph_;
};

}  // namespace

void declare_temperatures(Workspace& work) {
  for (Instance& instance : work.instances) {
    const ElementDefinition& definition = *instance.definition;
    if (definition.content)
      flow_node(work, instance.vertices.at("self"), instance).content = &instance;
    for (const StreamDefinition& stream : definition.streams)
      for (const std::string& end : {stream.from, stream.to})
        if (!end.empty() && is_flow_vertex(work, instance.vertices.at(end)))
          flow_node(work, instance.vertices.at(end), instance);
  }
  for (Instance& instance : work.instances)
    if (!instance.definition->is_control()) declare_words(work, instance);
}

void lower_convection(Workspace& work) { ConvectionLowering(work).run(); }

}  // namespace takt::codegen
