// takt reference in a build without SUNDIALS.

#include <cstdio>

#include "tools/takt/command.hpp"

namespace takt::tools {

int reference_command(int, char**) {
  std::fputs(
      "takt reference: this build has no SUNDIALS; `tools/install_packages.sh test` installs it, then configure and "
      "build again\n",
      stderr);
  return exit_failed;
}

bool has_reference() { return false; }

}  // namespace takt::tools
