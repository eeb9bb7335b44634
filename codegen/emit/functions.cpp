#include "codegen/emit/functions.hpp"

#include <algorithm>
#include <stdexcept>

#include "codegen/expr/print.hpp"
#include "codegen/text/quantity.hpp"

namespace takt::codegen {
namespace {

std::string at(std::string_view array, std::size_t index) {
  return std::string(array) + "[" + std::to_string(index) + "]";
}

/// Builds one function over the states in `state_array`.
class FunctionBody {
 public:
  FunctionBody(const SubsystemView& view, Coefficients& coefficients, std::string state_array)
      : view_(view), statements_(view.graph(), &coefficients), states_(std::move(state_array)) {
    statements_.bind(view.network.time, "t");
  }

  /// Counts the algebra and the roots, then defines the states and inputs they use.
  void prepare(const std::vector<std::size_t>& steps, const std::vector<Expr>& roots, bool with_states) {
    std::vector<Expr> all = roots;
    for (const std::size_t index : steps) {
      const AlgebraicStep& step = view_.surrogate.algebra[index];
      if (step.kind == AlgebraicStep::Kind::assignment) {
        all.push_back(step.assignment.value);
      } else {
        all.insert(all.end(), step.newton.residuals.begin(), step.newton.residuals.end());
        all.insert(all.end(), step.newton.steps.begin(), step.newton.steps.end());
      }
    }
    for (const Expr root : all) statements_.count(root);
    for (const SymbolId symbol : view_.graph().symbols_of(all)) {
      if (with_states) use_state(symbol);
      use_input(symbol);
    }
  }

  void use_state(SymbolId symbol) {
    if (const auto found = view_.state.find(symbol); found != view_.state.end()) local(symbol, at(states_, found->second));
  }

  void use_input(SymbolId symbol) {
    if (const auto found = view_.input.find(symbol); found != view_.input.end()) {
      local(symbol, at("inputs", found->second) + ".at(s)");
    }
  }

  void algebra(const std::vector<std::size_t>& steps) {
    for (const std::size_t index : steps) {
      const AlgebraicStep& step = view_.surrogate.algebra[index];
      if (step.kind == AlgebraicStep::Kind::newton) {
        newton(step.newton, view_.warm[index]);
      } else if (!statements_.is_bound(step.assignment.symbol)) {
        statements_.define(step.assignment.symbol, step.assignment.value, view_.label(step.assignment.symbol));
      }
    }
  }

  void assign(const std::string& target, Expr e, const std::string& comment) {
    const std::string text = statements_.value(e);
    statements_.writer().line(target + " = " + text + ";" + (comment.empty() ? "" : "  // " + comment));
  }

  /// Text of an own symbol: state, defined local, or coefficient.
  std::string own(SymbolId symbol, Coefficients& coefficients) {
    if (const auto found = view_.state.find(symbol); found != view_.state.end()) return at(states_, found->second);
    if (view_.fixed.contains(symbol)) {
      const Expr value = view_.surrogate.algebra[view_.defined_by.at(symbol)].assignment.value;
      if (view_.graph().is_constant(value)) return double_literal(view_.graph().node(value).value);
      return at("k", coefficients.index_of(value));
    }
    return names_.at(symbol);
  }

  void remember(SymbolId symbol) { names_[symbol] = symbol_text(symbol); }
  Statements& statements() { return statements_; }

 private:
  std::string symbol_text(SymbolId symbol) { return statements_.text_of(symbol); }

  void local(SymbolId symbol, const std::string& source) {
    if (statements_.is_bound(symbol)) return;
    const std::string name = statements_.unique(identifier_of(view_.graph().symbol(symbol).path));
    statements_.writer().line("const double " + name + " = " + source + ";  // " + view_.label(symbol));
    statements_.bind(symbol, name);
  }

  void newton(const NewtonBlock& block, std::size_t warm) {
    std::vector<std::string> names;
    for (std::size_t row = 0; row < block.unknowns.size(); ++row) {
      const SymbolId unknown = block.unknowns[row];
      names.push_back(statements_.unique(identifier_of(view_.graph().symbol(unknown).path)));
      statements_.writer().line("double " + names[row] + " = " + at("warm", warm + row) + ";  // " + view_.label(unknown));
      statements_.bind(unknown, names[row]);
    }
    const int iterations = view_.plan.newton_iterations.value_or(block.iterations);
    statements_.open_loop(block.unknowns);
    std::vector<std::string> steps;
    for (std::size_t row = 0; row < block.steps.size(); ++row) {
      const std::string text = statements_.value(block.steps[row]);
      steps.push_back(statements_.unique("step_" + names[row]));
      statements_.writer().line("const double " + steps[row] + " = " + text + ";");
    }
    for (std::size_t row = 0; row < names.size(); ++row) {
      statements_.writer().line(names[row] + " -= " + steps[row] + ";");
    }
    statements_.close_loop("for (int iteration = 0; iteration < " + std::to_string(iterations) + "; ++iteration)");
    statements_.open_loop(block.unknowns);
    for (const Expr residual : block.residuals) {
      const std::string text = statements_.value(residual);
      statements_.writer().line("newton[0] = takt::math::max(newton[0], takt::math::abs(" + text + "));");
    }
    statements_.close_loop("");
    for (std::size_t row = 0; row < names.size(); ++row) {
      statements_.writer().line(at("warm", warm + row) + " = " + names[row] + ";");
    }
  }

  const SubsystemView& view_;
  Statements statements_;
  std::string states_;
  std::unordered_map<SymbolId, std::string> names_;
};

/// Symbols stored at the end of a window that need the algebra.
std::vector<SymbolId> observed(const SubsystemView& view) {
  std::vector<SymbolId> symbols = view.plan.outputs;
  symbols.insert(symbols.end(), view.signals.begin(), view.signals.end());
  return symbols;
}

void store_observed(const SubsystemView& view, FunctionBody& body, Coefficients& coefficients) {
  const auto store = [&](const char* array, std::size_t index, SymbolId symbol) {
    if (!view.state.contains(symbol) && !view.fixed.contains(symbol)) body.remember(symbol);
    body.statements().writer().line(at(array, index) + " = " + body.own(symbol, coefficients) + ";" + "  // " + view.label(symbol));
  };
  for (std::size_t index = 0; index < view.plan.outputs.size(); ++index) store("outputs", index, view.plan.outputs[index]);
  for (std::size_t index = 0; index < view.signals.size(); ++index) store("signals", index, view.signals[index]);
}

void write_function(Writer& text, const std::string& head, FunctionBody& body, const std::vector<std::string>& unused) {
  text.blank();
  text.open(head);
  for (const std::string& name : unused) text.line("(void)" + name + ";");
  text.lines(body.statements().text());
  text.close();
}

void emit_initialize(const SubsystemView& view, Coefficients& coefficients, Writer& text) {
  FunctionBody body(view, coefficients, "x");
  std::vector<Expr> roots;
  for (const SurrogateState& state : view.surrogate.states) roots.push_back(state.start);
  const std::vector<std::size_t> steps = needed_steps(view, roots, {});
  for (const AlgebraicStep& step : view.surrogate.algebra) {
    roots.insert(roots.end(), step.newton.guesses.begin(), step.newton.guesses.end());
  }
  body.prepare(steps, roots, false);
  for (std::size_t index = 0; index < view.surrogate.algebra.size(); ++index) {
    const NewtonBlock& block = view.surrogate.algebra[index].newton;
    for (std::size_t row = 0; row < block.guesses.size(); ++row) {
      body.assign(at("warm", view.warm[index] + row), block.guesses[row], view.label(block.unknowns[row]));
    }
  }
  std::vector<bool> done(view.surrogate.algebra.size(), false);
  for (std::size_t index = 0; index < view.surrogate.states.size(); ++index) {
    const SurrogateState& state = view.surrogate.states[index];
    std::vector<std::size_t> now;
    for (const std::size_t step : needed_steps(view, {state.start}, {})) {
      if (!done[step]) now.push_back(step);
      done[step] = true;
    }
    body.algebra(now);
    body.assign(at("x", index), state.start, view.label(state.symbol));
    body.statements().bind(state.symbol, at("x", index));
  }
  text.blank();
  text.open("void " + view.type + "::initialize() noexcept");
  text.line("[[maybe_unused]] constexpr double t = 0.0;");
  text.line("[[maybe_unused]] constexpr double s = 0.0;");
  for (const char* array : {"sent", "received", "energy", "newton", "warm"}) text.line(std::string(array) + " = {};");
  text.lines(body.statements().text());
  text.line(view.surrogate.discrete ? "tick(0.0, 0.0, false);" : "finish(0.0, 0.0);");
  if (view.newton_blocks > 0 && !view.surrogate.discrete) {
    text.comment("The guesses are far; the residual of the start does not count.");
    text.line("for (int again = 0; again < 20; ++again) finish(0.0, 0.0);");
    text.line("newton = {};");
  }
  text.close();
}

void emit_evaluate(const SubsystemView& view, Coefficients& coefficients, Writer& text) {
  FunctionBody body(view, coefficients, "z");
  const Surrogate& surrogate = view.surrogate;
  const EnergyBalance& energy = surrogate.energy;
  std::vector<Expr> roots;
  for (const SurrogateState& state : surrogate.states) roots.push_back(state.derivative);
  roots.insert(roots.end(), {energy.supplied, energy.dissipated, energy.exchanged});
  const std::vector<std::size_t> steps = needed_steps(view, roots, view.plan.sent);
  body.prepare(steps, roots, true);
  for (const SymbolId symbol : view.plan.sent) body.use_state(symbol);
  for (const SymbolId symbol : view.plan.received) body.use_input(symbol);
  body.algebra(steps);
  for (std::size_t index = 0; index < surrogate.states.size(); ++index) {
    body.assign(at("dz", index), surrogate.states[index].derivative, "d/dt " + view.graph().symbol(surrogate.states[index].symbol).path);
  }
  std::size_t quadrature = 0;
  const auto integrate = [&](const std::string& value, const std::string& comment) {
    body.statements().writer().line(at("dq", quadrature++) + " = " + value + ";  // " + comment);
  };
  for (const SymbolId symbol : view.plan.sent) {
    if (!view.state.contains(symbol) && !view.fixed.contains(symbol)) body.remember(symbol);
    integrate(body.own(symbol, coefficients), "sent: " + view.label(symbol));
  }
  for (const SymbolId symbol : view.plan.received) integrate(body.statements().text_of(symbol), "received: " + view.label(symbol));
  body.assign(at("dq", quadrature++), energy.supplied, "supplied [W]");
  body.assign(at("dq", quadrature++), energy.dissipated, "dissipated [W]");
  body.assign(at("dq", quadrature++), energy.exchanged, "exchanged [W]");
  write_function(text, "void " + view.type + "::evaluate([[maybe_unused]] double t, [[maybe_unused]] double s, "
                       "[[maybe_unused]] const double* z, [[maybe_unused]] double* dz, double* dq) noexcept", body, {});
}

void emit_finish(const SubsystemView& view, Coefficients& coefficients, Writer& text) {
  FunctionBody body(view, coefficients, "x");
  const std::vector<Expr> roots{view.surrogate.energy.stored};
  const std::vector<std::size_t> steps = needed_steps(view, roots, observed(view));
  body.prepare(steps, roots, true);
  body.algebra(steps);
  store_observed(view, body, coefficients);
  body.assign("energy[3]", view.surrogate.energy.stored, "stored [J]");
  write_function(text, "void " + view.type + "::finish([[maybe_unused]] double t, [[maybe_unused]] double s) noexcept", body, {});
}

std::string_view solver_type(Method method) {
  switch (method) {
    case Method::euler: return "takt::Euler";
    case Method::heun: return "takt::Heun";
    case Method::rk3: return "takt::Rk3";
    case Method::rk4: return "takt::Rk4";
    case Method::discrete: break;
  }
  throw std::logic_error("a discrete subsystem has no solver");
}

void emit_run(const SubsystemView& view, Writer& text) {
  text.blank();
  text.open("void " + view.type + "::run(const takt::Window& window) noexcept");
  text.line("newton[0] = 0.0;");
  text.line("takt::run<" + std::string(solver_type(view.plan.method)) + ">(*this, window);");
  std::size_t quadrature = 0;
  for (std::size_t index = 0; index < view.plan.sent.size(); ++index) text.line(at("sent", index) + " = " + at("q", quadrature++) + ";");
  for (std::size_t index = 0; index < view.plan.received.size(); ++index) text.line(at("received", index) + " = " + at("q", quadrature++) + ";");
  for (std::size_t index = 0; index < 3; ++index) text.line(at("energy", index) + " += " + at("q", quadrature++) + ";");
  text.line("const std::int64_t length_ns = window.steps * window.step_ns;");
  text.line("finish(static_cast<double>(window.start_ns + length_ns) * 1e-9, static_cast<double>(length_ns) * 1e-9);");
  text.line("newton[1] = takt::math::max(newton[0], newton[1]);");
  text.close();
}

void emit_tick(const SubsystemView& view, Coefficients& coefficients, Writer& text) {
  FunctionBody body(view, coefficients, "x");
  std::vector<Expr> roots;
  for (const Assignment& update : view.surrogate.updates) roots.push_back(update.value);
  const std::vector<std::size_t> steps = needed_steps(view, roots, observed(view));
  body.prepare(steps, roots, true);
  body.algebra(steps);
  store_observed(view, body, coefficients);
  Writer updates;
  std::vector<std::string> names;
  for (const Assignment& update : view.surrogate.updates) {
    names.push_back(body.statements().unique("next_" + identifier_of(view.graph().symbol(update.symbol).path)));
    body.assign("const double " + names.back(), update.value, "");
  }
  body.statements().writer().line("if (!advance) return;");
  for (std::size_t index = 0; index < names.size(); ++index) {
    const SymbolId symbol = view.surrogate.updates[index].symbol;
    body.statements().writer().line(at("x", view.state.at(symbol)) + " = " + names[index] + ";  // " + view.label(symbol));
  }
  write_function(text, "void " + view.type + "::tick([[maybe_unused]] double t, [[maybe_unused]] double s, bool advance) noexcept", body, {});
  text.blank();
  text.open("void " + view.type + "::run(const takt::Window& window) noexcept");
  text.open("for (std::int32_t step = 0; step < window.steps; ++step)");
  text.line("const std::int64_t passed_ns = step * window.step_ns;");
  if (view.plan.every_ns > view.plan.step_ns) {
    text.line("if ((window.start_ns + passed_ns) % " + std::to_string(view.plan.every_ns) + " != 0) continue;  // executed every " +
              duration_text(view.plan.every_ns));
  }
  text.line("tick(static_cast<double>(window.start_ns + passed_ns) * 1e-9, static_cast<double>(passed_ns) * 1e-9, true);");
  text.close();
  text.close();
}

/// @return number of coefficients
void emit_prepare(const SubsystemView& view, const Coefficients& coefficients, Writer& text) {
  Statements statements(view.graph(), nullptr);
  for (const auto& [symbol, index] : view.parameter) statements.bind(symbol, at("parameters", index));
  std::vector<bool> needed(view.surrogate.algebra.size(), false);
  std::vector<SymbolId> open = view.graph().symbols_of(coefficients.expressions());
  while (!open.empty()) {
    const auto found = view.defined_by.find(open.back());
    open.pop_back();
    if (found == view.defined_by.end() || needed[found->second]) continue;
    needed[found->second] = true;
    for (const SymbolId read : view.graph().symbols_of(view.surrogate.algebra[found->second].assignment.value)) open.push_back(read);
  }
  for (std::size_t index = 0; index < needed.size(); ++index) {
    if (needed[index]) statements.count(view.surrogate.algebra[index].assignment.value);
  }
  for (const Expr e : coefficients.expressions()) statements.count(e);
  for (std::size_t index = 0; index < needed.size(); ++index) {
    const Assignment& assignment = view.surrogate.algebra[index].assignment;
    if (needed[index]) statements.define(assignment.symbol, assignment.value, view.label(assignment.symbol));
  }
  for (std::size_t index = 0; index < coefficients.expressions().size(); ++index) {
    const Expr e = coefficients.expressions()[index];
    std::string meaning = view.graph().text(e);
    if (meaning.size() > 90) meaning.clear();
    const std::string value = statements.value(e);
    statements.writer().line(at("k", index) + " = " + value + ";" + (meaning.empty() ? "" : "  // " + meaning));
  }
  text.blank();
  text.open("void " + view.type + "::prepare([[maybe_unused]] const double* parameters) noexcept");
  text.lines(statements.text());
  text.close();
}

}  // namespace

SubsystemFunctions emit_functions(const SubsystemView& view) {
  SubsystemFunctions functions;
  Coefficients coefficients(view.graph(), view.fixed);
  emit_initialize(view, coefficients, functions.text);
  if (view.surrogate.discrete) {
    emit_tick(view, coefficients, functions.text);
  } else {
    emit_evaluate(view, coefficients, functions.text);
    emit_finish(view, coefficients, functions.text);
    emit_run(view, functions.text);
  }
  emit_prepare(view, coefficients, functions.text);
  functions.coefficients = coefficients.expressions().size();
  return functions;
}

}  // namespace takt::codegen
