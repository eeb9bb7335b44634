#pragma once
// A flattened plant whose free equations tie states to each other, brought to index 1.
//
// Rows are differentiated as often as index_offsets() says; derivatives that this needs become
// unknowns. Each row gives way to its highest derivative, that of order c as (d/dt + a)^c row = 0:
// a solution that begins on the constraints stays on them, and what errors of integration take it
// off dies out at the rate a (J. Baumgarte, Comput. Methods Appl. Mech. Eng. 1 (1972)). So all
// states are integrated, and none of them has to determine the others all along.
//
// The start is solved with the constraints and all of their derivatives. Of the states as many
// begin as they are given as the constraints leave free, by the convention of the plants: what
// events change, then started storages, storages, states of elements in the order in which they are
// written. Limit: inputs and outputs of control blocks rest between the instants at which they
// change; where one of them jumps that a constraint names, the states run after it at the rate a.

#include "codegen/reference/flat_system.hpp"

namespace takt::codegen {

/// Leaves the system as it is where nothing has to be differentiated, or where that would not
/// determine the start.
void lower_index(const Network& network, FlatSystem& flat);

}  // namespace takt::codegen
