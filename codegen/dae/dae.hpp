#pragma once
// Circuits -> DAE -> surrogate: every circuit with its normal tree becomes a semi-explicit index-1
// system.
//
// States are conserved quantities. With x_c = K x_t and f_t = -K^T f_c (topology.hpp):
//   charge per fundamental C-cutset    z_k = q_k + sum_j K_jk q_j,      z_k' = -sum_{j not C} K_jk
//   f_j linkage per fundamental L-loop     z_j = l_j - sum_k K_jk l_k,      z_j' =  sum_{k not L}
//   K_jk x_k
// (j left-over C, k tree C; j cotree L, k tree L). Where nothing is dependent these are the
// branch's own charge and linkage. What is algebraic is sorted into assignments and small blocks
// (sorting.hpp). Sources: Estevez Schwarz and Tischendorf 2000.

#include "codegen/dae/algebra/surrogate.hpp"
#include "codegen/topology/topology.hpp"

namespace takt::codegen {

/// Surrogates of all circuits and control groups. The network's graph grows by new symbols and
/// expressions. Findings: T010 algebraic part structurally singular, T011 dependent start value
/// differs from the given one, T012 derivative of a dependent storage not available, C010 algebraic
/// loop across control blocks.
[[nodiscard]] DaeResult derive_surrogates(const Network& network, const TopologyResult& topology,
                                          Diagnostics& diagnostics);

}  // namespace takt::codegen
