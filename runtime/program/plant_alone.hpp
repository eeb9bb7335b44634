#pragma once
// Entry of an emitted executable without a rig; plant_main.hpp has the one with it. A header of its own, since it is
// compiled with every plant: it includes nothing.

namespace takt {

struct PlantDescription;

/// @return exit code: 0 ok, 1 the run failed, 2 usage
int plant_main(const PlantDescription& plant, int argc, char** argv);

}  // namespace takt
