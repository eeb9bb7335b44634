#include "codegen/emit/implicit_functions.hpp"

#include "codegen/emit/function_body.hpp"
#include "codegen/emit/instant_functions.hpp"
#include "codegen/emit/sparse_elimination.hpp"
#include "codegen/emit/write_function.hpp"

namespace takt::codegen {
namespace {

constexpr std::size_t most_straight_operations = 4000;  // beyond, loops over a dense matrix

SparseElimination elimination_of(const SubsystemView& view) {
  std::vector<SparseElimination::Entry> entries;
  for (const Jacobian::Entry& entry : view.plan.jacobian->states)
    entries.push_back({entry.row, entry.column});
  return eliminate(view.surrogate.states.size(), std::move(entries));
}

bool straight(const SparseElimination& elimination) {
  return elimination.operations <= most_straight_operations;
}

void open_function(const SubsystemView& view, const std::string& head, Writer& text) {
  text.blank();
  text.open_of("void ", view.type, "::" + head);
}

void emit_linearise(const SubsystemView& view, Coefficients& coefficients,
                    SubsystemFunctions& functions) {
  FunctionBody body(view, coefficients, "z");
  const Surrogate& surrogate = view.surrogate;
  const Jacobian& jacobian = *view.plan.jacobian;
  StageWork work = stage_work(view);
  std::vector<Expr>& roots = work.roots;
  for (const auto* entries : {&jacobian.states, &jacobian.quadratures})
    for (const Jacobian::Entry& entry : *entries) roots.push_back(entry.value);
  const std::vector<std::size_t> steps = needed_steps(view, roots, work.symbols);
  body.begin(steps, roots, true);
  for (const SymbolId symbol : view.plan.received) body.use_input(symbol);
  body.algebra(steps);
  const auto name = [&](std::size_t state) {
    return view.graph().symbol(surrogate.states[state].symbol).path;
  };
  for (std::size_t index = 0; index < surrogate.states.size(); ++index)
    body.assign("dz", index, surrogate.states[index].derivative, "d/dt " + name(index));
  write_quadratures(view, body);
  for (std::size_t index = 0; index < jacobian.states.size(); ++index) {
    const Jacobian::Entry& entry = jacobian.states[index];
    body.assign("slopes", index, entry.value,
                "d/d " + name(entry.column) + " of d/dt " + name(entry.row));
  }
  for (std::size_t index = 0; index < jacobian.quadratures.size(); ++index)
    body.assign("quadrature_entries", index, jacobian.quadratures[index].value, "");
  write_function(functions, view, {"linearise", stage_parameters()},
                 {body.statements(), in_stage(view, body.values())});
}

void emit_straight(const SubsystemView& view, const SparseElimination& elimination, Writer& text) {
  const std::size_t given = view.plan.jacobian->states.size();
  open_function(view, "factor(" + list_of({{"double", "gh"}}, given > 0) + ") noexcept", text);
  for (std::size_t k = 0; k < elimination.entries.size(); ++k) {
    const char* one = elimination.entries[k].row == elimination.entries[k].column ? "1.0" : "0.0";
    text.line(at("lu", k) + " = " +
              (k < given ? std::string(one) + " - gh * " + at("slopes", k) : one) + ";");
  }
  for (const SparseElimination::Pivot& pivot : elimination.pivots) {
    text.line(at("lu", pivot.diagonal) + " = 1.0 / " + at("lu", pivot.diagonal) + ";");
    for (const auto& [place, row] : pivot.lower)
      text.line(at("lu", place) + " *= " + at("lu", pivot.diagonal) + ";");
    for (const auto& update : pivot.updates)
      text.line(at("lu", update.to) + " -= " + at("lu", update.lower) + " * " +
                at("lu", update.upper) + ";");
  }
  text.close();
  open_function(
      view,
      "solve(" + list_of({{"double*", "b"}}, !elimination.pivots.empty()) + ") const noexcept",
      text);
  for (const SparseElimination::Pivot& pivot : elimination.pivots)
    for (const auto& [place, row] : pivot.lower)
      text.line(at("b", row) + " -= " + at("lu", place) + " * " + at("b", pivot.row) + ";");
  for (std::size_t k = elimination.pivots.size(); k-- > 0;) {
    const SparseElimination::Pivot& pivot = elimination.pivots[k];
    for (const auto& [place, column] : pivot.upper)
      text.line(at("b", pivot.row) + " -= " + at("lu", place) + " * " + at("b", column) + ";");
    text.line(at("b", pivot.row) + " *= " + at("lu", pivot.diagonal) + ";");
  }
  text.close();
}

void emit_dense(const SubsystemView& view, Writer& text) {
  const std::size_t n = view.surrogate.states.size();
  open_function(view, "factor(double gh) noexcept", text);
  text.line("lu.fill(0.0);");
  text.line("for (std::size_t k = 0; k < state_count; ++k) lu[k * state_count + k] = 1.0;");
  const auto& entries = view.plan.jacobian->states;
  for (std::size_t k = 0; k < entries.size(); ++k)
    text.line(at("lu", entries[k].row * n + entries[k].column) + " -= gh * " + at("slopes", k) +
              ";");
  text.line("takt::factor_dense<state_count>(lu.data());");
  text.close();
  open_function(view, "solve(double* b) const noexcept", text);
  text.line("takt::solve_dense<state_count>(lu.data(), b);");
  text.close();
}

void emit_quadrature_slopes(const SubsystemView& view, Writer& text) {
  std::vector<std::string> sums(view.quadratures());
  const auto& entries = view.plan.jacobian->quadratures;
  open_function(view,
                "quadrature_slopes(" + list_of({{"const double*", "v"}}, !entries.empty()) +
                    ", double* dq) const noexcept",
                text);
  for (std::size_t index = 0; index < entries.size(); ++index) {
    std::string& sum = sums[entries[index].row];
    sum += (sum.empty() ? "" : " + ") + at("quadrature_entries", index) + " * " +
           at("v", entries[index].column);
  }
  for (std::size_t row = 0; row < sums.size(); ++row)
    text.line(at("dq", row) + " = " + (sums[row].empty() ? "0.0" : sums[row]) + ";");
  text.close();
}

}  // namespace

void emit_implicit(const SubsystemView& view, Coefficients& coefficients,
                   SubsystemFunctions& functions) {
  emit_linearise(view, coefficients, functions);
  const SparseElimination elimination = elimination_of(view);
  if (straight(elimination))
    emit_straight(view, elimination, functions.text);
  else
    emit_dense(view, functions.text);
  emit_quadrature_slopes(view, functions.text);
}

void write_implicit_members(Writer& text, const SubsystemView& view) {
  const SparseElimination elimination = elimination_of(view);
  const std::size_t n = view.surrogate.states.size();
  const auto array = [&](const char* name, std::size_t size, const std::string& meaning) {
    text.doc(meaning);
    text.line("std::array<double, " + std::to_string(size) + "> " + name + "{};");
  };
  array("slopes", view.plan.jacobian->states.size(),
        "Entries of the Jacobian of the rates that are not always zero, row by row.");
  array("quadrature_entries", view.plan.jacobian->quadratures.size(),
        "The same of the integrands.");
  array("lu", straight(elimination) ? elimination.entries.size() : n * n, "Factors of I - g*h*J.");
  text.line("/// As evaluate(), and keeps the Jacobians.");
  text.line(
      "void linearise(double t, double s, const double* z, double* dz, double* dq) noexcept;");
  text.line("void factor(double gh) noexcept;");
  text.line("void solve(double* b) const noexcept;");
  text.line("void quadrature_slopes(const double* v, double* dq) const noexcept;");
}

}  // namespace takt::codegen
