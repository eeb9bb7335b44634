// takt reference in a build without SUNDIALS.

#include <cstdio>

#include "codegen/emit/build/build_failure.hpp"
#include "tools/takt/command.hpp"

namespace takt::tools {

int reference_command(int, char**) {
  std::fprintf(stderr, "takt reference: this takt was built without SUNDIALS\n  %s\n",
               codegen::install_sundials.data());
  return exit_failed;
}

bool has_reference() { return false; }

}  // namespace takt::tools
