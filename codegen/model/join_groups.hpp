#pragma once
// From joined FMUs to groups of them. Internal to codegen/model.

#include "codegen/model/workspace.hpp"

namespace takt::codegen {

/// A line of [join], read; `member` of its sides are indices into Network::foreign.
struct ReadJoin {
  ForeignJoin join;
  ForeignJoinSettings settings;
  std::string across_unit, through_unit;  ///< as symbols take them; "any" where unknown
};

/// Makes one model of each set of FMUs that joins connect, with the signals of the joins as further
/// outputs, and corrects what refers to the models. Y123, Y124, Y127, Y128.
void make_join_groups(Workspace& work, const std::vector<ReadJoin>& joins);

}  // namespace takt::codegen
