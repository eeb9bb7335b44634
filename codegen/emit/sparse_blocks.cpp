#include "codegen/emit/sparse_blocks.hpp"

#include <algorithm>

#include "codegen/emit/network_tables.hpp"
#include "codegen/text/literal.hpp"

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

std::string element(const std::string& array, std::size_t index) { return array + "[" + std::to_string(index) + "]"; }

/// Of a matrix that stands where its factors will.
std::string factor_call(const BlockNames& names, const SparseTables& tables) {
  const std::string kept = tables.twice ? names.matrix + " = " + names.factors + "; " : "";
  return kept + "takt::factor_sparse(" + names.pattern + ", " + names.factors + ".data(), " + names.scratch +
         ".data());";
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
    text.comment("Linear block of " + std::to_string(tables.size()) + " unknowns, " + std::to_string(tables.entries()) +
                 " entries of its factors.");
    write_table(text, name + "_row_start", tables.row_start);
    write_table(text, name + "_column", tables.column);
    write_table(text, name + "_diagonal", tables.diagonal);
    write_table(text, name + "_equation", tables.equation);
    write_table(text, name + "_unknown", tables.unknown);
    text.line("constexpr takt::SparsePattern " + name + "{" + std::to_string(tables.size()) + ", " + name +
              "_row_start, " + name + "_column, " + name + "_diagonal, " + name + "_equation, " + name + "_unknown};");
  }
}

std::vector<std::string> factor_lines(const SubsystemView& view, Coefficients& coefficients) {
  std::vector<std::string> lines;
  for (const std::size_t index : sparse_blocks(view)) {
    const LinearTables& linear = *block_at(view, index).linear;
    if (!is_fixed(linear, coefficients)) continue;
    const BlockNames names(view, index);
    lines.push_back(names.factors + " = {};");
    for (std::size_t k = 0; k < linear.matrix.size(); ++k) {
      const Expr value = linear.matrix[k].value;
      const std::string text = view.graph().is_constant(value) ? double_literal(view.graph().node(value).value)
                                                               : coefficients.text_of(value).text;
      lines.push_back(element(names.factors, linear.tables.place[k]) + " = " + text + ";");
    }
    lines.push_back(factor_call(names, linear.tables));
  }
  return lines;
}

void emit_sparse_solve(const SubsystemView& view, std::size_t index, Coefficients& coefficients,
                       Statements& statements) {
  const NewtonBlock& block = block_at(view, index);
  const LinearTables& linear = *block.linear;
  const BlockNames names(view, index);
  while (statements.batch_calls(roots_of(block, coefficients))) continue;
  const auto store = [&](const std::string& target, Expr value) {
    const std::string text = statements.value(value);  // writes what it needs first
    statements.writer().line(target + " = " + text + ";");
  };
  if (!is_fixed(linear, coefficients)) {
    statements.writer().line(names.factors + " = {};");
    for (std::size_t k = 0; k < linear.matrix.size(); ++k)
      store(element(names.factors, linear.tables.place[k]), linear.matrix[k].value);
    statements.writer().line(factor_call(names, linear.tables));
  }
  for (std::size_t row = 0; row < linear.right.size(); ++row) store(element(names.solution, row), linear.right[row]);
  const std::string call = linear.tables.twice
                               ? "takt::solve_sparse_twice(" + names.pattern + ", {" + names.factors + ".data(), " +
                                     names.matrix + ".data()}, "
                               : "takt::solve_sparse(" + names.pattern + ", " + names.factors + ".data(), ";
  statements.writer().line(call + names.solution + ".data(), " + names.scratch + ".data());");
  for (std::size_t column = 0; column < block.unknowns.size(); ++column)
    statements.bind(block.unknowns[column], element(names.solution, column));
}

void write_sparse_members(Writer& text, const SubsystemView& view) {
  for (const std::size_t index : sparse_blocks(view)) {
    const SparseTables& tables = block_at(view, index).linear->tables;
    const BlockNames names(view, index);
    const std::string size = std::to_string(tables.size());
    text.line("/// Linear block of " + size + " unknowns: factors of its matrix, right-hand sides then unknowns.");
    const std::string entries = "std::array<double, " + std::to_string(tables.entries()) + "> ";
    text.line(entries + names.factors + "{}" + (tables.twice ? ", " + names.matrix + "{};" : ";"));
    const std::string scratch = tables.twice ? std::to_string(3 * tables.size()) : size;
    text.line("std::array<double, " + size + "> " + names.solution + "{};");
    text.line("std::array<double, " + scratch + "> " + names.scratch + "{};");
  }
}

}  // namespace takt::codegen
