// What must hold while the plant runs: ranges that elements declare, limits of parameters that
// follow time or signals, and what holds for every node, medium and table.

#include <algorithm>
#include <cstdio>
#include <set>
#include <tuple>

#include "codegen/model/laws.hpp"
#include "codegen/model/media.hpp"
#include "codegen/model/nodes_and_branches.hpp"
#include "codegen/model/values.hpp"

namespace takt::codegen {
namespace {

constexpr double pressure_rounding = 1.0;  // Pa
constexpr double most_tension =
    4e7;  // Pa below the pressure that a network without vapour pressure calls 0
constexpr double temperature_rounding = 1e-6;  // K
constexpr double table_rounding = 1e-9;        // of the table's range

std::string number_text(double value) {
  char text[32];
  std::snprintf(text, sizeof text, "%.6g", value);
  return text;
}

/// Whether an expression moves with states or signals: with more than parameters and, where asked,
/// time.
bool moves(const Workspace& work, Expr e, bool with_time) {
  for (const SymbolId symbol : work.network.graph().symbols_of(e))
    if (!work.parameter_of.contains(symbol) && (with_time || symbol != work.network.time))
      return true;
  return false;
}

/// Ranges of nodes, media and tables; none of them is declared by an element.
class CommonRanges {
 public:
  explicit CommonRanges(Workspace& work)
      : work_(work), network_(work.network), graph_(work.network.graph()), places_(work.network) {}

  void add() {
    for (std::size_t index = 0; index < network_.nodes.size(); ++index) {
      const NetworkNode& node = network_.nodes[index];
      if (node.domain == Domain::solid && !node.reference)
        add_wall(static_cast<NodeId>(index), node);
    }
    for (const auto& [id, node] : work_.flow_nodes) add_flow_node(id, node);
    add_tables();
  }

 private:
  void push(RangeLimit limit) {
    limit.seldom = true;
    network_.ranges.push_back(std::move(limit));
  }

  void add_absolute_zero(ElementId element, Expr temperature, const NetworkNode& node) {
    push({.element = element,
          .below = graph_.constant(-temperature_rounding),
          .above = temperature,
          .code = "X014",
          .text = node.path + ".t is below 0 K",
          .where = node.where});
  }

  // --- solid
  [[nodiscard]] bool touches(NodeId node, BranchKind kind) const {
    const std::vector<const Branch*>& branches = places_.at(node);
    return std::any_of(branches.begin(), branches.end(),
                       [&](const Branch* branch) { return branch->kind == kind; });
  }

  void add_wall(NodeId id, const NetworkNode& node) {
    const auto element = places_.element_at(id);
    if (!element || touches(id, BranchKind::across_source)) return;
    add_absolute_zero(*element, graph_.use(node.across), node);
  }

  // --- fluid and gas
  void add_flow_node(NodeId id, const FlowNode& node) {
    const Medium* medium = medium_at(work_, id);
    const NetworkNode& at = network_.nodes[static_cast<std::size_t>(id)];
    const bool given =
        node.content != nullptr && node.content->definition->content->temperature.has_value();
    if (medium == nullptr || !node.element) return;
    const Expr t = graph_.use(node.t);
    if (!given) add_absolute_zero(*node.element, t, at);
    add_pressure(id, node, *medium);
    for (const auto& [limit, above, word] :
         {std::tuple{medium->coldest, false, "below"}, {medium->hottest, true, "above"}})
      if (limit)
        push({.element = *node.element,
              .below = above ? t : graph_.constant(*limit),
              .above = above ? graph_.constant(*limit) : t,
              .code = "X019",
              .text = at.path + ".t is " + word + " " + number_text(*limit) +
                      " K, where the properties of " + medium->definition->name +
                      " are extrapolated",
              .where = at.where});
  }

  void add_pressure(NodeId id, const FlowNode& node, const Medium& medium) {
    const NetworkNode& at = network_.nodes[static_cast<std::size_t>(id)];
    const auto potential = work_.potentials.find(id);
    if (potential == work_.potentials.end() || touches(id, BranchKind::across_source)) return;
    const auto vapour = property_at(work_, medium, "p_vap", graph_.use(node.t));
    // Where no vapour pressure is known, pressures may be meant relative to some other than vacuum:
    // only what no liquid bears counts.
    const Expr least = vapour ? graph_.sub(vapour->value, graph_.constant(pressure_rounding))
                              : graph_.constant(-most_tension);
    const std::string what = vapour ? "the vapour pressure of " + medium.definition->name
                                    : "-" + number_text(most_tension) + " Pa";
    // A valve that closes at once stops what is inert by a peak without bounds, and without a
    // vapour pressure nothing says what gives way.
    push({.element = *node.element,
          .below = least,
          .above = graph_.use(potential->second),
          .may_pass = !vapour,
          .code = "X017",
          .text = at.path + ".p is below " + what,
          .where = at.where});
  }

  // --- tables
  void add_tables() {
    for (const Branch& branch : network_.branches)
      add_tables_of({branch.element, branch.where}, branch.law);
    for (const ElementVariable& variable : network_.variables)
      add_tables_of({variable.element, variable.where}, variable.value);
    for (const ElementState& state : network_.states)
      add_tables_of({state.element, state.where}, state.derivative);
  }

  /// The law, variable or state that reads a table.
  struct Reader {
    ElementId element;
    const Location& where;
  };

  void add_tables_of(const Reader& reader, Expr value) {
    for (const Expr e : graph_.reachable({value})) {
      const Node node = graph_.node(e);
      if (node.op != Op::table && node.op != Op::table2) continue;
      const Table& table = graph_.table(static_cast<TableId>(node.payload));
      add_argument(reader, table.name, table.x, node.a);
      if (node.op == Op::table2) add_argument(reader, table.name, table.second, node.b);
    }
  }

  /// |argument - middle| <= half. Over time alone the end of a table is its end.
  void add_argument(const Reader& reader, const std::string& table, const std::vector<double>& axis,
                    Expr argument) {
    if (axis.size() < 2 || !moves(work_, argument, false) ||
        !read_.insert({reader.element, axis.front(), axis.back(), argument}).second)
      return;
    const double middle = 0.5 * (axis.front() + axis.back()),
                 half = 0.5 * (axis.back() - axis.front()) * (1.0 + table_rounding);
    const std::string text = "table " + table + " is read outside " + number_text(axis.front()) +
                             " .. " + number_text(axis.back()) + ": its ends are held";
    const Expr most = graph_.constant(half);
    push({.element = reader.element,
          .below = graph_.unary(Op::abs, graph_.sub(argument, graph_.constant(middle))),
          .above = most,
          .code = "X019",
          .text = text,
          .where = reader.where});
  }

  Workspace& work_;
  Network& network_;
  Graph& graph_;
  const NodesAndBranches places_;
  std::set<std::tuple<ElementId, double, double, Expr>> read_;
};

void push_declared(Workspace& work, const Instance& instance, InstanceNames& names,
                   const RangeDefinition& range) {
  const auto of = names.lower(range.of);
  if (!of) return;
  names.expect(*of, range.unit_text, range.of, "range '" + range.name + "'");
  const auto push = [&](const std::optional<SourceExpression>& limit, bool from_below,
                        RangeDefinition::Meaning meaning) {
    const auto end = limit ? names.lower(*limit) : std::nullopt;
    if (!end) return;
    names.expect(*end, range.unit_text, *limit, "the limit of range '" + range.name + "'");
    const Expr below = from_below ? end->value : of->value,
               above = from_below ? of->value : end->value;
    const std::string text = instance.path + " " + std::string(meaning_text(meaning)) + ": " +
                             range.of.text + (from_below ? " is below " : " is above ") +
                             limit->text;
    work.network.ranges.push_back({.element = instance.element,
                                   .below = below,
                                   .above = above,
                                   .strict = false,
                                   .seldom = false,
                                   .code = std::string(meaning_code(meaning)),
                                   .text = text,
                                   .where = instance.entry->where});
  };
  push(range.min, true, range.at_min);
  push(range.max, false, range.at_max);
}

}  // namespace

void lower_ranges(Workspace& work, Instance& instance, InstanceNames& names) {
  for (const RangeDefinition& range : instance.definition->ranges)
    push_declared(work, instance, names, range);
  for (const auto& [name, slot] : instance.parameters)
    for (const MovingLimit& limit : slot->moving)
      work.network.ranges.push_back({.element = instance.element,
                                     .below = limit.below,
                                     .above = limit.above,
                                     .strict = limit.strict,
                                     .seldom = false,
                                     .code = "X014",
                                     .text = slot->path + " " + limit.must,
                                     .where = slot->where});
}

void add_common_ranges(Workspace& work) {
  if (work.diagnostics.has_errors()) return;  // laws may be missing
  CommonRanges(work).add();
  judge_ties(work);
  auto& ranges = work.network.ranges;
  std::stable_sort(ranges.begin(), ranges.end(),
                   [](const RangeLimit& a, const RangeLimit& b) { return a.element < b.element; });
}

}  // namespace takt::codegen
