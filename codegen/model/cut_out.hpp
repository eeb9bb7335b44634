#pragma once
// One part of a plant by itself: what joins it to the rest becomes inputs and outputs.

#include <string>

#include "codegen/model/network.hpp"

namespace takt::codegen {

/// Keeps the elements, control blocks and gates of the instance `part`, as [parts] names it:
/// "pack", "pack[3]".
///
/// At a node that the part shares with the rest stands a source whose value is an input. Where a
/// storage of the part keeps the node's across variable, the input is what flows into the part,
/// `outside.NODE.i`, and the output the across variable; else the input is the across variable,
/// `outside.NODE.v`, and the output what flows into the part. (In each domain by its own words: t
/// and h, w and tau.) Values of the rest that laws of the part read are inputs by their own names.
/// What the plant records, and how it is solved, is of the whole and left out; start values are
/// those of the part.
/// @param settings_of_part  [solve] and [sync] have been given for the part: they stay
/// @return why it cannot be cut out; empty: the network is the part
[[nodiscard]] std::string cut_out(Network& network, const std::string& part, bool settings_of_part);

}  // namespace takt::codegen
