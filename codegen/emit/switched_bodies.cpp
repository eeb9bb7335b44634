#include "codegen/emit/switched_bodies.hpp"

namespace takt::codegen {

FunctionBody body_for(const SubsystemView& view, Coefficients& coefficients, const std::vector<Expr>& roots,
                      const std::vector<SymbolId>& symbols) {
  FunctionBody body(view, coefficients, "x");
  const std::vector<std::size_t> steps = needed_steps(view, roots, symbols);
  body.begin(steps, roots, true);
  body.algebra(steps);
  return body;
}

void apply_affine(const SubsystemView& view, const AffineRows& affine, FunctionBody& body) {
  body.algebra(needed_steps(view, {}, affine.columns));
  std::string columns;
  for (const SymbolId column : affine.columns) columns += (columns.empty() ? "" : ", ") + body.own(column);
  Writer& text = body.statements().writer();
  text.line("takt::TwoDoubles y[Map::blocks];");
  text.line("const double moving[] = {" + columns + "};");
  text.line("maps[slot].apply(moving, y);");
  for (std::size_t row = 0; row < affine.rows.size(); ++row)
    body.statements().bind(affine.rows[row], at(at("y", row / 2), row % 2));
}

FunctionBody body_between_factorisations(const SubsystemView& view, Coefficients& factors,
                                         const std::vector<Expr>& roots, const std::vector<SymbolId>& symbols) {
  FunctionBody body(view, factors, "x");
  std::vector<SymbolId> wanted = symbols;
  if (view.plan.affine)
    wanted.insert(wanted.end(), switched_circuit(view.surrogate.kind).affine->columns.begin(),
                  switched_circuit(view.surrogate.kind).affine->columns.end());
  const std::vector<std::size_t> steps = needed_steps(view, roots, wanted);
  body.begin(steps, roots, true);
  if (view.plan.affine) apply_affine(view, *switched_circuit(view.surrogate.kind).affine, body);
  body.algebra(steps);
  return body;
}

}  // namespace takt::codegen
