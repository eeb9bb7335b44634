#include "codegen/emit/equation_checks.hpp"

#include <algorithm>
#include <map>

#include "codegen/code/runtime_names.hpp"
#include "runtime/solver/typical_change.hpp"

namespace takt::codegen {
namespace {

/// Of looks, since it costs as much as one.
constexpr double looks_per_check = 8.0;

/// x - x: an equation that defines a variable holds by being computed.
bool is_assigned(const code::Values& values, code::Value residual) {
  const code::Node& node = values.node(residual);
  return node.form == code::Form::difference &&
         values.same(code::Value{node.a}, code::Value{node.b});
}

/// A check of the equations of one unit, in a scope of its own.
void check_unit(const std::string& unit, const std::vector<code::Value>& rows, FunctionBody& body) {
  code::Values& values = body.values();
  code::Block& scope = body.block().scope();
  const code::Value equations = values.variable("equations");
  const code::Name type = values.name(runtime::checked_equation),
                   note = body.statements().note(unit);
  if (body.statements().is_tabulated()) {
    scope.add(code::Definition{type, values.element(equations, rows.size()), {}, note, false});
    for (std::size_t row = 0; row < rows.size(); ++row)
      scope.assign(values.element(equations, row), rows[row]);
  } else {
    scope.add(code::Rows{type, equations, rows, note});
  }
  const code::Value hold =
      values.call(runtime::equations_hold, {equations, values.number(typical_change(unit))});
  scope.when(values.operation(code::Form::negation, hold),
             code::Event{values.variable("inaccurate")});
}

}  // namespace

std::vector<EquationCheck> testable(const SubsystemView& view) {
  std::vector<EquationCheck> checks;
  const auto known = [&](SymbolId symbol) {
    return symbol == view.network.time || view.state.contains(symbol) ||
           view.input.contains(symbol) || view.parameter.contains(symbol) ||
           view.defined_by.contains(symbol) || view.fixed.contains(symbol);
  };
  for (const EquationCheck& check : view.surrogate.checks) {
    const std::vector<SymbolId> read = view.graph().symbols_of({check.residual, check.magnitude});
    if (std::all_of(read.begin(), read.end(), known)) checks.push_back(check);
  }
  return checks;
}

std::vector<Expr> roots_of(const std::vector<EquationCheck>& checks) {
  std::vector<Expr> roots;
  for (const EquationCheck& check : checks)
    roots.insert(roots.end(), {check.residual, check.magnitude});
  return roots;
}

void emit_equation_checks(const std::vector<EquationCheck>& checks, FunctionBody& body) {
  if (checks.empty()) return;
  std::map<std::string, std::vector<code::Value>> by_unit;
  code::Values& values = body.values();
  body.statements().open_branch();
  for (const EquationCheck& check : checks) {
    const code::Value residual = body.statements().value(check.residual);
    if (is_assigned(values, residual)) continue;
    by_unit[check.unit].push_back(
        values.list({residual, body.statements().value(check.magnitude)}));
  }
  const code::Value unchecked = values.variable("unchecked");
  body.block().assign(unchecked, values.number(0.0));
  for (const auto& [unit, rows] : by_unit) check_unit(unit, rows, body);
  const code::Value looks = values.verbatim("(unchecked += 1.0)", {unchecked});
  body.statements().close_branch(
      values.operation(code::Form::greater_equal, looks, values.number(looks_per_check)), false);
}

}  // namespace takt::codegen
