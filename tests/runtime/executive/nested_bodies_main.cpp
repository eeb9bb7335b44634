// The two bodies with releases within the macro-step, as an executable: for tests of the real-time thread.

#include "runtime/program/plant_main.hpp"
#include "tests/runtime/support/nested_bodies.hpp"

int main(int argc, char** argv) {
  takt::test::NestedBodies nested;
  return takt::plant_main({.plant = nested.description}, argc, argv);
}
