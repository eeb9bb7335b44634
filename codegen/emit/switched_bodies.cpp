#include "codegen/emit/switched_bodies.hpp"

#include "codegen/code/runtime_names.hpp"

namespace takt::codegen {

FunctionBody body_for(const SubsystemView& view, Coefficients& coefficients,
                      const std::vector<Expr>& roots, const std::vector<SymbolId>& symbols) {
  FunctionBody body(view, coefficients, "x");
  const std::vector<std::size_t> steps = needed_steps(view, roots, symbols);
  body.begin(steps, roots, true);
  body.algebra(steps);
  return body;
}

code::Definition factors_as(const Argument& alias, code::Values& values) {
  return alias_of(values, alias,
                  values.element_at(values.variable("factors"), values.variable("slot")));
}

void apply_affine(const SubsystemView& view, const AffineRows& affine, FunctionBody& body) {
  body.algebra(needed_steps(view, {}, affine.columns));
  code::Values& values = body.values();
  std::vector<code::Value> columns;
  for (const SymbolId column : affine.columns) columns.push_back(body.own(column));
  const code::Value y = values.variable("y"), moving = values.variable("moving");
  const code::Value blocks = values.variable("Map::" + std::string(runtime::map_blocks));
  body.block().add(code::Definition{
      values.name(runtime::two_doubles), values.element_at(y, blocks), {}, {}, false});
  body.block().add(
      code::Definition{values.name("double"), values.unsized("moving"), values.list(columns)});
  const code::Value map = values.element_at(values.variable("maps"), values.variable("slot"));
  body.block().act(values.call(values.member(map, runtime::map_apply), {moving, y}));
  for (std::size_t row = 0; row < affine.rows.size(); ++row)
    body.statements().bind(affine.rows[row], values.element(values.element(y, row / 2), row % 2));
}

FunctionBody body_between_factorisations(const SubsystemView& view, Coefficients& factors,
                                         const std::vector<Expr>& roots,
                                         const std::vector<SymbolId>& symbols) {
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
