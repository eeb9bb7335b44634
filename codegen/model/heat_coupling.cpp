// Heat that crosses between solid circuits and fluid or gas circuits: coupling paradigms 1 (the heat transfer lives in the solid circuit),
// 2 (in the other one) and 3 (in both, which exchange temperatures).

#include <algorithm>

#include "codegen/library/names.hpp"
#include "codegen/model/convection.hpp"
#include "codegen/model/values.hpp"

namespace takt::codegen {
namespace {

class HeatCoupler {
 public:
  explicit HeatCoupler(Workspace& work) : work_(work), network_(work.network), graph_(work.network.graph) {}

  void run() {
    for (const HeatCrossing& crossing : work_.crossings) {
      if (!work_.flow_nodes.contains(crossing.outer)) {
        no_temperature(crossing.outer, crossing.instance->entry->where);
        continue;
      }
      couple(crossing);
    }
    for (Instance& instance : work_.instances) {
      if (!instance.heat_node || !is_convective(network_.nodes[static_cast<std::size_t>(*instance.heat_node)].domain)) continue;
      if (!work_.flow_nodes.contains(*instance.heat_node)) no_temperature(*instance.heat_node, instance.entry->where);
      else if (instance.loss) receive_loss(instance);
    }
  }

 private:
  Branch& branch(BranchId id) { return network_.branches[static_cast<std::size_t>(id)]; }

  void no_temperature(NodeId node, const Location& where) {
    const std::string& path = network_.nodes[static_cast<std::size_t>(node)].path;
    std::vector<std::string> known;
    for (const auto& [id, flow] : work_.flow_nodes) known.push_back(network_.nodes[static_cast<std::size_t>(id)].path);
    work_.error("M040", where, "mass neither flows to '" + path + "' nor is stored there, so that it has no temperature", name_hint(path, known));
  }

  /// The one branch that can be moved to the other circuit: at the crossing, with its heat flow given.
  std::optional<BranchId> movable(const HeatCrossing& crossing) {
    std::optional<BranchId> found;
    for (const BranchId id : crossing.instance->branches) {
      const Branch& candidate = branch(id);
      if (candidate.from != crossing.inner && candidate.to != crossing.inner) continue;
      if (found || candidate.kind != BranchKind::dissipator || candidate.form != LawForm::through_of) return std::nullopt;
      found = id;
    }
    return found;
  }

  bool stores(NodeId wall) const {
    return std::any_of(network_.branches.begin(), network_.branches.end(), [&](const Branch& candidate) {
      return (candidate.kind == BranchKind::across_storage || candidate.kind == BranchKind::across_source) && (candidate.from == wall || candidate.to == wall);
    });
  }

  std::optional<int> wished(const Instance& instance) {
    const TomlValue* value = instance.entry->value.get("paradigm");
    if (value == nullptr) return std::nullopt;
    if (value->is_number() && (value->number == 1.0 || value->number == 2.0 || value->number == 3.0)) return static_cast<int>(value->number);
    work_.error("M041", value->where, "a coupling paradigm is 1, 2 or 3", "1: the heat transfer is computed in the solid circuit, 2: in the fluid or gas circuit, 3: in both");
    return std::nullopt;
  }

  void couple(const HeatCrossing& crossing) {
    const FlowNode& flow = work_.flow_nodes.at(crossing.outer);
    const auto moved = movable(crossing);
    const bool junction_stores = flow.content != nullptr;
    const NodeId wall = moved ? (branch(*moved).from == crossing.inner ? branch(*moved).to : branch(*moved).from) : crossing.inner;
    const bool wall_stores = moved && stores(wall);
    const auto own = wished(*crossing.instance);
    const int paradigm = own.value_or(junction_stores ? 1 : 2);
    const Location& where = crossing.instance->entry->where;
    const std::string& node = network_.nodes[static_cast<std::size_t>(crossing.outer)].path;
    if (!moved && paradigm != 1) {
      work_.error("M042", where, "'" + crossing.instance->path + "' cannot be computed in the circuit of '" + node + "': it is more than one branch h = ...",
                  "give '" + node + "' a volume, or use solid.heat_transfer");
      return;
    }
    if (!junction_stores && !wall_stores) {
      work_.error("M043", where, "both ends of '" + crossing.instance->path + "' are lumped: its two circuits would answer each other without delay, and never agree however often they exchange",
                  "give the wall a heat capacity or '" + node + "' a volume");
      return;
    }
    if (paradigm != 2 && !junction_stores) {
      work_.error("M044", where, "with paradigm " + std::to_string(paradigm) + " the temperature of '" + node + "' answers the heat flow of '" + crossing.instance->path +
                  "' without delay, and the other way round: the exchange diverges", "leave paradigm 2, or give '" + node + "' a volume");
      return;
    }
    if (paradigm == 2 && !wall_stores) {
      work_.error("M044", where, "with paradigm 2 the temperature of the lumped wall answers the heat flow of '" + crossing.instance->path + "' without delay, and the other way round",
                  "leave paradigm 1, or give the wall a heat capacity");
      return;
    }
    const char* reason = own ? "given" : junction_stores ? (wall_stores ? "both ends store" : "the wall is lumped") : "the junction is lumped";
    network_.heat_couplings.push_back({crossing.instance->path, node, paradigm, reason, where});
    if (paradigm == 2) return move(crossing, *moved);
    const SymbolId heat = bound(crossing);
    if (paradigm == 1) return receive(crossing.outer, crossing.instance->path + "." + crossing.terminal + ".received", graph_.use(heat), where);
    const Expr own_heat = heat_flow(crossing, *moved);
    work_.flow_nodes.at(crossing.outer).inflows.push_back(own_heat);
  }

  NodeId reference(const Location& where) {
    const DomainWords& words = words_of(Domain::solid);
    return work_.node_at(Domain::solid, std::string(words.name) + "." + std::string(words.reference), where);
  }

  /// The medium's temperature as a boundary of the solid circuit. @return the heat flow into the medium
  SymbolId bound(const HeatCrossing& crossing) {
    Branch made;
    made.element = crossing.instance->element;
    made.path = crossing.instance->path + "." + crossing.terminal + ".medium";
    made.domain = Domain::solid;
    made.kind = BranchKind::across_source;
    made.coupling = true;
    made.form = LawForm::across_of;
    made.law = graph_.use(work_.flow_nodes.at(crossing.outer).t);
    made.default_start = graph_.zero();
    made.from = crossing.inner;
    made.to = reference(crossing.instance->entry->where);
    made.across = work_.make_symbol(made.path + ".t", "K");
    made.through = work_.make_symbol(made.path + ".h", "W");
    made.where = crossing.instance->entry->where;
    network_.elements[static_cast<std::size_t>(made.element)].branches.push_back(static_cast<BranchId>(network_.branches.size()));
    network_.branches.push_back(made);
    return made.through;
  }

  /// Heat flow into the medium, computed in the medium's circuit from the temperature of the wall.
  Expr heat_flow(const HeatCrossing& crossing, BranchId id) {
    const Branch& law = branch(id);
    const FlowNode& flow = work_.flow_nodes.at(crossing.outer);
    const bool from_wall = law.to == crossing.inner;
    const NodeId wall = from_wall ? law.from : law.to;
    const auto potential = work_.potentials.find(wall);
    const Expr wall_t = potential == work_.potentials.end() ? graph_.zero() : graph_.use(potential->second), medium_t = graph_.use(flow.t);
    const Expr difference = from_wall ? graph_.sub(wall_t, medium_t) : graph_.sub(medium_t, wall_t);
    const SymbolId symbol = work_.make_symbol(law.path + ".medium.h", "W");
    network_.variables.push_back({*flow.element, symbol, graph_.substitute(law.law, {{law.across, difference}}), law.where});
    return from_wall ? graph_.use(symbol) : graph_.neg(graph_.use(symbol));
  }

  /// Paradigm 2: the wall sees a heat flow that the medium's circuit sends.
  void move(const HeatCrossing& crossing, BranchId id) {
    const Expr into_medium = heat_flow(crossing, id);
    work_.flow_nodes.at(crossing.outer).inflows.push_back(into_medium);
    Branch& moved = branch(id);
    moved.kind = BranchKind::through_source;
    moved.law = moved.to == crossing.inner ? into_medium : graph_.neg(into_medium);
    network_.nodes[static_cast<std::size_t>(crossing.inner)].reference = true;
  }

  void receive(NodeId node, const std::string& path, Expr value, const Location& where) {
    FlowNode& flow = work_.flow_nodes.at(node);
    const SymbolId received = work_.make_symbol(path, "W");
    network_.heat_inputs.push_back({*flow.element, received, value, where});
    flow.inflows.push_back(graph_.use(received));
  }

  /// The loss of an element that a medium cools.
  void receive_loss(Instance& instance) {
    const std::string path = instance.path + ".heat.received";
    receive(*instance.heat_node, path, graph_.use(*instance.loss), instance.entry->where);
    for (EdgeEnergy& edge : network_.edge_energies)
      if (edge.element == instance.element) edge.heat = path;
  }

  Workspace& work_;
  Network& network_;
  Graph& graph_;
};

}  // namespace

void couple_heat(Workspace& work) { HeatCoupler(work).run(); }

}  // namespace takt::codegen
