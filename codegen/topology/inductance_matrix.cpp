#include "codegen/topology/inductance_matrix.hpp"

#include <cmath>

namespace takt::codegen {
namespace {

constexpr double least_pivot = 1e-12;  // of the diagonal: below it, currents would be rounding

/// Least pivot of the Cholesky factorisation over the diagonal it began with: 1 - k^2 of two windings.
double relative_pivot(std::vector<std::vector<double>> m) {
  double least = 1.0;
  const std::size_t n = m.size();
  std::vector<double> diagonal(n);
  for (std::size_t k = 0; k < n; ++k) diagonal[k] = m[k][k];
  for (std::size_t k = 0; k < n; ++k) {
    least = std::fmin(least, m[k][k] / diagonal[k]);
    if (!(m[k][k] > 0.0)) return least;
    for (std::size_t row = k + 1; row < n; ++row)
      for (std::size_t column = k + 1; column < n; ++column) m[row][column] -= m[row][k] * m[k][column] / m[k][k];
  }
  return least;
}

}  // namespace

double inductance(const Network& network, const NominalValues& values, const Branch& i, const Branch& j) {
  if (i.form != LawForm::stored_of || !network.graph().depends_on(i.law, j.through)) return 0.0;
  return values.of(i.law, {{j.through, 1.0}}) - values.of(i.law);
}

void check_inductance_matrices(const Network& network, const NominalValues& values, Diagnostics& diagnostics) {
  for (const Element& element : network.elements) {
    std::vector<const Branch*> windings;
    for (const BranchId id : element.branches) {
      const Branch& branch = network.branches[static_cast<std::size_t>(id)];
      if (branch.kind == BranchKind::through_storage && branch.form == LawForm::stored_of) windings.push_back(&branch);
    }
    if (windings.size() < 2) continue;
    std::vector<std::vector<double>> matrix;
    for (const Branch* i : windings) {
      std::vector<double>& row = matrix.emplace_back();
      for (const Branch* j : windings) row.push_back(inductance(network, values, *i, *j));
    }
    if (relative_pivot(matrix) > least_pivot) continue;
    diagnostics.error("T013", element.where,
                      "the inductance matrix of " + element.path +
                          " is singular: currents do not follow from the flux linkages of its windings",
                      "couple them less closely, or use an ideal transformer with a magnetising inductance");
  }
}

}  // namespace takt::codegen
