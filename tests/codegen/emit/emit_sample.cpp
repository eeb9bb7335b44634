// Writes the sources of the sample plants, to be compiled into emitted_plant_test: emit_sample sample|cubic|ladder DIR

#include <filesystem>
#include <fstream>
#include <iostream>
#include <string>

#include "codegen/emit/sources.hpp"
#include "codegen/partition/make_plan.hpp"
#include "tests/codegen/emit/sample_plant.hpp"

int main(int argc, char** argv) {
  using namespace takt::codegen;
  if (argc != 3) return 2;
  const std::string which = argv[1];
  const sample::Plant plant = which == "cubic"    ? sample::make_newton_plant()
                              : which == "ladder" ? sample::make_ladder_plant(sample::ladder_sections)
                                                  : sample::make_plant();
  Diagnostics diagnostics;
  const Plan plan = make_plan(plant.network, plant.dae, diagnostics);
  if (diagnostics.has_errors()) {
    std::cerr << diagnostics.render();
    return 1;
  }
  std::filesystem::create_directories(argv[2]);
  for (const SourceFile& file : emit_sources(plant.network, plant.dae, plan, {.generator = "test", .rig = false})) {
    std::ofstream(std::filesystem::path(argv[2]) / file.name) << file.text.bytes();
  }
  return 0;
}
