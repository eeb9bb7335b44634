// takt fmu run and test in a build without the headers of FMI.

#include <cstdio>

#include "tools/takt/command.hpp"
#include "tools/takt/fmu/commands.hpp"

namespace takt::tools {
namespace {

int absent(const char* name) {
  std::fprintf(stderr,
               "takt fmu %s: this takt was built without FMUs: the headers of FMI were missing\n"
               "  run tools/install_packages.sh build in the source tree and build takt again\n",
               name);
  return exit_failed;
}

}  // namespace

int fmu_run_command(int, char**) { return absent("run"); }
int fmu_test_command(int, char**) { return absent("test"); }

}  // namespace takt::tools
