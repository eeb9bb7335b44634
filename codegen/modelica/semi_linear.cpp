#include "codegen/modelica/semi_linear.hpp"

#include <algorithm>
#include <cmath>
#include <set>
#include <tuple>

namespace takt::codegen::modelica {
namespace {

constexpr double share_of_nominal = 1e-10;

}  // namespace

Expr SemiLinear::value(Graph& graph, SymbolId mark) const {
  const Expr forward = graph.binary(Op::less_equal, graph.zero(), x);
  const Expr condition = graph.is_constant(forward)
                             ? forward
                             : graph.binary(Op::logical_and, forward, graph.use(mark));
  return graph.select(condition, graph.mul(positive, x), graph.mul(negative, x));
}

/// What stands for semiLinear is a variable while aliases are sought: one that is given up for any
/// other.
SemiLinearRules::SemiLinearRules(ScalarModel& model, AliasElimination& aliases)
    : model_(model), aliases_(aliases), graph_(model.graph) {
  for (const SemiLinear& each : model_.semi_linear) {
    ScalarVariable made;
    made.symbol = each.symbol;
    made.name = graph_.symbol(each.symbol).path;
    model_.variable_of[each.symbol] = model_.variables.size();
    model_.variables.push_back(std::move(made));
  }
}

void SemiLinearRules::apply() {
  for (const SemiLinear& each : model_.semi_linear) flows_.push_back(flow_of(each));
  for (const SemiLinear& each : model_.semi_linear) {
    const Expr stands = graph_.use(each.symbol), known = aliases_.resolved(stands);
    if (known != stands) aliases_.replace(each.symbol, known);
    model_.variable_of.erase(each.symbol);
  }
  model_.variables.resize(model_.variables.size() - model_.semi_linear.size());
  join_chains();
  for (std::size_t k = 0; k < flows_.size(); ++k)
    if (!flows_[k].told) flows_by_y_[flows_[k].y].push_back(k);
  for (ScalarEquation& each : model_.equations) turn_junction(each);
  put_values_in();
}

SemiLinearRules::Flow SemiLinearRules::flow_of(const SemiLinear& each) {
  Flow made{.stands = each.symbol,
            .y = aliases_.resolved(graph_.use(each.symbol)),
            .sign = 1,
            .x = aliases_.resolved(each.x),
            .positive = aliases_.resolved(each.positive),
            .negative = aliases_.resolved(each.negative)};
  if (const Node y = graph_.node(made.y); y.op == Op::neg) made.y = y.a, made.sign = -1;
  if (const Node x = graph_.node(made.x); x.op == Op::neg) {
    made.x = x.a;
    made.sign = -made.sign;
    std::swap(made.positive, made.negative);
  }
  return made;
}

bool SemiLinearRules::is_free_unknown(Expr e) const {
  const Node& node = graph_.node(e);
  if (node.op != Op::symbol) return false;
  const SymbolId symbol{node.payload};
  const auto variable = model_.variable_of.find(symbol);
  return variable != model_.variable_of.end() && !model_.variables[variable->second].is_input &&
         !model_.derivatives.contains(symbol);
}

void SemiLinearRules::join_chains() {
  std::map<std::tuple<Expr, int, Expr>, std::vector<std::size_t>> groups;
  for (std::size_t k = 0; k < flows_.size(); ++k)
    groups[{flows_[k].y, flows_[k].sign, flows_[k].x}].push_back(k);
  for (const auto& [key, group] : groups) {
    std::map<Expr, std::vector<std::size_t>> from, to;
    for (const std::size_t k : group) {
      from[flows_[k].positive].push_back(k);
      to[flows_[k].negative].push_back(k);
    }
    const auto is_inner = [&](Expr slope) {
      return is_free_unknown(slope) && from[slope].size() == 1 && to[slope].size() == 1;
    };
    std::vector<std::vector<std::size_t>> chains;
    for (const std::size_t k : group) {
      if (is_inner(flows_[k].positive)) continue;
      chains.push_back({k});
      while (is_inner(flows_[chains.back().back()].negative))
        chains.back().push_back(from[flows_[chains.back().back()].negative].front());
    }
    for (const auto& chain : chains) join_chain(chain);
  }
}

/// The first link stands for the chain; the others say what its inner slopes are.
void SemiLinearRules::join_chain(const std::vector<std::size_t>& links) {
  Flow& first = flows_[links.front()];
  const Expr last = flows_[links.back()].negative;
  const auto equate = [&](Expr left, Expr right) {
    model_.equations.push_back(
        {left, right, "semiLinear of " + graph_.text(first.x), model_.flat->where});
  };
  if (graph_.is_constant(first.x, 0.0) && graph_.is_constant(first.y, 0.0)) {
    Expr before = first.positive;
    for (const std::size_t k : links) {
      equate(before, flows_[k].negative);
      before = flows_[k].negative;
      flows_[k].told = true;
    }
    return;
  }
  if (links.size() < 2) return;
  const Expr forward = graph_.binary(Op::less_equal, graph_.zero(), first.x);
  const Expr condition =
      graph_.is_constant(forward)
          ? forward
          : graph_.binary(Op::logical_and, forward, graph_.use(model_.literal_mark));
  Expr inner = graph_.select(condition, first.positive, last);
  for (std::size_t k = 1; k < links.size(); ++k) {
    const Expr slope = flows_[links[k]].positive;
    equate(slope, inner);
    inner = slope;
    flows_[links[k]].told = true;
  }
  first.negative = last;
}

/// A sum as terms that are semiLinear and a rest.  @return false: a flow has several equations
bool SemiLinearRules::add_terms(Expr e, int sign, std::vector<Term>& terms, Expr& rest) const {
  const Node node = graph_.node(e);
  if (node.op == Op::add || node.op == Op::sub)
    return add_terms(node.a, sign, terms, rest) &&
           add_terms(node.b, node.op == Op::add ? sign : -sign, terms, rest);
  if (node.op == Op::neg) return add_terms(node.a, -sign, terms, rest);
  const auto found = flows_by_y_.find(e);
  if (found == flows_by_y_.end() || graph_.is_constant(e)) {
    rest = sign > 0 ? graph_.add(rest, e) : graph_.sub(rest, e);
    return true;
  }
  if (found->second.size() > 1) return false;
  const Flow& flow = flows_[found->second.front()];
  if (sign * flow.sign > 0)
    terms.push_back({flow.x, flow.positive, flow.negative});
  else
    terms.push_back({graph_.neg(flow.x), flow.negative, flow.positive});
  return true;
}

void SemiLinearRules::turn_junction(ScalarEquation& equation) {
  std::vector<Term> terms;
  Expr rest = graph_.zero();
  if (!add_terms(equation.left, 1, terms, rest) || !add_terms(equation.right, -1, terms, rest) ||
      terms.size() < 2)
    return;
  // A rest is what is stored, or heat: where there is some at rest, no slope solves the equation.
  if (!graph_.is_constant(rest, 0.0) || turned(equation, terms)) return;
  for (Term& each : terms) each = {graph_.neg(each.out), each.other, each.slope};
  (void)turned(equation, terms);
}

/// e: flows below it count as none.
Expr SemiLinearRules::smallest_flow(const std::vector<Term>& terms) {
  double nominal = 0.0;
  for (const Term& each : terms)
    for (const SymbolId symbol : graph_.symbols_of(each.out)) {
      const auto variable = model_.variable_of.find(symbol);
      const FlatVariable* declared = variable == model_.variable_of.end()
                                         ? nullptr
                                         : model_.variables[variable->second].declared;
      if (declared != nullptr && declared->nominal != nullptr &&
          declared->nominal->kind == FlatExpression::Kind::number)
        nominal = std::max(nominal, std::fabs(declared->nominal->number));
    }
  return graph_.constant(share_of_nominal * (nominal > 0.0 ? nominal : 1.0));
}

bool SemiLinearRules::turned(ScalarEquation& equation, const std::vector<Term>& terms) {
  const Expr mixed = terms.front().slope;
  const Node node = graph_.node(mixed);
  if (!is_free_unknown(mixed)) return false;
  for (const Term& each : terms)
    if (each.slope != mixed || graph_.depends_on(each.other, SymbolId{node.payload}) ||
        graph_.depends_on(each.out, SymbolId{node.payload}))
      return false;
  const Expr small = smallest_flow(terms);
  Expr out = graph_.zero();
  for (const Term& each : terms)
    out = graph_.add(out, graph_.binary(Op::max, each.out, graph_.zero()));
  const Expr flows = graph_.binary(Op::logical_and, graph_.binary(Op::less, small, out),
                                   graph_.use(model_.literal_mark));
  Expr in = graph_.zero();
  for (const Term& each : terms) {
    const Expr weight =
        graph_.select(flows, graph_.binary(Op::max, graph_.neg(each.out), graph_.zero()), small);
    in = graph_.add(in, graph_.mul(each.other, weight));
  }
  const Expr at_rest = graph_.mul(graph_.constant(static_cast<double>(terms.size())), small);
  const Expr all = graph_.select(flows, out, at_rest);
  equation.left = mixed;
  equation.right = graph_.div(in, all);
  return true;
}

void SemiLinearRules::put_values_in() {
  std::set<Expr> unnamed;
  for (const Flow& each : flows_) unnamed.insert(graph_.use(each.stands));
  for (const auto& [y, flows] : flows_by_y_) {
    for (const std::size_t k : flows) {
      const Flow& flow = flows_[k];
      const SemiLinear plain{
          .symbol = {}, .x = flow.x, .positive = flow.positive, .negative = flow.negative};
      const Expr of_flow = plain.value(graph_, model_.literal_mark);
      const Expr value = flow.sign > 0 ? of_flow : graph_.neg(of_flow);
      if (unnamed.erase(y) > 0)
        aliases_.replace(SymbolId{graph_.node(y).payload}, value);
      else
        model_.equations.push_back(
            {y, value, "semiLinear of " + graph_.text(flow.x), model_.flat->where});
    }
  }
}

}  // namespace takt::codegen::modelica
