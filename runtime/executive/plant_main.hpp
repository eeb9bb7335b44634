#pragma once
// Entry of an emitted executable: options, phases, results. The emitted main.cpp is
//   int main(int argc, char** argv) { return takt::plant_main({.plant = describe(), .rig = rig_settings(), .make_io =
//   make_io}, argc, argv); }

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "runtime/executive/plant.hpp"
#include "runtime/io/io_port.hpp"

namespace takt {

enum class OverrunPolicy : std::uint8_t { count, stop };

/// Where and how the plant runs; from the rig file, overridable on the command line.
struct RigSettings {
  const char* name = "";
  bool paced = false;             ///< default pace where --pace is not given
  int cpu = -1;                   ///< CPU to pin the real-time thread to; -1: leave to the system
  int priority = 80;              ///< SCHED_FIFO priority
  std::int64_t spin_ns = 50'000;  ///< busy-wait before each release
  OverrunPolicy policy = OverrunPolicy::count;
  int max_catch_up = 10;  ///< windows in a row computed late without sleeping before the rest is dropped from pacing
  int stop_after_consecutive = 0;  ///< overruns in a row that end the run; 0: never
  std::int64_t stop_above_ns = 0;  ///< lateness that ends the run; 0: never
  std::int64_t grace_ns = 0;       ///< start-up time in which overruns are counted apart
};

struct IoOptions {
  bool paced = false;
  std::vector<std::pair<std::string, std::string>> overrides;  ///< --bus can0.channel=vcan0
  int priority = 0;  ///< SCHED_FIFO priority of the plant's thread, I/O stays below; 0: that of the rig
};

using IoFactory = std::unique_ptr<IoPort> (*)(const PlantDescription&, const IoOptions&);

struct PlantProgram {
  const PlantDescription& plant;
  RigSettings rig{};
  IoFactory make_io = nullptr;  ///< nullptr: no outside world
};

/// @return exit code: 0 ok, 1 the run failed, 2 usage
int plant_main(const PlantProgram& program, int argc, char** argv);

}  // namespace takt
