#include "codegen/emit/range_checks.hpp"

#include <algorithm>
#include <unordered_map>
#include <unordered_set>

#include "codegen/emit/kind_code.hpp"
#include "codegen/expr/symbol_map.hpp"

namespace takt::codegen {
namespace {

constexpr std::size_t cheap =
    40;  // expressions that a window may compute beside what it computes anyway
constexpr int stages_per_look =
    400;  // a look costs about one stage, and what it drives from the caches
constexpr int longest_pause = 256;  // windows
constexpr double most_passing = 3.0;

using Parameters = SymbolMap<std::size_t>;

/// Whether a subsystem can judge a limit. Parameters that none of its equations reads are made
/// known to it.
bool knows(SubsystemView& view, const RangeLimit& limit, const Parameters& parameters) {
  const std::vector<SymbolId> read = view.graph().symbols_of({limit.below, limit.above});
  const bool all = std::all_of(read.begin(), read.end(), [&](SymbolId symbol) {
    return symbol == view.network.time || view.fixed.contains(symbol) ||
           view.state.contains(symbol) || view.input.contains(symbol) ||
           view.defined_by.contains(symbol) || view.bound.contains(symbol) ||
           parameters.contains(symbol);
  });
  for (const SymbolId symbol : read) {
    const auto parameter = parameters.find(symbol);
    if (!all || parameter == parameters.end()) continue;
    view.parameter.emplace(symbol, parameter->second);
    view.fixed.emplace(symbol, true);
  }
  return all;
}

/// What the end of a window computes for others anyway.
std::vector<std::size_t> steps_of_windows(const SubsystemView& view) {
  return needed_steps(view, {}, {view.read.begin(), view.read.end()});
}

/// Whether it costs next to nothing at the end of each window, which computes `done` anyway.
bool is_cheap(const SubsystemView& view, const RangeLimit& limit,
              const std::vector<std::size_t>& done) {
  std::vector<Expr> open{limit.below, limit.above};
  std::unordered_set<Expr> seen;
  while (!open.empty()) {
    const Expr e = open.back();
    open.pop_back();
    if (!seen.insert(e).second) continue;
    if (seen.size() > cheap) return false;
    const Node& node = view.graph().node(e);
    const Expr operands[] = {node.a, node.b, node.c};
    open.insert(open.end(), operands, operands + Graph::arity(node.op));
    if (node.op != Op::symbol) continue;
    const SymbolId symbol{node.payload};
    const auto found = view.defined_by.find(symbol);
    if (found == view.defined_by.end() || view.fixed.contains(symbol)) continue;
    if (std::binary_search(done.begin(), done.end(), found->second)) continue;
    const AlgebraicStep& step = view.surrogate.algebra[found->second];
    if (step.kind != AlgebraicStep::Kind::assignment) return false;
    open.push_back(step.assignment.value);
  }
  return true;
}

bool is_judged(const SubsystemView::Range& range, Judged when) {
  return when == Judged::always || range.each_window == (when == Judged::each_window);
}

int stages_per_window(const SubsystemView& view) {
  const PlanSubsystem& plan = view.plan;
  if (plan.method->is_offline() || plan.step_ns <= 0) return 1;
  const int stages = plan.method->evaluations_of(plan.stages);
  const std::int64_t steps = std::max<std::int64_t>(1, plan.period_ns / plan.step_ns);
  return static_cast<int>(std::min<std::int64_t>(stages_per_look, steps * stages));
}

}  // namespace

void assign_ranges(const Network& network, std::vector<SubsystemView>& views) {
  std::unordered_map<ElementId, std::vector<std::size_t>> views_of;
  for (std::size_t index = 0; index < views.size(); ++index)
    for (const ElementId element : views[index].surrogate.elements)
      views_of[element].push_back(index);
  std::vector<std::vector<std::size_t>> done;
  for (const SubsystemView& view : views) done.push_back(steps_of_windows(view));
  Parameters parameters;
  for (std::size_t index = 0; index < network.parameters.size(); ++index)
    parameters.emplace(network.parameters[index].symbol, index);
  for (const RangeLimit& limit : network.ranges) {
    for (const std::size_t index : views_of[limit.element]) {
      SubsystemView& view = views[index];
      if (!knows(view, limit, parameters)) continue;
      const bool everything = !kind_code(view).observed;
      view.ranges.push_back(
          {&limit, everything || (!limit.seldom && is_cheap(view, limit, done[index]))});
      break;
    }
  }
}

std::vector<Expr> range_roots(const SubsystemView& view, Judged when) {
  std::vector<Expr> roots;
  for (const SubsystemView::Range& range : view.ranges)
    if (is_judged(range, when)) roots.insert(roots.end(), {range.limit->below, range.limit->above});
  return roots;
}

void count_ranges(const SubsystemView& view, FunctionBody& body, Judged when) {
  code::Values& values = body.values();
  for (std::size_t index = 0; index < view.ranges.size(); ++index) {
    if (!is_judged(view.ranges[index], when)) continue;
    const RangeLimit& limit = *view.ranges[index].limit;
    const code::Value below = body.statements().value(limit.below),
                      above = body.statements().value(limit.above);
    const code::Value is_left = values.operation(
        limit.strict ? code::Form::outside_strictly : code::Form::outside, below, above);
    const code::Value left = values.element("left", index);
    const code::Name note = body.statements().note(limit.text);
    if (!limit.may_pass) {
      body.block().add(code::Finding{is_left, left, note});
      continue;
    }
    const code::Value running = values.element("running", index);
    const code::Value more = values.operation(code::Form::sum, running, values.number(1.0));
    body.block().assign(running,
                        values.operation(code::Form::choice, is_left, more, values.number(0.0)));
    body.block().add(code::Finding{
        values.operation(code::Form::greater_equal, running, values.number(most_passing)), left,
        note});
  }
}

bool any_may_pass(const SubsystemView& view) {
  return std::any_of(view.ranges.begin(), view.ranges.end(),
                     [](const SubsystemView::Range& range) { return range.limit->may_pass; });
}

int look_every(const SubsystemView& view) {
  const bool any =
      std::any_of(view.ranges.begin(), view.ranges.end(),
                  [](const SubsystemView::Range& range) { return !range.each_window; });
  if (!any) return 0;
  return std::clamp((stages_per_look + stages_per_window(view) - 1) / stages_per_window(view), 1,
                    longest_pause);
}

int first_pause(const SubsystemView& view) {
  constexpr std::size_t spread =
      7;  // by what copies of a part have in common: they share their code
  const auto every = static_cast<std::size_t>(look_every(view));
  if (every == 0) return 0;
  return static_cast<int>((view.surrogate.equations * spread + view.surrogate.states.size()) %
                          every);
}

}  // namespace takt::codegen
