// The plant written by hand as an executable, for tests of the command line and of the real-time thread.

#include "runtime/program/plant_main.hpp"
#include "tests/runtime/support/two_bodies.hpp"

int main(int argc, char** argv) {
  takt::test::TwoBodies<> plant;
  const takt::PlantDescription description = plant.description();
  return takt::plant_main({.plant = description}, argc, argv);
}
