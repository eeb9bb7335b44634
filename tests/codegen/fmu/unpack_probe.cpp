// unpack_probe FILE.fmu FOLDER   unpacks, prints findings; 1 where it fails
#include <cstdio>

#include "codegen/fmu/read_fmu.hpp"

int main(int argc, char** argv) {
  using namespace takt::codegen;
  if (argc != 3) return 2;
  Diagnostics diagnostics;
  const auto fmu = read_fmu(argv[1], diagnostics);
  const bool done = fmu && unpack_fmu(*fmu, argv[2], diagnostics);
  std::fputs(diagnostics.render().c_str(), stdout);
  return done ? 0 : 1;
}
