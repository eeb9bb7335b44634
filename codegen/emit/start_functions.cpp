#include "codegen/emit/start_functions.hpp"

#include <algorithm>

#include "codegen/emit/event_functions.hpp"
#include "codegen/emit/flow_blocks.hpp"
#include "codegen/emit/function_body.hpp"
#include "codegen/emit/kind_code.hpp"
#include "codegen/emit/range_checks.hpp"
#include "codegen/emit/write_function.hpp"
#include "codegen/text/literal.hpp"

namespace takt::codegen {
namespace {

/// Everything that start values and first guesses are computed from, each once and before what
/// reads it.
class StartBody {
 public:
  StartBody(const SubsystemView& view, FunctionBody& body)
      : view_(view),
        body_(body),
        done_(view.surrogate.algebra.size(), false),
        turned_(view.surrogate.start_laws.size(), false) {}

  void store_guesses() {
    for (std::size_t index = 0; index < view_.surrogate.algebra.size(); ++index) {
      const NewtonBlock& block = view_.surrogate.algebra[index].newton;
      if (block.flows && !block.flows->linear) store_flows(index);
      for (std::size_t row = 0; row < block.guesses.size(); ++row) {
        turn_round_for({block.guesses[row]});
        body_.assign("warm", view_.warm[index] + row, block.guesses[row],
                     view_.label(block.unknowns[row]));
      }
    }
  }

  void store_flows(std::size_t index) {
    const FlowStart start = flow_start(view_, index, body_.values());
    for (const auto& [target, guess] : start.guesses) {
      turn_round_for({guess});
      body_.assign(target, guess, "");
    }
    body_.block().act(start.after);
  }

  /// In the order of the states, each after the algebra it needs.
  void store_starts() {
    for (std::size_t index = 0; index < view_.surrogate.states.size(); ++index) {
      const SurrogateState& state = view_.surrogate.states[index];
      turn_round_for({state.start});
      algebra_for({state.start});
      body_.assign("x", index, state.start, view_.label(state.symbol));
      body_.statements().bind(state.symbol, body_.values().element("x", index));
    }
  }

 private:
  void algebra_for(const std::vector<Expr>& roots) {
    std::vector<std::size_t> now;
    for (const std::size_t step : needed_steps(view_, roots, {})) {
      if (!done_[step]) now.push_back(step);
      done_[step] = true;
    }
    body_.algebra(now);
  }

  void turn_round_for(const std::vector<Expr>& roots) {
    const std::vector<SymbolId> read = view_.graph().symbols_of(roots);
    for (std::size_t index = 0; index < turned_.size(); ++index) {
      const StartLaw& law = view_.surrogate.start_laws[index];
      if (turned_[index] || !std::binary_search(read.begin(), read.end(), law.unknown)) continue;
      turned_[index] = true;
      turn_round_for({law.law, law.wanted});
      algebra_for({law.law, law.wanted});
      body_.solve(law);
    }
  }

  const SubsystemView& view_;
  FunctionBody& body_;
  std::vector<bool> done_, turned_;
};

}  // namespace

void emit_initialize(const SubsystemView& view, Coefficients& coefficients,
                     SubsystemFunctions& functions) {
  FunctionBody body(view, coefficients, "x");
  std::vector<Expr> roots;
  for (const SurrogateState& state : view.surrogate.states) roots.push_back(state.start);
  for (const StartLaw& start : view.surrogate.start_laws)
    roots.insert(roots.end(), {start.law, start.wanted});
  const std::vector<std::size_t> steps = needed_steps(view, roots, {});
  for (const AlgebraicStep& step : view.surrogate.algebra) {
    roots.insert(roots.end(), step.newton.guesses.begin(), step.newton.guesses.end());
    if (step.newton.flows && !step.newton.flows->linear)
      roots.insert(roots.end(), step.newton.flows->guesses.begin(),
                   step.newton.flows->guesses.end());
  }
  body.begin(steps, roots, false);
  StartBody start(view, body);
  start.store_guesses();
  start.store_starts();
  std::vector<std::string> lines;
  if (!view.plan.sent.empty()) lines.emplace_back("sent = {};");
  if (!view.plan.received.empty()) lines.emplace_back("received = {};");
  lines.emplace_back("energy = {};");
  lines.emplace_back("newton = {};");
  if (view.warm_count > 0) lines.emplace_back("warm = {};");
  if (!view.still.empty()) lines.emplace_back("still = {};");
  if (!view.surrogate.checks.empty()) lines.emplace_back("inaccurate = 0.0, unchecked = 1e3;");
  if (view.newton_blocks > 0) lines.emplace_back("unsolved = {}, turned = {};");
  if (!view.ranges.empty()) lines.emplace_back("left = {};");
  if (any_may_pass(view)) lines.emplace_back("running = {};");
  if (has_events(view))
    lines.emplace_back("armed = {}, watched = {}, occurred = {}, crowded = {}, restless = 0.0;");
  if (look_every(view) > 0) lines.push_back("unseen = " + double_literal(first_pause(view)) + ";");
  lines.emplace_back("start(0.0, 0.0);");
  const KindCode kind = kind_code(view);
  lines.insert(lines.end(), kind.started.begin(), kind.started.end());
  // Guesses may be far: the first solve is repeated, and what it leaves does not count as a
  // residual of the run.
  lines.push_back(view.newton_blocks > 0 ? "for (int again = 0; again < 20; ++again) " + kind.settle
                                         : kind.settle);
  lines.insert(lines.end(), kind.settled.begin(), kind.settled.end());
  if (view.newton_blocks > 0) lines.emplace_back("newton = {};");
  write_function(functions, view, {"start", time_parameters}, {body.statements()});
  functions.text.blank();
  functions.text.open_of("void ", view.type, "::initialize() noexcept");
  for (const std::string& line : lines) functions.text.line(line);
  functions.text.close();
}

}  // namespace takt::codegen
