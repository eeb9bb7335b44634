#pragma once
// Mistakes planted into hosts, each with the code it must give.

#include <vector>

#include "tests/codegen/random/plant_grower.hpp"

namespace takt::codegen::testing {

struct Mistake {
  const char* name;
  const char* code;
  int count;
  void (*grow)(PlantGrower&);
};

extern const std::vector<Mistake> mistakes;

}  // namespace takt::codegen::testing
