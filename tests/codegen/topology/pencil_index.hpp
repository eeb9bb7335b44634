#pragma once
// Oracle for the index verdict: the exact Kronecker index of a network's linear DAE, E x' = A x + input, without any
// graph theory. Unknowns as in the papers: potentials of all nodes but the references, then one through variable per
// branch.
//   rows: sum of through variables = 0 at each such node, and one law per branch, v the difference of potentials:
//   A: 0 = v   C: c v' = i   R: 0 = v - r i   L: l i' = v   T: 0 = i   two-port: 0 = v_a - n v_b and 0 = i_b + n i_a
// c, r, l are random residues (generic values), n is the exact ratio, for equal ratios in parallel are no accident.

#include <cstdint>

#include "codegen/model/network.hpp"
#include "tests/codegen/topology/modular.hpp"

namespace takt::codegen::testing {

struct Pencil {
  ModularMatrix e, a;  // [n x n]
};

struct PencilVerdict {
  bool regular = false;  ///< det(s E - A) does not vanish identically
  int index = 0;         ///< differentiation index; 0 where the pencil is not regular
  int states = 0;        ///< degree of det(s E - A): what may start freely; 0 where the pencil is not regular
  friend bool operator==(const PencilVerdict&, const PencilVerdict&) = default;
};

[[nodiscard]] Pencil make_pencil(const Network& network, std::mt19937_64& random);

/// Index of a regular pencil: with M = (s E - A)^-1 E for a random s, the smallest k >= 0 with rank M^(k+1) = rank M^k.
/// (In Weierstrass form the infinite part of M is N (s N - I)^-1, N nilpotent, and its finite part is invertible.)
[[nodiscard]] PencilVerdict pencil_verdict(const Pencil& pencil, std::mt19937_64& random);

/// The verdict on two independent draws of all coefficients.
/// @throws std::runtime_error where they differ: the coefficients met a root, which practically cannot happen.
[[nodiscard]] PencilVerdict pencil_verdict(const Network& network, std::uint64_t seed);

}  // namespace takt::codegen::testing
