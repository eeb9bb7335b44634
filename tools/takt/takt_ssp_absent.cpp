// takt ssp in a build without libzip or pugixml.

#include <cstdio>

#include "tools/takt/command.hpp"

namespace takt::tools {

int ssp_command(int, char**) {
  std::fputs(
      "takt ssp: this takt was built without libzip\n  install libzip-dev and libpugixml-dev, then build it again\n",
      stderr);
  return exit_failed;
}

}  // namespace takt::tools
