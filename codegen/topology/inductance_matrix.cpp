#include "codegen/topology/inductance_matrix.hpp"

#include <Eigen/Cholesky>

namespace takt::codegen {
namespace {

constexpr double least_pivot = 1e-12;  // of the diagonal: below it, currents would be rounding

/// Least pivot of the Cholesky factorisation over the diagonal it began with: 1 - k^2 of two
/// windings.
double relative_pivot(const Eigen::MatrixXd& inductances) {
  const Eigen::LLT<Eigen::MatrixXd> factors(inductances);
  if (factors.info() != Eigen::Success) return 0.0;  // a pivot was not above zero
  return (factors.matrixLLT().diagonal().array().square() / inductances.diagonal().array())
      .minCoeff();
}

}  // namespace

double inductance(const Network& network, const NominalValues& values, const Branch& i,
                  const Branch& j) {
  if (i.form != LawForm::stored_of || !network.graph().depends_on(i.law, j.through)) return 0.0;
  return values.of(i.law, {{j.through, 1.0}}) - values.of(i.law);
}

void check_inductance_matrices(const Network& network, const NominalValues& values,
                               Diagnostics& diagnostics) {
  for (const Element& element : network.elements) {
    std::vector<const Branch*> windings;
    for (const BranchId id : element.branches) {
      const Branch& branch = network.branches[static_cast<std::size_t>(id)];
      if (branch.kind == BranchKind::through_storage && branch.form == LawForm::stored_of)
        windings.push_back(&branch);
    }
    if (windings.size() < 2) continue;
    const auto n = static_cast<Eigen::Index>(windings.size());
    const Eigen::MatrixXd matrix =
        Eigen::MatrixXd::NullaryExpr(n, n, [&](Eigen::Index row, Eigen::Index column) {
          return inductance(network, values, *windings[static_cast<std::size_t>(row)],
                            *windings[static_cast<std::size_t>(column)]);
        });
    if (relative_pivot(matrix) > least_pivot) continue;
    diagnostics.error(
        "T013", element.where,
        "the inductance matrix of " + element.path +
            " is singular: currents do not follow from the flux linkages of its windings",
        "couple them less closely, or use an ideal transformer with a magnetising inductance");
  }
}

}  // namespace takt::codegen
