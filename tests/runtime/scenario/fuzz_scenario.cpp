// Any text is a scenario or is refused with a message; what is accepted runs.

#include <cstddef>
#include <cstdint>
#include <string>

#include "tests/runtime/scenario/bench_plant.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  try {
    takt::test::BenchRun run(std::string(reinterpret_cast<const char*>(data), size));
    (void)run.until(20);
  } catch (const std::exception& error) {
    if (error.what()[0] == '\0') __builtin_trap();
  }
  return 0;
}
