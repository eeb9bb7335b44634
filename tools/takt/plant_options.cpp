#include "tools/takt/plant_options.hpp"

#include <algorithm>

#include "runtime/program/options.hpp"
#include "runtime/units/nearest.hpp"
#include "tools/takt/arguments.hpp"
#include "tools/takt/wait_line.hpp"

namespace takt::tools {

std::vector<command_line::DescribedOption> options_of_plants() {
  PlantDescription plant;
  plant.name = plant.title = "plant";
  std::string name = "plant";
  char* argv[] = {name.data(), nullptr};
  int code = 0;
  return command_line::describe([&] { (void)parse_command_line({.plant = plant}, 1, argv, code); }).options;
}

void refuse_unknown_options(const std::vector<std::string>& handed_on) {
  std::vector<std::string> known;
  for (const command_line::DescribedOption& option : options_of_plants())
    known.insert(known.end(), option.names.begin(), option.names.end());
  for (const std::string& word : handed_on) {
    const std::string name = word.substr(0, word.find('='));
    if (!name.starts_with("--") || std::find(known.begin(), known.end(), name) != known.end()) continue;
    const std::string nearest = did_you_mean(name, known);
    throw UsageError("unknown option " + name + (nearest.empty() ? "" : "; " + nearest));
  }
}

void heed_quiet(const std::vector<std::string>& handed_on) {
  if (std::find(handed_on.begin(), handed_on.end(), "--quiet") != handed_on.end()) WaitLine::silence();
}

}  // namespace takt::tools
