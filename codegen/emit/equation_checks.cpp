#include "codegen/emit/equation_checks.hpp"

#include <algorithm>
#include <map>

#include "codegen/text/literal.hpp"
#include "runtime/solver/typical_change.hpp"

namespace takt::codegen {
namespace {

/// Of looks, since it costs as much as one.
constexpr const char* looks_per_check = "8.0";

/// "x - x": an equation that defines a variable holds by being computed.
bool is_assigned(const std::string& residual) {
  const std::size_t minus = residual.find(" - ");
  return minus != std::string::npos && residual.substr(0, minus) == residual.substr(minus + 3);
}

}  // namespace

std::vector<EquationCheck> testable(const SubsystemView& view) {
  std::vector<EquationCheck> checks;
  const auto known = [&](SymbolId symbol) {
    return symbol == view.network.time || view.state.contains(symbol) || view.input.contains(symbol) ||
           view.parameter.contains(symbol) || view.defined_by.contains(symbol) || view.fixed.contains(symbol);
  };
  for (const EquationCheck& check : view.surrogate.checks) {
    const std::vector<SymbolId> read = view.graph().symbols_of({check.residual, check.magnitude});
    if (std::all_of(read.begin(), read.end(), known)) checks.push_back(check);
  }
  return checks;
}

std::vector<Expr> roots_of(const std::vector<EquationCheck>& checks) {
  std::vector<Expr> roots;
  for (const EquationCheck& check : checks) roots.insert(roots.end(), {check.residual, check.magnitude});
  return roots;
}

void emit_equation_checks(const std::vector<EquationCheck>& checks, FunctionBody& body) {
  if (checks.empty()) return;
  std::map<std::string, std::vector<std::string>> by_unit;
  body.statements().open_branch();
  for (const EquationCheck& check : checks) {
    const std::string residual = body.statements().value(check.residual);
    if (is_assigned(residual)) continue;
    by_unit[check.unit].push_back("{" + residual + ", " + body.statements().value(check.magnitude) + "}");
  }
  Writer& text = body.statements().writer();
  text.line("unchecked = 0.0;");
  for (const auto& [unit, rows] : by_unit) {
    text.open("");
    if (body.statements().is_tabulated()) {
      text.line("takt::CheckedEquation equations[" + std::to_string(rows.size()) + "];  // " + unit);
      for (std::size_t row = 0; row < rows.size(); ++row) text.line(at("equations", row) + " = " + rows[row] + ";");
    } else {
      text.line("const takt::CheckedEquation equations[] = {  // " + unit);
      for (const std::string& row : rows) text.line("    " + row + ",");
      text.line("};");
    }
    text.line("if (!takt::equations_hold(equations, " + double_literal(typical_change(unit)) +
              ")) inaccurate += 1.0, alert = 1.0;");
    text.close();
  }
  body.statements().close_branch("if ((unchecked += 1.0) >= " + std::string(looks_per_check) + ")");
}

}  // namespace takt::codegen
