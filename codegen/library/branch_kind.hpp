#pragma once
// What a branch is, and how its law is written.

#include <cstdint>

namespace takt::codegen {

/// Branch kinds in normal-tree order (A, C, R, L, T); `port` is one side of a scaling two-port.
enum class BranchKind : std::uint8_t {
  across_source,
  across_storage,
  dissipator,
  through_storage,
  through_source,
  port
};

/// How a law is written. x is the across variable, f the through variable, z the conserved quantity
/// of a storage.
enum class LawForm : std::uint8_t {
  across_of,    ///< x = expression           (A; or R given as v(i), which prefers the tree)
  through_of,   ///< f = expression           (T; or R given as i(v), which prefers the cotree)
  stored_of,    ///< z = expression           (C: q(v); L: lambda(i))
  from_stored,  ///< C: x = expression of z; L: f = expression of z
  implicit,     ///< 0 = expression           (R)
  none,         ///< port; dissipator whose element has free equations in place of a law
};

}  // namespace takt::codegen
