#include "codegen/emit/function_body.hpp"

#include <utility>

#include "codegen/code/print.hpp"
#include "codegen/code/runtime_names.hpp"
#include "codegen/emit/flow_blocks.hpp"
#include "codegen/emit/sparse_blocks.hpp"
#include "codegen/text/literal.hpp"
#include "runtime/solver/typical_change.hpp"

namespace takt::codegen {

bool is_large(const SubsystemView& view) {
  return std::holds_alternative<SmoothCircuit>(view.surrogate.kind) &&
         view.surrogate.equations > most_written_out;
}

FunctionBody::FunctionBody(const SubsystemView& view, Coefficients& coefficients,
                           std::string state_array)
    : view_(view),
      coefficients_(coefficients),
      statements_(view.graph(), &coefficients),
      states_(std::move(state_array)) {
  statements_.bind(view.network.time, values().variable("t"));
  for (const auto& [symbol, place] : view.bound) statements_.bind(symbol, values().place(place));
}

void FunctionBody::begin(const std::vector<std::size_t>& steps, const std::vector<Expr>& roots,
                         bool with_states) {
  std::vector<Expr> all = roots;
  for (const std::size_t index : steps) {
    const AlgebraicStep& step = view_.surrogate.algebra[index];
    if (step.kind == AlgebraicStep::Kind::assignment) {
      all.push_back(step.assignment.value);
      statements_.announce(step.assignment.symbol, step.assignment.value,
                           view_.label(step.assignment.symbol));
    } else if (step.newton.linear) {
      const std::vector<Expr> of_block = roots_of(step.newton, coefficients_);
      all.insert(all.end(), of_block.begin(), of_block.end());
    } else if (step.newton.flows) {
      const std::vector<Expr> of_network = roots_of(*step.newton.flows, coefficients_);
      all.insert(all.end(), of_network.begin(), of_network.end());
    } else {
      all.insert(all.end(), step.newton.residuals.begin(), step.newton.residuals.end());
      all.insert(all.end(), step.newton.steps.begin(), step.newton.steps.end());
    }
  }
  if (is_large(view_))
    statements_.tabulate();
  else if (view_.graph().reachable(all).size() + steps.size() > largest_function)
    statements_.spread();
  for (const Expr root : all) statements_.count(root);
  for (const SymbolId symbol : view_.graph().symbols_of(all)) {
    if (with_states) use_state(symbol);
    use_input(symbol);
  }
}

void FunctionBody::use_state(SymbolId symbol) {
  if (const auto found = view_.state.find(symbol); found != view_.state.end())
    local(symbol, values().element(states_, found->second));
}

code::Value input_at(const SubsystemView& view, std::size_t input, code::Values& values) {
  const code::Value polynomial = values.element("inputs", input);
  const std::string at = "at<" + std::to_string(int{view.plan.input_degree[input]}) + ">";
  return values.call(values.member(polynomial, at), {values.variable("s")});
}

void FunctionBody::use_input(SymbolId symbol) {
  const auto found = view_.input.find(symbol);
  if (found == view_.input.end()) return;
  local(symbol, view_.held.contains(symbol) ? values().element("held", found->second)
                                            : input_at(view_, found->second, values()));
}

void FunctionBody::algebra(const std::vector<std::size_t>& steps) {
  std::vector<Assignment> run;  // of assignments between Newton blocks
  for (const std::size_t index : steps) {
    const AlgebraicStep& step = view_.surrogate.algebra[index];
    if (step.kind == AlgebraicStep::Kind::assignment) {
      run.push_back(step.assignment);
      continue;
    }
    assignments(std::exchange(run, {}));
    if (step.newton.linear)
      emit_sparse_solve(view_, index, coefficients_, statements_);
    else if (step.newton.flows)
      flows(step.newton, index);
    else
      newton(step.newton, index);
  }
  assignments(std::move(run));
}

/// In waves: what can be known, then the calls that are ready with it, several at once, and so on.
void FunctionBody::assignments(std::vector<Assignment> open) {
  const auto define = [&](const Assignment& a) {
    if (!statements_.is_bound(a.symbol))
      statements_.define(a.symbol, a.value, view_.label(a.symbol));
  };
  while (!open.empty()) {
    std::vector<Assignment> later;
    std::vector<Expr> values;
    for (const Assignment& assignment : open) {
      if (statements_.is_ready(assignment.value)) {
        define(assignment);
      } else {
        later.push_back(assignment);
        values.push_back(assignment.value);
      }
    }
    if (!statements_.batch_calls(values) && later.size() == open.size()) {  // only choices wait
      for (const Assignment& assignment : later) define(assignment);
      return;
    }
    open = std::move(later);
  }
}

void FunctionBody::assign(code::Value target, Expr e, const std::string& comment) {
  const code::Value value = statements_.value(e);
  block().assign(target, value, statements_.note(comment));
}

void FunctionBody::store(std::string_view array, std::size_t index, code::Value value,
                         const std::string& comment) {
  block().assign(values().element(array, index), value, statements_.note(comment));
}

code::Value FunctionBody::own(SymbolId symbol) {
  if (const auto found = view_.state.find(symbol); found != view_.state.end())
    return values().element(states_, found->second);
  if (statements_.is_bound(symbol) || !view_.fixed.contains(symbol))
    return statements_.value_of(symbol);
  const Expr value = view_.surrogate.algebra[view_.defined_by.at(symbol)].assignment.value;
  if (view_.graph().is_constant(value)) return values().number(view_.graph().node(value).value);
  return coefficients_.value_of(value, values());
}

void FunctionBody::local(SymbolId symbol, code::Value source) {
  if (statements_.is_bound(symbol)) return;
  statements_.bind(symbol, statements_.local(identifier_of(view_.graph().symbol(symbol).path),
                                             source, view_.label(symbol)));
}

void FunctionBody::act(code::Value object, std::string_view member,
                       std::initializer_list<code::Value> operands) {
  block().act(values().call(of(object, member), operands));
}

/// The unknowns, where the last solve left them.
FunctionBody::Row FunctionBody::guessed(const NewtonBlock& block, std::size_t index) {
  Row names;
  for (std::size_t row = 0; row < block.unknowns.size(); ++row) {
    const SymbolId unknown = block.unknowns[row];
    names.push_back(statements_.local(identifier_of(view_.graph().symbol(unknown).path),
                                      values().element("warm", view_.warm[index] + row),
                                      view_.label(unknown), false));
    statements_.bind(unknown, names[row]);
  }
  return names;
}

FunctionBody::Row FunctionBody::tried(const NewtonBlock& block, const Row& names) {
  Row tried;
  for (std::size_t row = 0; row < names.size(); ++row) {
    const double nudge = first_nudge(view_.graph().symbol(block.unknowns[row]).unit, row);
    tried.push_back(statements_.object(runtime::newton_unknown, "tried",
                                       values().list({names[row], values().number(nudge)})));
  }
  return tried;
}

code::Value FunctionBody::sum_of_magnitudes(const Row& all) {
  code::Value sum{};
  for (const code::Value each : all) {
    const code::Value magnitude = values().call(runtime::abs, {each});
    sum =
        sum == code::Value::none ? magnitude : values().operation(code::Form::sum, sum, magnitude);
  }
  return sum;
}

/// iteration <= 50 + takt::newton_limited + ...
code::Value FunctionBody::most_iterations(const NewtonBlock& block) {
  code::Values& v = values();
  const int plain = view_.plan.newton_iterations.value_or(block.iterations);
  code::Value most = v.integer(static_cast<std::size_t>(plain));
  for (const std::string_view more :
       {runtime::newton_limited, runtime::newton_damped, runtime::newton_from_low})
    if (more != runtime::newton_from_low || !block.exponentials.empty())
      most = v.operation(code::Form::sum, most, v.variable(more));
  return v.operation(code::Form::less_equal, v.variable("iteration"), most);
}

void FunctionBody::newton(const NewtonBlock& block, std::size_t index) {
  code::Values& v = values();
  Row residuals, steps;
  std::vector<Expr> inside = block.residuals;
  inside.insert(inside.end(), block.steps.begin(), block.steps.end());
  while (statements_.batch_calls(inside)) continue;  // those that do not hang on the unknowns
  const Row names = guessed(block, index);
  Row settings{
      v.integer(static_cast<std::size_t>(view_.plan.newton_iterations.value_or(block.iterations)))};
  if (!block.exponentials.empty()) settings.push_back(v.variable("true"));
  const code::Value damping =
      statements_.object(runtime::newton_damping, "damping", v.list(settings));
  const Row tried = this->tried(block, names);
  const code::Value iteration = v.variable("iteration"), move = v.variable("move");
  statements_.open_loop(block.unknowns);
  while (statements_.batch_calls(block.residuals)) continue;
  for (const Expr residual : block.residuals) residuals.push_back(statements_.value(residual));
  const code::Value here = statements_.local("here", sum_of_magnitudes(residuals), "");
  this->block().add(code::Definition{v.name(runtime::newton_move), move,
                                     v.call(of(damping, runtime::judge), {iteration, here})});
  look_at_equations(block, damping, residuals, here);
  while (statements_.batch_calls(block.steps)) continue;
  for (const Expr step : block.steps)
    steps.push_back(statements_.local("step", statements_.value(step), ""));
  limit_step(block, damping, steps);
  lower_arguments(block, damping, tried);
  if (steps.size() == 1) act(damping, runtime::watch, {residuals.front(), steps.front()});
  settle(block, {damping, names, steps, tried});
  statements_.close_loop(
      code::Loop{v.name("int"), iteration, v.integer(0), most_iterations(block), nullptr});
  count_unsolved(block, damping, index);
  keep_residual(damping);
  for (std::size_t row = 0; row < names.size(); ++row)
    keep(v.element("warm", view_.warm[index] + row), names[row]);
}

/// Whether the unknowns are where they stay, and where they go next.
void FunctionBody::settle(const NewtonBlock& block, const Iteration& at) {
  code::Values& v = values();
  const code::Value move = v.variable("move"), settled = v.variable("settled");
  Row conditions{v.call(of(at.damping, runtime::whole), {move})};
  for (std::size_t row = 0; row < at.names.size(); ++row) {
    const double typical = typical_change(view_.graph().symbol(block.unknowns[row]).unit);
    conditions.push_back(
        v.call(runtime::newton_settled, {at.names[row], at.steps[row], v.number(typical)}));
  }
  this->block().add(code::Definition{v.name("bool"), settled, v.all(conditions)});
  for (std::size_t row = 0; row < at.names.size(); ++row)
    this->block().assign(at.names[row], v.call(of(at.tried[row], runtime::next),
                                               {move, of(at.damping, runtime::share), at.names[row],
                                                at.steps[row]}));
  this->block().when(settled, code::Action{v.call(of(at.damping, runtime::settle), {})});
  const code::Value undone = v.operation(code::Form::equal, move, v.variable(runtime::move_undo));
  this->block().when(v.operation(code::Form::either, of(at.damping, runtime::solved), undone),
                     code::Leave{});
}

/// place = value; where the function leaves something for the next time.
void FunctionBody::keep(code::Value place, code::Value value) {
  if (leaves_if_.empty())
    block().assign(place, value);
  else
    block().when(values().variable(leaves_if_), code::Assignment{place, value});
}

void FunctionBody::keep_residual(code::Value damping) {
  const code::Value largest = values().element("newton", 0);
  keep(largest, values().call(runtime::max, {largest, of(damping, runtime::left)}));
}

void FunctionBody::flows(const NewtonBlock& block, std::size_t index) {
  const code::Value damping = emit_flow_solve(view_, index, coefficients_, statements_);
  if (block.flows->linear) return;
  count_unsolved(block, damping, index);
  keep_residual(damping);
  const code::Value call = values().call(values().member(flow_member(index), runtime::flows_keep),
                                         std::initializer_list<code::Value>{});
  if (leaves_if_.empty())
    this->block().act(call);
  else
    this->block().when(values().variable(leaves_if_), code::Action{call});
}

/// Past the plain iterations: does every equation hold where we are?
void FunctionBody::look_at_equations(const NewtonBlock& block, code::Value damping,
                                     const Row& residuals, code::Value here) {
  statements_.open_branch();
  for (std::size_t row = 0; row < residuals.size(); ++row) {
    const code::Value terms = row < block.magnitudes.size()
                                  ? statements_.value(block.magnitudes[row])
                                  : values().call(runtime::abs, {residuals[row]});
    act(damping, runtime::look, {residuals[row], terms});
  }
  this->block().when(values().call(of(damping, runtime::holds), {here}), code::Leave{});
  statements_.close_branch(
      values().call(of(damping, runtime::looks), {values().variable("iteration")}), true);
}

/// No exponential may grow at once as far as a straight line would.
void FunctionBody::limit_step(const NewtonBlock& block, code::Value damping, const Row& steps) {
  if (block.exponentials.empty()) return;
  statements_.open_branch();
  act(damping, runtime::begin_limit, {});
  for (const NewtonBlock::Exponential& exponential : block.exponentials) {
    Row terms;
    for (std::size_t row = 0; row < steps.size(); ++row)
      if (!view_.graph().is_constant(exponential.slopes[row], 0.0))
        terms.insert(terms.end(), {statements_.value(exponential.slopes[row]), steps[row]});
    const code::Value argument = statements_.value(exponential.argument);
    act(damping, runtime::limit, {argument, values().decrease(terms)});
  }
  statements_.close_branch(is_move(runtime::move_limited), true);
}

code::Value FunctionBody::is_move(std::string_view name) {
  return values().operation(code::Form::equal, values().variable("move"), values().variable(name));
}

/// Where Newton's method would come down an exponential step by step, or not at all.
void FunctionBody::lower_arguments(const NewtonBlock& block, code::Value damping,
                                   const Row& tried) {
  if (block.exponentials.empty()) return;
  code::Values& v = values();
  statements_.open_branch();
  act(damping, runtime::begin_lower, {});
  for (const NewtonBlock::Exponential& exponential : block.exponentials) {
    Row slopes;
    code::Value squares{};
    for (const Expr slope : exponential.slopes) {
      slopes.push_back(statements_.value(slope));
      if (view_.graph().is_constant(slope, 0.0)) continue;
      const code::Value factor = v.operation(code::Form::bracketed, slopes.back()),
                        square = v.operation(code::Form::product, factor, factor);
      squares =
          squares == code::Value::none ? square : v.operation(code::Form::sum, squares, square);
    }
    const code::Value argument = statements_.value(exponential.argument);
    code::Block& highest =
        this->block().branch(v.call(of(damping, runtime::is_highest), {argument, squares}));
    for (std::size_t row = 0; row < tried.size(); ++row)
      highest.assign(of(tried[row], runtime::slope), slopes[row]);
  }
  statements_.close_branch(is_move(runtime::move_lower), true);
}

void FunctionBody::count_unsolved(const NewtonBlock& block, code::Value damping,
                                  std::size_t index) {
  code::Values& v = values();
  const std::size_t place = view_.block[index];
  this->block()
      .branch(v.operation(code::Form::negation, of(damping, runtime::solved)))
      .add(code::Event{v.element("unsolved", place)});
  if (block.unknowns.size() != 1) return;
  this->block().branch(of(damping, runtime::turned)).add(code::Event{v.element("turned", place)});
}

void FunctionBody::solve(const StartLaw& start) {
  code::Values& v = values();
  const std::string wished = identifier_of(view_.graph().symbol(start.unknown).path),
                    label = view_.label(start.unknown);
  const code::Value inverse =
      statements_.object(runtime::law_inverse, "inverse",
                         v.list({statements_.value(start.wanted)}, runtime::law_inverse));
  const auto ask = [&](std::string_view member) {
    return v.call(of(inverse, member), std::initializer_list<code::Value>{});
  };
  statements_.open_loop({start.unknown});
  statements_.bind(start.unknown, statements_.local(wished, ask(runtime::inverse_at), label));
  while (statements_.batch_calls({start.law})) continue;
  const code::Value law = statements_.value(start.law);
  act(inverse, runtime::take, {law});
  const code::Value evaluation = v.variable("evaluation");
  const std::string most = std::string(runtime::law_inverse) + "::" + std::string(runtime::most);
  statements_.close_loop(code::Loop{v.name("int"), evaluation, v.integer(0),
                                    v.operation(code::Form::less, evaluation, v.variable(most)),
                                    nullptr});
  statements_.bind(start.unknown, statements_.local(wished, ask(runtime::result), label));
}

}  // namespace takt::codegen
