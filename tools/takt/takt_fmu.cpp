// takt fmu: functional mock-up units. Finds the command named by the next argument.

#include <cstdio>
#include <string>
#include <string_view>
#include <vector>

#include "tools/takt/command.hpp"
#include "tools/takt/fmu_command.hpp"

namespace takt::tools {
namespace {

struct Entry {
  std::string_view name, summary;
  Command run;
};
constexpr Entry commands[] = {
    {"export", "a plant as an FMU of FMI 2 or 3", fmu_export_command},
};

void print_usage(std::FILE* to) {
  std::fputs(
      "takt fmu - functional mock-up units (FMI 2.0 and 3.0)\n\nusage: takt fmu COMMAND [ARGUMENTS]\n\ncommands:\n",
      to);
  for (const Entry& entry : commands)
    std::fprintf(to, "  %-9.*s %.*s\n", static_cast<int>(entry.name.size()), entry.name.data(),
                 static_cast<int>(entry.summary.size()), entry.summary.data());
  std::fputs("\n`takt fmu COMMAND --help` tells more, with an example.\n", to);
}

}  // namespace

int fmu_command(int argc, char** argv) {
  const std::string_view wanted = argc > 1 ? argv[1] : "";
  if (wanted == "--help" || wanted == "-h" || wanted == "help") return print_usage(stdout), exit_ok;
  for (const Entry& entry : commands) {
    if (entry.name != wanted) continue;
    std::string name = "takt fmu " + std::string(entry.name);
    std::vector<char*> arguments(argv + 1, argv + argc);
    arguments.front() = name.data();
    arguments.push_back(nullptr);
    return entry.run(argc - 1, arguments.data());
  }
  if (!wanted.empty()) std::fprintf(stderr, "takt fmu: unknown command '%s'\n\n", argv[1]);
  print_usage(stderr);
  return exit_usage;
}

}  // namespace takt::tools
