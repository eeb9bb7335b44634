#include "runtime/program/plant_main.hpp"

#include <cstdio>
#include <stdexcept>
#include <utility>

#include "denormals.hpp"  // of the platform, chosen by CMake
#include "runtime/command_line/failure_text.hpp"
#include "runtime/io/record/standard_streams.hpp"
#include "runtime/plant/memory_table.hpp"
#include "runtime/program/options.hpp"
#include "runtime/program/plant_alone.hpp"
#include "runtime/program/recording.hpp"
#include "runtime/program/run.hpp"

namespace takt {
namespace {

/// Of elements, and of messages of buses.
std::string all_faults(const PlantProgram& program, const CommandLine& options) {
  std::string list = fault_list(program.plant);
  if (program.make_io == nullptr) return list;
  const auto io = program.make_io(program.plant, {.paced = true, .overrides = options.bus, .rehearsal = true});
  if (!io) return list;
  for (const OutsideFault& fault : io->outside_faults()) list += fault.path + " " + fault.kinds + "\n";
  return list;
}

}  // namespace

int plant_main(const PlantProgram& program, int argc, char** argv) {
  open_standard_streams();
  int exit_code = 0;
  auto options = parse_command_line(program, argc, argv, exit_code);
  if (!options) return exit_code;
  platform::flush_denormals();  // before any thread starts: all of them, and both paces, compute alike
  try {
    if (options->list || options->list_faults) {
      std::fputs((options->list ? listed(program.plant, *options) : all_faults(program, *options)).c_str(), stdout);
      const std::string problem = finish_standard_output();
      if (!problem.empty()) throw std::runtime_error("cannot write to standard output: " + problem);
      return 0;
    }
    return Run(program, std::move(*options))();
  } catch (const UsageError& error) {
    std::fprintf(stderr, "%s: %s\n", program.plant.name, command_line::failure_text(error).c_str());
    return 2;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s: %s\n", program.plant.name, command_line::failure_text(error).c_str());
    return 1;
  }
}

int plant_main(const PlantDescription& plant, int argc, char** argv) {
  return plant_main(PlantProgram{.plant = plant}, argc, argv);
}

}  // namespace takt
