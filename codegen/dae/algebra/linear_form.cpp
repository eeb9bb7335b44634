#include "codegen/dae/algebra/linear_form.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include "codegen/dae/algebra/time_instants.hpp"

namespace takt::codegen {
namespace {

using On = Dependence::On;

const Dependence& further(const Dependence& a, const Dependence& b) { return b.on > a.on ? b : a; }

Dependence spoilt_by(const Dependence& by) { return {On::otherwise, by.symbol}; }

Dependence product(const Dependence& a, const Dependence& b) {
  const Dependence &more = further(a, b), &less = &more == &a ? b : a;
  if (more.on != On::states || less.on == On::parameters) return more;
  return spoilt_by(less);
}

Dependence of_operation(const Node& node, const std::array<Dependence, 3>& of) {
  switch (node.op) {
    case Op::add:
    case Op::sub:
    case Op::neg:
      return further(of[0], of[1]);
    case Op::mul:
      return product(of[0], of[1]);
    case Op::div:
      return of[1].on == On::states ? spoilt_by(of[1]) : product(of[0], of[1]);
    case Op::select: {
      const Dependence& value = further(of[1], of[2]);
      return of[0].on == On::states ? spoilt_by(of[0]) : product(of[0], value);
    }
    default: {
      const Dependence& most = further(further(of[0], of[1]), of[2]);
      return most.on == On::states ? spoilt_by(most) : most;
    }
  }
}

std::vector<Expr> powers(const Surrogate& surrogate) {
  return {surrogate.energy.supplied, surrogate.energy.dissipated, surrogate.energy.exchanged};
}

/// Symbols that hang together, by union of what one rate or one definition names.
class Blocks {
 public:
  SymbolId of(SymbolId symbol) {
    for (SymbolId leader = leader_.emplace(symbol, symbol).first->second; leader != symbol;
         leader = leader_.at(symbol))
      symbol = leader;
    return symbol;
  }
  void join(SymbolId a, SymbolId b) { leader_[of(a)] = of(b); }

 private:
  std::unordered_map<SymbolId, SymbolId> leader_;
};

int degree_of_operation(const Node& node, const std::array<int, 3>& of) {
  const int most = std::max({of[0], of[1], of[2]});
  switch (node.op) {
    case Op::mul:
      return std::min(of[0] + of[1], WindowDegree::many);
    case Op::add:
    case Op::sub:
    case Op::neg:
      return most;
    case Op::div:
      return of[1] == 0 ? of[0] : WindowDegree::many;
    case Op::select:
      return of[0] == 0 ? most : WindowDegree::many;
    default:
      return most == 0 ? 0 : WindowDegree::many;
  }
}

}  // namespace

Dependences::Dependences(const Network& network, const Surrogate& surrogate,
                         const std::vector<SymbolId>& held)
    : memo_(network.graph()), parameter_(network.graph().symbol_count(), false) {
  for (const Parameter& parameter : network.parameters)
    parameter_[static_cast<std::size_t>(parameter.symbol)] = true;
  for (const SymbolId input : held) parameter_[static_cast<std::size_t>(input)] = true;
  for (const SurrogateState& state : surrogate.states)
    own_[state.symbol] = {On::states, state.symbol};
  for (const AlgebraicStep& step : surrogate.algebra) {
    if (step.kind == AlgebraicStep::Kind::assignment) {
      own_[step.assignment.symbol] = of(step.assignment.value);
      continue;
    }
    // Unknowns of a block that reads no state follow what drives it.
    const std::vector<SymbolId> read = network.graph().symbols_of(step.newton.residuals);
    const bool driven = std::none_of(read.begin(), read.end(),
                                     [&](SymbolId symbol) { return of(symbol).on >= On::states; });
    for (const SymbolId unknown : step.newton.unknowns)
      own_[unknown] = {driven ? On::driving : On::otherwise, unknown};
  }
}

Dependence Dependences::of(SymbolId symbol) const {
  if (const auto found = own_.find(symbol); found != own_.end()) return found->second;
  return {parameter_[static_cast<std::size_t>(symbol)] ? On::parameters : On::driving, symbol};
}

Dependence Dependences::of(Expr e) {
  return memo_.by_operation(
      e, [&](SymbolId symbol) { return of(symbol); }, of_operation);
}

WindowDegree::WindowDegree(const Network& network, const Surrogate& surrogate,
                           std::function<int(SymbolId)> of_input)
    : memo_(network.graph()), time_(network.time), of_input_(std::move(of_input)) {
  for (const AlgebraicStep& step : surrogate.algebra) {
    if (step.kind == AlgebraicStep::Kind::assignment)
      own_[step.assignment.symbol] = of(step.assignment.value);
    for (const SymbolId unknown : step.newton.unknowns) own_[unknown] = many;
  }
}

int WindowDegree::of(Expr e) {
  const auto of_symbol = [&](SymbolId symbol) {
    if (const auto found = own_.find(symbol); found != own_.end()) return found->second;
    return symbol == time_ ? 1 : of_input_(symbol);
  };
  return memo_.by_operation(e, of_symbol, degree_of_operation);
}

namespace {

std::optional<NotLinear> problem_of(const Surrogate& surrogate, Dependences& dependences) {
  for (const SurrogateState& state : surrogate.states) {
    const Dependence rate = dependences.of(state.derivative);
    if (rate.on != On::otherwise) continue;
    const bool own = std::any_of(surrogate.states.begin(), surrogate.states.end(),
                                 [&](const auto& other) { return other.symbol == rate.symbol; }) ||
                     std::find(surrogate.algebra_outputs.begin(), surrogate.algebra_outputs.end(),
                               rate.symbol) != surrogate.algebra_outputs.end();
    return NotLinear{state.symbol, rate.symbol, !own};
  }
  return std::nullopt;
}

}  // namespace

LinearShape linear_shape(const Network& network, const Surrogate& surrogate,
                         const std::function<bool(SymbolId)>& may_hold) {
  LinearShape shape;
  for (;;) {  // once more per input that is held
    Dependences dependences(network, surrogate, shape.held);
    shape.problem = problem_of(surrogate, dependences);
    if (!shape.problem) break;
    const bool again =
        std::find(shape.held.begin(), shape.held.end(), shape.problem->symbol) != shape.held.end();
    if (!shape.problem->driving || shape.problem->symbol == network.time || again ||
        !may_hold(shape.problem->symbol))
      return shape;
    shape.held.push_back(shape.problem->symbol);
  }
  Dependences dependences(network, surrogate, shape.held);
  for (const Expr power : powers(surrogate))
    shape.linear_powers = shape.linear_powers && dependences.is_linear(power);
  // Inputs are taken for lines, their products for parabolas: what three points of a step give.
  WindowDegree degrees(network, surrogate, [&](SymbolId symbol) {
    return dependences.of(symbol).on == On::driving ? 1 : 0;
  });
  const auto parabola = [&](Expr value) { return degrees.of(value) <= 2; };
  shape.any_step = shape.held.empty() && shape.linear_powers &&
                   std::all_of(surrogate.states.begin(), surrogate.states.end(),
                               [&](const auto& state) { return parabola(state.derivative); });
  for (const Expr power : powers(surrogate)) shape.any_step = shape.any_step && parabola(power);
  Blocks blocks;
  const auto join = [&](SymbolId own, Expr value) {
    for (const SymbolId read : network.graph().symbols_of(value))
      if (dependences.of(read).on == On::states) blocks.join(own, read);
  };
  for (const AlgebraicStep& step : surrogate.algebra)
    if (step.kind == AlgebraicStep::Kind::assignment &&
        dependences.of(step.assignment.value).on == On::states)
      join(step.assignment.symbol, step.assignment.value);
  for (const SurrogateState& state : surrogate.states) join(state.symbol, state.derivative);
  std::unordered_map<SymbolId, std::size_t> size;
  for (const SurrogateState& state : surrogate.states) ++size[blocks.of(state.symbol)];
  for (const auto& [leader, states] : size) {
    shape.entries += states * states;
    shape.largest_block = std::max(shape.largest_block, states);
  }
  shape.turns_in_time = !time_instants(network, surrogate).empty() || !surrogate.events.empty();
  return shape;
}

LinearForm linear_form(const Network& network, const Surrogate& surrogate,
                       const std::vector<Expr>& quadratures, std::vector<SymbolId> held,
                       const std::function<int(SymbolId)>& input_degree) {
  Graph& graph = network.graph();
  Dependences dependences(network, surrogate, held);
  LinearForm form;
  form.held = std::move(held);
  std::vector<Expr> linear = quadratures;
  for (Expr& quadrature : linear) {
    form.linear.push_back(dependences.is_linear(quadrature));
    if (!form.linear.back()) quadrature = graph.zero();
  }
  Jacobian jacobian = derive_jacobian(graph, surrogate, linear);
  form.rates = std::move(jacobian.states), form.integrands = std::move(jacobian.quadratures);
  // With all states zero only b is left.
  std::unordered_map<SymbolId, Expr> at_zero;
  for (const SurrogateState& state : surrogate.states) at_zero[state.symbol] = graph.zero();
  for (const AlgebraicStep& step : surrogate.algebra)
    if (step.kind == AlgebraicStep::Kind::assignment &&
        dependences.of(step.assignment.value).on == On::states)
      at_zero[step.assignment.symbol] = graph.substitute(step.assignment.value, at_zero);
  const auto is_held = [&](SymbolId symbol) {
    return std::find(form.held.begin(), form.held.end(), symbol) != form.held.end();
  };
  WindowDegree degrees(network, surrogate,
                       [&](SymbolId symbol) { return is_held(symbol) ? 0 : input_degree(symbol); });
  const auto driving = [&](const std::vector<Expr>& values,
                           std::vector<LinearForm::Driving>& rows) {
    for (std::size_t row = 0; row < values.size(); ++row) {
      const Expr value = graph.substitute(values[row], at_zero);
      if (dependences.of(value).on != On::driving) continue;
      const int degree = degrees.of(value);
      if (degree > 0) rows.push_back({row, value});
      form.points = std::max(form.points, std::min(degree, 2) + 1);
    }
  };
  std::vector<Expr> rates;
  for (const SurrogateState& state : surrogate.states) rates.push_back(state.derivative);
  driving(rates, form.rate_driving);
  driving(linear, form.integrand_driving);
  return form;
}

}  // namespace takt::codegen
