// What ties nodes that store nothing to a given potential: walls without heat capacity to a
// temperature, parts of drive lines without mass to a speed. One by one, and in groups: what joins
// them among themselves ties them to nothing.

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "codegen/model/laws.hpp"
#include "codegen/model/nodes_and_branches.hpp"
#include "codegen/model/values.hpp"
#include "runtime/graph/disjoint_sets.hpp"

namespace takt::codegen {
namespace {

/// Where a way through a group has more steps than this, only the ways out of the group are watched
/// while a plant runs.
constexpr std::size_t most_steps = 200;

struct Words {
  const char *conductance, *conductances, *potential, *potentials, *hint;
};

Words words_of_ties(Domain domain) {
  if (domain == Domain::solid)
    return {"conductance", "conductances", "temperature", "temperatures",
            "give it a conductance above 0, or the wall a heat capacity (solid.wall)"};
  return {"damping", "dampings", "speed", "speeds",
          "give it a damping above 0, or the node an inertia or mass"};
}

/// A branch between two nodes of a group, or from one out of it.
struct Tie {
  const Branch* branch = nullptr;
  std::size_t from = 0, to = 0;  ///< nodes in the group; `to` the same as `from`: out of it
  Expr conductance{};            ///< |d through / d across|
  std::optional<double> now{};   ///< by parameters alone
  [[nodiscard]] bool leaves() const { return from == to; }
  [[nodiscard]] bool conducts() const { return !now || *now > 0.0; }
};

struct Group {
  std::vector<NodeId> nodes;
  std::vector<Tie> ties;
};

std::string joined(const std::vector<std::string>& names) {
  constexpr std::size_t shown = 6;
  std::string text;
  for (std::size_t k = 0; k < std::min(shown, names.size()); ++k)
    text += (k == 0 ? "" : ", ") + names[k];
  return names.size() > shown ? text + " and " + std::to_string(names.size() - shown) + " more"
                              : text;
}

class TiesOfNodes {
 public:
  explicit TiesOfNodes(Workspace& work)
      : work_(work), network_(work.network), graph_(work.network.graph()), places_(work.network) {
    for (std::size_t index = 0; index < network_.nodes.size(); ++index)
      free_.push_back(is_free(static_cast<NodeId>(index)));
  }

  void judge() {
    std::set<NodeId> seen;
    for (std::size_t index = 0; index < network_.nodes.size(); ++index) {
      const auto node = static_cast<NodeId>(index);
      if (free_[index] && !seen.contains(node)) judge_group(group_of(node, seen));
    }
  }

 private:
  [[nodiscard]] const NetworkNode& at(NodeId id) const {
    return network_.nodes[static_cast<std::size_t>(id)];
  }
  [[nodiscard]] const std::vector<const Branch*>& branches(NodeId id) const {
    return places_.at(id);
  }

  /// It has the potential at which what flows through its branches balances: only these and sources
  /// are there.
  [[nodiscard]] bool is_free(NodeId id) const {
    const NetworkNode& node = at(id);
    const bool has_ties = node.domain == Domain::solid || node.domain == Domain::rotational ||
                          node.domain == Domain::translational;
    if (!has_ties || node.reference || !places_.element_at(id)) return false;
    bool any = false;
    for (const Branch* branch : branches(id)) {
      if (branch->kind == BranchKind::through_source) continue;
      if (branch->kind != BranchKind::dissipator || branch->form != LawForm::through_of)
        return false;
      any = true;
    }
    return any;  // else topology says so
  }

  [[nodiscard]] Group group_of(NodeId first, std::set<NodeId>& seen) {
    Group group;
    std::map<NodeId, std::size_t> place;
    const auto add = [&](NodeId id) {
      if (!seen.insert(id).second) return;
      place[id] = group.nodes.size();
      group.nodes.push_back(id);
    };
    add(first);
    for (std::size_t k = 0; k < group.nodes.size(); ++k)
      for (const Branch* branch : branches(group.nodes[k])) {
        if (branch->kind == BranchKind::through_source) continue;
        const NodeId other = branch->from == group.nodes[k] ? branch->to : branch->from;
        if (free_[static_cast<std::size_t>(other)]) add(other);
        const auto found = place.find(other);
        if (found == place.end())
          group.ties.push_back({branch, k, k});
        else if (found->second > k)  // once, by the earlier end
          group.ties.push_back({branch, k, found->second});
      }
    for (Tie& tie : group.ties) tie.conductance = conductance(*tie.branch, group.nodes.size() > 1);
    for (Tie& tie : group.ties) tie.now = parameter_value(work_, tie.conductance);
    return group;
  }

  /// Of a law that is not linear it is 0 at single points, which is no matter to a group; of a law
  /// that does not read what is across its branch nobody knows here what it ties.
  [[nodiscard]] Expr conductance(const Branch& branch, bool in_group) {
    const Expr slope = graph_.unary(Op::abs, graph_.differentiate(branch.law, branch.across));
    const std::vector<SymbolId> read = graph_.symbols_of(slope);
    const bool is_linear = std::find(read.begin(), read.end(), branch.across) == read.end();
    const bool known = branch.domain == Domain::solid
                           ? is_linear || !in_group
                           : is_linear && !graph_.is_constant(slope, 0.0);
    return known ? slope : graph_.constant(1.0);
  }

  void judge_group(const Group& group) {
    if (report_untied(group)) return;
    const bool moves =
        std::any_of(group.ties.begin(), group.ties.end(), [](const Tie& tie) { return !tie.now; });
    const std::vector<Expr> reach = reach_of(group);
    for (std::size_t k = 0; k < reach.size(); ++k) {
      const NetworkNode& node = at(group.nodes[k]);
      const std::string text = text_while_running(group, k);
      if (moves && !graph_.is_constant(reach[k]))
        network_.ranges.push_back({.element = *places_.element_at(group.nodes[k]),
                                   .below = graph_.zero(),
                                   .above = reach[k],
                                   .strict = true,
                                   .seldom = false,
                                   .code = "X014",
                                   .text = text,
                                   .where = node.where});
      else if (const Expr ties = graph_.binary(Op::less, graph_.zero(), reach[k]);
               !graph_.is_constant(ties))
        network_.limits.push_back({ties, text});
    }
  }

  /// Groups that no tie leaves which conducts, with the values that parameters have. M047.
  [[nodiscard]] bool report_untied(const Group& group) {
    const std::size_t outside = group.nodes.size();
    graph::DisjointSets parts(outside + 1);
    for (const Tie& tie : group.ties)
      if (tie.conducts()) parts.join(tie.from, tie.leaves() ? outside : tie.to);
    std::map<std::size_t, std::vector<std::size_t>> untied;
    for (std::size_t k = 0; k < outside; ++k)
      if (parts.find(k) != parts.find(outside)) untied[parts.find(k)].push_back(k);
    for (const auto& [which, members] : untied) {
      std::vector<std::string> zero, nodes;
      for (const Tie& tie : group.ties)
        if (!tie.conducts() &&
            (parts.find(tie.from) == which) != (!tie.leaves() && parts.find(tie.to) == which))
          zero.push_back(tie.branch->path);
      for (const std::size_t k : members) nodes.push_back(at(group.nodes[k]).path);
      if (zero.empty()) continue;  // topology says so
      const NetworkNode& first = at(group.nodes[members.front()]);
      work_.error("M047", first.where, text_of(first.domain, zero, nodes),
                  words_of_ties(first.domain).hint);
    }
    return !untied.empty();
  }

  [[nodiscard]] static std::string text_of(Domain domain, const std::vector<std::string>& zero,
                                           const std::vector<std::string>& nodes) {
    const Words words = words_of_ties(domain);
    const bool several = zero.size() > 1, many = nodes.size() > 1;
    return std::string("the ") + (several ? words.conductances : words.conductance) + " of " +
           joined(zero) + (several ? " are 0" : " is 0") + ": the " +
           (many ? words.potentials : words.potential) + " of " + joined(nodes) +
           (many ? " are" : " is") + " not determined";
  }

  [[nodiscard]] std::string text_while_running(const Group& group, std::size_t node) const {
    const NetworkNode& its = at(group.nodes[node]);
    std::vector<std::string> names;
    for (const Tie& tie : group.ties) names.push_back(tie.branch->path);
    if (group.nodes.size() == 1) return text_of(its.domain, names, {its.path});
    const Words words = words_of_ties(its.domain);
    return std::string("no way by ") + joined(names) + " that conducts leads from " + its.path +
           " to a given " + words.potential + ": its " + words.potential + " is not determined";
  }

  /// Of each node what is above 0 exactly where a way of ties that conduct leads out of the group:
  /// what leaves it there, and over each neighbour no more than the tie and the neighbour have. As
  /// many rounds as ways have steps.
  [[nodiscard]] std::vector<Expr> reach_of(const Group& group) {
    std::vector<Expr> out(group.nodes.size(), graph_.zero());
    Expr all = graph_.zero();
    for (const Tie& tie : group.ties) {
      if (!tie.leaves()) continue;
      out[tie.from] = graph_.add(out[tie.from], tie.conductance);
      all = graph_.add(all, tie.conductance);
    }
    if (group.nodes.size() * group.ties.size() > most_steps) return {all};
    std::vector<Expr> reach = out;
    for (std::size_t round = 1; round < group.nodes.size(); ++round) {
      const std::vector<Expr> before = std::exchange(reach, out);
      for (const Tie& tie : group.ties) {
        if (tie.leaves()) continue;
        for (const auto& [to, over] : {std::pair{tie.from, tie.to}, {tie.to, tie.from}})
          reach[to] = graph_.add(reach[to], graph_.binary(Op::min, tie.conductance, before[over]));
      }
    }
    return reach;
  }

  Workspace& work_;
  Network& network_;
  Graph& graph_;
  const NodesAndBranches places_;
  std::vector<char> free_;  // per node
};

}  // namespace

void judge_ties(Workspace& work) { TiesOfNodes(work).judge(); }

}  // namespace takt::codegen
