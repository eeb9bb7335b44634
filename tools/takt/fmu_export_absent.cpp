// takt fmu export in a build without the headers of FMI or without libzip.

#include <cstdio>

#include "tools/takt/command.hpp"
#include "tools/takt/fmu_command.hpp"

namespace takt::tools {

int fmu_export_command(int, char**) {
  std::fputs(built_without_fmus, stderr);
  return exit_failed;
}

}  // namespace takt::tools
