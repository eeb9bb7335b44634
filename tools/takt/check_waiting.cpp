#include "tools/takt/check_waiting.hpp"

#include "tools/takt/wait_line.hpp"

namespace takt::tools {

std::optional<codegen::Checked> check_waiting(const std::filesystem::path& plant, codegen::CheckOptions options,
                                              codegen::Diagnostics& diagnostics) {
  const std::string head = "checking " + plant.string();
  WaitLine line(head);
  options.stage = [&](const char* stage) { line.now(head + ": " + stage); };
  return codegen::check_plant(plant, options, diagnostics);
}

}  // namespace takt::tools
