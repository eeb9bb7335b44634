#include "codegen/emit/sparse_blocks.hpp"

#include <algorithm>

#include "codegen/code/runtime_names.hpp"
#include "codegen/emit/network_tables.hpp"

namespace takt::codegen {
namespace {

const NewtonBlock& block_at(const SubsystemView& view, std::size_t index) {
  return view.surrogate.algebra[index].newton;
}

/// Names of what belongs to one block.
struct BlockNames {
  explicit BlockNames(const SubsystemView& view, std::size_t index)
      : pattern(view.file + "_pattern_" + std::to_string(index)),
        factors("factors_" + std::to_string(index)),
        matrix("matrix_" + std::to_string(index)),
        solution("solved_" + std::to_string(index)),
        scratch("scratch_" + std::to_string(index)) {}
  std::string pattern, factors, matrix, solution, scratch;
};

bool is_fixed(const LinearTables& linear, Coefficients& coefficients) {
  return std::all_of(linear.matrix.begin(), linear.matrix.end(),
                     [&](const SparseEntry& entry) { return coefficients.is_fixed(entry.value); });
}

/// Of a matrix that stands where its factors will.
void factorise(const BlockNames& names, const SparseTables& tables, code::Values& values,
               code::Block& to) {
  const code::Value factors = values.variable(names.factors),
                    scratch = values.variable(names.scratch);
  const std::string call = std::string(runtime::factor_sparse) + "(" + names.pattern + ", " +
                           names.factors + ".data(), " + names.scratch + ".data())";
  if (!tables.twice) return to.act(values.verbatim(call, {factors, scratch}));
  to.act(values.verbatim(names.matrix + " = " + names.factors + "; " + call,
                         {values.variable(names.matrix), factors, scratch}));
}

}  // namespace

std::vector<std::size_t> sparse_blocks(const SubsystemView& view) {
  std::vector<std::size_t> found;
  for (std::size_t index = 0; index < view.surrogate.algebra.size(); ++index)
    if (view.surrogate.algebra[index].kind == AlgebraicStep::Kind::linear) found.push_back(index);
  return found;
}

std::vector<Expr> roots_of(const NewtonBlock& block, Coefficients& coefficients) {
  std::vector<Expr> roots = block.linear->right;
  if (!is_fixed(*block.linear, coefficients))
    for (const SparseEntry& entry : block.linear->matrix) roots.push_back(entry.value);
  return roots;
}

void write_sparse_tables(const SubsystemView& view, Writer& text) {
  for (const std::size_t index : sparse_blocks(view)) {
    const SparseTables& tables = block_at(view, index).linear->tables;
    const std::string name = BlockNames(view, index).pattern;
    text.blank();
    text.comment("Linear block of " + std::to_string(tables.size()) + " unknowns, " +
                 std::to_string(tables.entries()) + " entries of its factors.");
    write_table(text, name + "_row_start", tables.row_start);
    write_table(text, name + "_column", tables.column);
    write_table(text, name + "_diagonal", tables.diagonal);
    write_table(text, name + "_equation", tables.equation);
    write_table(text, name + "_unknown", tables.unknown);
    text.line("constexpr takt::SparsePattern " + name + "{" + std::to_string(tables.size()) + ", " +
              name + "_row_start, " + name + "_column, " + name + "_diagonal, " + name +
              "_equation, " + name + "_unknown};");
  }
}

void emit_factorisations(const SubsystemView& view, Coefficients& coefficients,
                         Statements& prepare) {
  code::Values& values = prepare.values();
  for (const std::size_t index : sparse_blocks(view)) {
    const LinearTables& linear = *block_at(view, index).linear;
    if (!is_fixed(linear, coefficients)) continue;
    const BlockNames names(view, index);
    prepare.last().assign(values.variable(names.factors), values.list({}));
    for (std::size_t k = 0; k < linear.matrix.size(); ++k) {
      const Expr value = linear.matrix[k].value;
      prepare.last().assign(values.element(names.factors, linear.tables.place[k]),
                            view.graph().is_constant(value)
                                ? values.number(view.graph().node(value).value)
                                : coefficients.value_of(value, values));
    }
    factorise(names, linear.tables, values, prepare.last());
  }
}

void emit_sparse_solve(const SubsystemView& view, std::size_t index, Coefficients& coefficients,
                       Statements& statements) {
  const NewtonBlock& block = block_at(view, index);
  const LinearTables& linear = *block.linear;
  const BlockNames names(view, index);
  code::Values& values = statements.values();
  while (statements.batch_calls(roots_of(block, coefficients))) continue;
  const auto store = [&](const std::string& array, std::size_t place, Expr e) {
    const code::Value value = statements.value(e);  // adds what it needs first
    statements.block().assign(values.element(array, place), value);
  };
  if (!is_fixed(linear, coefficients)) {
    statements.block().assign(values.variable(names.factors), values.list({}));
    for (std::size_t k = 0; k < linear.matrix.size(); ++k)
      store(names.factors, linear.tables.place[k], linear.matrix[k].value);
    factorise(names, linear.tables, values, statements.block());
  }
  for (std::size_t row = 0; row < linear.right.size(); ++row)
    store(names.solution, row, linear.right[row]);
  const auto data = [&](const std::string& array) {
    return values.call(values.member(array, "data"), std::initializer_list<code::Value>{});
  };
  const code::Value pattern = values.variable(names.pattern), right = data(names.solution),
                    scratch = data(names.scratch);
  statements.block().act(
      linear.tables.twice
          ? values.call(
                runtime::solve_sparse_twice,
                {pattern, values.list({data(names.factors), data(names.matrix)}), right, scratch})
          : values.call(runtime::solve_sparse, {pattern, data(names.factors), right, scratch}));
  for (std::size_t column = 0; column < block.unknowns.size(); ++column)
    statements.bind(block.unknowns[column], values.element(names.solution, column));
}

void write_sparse_members(Writer& text, const SubsystemView& view) {
  for (const std::size_t index : sparse_blocks(view)) {
    const SparseTables& tables = block_at(view, index).linear->tables;
    const BlockNames names(view, index);
    const std::string size = std::to_string(tables.size());
    text.line("/// Linear block of " + size +
              " unknowns: factors of its matrix, right-hand sides then unknowns.");
    const std::string entries = "std::array<double, " + std::to_string(tables.entries()) + "> ";
    text.line(entries + names.factors + "{}" + (tables.twice ? ", " + names.matrix + "{};" : ";"));
    const std::string scratch = tables.twice ? std::to_string(3 * tables.size()) : size;
    text.line("std::array<double, " + size + "> " + names.solution + "{};");
    text.line("std::array<double, " + scratch + "> " + names.scratch + "{};");
  }
}

}  // namespace takt::codegen
