#pragma once
// Entry of an emitted executable: options, phases, results. The emitted main.cpp is
//   int main(int argc, char** argv) { return takt::plant_main({.plant = describe(), .rig = rig_settings(), .make_io =
//   make_io}, argc, argv); }

#include <span>

#include "runtime/io/io_port.hpp"
#include "runtime/plant/bundled_run.hpp"
#include "runtime/plant/description.hpp"
#include "runtime/plant/rig_settings.hpp"

namespace takt {

struct PlantProgram {
  const PlantDescription& plant;
  std::span<const BundledRun> bundled{};  ///< copies of a part that can be computed at once
  RigSettings rig{};
  IoFactory make_io = nullptr;  ///< nullptr: no outside world
};

/// @return exit code: 0 ok, 1 the run failed, 2 usage
int plant_main(const PlantProgram& program, int argc, char** argv);

}  // namespace takt
