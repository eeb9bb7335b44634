#include "codegen/emit/prepare_function.hpp"

#include "codegen/code/naming.hpp"
#include "codegen/code/print.hpp"
#include "codegen/emit/function_body.hpp"
#include "codegen/emit/symbol_order.hpp"
#include "codegen/emit/write_function.hpp"
#include "codegen/text/escape.hpp"

namespace takt::codegen {
namespace {

const Arguments prepare_parameters{{"const double*", "parameters"}};

/// Fixed assignments that the coefficients read, directly or not, in order.
std::vector<Assignment> fixed_assignments(const SubsystemView& view,
                                          const std::vector<Expr>& values) {
  std::vector<bool> needed(view.surrogate.algebra.size(), false);
  std::vector<SymbolId> open = view.graph().symbols_of(values);
  while (!open.empty()) {
    const auto found = view.defined_by.find(open.back());
    open.pop_back();
    if (found == view.defined_by.end() || needed[found->second]) continue;
    needed[found->second] = true;
    for (const SymbolId read :
         view.graph().symbols_of(view.surrogate.algebra[found->second].assignment.value))
      open.push_back(read);
  }
  std::vector<Assignment> assignments;
  for (std::size_t index = 0; index < needed.size(); ++index) {
    if (needed[index]) assignments.push_back(view.surrogate.algebra[index].assignment);
  }
  return assignments;
}

}  // namespace

void store_coefficients(const Coefficients& coefficients, Statements& statements) {
  for (std::size_t index = 0; index < coefficients.all().size(); ++index) {
    const Coefficients::Coefficient& coefficient = coefficients.all()[index];
    code::Values& values = statements.values();
    code::Value value = statements.value(coefficient.value);
    if (coefficient.negative) value = values.negated(value);
    if (coefficient.reciprocal)
      value = values.operation(code::Form::quotient, values.number(1.0), value);
    statements.block().assign(coefficients.member(index, values), value);
  }
}

void emit_prepare(const SubsystemView& view, const Coefficients& coefficients,
                  Statements& statements, SubsystemFunctions& functions) {
  const std::vector<Expr> values = coefficients.expressions();
  if (is_large(view))
    statements.tabulate();
  else if (view.graph().reachable(values).size() > largest_function)
    statements.spread();
  const std::vector<Assignment> assignments = fixed_assignments(view, values);
  std::vector<Expr> roots;
  for (const Assignment& assignment : assignments) {
    roots.push_back(assignment.value);
    statements.announce(assignment.symbol, assignment.value, view.label(assignment.symbol));
  }
  roots.insert(roots.end(), values.begin(), values.end());
  for (const Expr root : roots) statements.count(root);
  for (const SymbolId symbol : symbols_in_order(view.graph(), roots)) {
    if (!view.parameter.contains(symbol)) continue;
    const code::Value place =
        statements.values().element("parameters", functions.parameters.size());
    statements.bind(symbol, statements.is_tabulated()
                                ? place
                                : statements.local(identifier_of(view.graph().symbol(symbol).path),
                                                   place, view.label(symbol)));
    functions.parameters.push_back(view.parameter.at(symbol));
  }
  for (const Assignment& assignment : assignments)
    statements.define(assignment.symbol, assignment.value, view.label(assignment.symbol));
  store_coefficients(coefficients, statements);
  if (statements.is_tabulated())
    statements.block().take(std::move(statements.last()));  // they become loops as well
  write_function(functions, view, {"prepare", prepare_parameters},
                 {.statements = statements, .apart = true});
  if (!statements.is_spread()) functions.prepare_code = taken(statements);
}

void write_prepare_of(const SubsystemView& view, const SubsystemView& first,
                      const FunctionCode& code, Writer& text) {
  std::unordered_map<std::string, std::string> names;
  for (std::size_t index = 0; index < view.coefficients.size(); ++index)
    names.emplace(view.coefficients[index], first.coefficients[index]);
  code::RenamedCoefficients renamed(std::move(names));
  const code::UsedNames used(code.values, {code.body.statements(), code.last.statements()});
  text.open_of("void ", view.type, "::prepare(" + list_of(prepare_parameters, used) + ") noexcept");
  code::print(text, code.values, {code.body.statements(), code.last.statements()}, renamed);
  text.close();
}

std::unordered_set<std::size_t> parameters_of(const SubsystemView& view,
                                              const std::vector<Expr>& values) {
  std::vector<Expr> roots = values;
  for (const Assignment& assignment : fixed_assignments(view, values))
    roots.push_back(assignment.value);
  std::unordered_set<std::size_t> found;
  for (const SymbolId symbol : view.graph().symbols_of(roots))
    if (const auto parameter = view.parameter.find(symbol); parameter != view.parameter.end())
      found.insert(parameter->second);
  return found;
}

std::vector<SubsystemFunctions::Member> members_of(const Coefficients& coefficients) {
  if (coefficients.is_numbered())
    return std::vector<SubsystemFunctions::Member>(coefficients.all().size());
  std::vector<SubsystemFunctions::Member> members;
  const std::vector<std::string> formulas = coefficients.formulas();
  for (std::size_t index = 0; index < formulas.size(); ++index)
    members.push_back({coefficients.all()[index].name, formulas[index]});
  return members;
}

void write_coefficients(Writer& text, const std::string& type,
                        const std::vector<SubsystemFunctions::Member>& members, std::size_t pairs) {
  constexpr std::size_t longest_formula = 240;
  text.open("struct " + type);
  for (const SubsystemFunctions::Member& member : members)
    text.line(
        "double " + member.name + ";" +
            (member.formula.size() > longest_formula ? ""
                                                     : "  ///< " + comment_text(member.formula)),
        text.names() ? "double " + text.names()->coefficient(member.name) + ";" : "");
  if (pairs > 0) {
    text.doc("Some of them, and of those that are held, two at a time.");
    text.line("std::array<takt::TwoDoubles, " + std::to_string(pairs) + "> pairs;");
  }
  text.close("};");
}

}  // namespace takt::codegen
