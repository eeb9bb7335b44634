// Heat that crosses between solid circuits and fluid or gas circuits: coupling paradigms 1 (the
// heat transfer lives in the solid circuit), 2 (in the other one) and 3 (in both, which exchange
// temperatures).

#include <map>
#include <set>

#include "codegen/library/names.hpp"
#include "codegen/model/convection.hpp"
#include "codegen/model/values.hpp"

namespace takt::codegen {
namespace {

class HeatCoupler {
 public:
  explicit HeatCoupler(Workspace& work)
      : work_(work), network_(work.network), graph_(work.network.graph()) {}

  void run() {
    for (const Branch& candidate : network_.branches)
      if (candidate.kind == BranchKind::across_storage ||
          candidate.kind == BranchKind::across_source)
        storing_.insert({candidate.from, candidate.to});
    for (const HeatCrossing& crossing : work_.crossings) inner_.emplace(crossing.inner, &crossing);
    bool lost = false;
    for (const HeatCrossing& crossing : work_.crossings)
      if (!work_.flow_nodes.contains(crossing.outer))
        no_temperature(crossing.outer, crossing.instance->entry->where), lost = true;
    // Two crossings of one heat transfer look at each other's medium.
    for (const HeatCrossing& crossing : work_.crossings)
      if (!lost) couple(crossing);
    for (Instance& instance : work_.instances) {
      if (!instance.heat_node ||
          !is_convective(network_.nodes[static_cast<std::size_t>(*instance.heat_node)].domain))
        continue;
      if (!work_.flow_nodes.contains(*instance.heat_node))
        no_temperature(*instance.heat_node, instance.entry->where);
      else if (instance.loss)
        receive_loss(instance);
    }
  }

 private:
  Branch& branch(BranchId id) { return network_.branches[static_cast<std::size_t>(id)]; }

  void no_temperature(NodeId node, const Location& where) {
    const std::string& path = network_.nodes[static_cast<std::size_t>(node)].path;
    std::vector<std::string> known;
    for (const auto& [id, flow] : work_.flow_nodes)
      known.push_back(network_.nodes[static_cast<std::size_t>(id)].path);
    work_.error(
        "M040", where,
        "mass neither flows to '" + path + "' nor is stored there, so that it has no temperature",
        name_hint(path, known));
  }

  /// The one branch that can be moved to the other circuit: at the crossing, with its heat flow
  /// given.
  std::optional<BranchId> movable(const HeatCrossing& crossing) {
    std::optional<BranchId> found;
    for (const BranchId id : crossing.instance->branches) {
      const Branch& candidate = branch(id);
      if (candidate.from != crossing.inner && candidate.to != crossing.inner) continue;
      if (found || candidate.kind != BranchKind::dissipator ||
          candidate.form != LawForm::through_of)
        return std::nullopt;
      found = id;
    }
    return found;
  }

  const std::string& path_of(NodeId node) const {
    return network_.nodes[static_cast<std::size_t>(node)].path;
  }
  bool mixes(const HeatCrossing& crossing) const {
    return work_.flow_nodes.at(crossing.outer).content == nullptr;
  }

  /// The paradigm the plant file asks for; `joint` where the two circuits are to be one.
  std::optional<int> wished(const Instance& instance) {
    const TomlValue* value = instance.entry->value.get("paradigm");
    if (value == nullptr) return std::nullopt;
    if (value->is_number() &&
        (value->number == 1.0 || value->number == 2.0 || value->number == 3.0))
      return static_cast<int>(value->number);
    if (value->kind == TomlValue::Kind::string && value->text == "joint")
      return HeatCoupling::joint;
    work_.error("M041", value->where, "a coupling paradigm is 1, 2, 3 or \"joint\"",
                "1: the heat transfer is computed in the solid circuit, 2: in the fluid or gas "
                "circuit, 3: in both; joint: the two circuits are solved as one");
    return std::nullopt;
  }

  void couple(const HeatCrossing& crossing) {
    const auto moved = movable(crossing);
    const NodeId wall =
        moved ? (branch(*moved).from == crossing.inner ? branch(*moved).to : branch(*moved).from)
              : crossing.inner;
    if (const auto other = inner_.find(wall); moved && other != inner_.end())
      return exchange(crossing, *other->second);
    const bool wall_stores = moved && storing_.contains(wall);
    const auto own = wished(*crossing.instance);
    if (own && !possible(crossing, *own, {wall, moved.has_value(), wall_stores})) return;
    const int automatic = !mixes(crossing) ? 1 : wall_stores ? 2 : HeatCoupling::joint;
    const int paradigm = own.value_or(automatic);
    const char* reason = own ? "given"
                         : !mixes(crossing)
                             ? (wall_stores ? "both ends store" : "the wall is lumped")
                         : wall_stores ? "the junction is lumped"
                         : moved       ? "both ends are lumped"
                                       : "it is more than one branch, and the junction is lumped";
    note(crossing, wall, paradigm, reason);
    if (paradigm == 2) return move(crossing, *moved);
    const SymbolId heat = bound(crossing);
    if (paradigm == 3) return share(crossing, *moved);
    give(crossing, heat);
    if (paradigm == HeatCoupling::joint)
      join(crossing, own ? "" : "circuit of '" + path_of(crossing.outer) + "': " + reason);
  }

  void note(const HeatCrossing& crossing, NodeId wall, int paradigm, const char* reason) {
    network_.heat_couplings.push_back({crossing.instance->path, path_of(crossing.outer),
                                       crossing.instance->element, wall, crossing.outer, paradigm,
                                       reason, crossing.instance->entry->where});
  }

  void give(const HeatCrossing& crossing, SymbolId heat) {
    receive(crossing.outer, crossing.instance->path + "." + crossing.terminal + ".received",
            graph_.use(heat), crossing.instance->entry->where);
  }

  /// Solves the circuit at the crossing together with the medium's, and says so where there is
  /// something to say.
  void join(const HeatCrossing& crossing, const std::string& told) {
    network_.joints.push_back({crossing.inner, crossing.outer});
    if (!told.empty())
      work_.diagnostics.note(
          "M043", crossing.instance->entry->where,
          "'" + crossing.instance->path + "' is solved together with the " + told);
  }

  /// Heat from one medium to another: computed with a medium whose node is lumped, with both where
  /// both are, else with the first.
  void exchange(const HeatCrossing& crossing, const HeatCrossing& other) {
    if (const TomlValue* value = crossing.instance->entry->value.get("paradigm"); value != nullptr)
      work_.error("M041", value->where,
                  "between two media there is no choice of a coupling paradigm",
                  "leave it out: the heat transfer is computed where its end is lumped");
    if (!mixes(crossing) && !mixes(other) && crossing.inner > other.inner) {
      // Both store: the end that comes first takes the heat transfer into its circuit.
      note(crossing, other.outer, 1, "both ends store");
    } else if (mixes(crossing) || !mixes(other)) {
      const char* reason = mixes(crossing)
                               ? (mixes(other) ? "both ends are lumped" : "its end there is lumped")
                               : "both ends store";
      note(crossing, other.outer, HeatCoupling::joint, reason);
      const bool both = mixes(crossing) && mixes(other) && crossing.inner < other.inner;
      join(crossing, both ? "circuits of '" + path_of(crossing.outer) + "' and '" +
                                path_of(other.outer) + "': " + reason
                          : "");
    } else {
      note(crossing, other.outer, 1, "the other end is lumped");
    }
    give(crossing, bound(crossing));
  }

  /// The wall that a heat transfer to a medium begins at.
  struct FarEnd {
    NodeId wall;
    bool moves;   ///< the heat transfer is one branch, which can go to the medium's circuit
    bool stores;  ///< the wall has a heat capacity
  };

  /// Whether a paradigm that was asked for leaves every circuit solvable and the exchange
  /// convergent; else reported.
  bool possible(const HeatCrossing& crossing, int paradigm, const FarEnd& end) {
    const Location& where = crossing.instance->entry->where;
    const std::string &path = crossing.instance->path, &node = path_of(crossing.outer);
    const bool junction_stores = !mixes(crossing);
    if (paradigm > 1 && !end.moves)
      return refuse("M042", where,
                    "'" + path + "' cannot be computed in the circuit of '" + node +
                        "': it is more than one branch h = ...",
                    "leave `paradigm` out, or use solid.heat_transfer");
    if (paradigm == 2 && !end.stores && !tied(end.wall))
      return refuse("R012", where,
                    "with paradigm 2 nothing is left in the solid circuit of '" +
                        path_of(end.wall) + "' that ties its temperature: '" + path +
                        "' is computed in the circuit of '" + node + "'",
                    junction_stores ? "leave paradigm 1, or give the circuit a wall with a heat "
                                      "capacity or a temperature boundary"
                                    : "leave `paradigm` out, or give the circuit a wall with a "
                                      "heat capacity or a temperature boundary");
    if (paradigm == 2 && !end.stores)
      return refuse("M044", where,
                    "with paradigm 2 the temperature of the lumped wall '" + path_of(end.wall) +
                        "' answers the heat flow of '" + path +
                        "' without delay, and the other way round: the exchange may diverge",
                    "leave `paradigm` out, or give the wall a heat capacity");
    if ((paradigm == 1 || paradigm == 3) && !junction_stores)
      return refuse("M044", where,
                    "with paradigm " + std::to_string(paradigm) + " the temperature of '" + node +
                        "' answers the heat flow of '" + path +
                        "' without delay, and the other way round: the exchange may diverge",
                    "leave `paradigm` out, or give '" + node + "' a volume");
    return true;
  }

  bool refuse(const char* code, const Location& where, const std::string& message,
              const std::string& hint) {
    return work_.error(code, where, message, hint), false;
  }

  /// Whether anything but heat transfers that paradigm 2 takes away ties the temperatures of the
  /// wall's circuit (the papers' theorem on solid networks).
  bool tied(NodeId wall) {
    std::set<NodeId> seen{wall};
    const auto reference = [&](NodeId node) {
      return network_.nodes[static_cast<std::size_t>(node)].reference;
    };
    for (std::size_t before = 0; before != seen.size();) {
      before = seen.size();
      for (const Branch& candidate : network_.branches) {
        if (candidate.domain != Domain::solid || candidate.kind == BranchKind::through_source)
          continue;
        const bool from = seen.contains(candidate.from), to = seen.contains(candidate.to);
        if (!from && !to) continue;
        if (reference(candidate.from) || reference(candidate.to))
          return true;  // a storage, a boundary
        const NodeId next = from ? candidate.to : candidate.from;
        const auto crossing = inner_.find(next);
        if (crossing == inner_.end())
          seen.insert(next);
        else if (wished(*crossing->second->instance).value_or(mixes(*crossing->second) ? 2 : 1) !=
                 2)
          return true;
      }
    }
    return false;
  }

  NodeId reference(const Location& where) {
    const DomainWords& words = words_of(Domain::solid);
    return work_.node_at(Domain::solid,
                         std::string(words.name) + "." + std::string(words.reference), where);
  }

  /// The medium's temperature as a boundary of the solid circuit. @return the heat flow into the
  /// medium
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
    network_.elements[static_cast<std::size_t>(made.element)].branches.push_back(
        static_cast<BranchId>(network_.branches.size()));
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
    const Expr wall_t = potential == work_.potentials.end() ? graph_.zero()
                                                            : graph_.use(potential->second),
               medium_t = graph_.use(flow.t);
    const Expr difference = from_wall ? graph_.sub(wall_t, medium_t) : graph_.sub(medium_t, wall_t);
    const SymbolId symbol = work_.make_symbol(law.path + ".medium.h", "W");
    network_.variables.push_back(
        {*flow.element, symbol, graph_.substitute(law.law, {{law.across, difference}}), law.where});
    return from_wall ? graph_.use(symbol) : graph_.neg(graph_.use(symbol));
  }

  /// Paradigm 2: the wall sees a heat flow that the medium's circuit sends.
  void move(const HeatCrossing& crossing, BranchId id) {
    const Expr into_medium = heat_flow(crossing, id);
    work_.flow_nodes.at(crossing.outer).heats.push_back(into_medium);
    Branch& moved = branch(id);
    moved.kind = BranchKind::through_source;
    moved.law = moved.to == crossing.inner ? into_medium : graph_.neg(into_medium);
    network_.nodes[static_cast<std::size_t>(crossing.inner)].reference = true;
  }

  /// Paradigm 3: both circuits compute the heat, each with the other's temperature.
  void share(const HeatCrossing& crossing, BranchId id) {
    FlowNode& flow = work_.flow_nodes.at(crossing.outer);
    const Expr into_medium = heat_flow(crossing, id);
    flow.heats.push_back(into_medium);
    network_.shared_heats.push_back({*flow.element, into_medium});
  }

  void receive(NodeId node, const std::string& path, Expr value, const Location& where) {
    FlowNode& flow = work_.flow_nodes.at(node);
    const SymbolId received = work_.make_symbol(path, "W");
    network_.heat_inputs.push_back({*flow.element, received, value, where});
    flow.heats.push_back(graph_.use(received));
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
  std::set<NodeId> storing_;  // nodes with a storage or a boundary
  std::map<NodeId, const HeatCrossing*> inner_;
};

}  // namespace

void couple_heat(Workspace& work) { HeatCoupler(work).run(); }

}  // namespace takt::codegen
