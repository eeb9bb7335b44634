#include "codegen/emit/function_body.hpp"

#include <utility>

#include "codegen/emit/flow_blocks.hpp"
#include "codegen/emit/rolled_loops.hpp"
#include "codegen/emit/sparse_blocks.hpp"
#include "codegen/emit/unused_locals.hpp"
#include "codegen/text/literal.hpp"
#include "runtime/solver/typical_change.hpp"

namespace takt::codegen {
namespace {

constexpr std::size_t lines_per_piece = 300;

/// Lines of the body in runs that no loop or block crosses.
std::vector<Writer> cut(const std::string& body) {
  std::vector<Writer> pieces(1);
  std::size_t lines = 0, start = 0;
  int depth = 0;
  while (start < body.size()) {
    const std::size_t end = body.find('\n', start);
    const std::string line = body.substr(start, end - start);
    start = end + 1;
    if (lines >= lines_per_piece && depth == 0) {
      pieces.emplace_back();
      lines = 0;
    }
    depth += line.ends_with("{") ? 1 : 0;
    depth -= line.ends_with("}") ? 1 : 0;
    pieces.back().line(line);
    ++lines;
  }
  return pieces;
}

std::string capitalised(std::string name) {
  name[0] = static_cast<char>(name[0] - 'a' + 'A');
  return name;
}

/// Numbers of one function that a thread's stack has room for, with those of the functions that call it.
constexpr std::size_t most_on_stack = 8192;

/// Declares and defines the pieces; returns the lines that call them.
std::vector<std::string> write_pieces(SubsystemFunctions& functions, const SubsystemView& view,
                                      const FunctionHead& head, const FunctionLines& lines) {
  const Statements& statements = lines.statements;
  const std::string locals = capitalised(head.name) + "Locals";
  const std::string parameters = locals + "& l" + (head.parameters.empty() ? "" : ", " + head.parameters);
  const std::string arguments = "(l" + (head.arguments.empty() ? "" : ", " + head.arguments) + ");";
  functions.declarations.push_back("struct " + locals + ";");
  functions.text.blank();
  functions.text.open("struct " + view.type + "::" + locals);
  for (const std::string& member : statements.members()) functions.text.line(member + ";");
  std::string room = locals + " l;";
  if (const std::size_t values = statements.numbered_values(); values > most_on_stack) {
    functions.declarations.push_back("/// Values of " + head.name + "(): too many for the stack of a thread.");
    functions.declarations.push_back("std::array<double, " + std::to_string(values) + "> " + head.name + "_values{};");
    functions.text.line("double* value;");
    room += " l.value = " + head.name + "_values.data();";
  } else if (values > 0) {
    functions.text.line("double value[" + std::to_string(values) + "];");
  }
  functions.text.close("};");
  std::vector<std::string> calls{room};
  const std::string body = statements.is_tabulated() ? rolled(statements.text().text()) : statements.text().text();
  for (const Writer& piece : cut(body)) {
    const std::string name = head.name + "_" + std::to_string(calls.size());
    functions.declarations.push_back("void " + name + "(" + parameters + ") noexcept;");
    functions.text.blank();
    functions.text.open("void " + view.type + "::" + name + "([[maybe_unused]] " + parameters + ") noexcept");
    if (!lines.alias.empty()) functions.text.line(lines.alias);
    functions.text.lines(piece);
    functions.text.close();
    calls.push_back(name + arguments);
  }
  return calls;
}

}  // namespace

bool is_large(const SubsystemView& view) {
  return std::holds_alternative<SmoothCircuit>(view.surrogate.kind) && view.surrogate.equations > most_written_out;
}

FunctionBody::FunctionBody(const SubsystemView& view, Coefficients& coefficients, std::string state_array)
    : view_(view),
      coefficients_(coefficients),
      statements_(view.graph(), &coefficients),
      states_(std::move(state_array)) {
  statements_.bind(view.network.time, "t");
  for (const auto& [symbol, text] : view.bound) statements_.bind(symbol, text);
  for (const auto& [symbol, text] : view.truths) statements_.bind_truth(symbol, text);
}

void FunctionBody::begin(const std::vector<std::size_t>& steps, const std::vector<Expr>& roots, bool with_states) {
  std::vector<Expr> all = roots;
  for (const std::size_t index : steps) {
    const AlgebraicStep& step = view_.surrogate.algebra[index];
    if (step.kind == AlgebraicStep::Kind::assignment) {
      all.push_back(step.assignment.value);
      statements_.announce(step.assignment.symbol, step.assignment.value, view_.label(step.assignment.symbol));
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
    local(symbol, at(states_, found->second));
}

std::string input_at(const SubsystemView& view, std::size_t input) {
  return at("inputs", input) + ".at<" + std::to_string(int{view.plan.input_degree[input]}) + ">(s)";
}

void FunctionBody::use_input(SymbolId symbol) {
  if (const auto found = view_.input.find(symbol); found != view_.input.end()) {
    local(symbol, view_.held.contains(symbol) ? at("held", found->second) : input_at(view_, found->second));
  }
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
    if (!statements_.is_bound(a.symbol)) statements_.define(a.symbol, a.value, view_.label(a.symbol));
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

void FunctionBody::assign(const std::string& target, Expr e, const std::string& comment) {
  const std::string text = statements_.value(e);
  statements_.writer().line(target + " = " + text + ";" + (comment.empty() ? "" : "  // " + comment));
}

std::string FunctionBody::own(SymbolId symbol) {
  if (const auto found = view_.state.find(symbol); found != view_.state.end()) return at(states_, found->second);
  if (statements_.is_bound(symbol) || !view_.fixed.contains(symbol)) return statements_.text_of(symbol);
  const Expr value = view_.surrogate.algebra[view_.defined_by.at(symbol)].assignment.value;
  if (view_.graph().is_constant(value)) return double_literal(view_.graph().node(value).value);
  return coefficients_.text_of(value).text;
}

void FunctionBody::local(SymbolId symbol, const std::string& source) {
  if (statements_.is_bound(symbol)) return;
  statements_.bind(symbol,
                   statements_.local(identifier_of(view_.graph().symbol(symbol).path), source, view_.label(symbol)));
}

void FunctionBody::newton(const NewtonBlock& block, std::size_t index) {
  std::vector<Expr> inside = block.residuals;
  inside.insert(inside.end(), block.steps.begin(), block.steps.end());
  while (statements_.batch_calls(inside)) continue;  // those that do not hang on the unknowns
  std::vector<std::string> names;
  for (std::size_t row = 0; row < block.unknowns.size(); ++row) {
    const SymbolId unknown = block.unknowns[row];
    names.push_back(statements_.local(identifier_of(view_.graph().symbol(unknown).path),
                                      at("warm", view_.warm[index] + row), view_.label(unknown), false));
    statements_.bind(unknown, names[row]);
  }
  const int iterations = view_.plan.newton_iterations.value_or(block.iterations);
  const std::string damping =
      statements_.object("takt::NewtonDamping", "damping",
                         "{" + std::to_string(iterations) + (block.exponentials.empty() ? "" : ", true") + "}");
  std::vector<std::string> tried;
  for (std::size_t row = 0; row < names.size(); ++row) {
    const double nudge = first_nudge(view_.graph().symbol(block.unknowns[row]).unit, row);
    tried.push_back(
        statements_.object("takt::NewtonUnknown", "tried", "{" + names[row] + ", " + double_literal(nudge) + "}"));
  }
  statements_.open_loop(block.unknowns);
  while (statements_.batch_calls(block.residuals)) continue;
  std::vector<std::string> residuals;
  std::string left;
  for (const Expr residual : block.residuals) {
    residuals.push_back(statements_.value(residual));
    left += (left.empty() ? "takt::math::abs(" : " + takt::math::abs(") + residuals.back() + ")";
  }
  const std::string here = statements_.local("here", left, "");
  statements_.writer().line("const takt::NewtonMove move = " + damping + ".judge(iteration, " + here + ");");
  look_at_equations(block, damping, residuals, here);
  std::vector<std::string> steps;
  while (statements_.batch_calls(block.steps)) continue;
  for (const Expr step : block.steps) steps.push_back(statements_.local("step", statements_.value(step), ""));
  limit_step(block, damping, steps);
  lower_arguments(block, damping, tried);
  if (steps.size() == 1)
    statements_.writer().line(damping + ".watch(" + residuals.front() + ", " + steps.front() + ");");
  std::string settled = damping + ".whole(move)";
  for (std::size_t row = 0; row < names.size(); ++row) {
    const double typical = typical_change(view_.graph().symbol(block.unknowns[row]).unit);
    settled += " && takt::newton_settled(" + names[row] + ", " + steps[row] + ", " + double_literal(typical) + ")";
  }
  statements_.writer().line("const bool settled = " + settled + ";");
  for (std::size_t row = 0; row < names.size(); ++row) {
    const std::string& name = names[row];
    statements_.writer().line(name + " = " + tried[row] + ".next(move, " + damping + ".share, " + name + ", " +
                              steps[row] + ");");
  }
  statements_.writer().line("if (settled) " + damping + ".settle();");
  statements_.writer().line("if (" + damping + ".solved || move == takt::NewtonMove::undo) break;");
  statements_.close_loop("for (int iteration = 0; iteration <= " + std::to_string(iterations) +
                         " + takt::newton_limited + takt::newton_damped" +
                         (block.exponentials.empty() ? "" : " + takt::newton_from_low") + "; ++iteration)");
  count_unsolved(block, damping, index);
  const std::string when = leaves_if_.empty() ? "" : "if (" + leaves_if_ + ") ";
  statements_.writer().line(when + "newton[0] = takt::math::max(newton[0], " + damping + ".left);");
  for (std::size_t row = 0; row < names.size(); ++row)
    statements_.writer().line(when + at("warm", view_.warm[index] + row) + " = " + names[row] + ";");
}

void FunctionBody::flows(const NewtonBlock& block, std::size_t index) {
  const std::string damping = emit_flow_solve(view_, index, coefficients_, statements_);
  if (block.flows->linear) return;
  count_unsolved(block, damping, index);
  const std::string when = leaves_if_.empty() ? "" : "if (" + leaves_if_ + ") ";
  statements_.writer().line(when + "newton[0] = takt::math::max(newton[0], " + damping + ".left);");
  statements_.writer().line(when + flow_member(index) + ".keep();");
}

/// Past the plain iterations: does every equation hold where we are?
void FunctionBody::look_at_equations(const NewtonBlock& block, const std::string& damping,
                                     const std::vector<std::string>& residuals, const std::string& here) {
  statements_.open_branch();
  for (std::size_t row = 0; row < residuals.size(); ++row) {
    const std::string terms = row < block.magnitudes.size() ? statements_.value(block.magnitudes[row])
                                                            : "takt::math::abs(" + residuals[row] + ")";
    statements_.writer().line(damping + ".look(" + residuals[row] + ", " + terms + ");");
  }
  statements_.writer().line("if (" + damping + ".holds(" + here + ")) break;");
  statements_.close_branch("if (" + damping + ".looks(iteration)) [[unlikely]]");
}

/// No exponential may grow at once as far as a straight line would.
void FunctionBody::limit_step(const NewtonBlock& block, const std::string& damping,
                              const std::vector<std::string>& steps) {
  if (block.exponentials.empty()) return;
  statements_.open_branch();
  statements_.writer().line(damping + ".begin_limit();");
  for (const NewtonBlock::Exponential& exponential : block.exponentials) {
    std::string change;
    for (std::size_t row = 0; row < steps.size(); ++row)
      if (!view_.graph().is_constant(exponential.slopes[row], 0.0))
        change += " - (" + statements_.value(exponential.slopes[row]) + ") * " + steps[row];
    const std::string argument = statements_.value(exponential.argument);
    statements_.writer().line(damping + ".limit(" + argument + "," + change + ");");
  }
  statements_.close_branch("if (move == takt::NewtonMove::limited) [[unlikely]]");
}

/// Where Newton's method would come down an exponential step by step, or not at all.
void FunctionBody::lower_arguments(const NewtonBlock& block, const std::string& damping,
                                   const std::vector<std::string>& tried) {
  if (block.exponentials.empty()) return;
  statements_.open_branch();
  statements_.writer().line(damping + ".begin_lower();");
  for (const NewtonBlock::Exponential& exponential : block.exponentials) {
    std::vector<std::string> slopes;
    std::string squares;
    for (const Expr slope : exponential.slopes) {
      slopes.push_back(statements_.value(slope));
      if (!view_.graph().is_constant(slope, 0.0))
        squares += (squares.empty() ? "" : " + ") + ("(" + slopes.back() + ") * (" + slopes.back() + ")");
    }
    const std::string argument = statements_.value(exponential.argument);
    statements_.writer().open("if (" + damping + ".is_highest(" + argument + ", " + squares + "))");
    for (std::size_t row = 0; row < tried.size(); ++row)
      statements_.writer().line(tried[row] + ".slope = " + slopes[row] + ";");
    statements_.writer().close();
  }
  statements_.close_branch("if (move == takt::NewtonMove::lower) [[unlikely]]");
}

void FunctionBody::count_unsolved(const NewtonBlock& block, const std::string& damping, std::size_t index) {
  const std::size_t place = view_.block[index];
  Writer& text = statements_.writer();
  text.open("if (!" + damping + ".solved)");
  text.line(at("unsolved", place) + " += 1.0, alert = 1.0;");
  text.close();
  if (block.unknowns.size() != 1) return;
  text.open("if (" + damping + ".turned)");
  text.line(at("turned", place) + " += 1.0, alert = 1.0;");
  text.close();
}

void FunctionBody::solve(const StartLaw& start) {
  const std::string wished = identifier_of(view_.graph().symbol(start.unknown).path),
                    label = view_.label(start.unknown);
  const std::string inverse =
      statements_.object("takt::LawInverse", "inverse", "takt::LawInverse{" + statements_.value(start.wanted) + "}");
  statements_.open_loop({start.unknown});
  statements_.bind(start.unknown, statements_.local(wished, inverse + ".at()", label));
  while (statements_.batch_calls({start.law})) continue;
  statements_.writer().line(inverse + ".take(" + statements_.value(start.law) + ");");
  statements_.close_loop("for (int evaluation = 0; evaluation < takt::LawInverse::most; ++evaluation)");
  statements_.bind(start.unknown, statements_.local(wished, inverse + ".result()", label));
}

void write_function(SubsystemFunctions& functions, const SubsystemView& view, const FunctionHead& head,
                    const FunctionLines& lines) {
  const Statements& statements = lines.statements;
  std::vector<std::string> calls;
  if (statements.is_spread()) calls = write_pieces(functions, view, head, lines);
  functions.text.blank();
  functions.text.open(head.result + " " + view.type + "::" + head.name + "(" + head.parameters + ") noexcept");
  for (const std::string& line : lines.before) functions.text.line(line);
  if (!lines.alias.empty() && !statements.is_spread()) functions.text.line(lines.alias);
  for (const std::string& line : calls) functions.text.line(line);
  if (!statements.is_spread()) functions.text.lines(without_unused_locals(statements.text().text(), lines.after));
  for (const std::string& line : lines.after) functions.text.line(line);
  functions.text.close();
}

}  // namespace takt::codegen
