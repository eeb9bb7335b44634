#pragma once
// Emitted linear blocks that are solved over tables (runtime/math/sparse_lu.hpp). Matrices of
// parameters alone are factorised by prepare(), others wherever they are solved.

#include <string>
#include <vector>

#include "codegen/emit/functions.hpp"
#include "codegen/emit/statements.hpp"
#include "codegen/emit/subsystem_view.hpp"

namespace takt::codegen {

/// Places of the blocks in the algebra.
[[nodiscard]] std::vector<std::size_t> sparse_blocks(const SubsystemView& view);

/// What a function evaluates where it solves the block.
[[nodiscard]] std::vector<Expr> roots_of(const NewtonBlock& block, Coefficients& coefficients);

/// The index tables, before the functions that read them.
void write_sparse_tables(const SubsystemView& view, Writer& text);

/// The last statements of prepare().
void emit_factorisations(const SubsystemView& view, Coefficients& coefficients,
                         Statements& prepare);

/// Solves the block and binds its unknowns.
void emit_sparse_solve(const SubsystemView& view, std::size_t index, Coefficients& coefficients,
                       Statements& statements);

void write_sparse_members(Writer& text, const SubsystemView& view);

}  // namespace takt::codegen
