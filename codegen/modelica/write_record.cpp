#include "codegen/modelica/write_record.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "codegen/modelica/plant_names.hpp"
#include "codegen/text/nearest.hpp"

namespace takt::codegen::modelica {

std::string RecordText::text(const PlantSettings& settings, Diagnostics& diagnostics) const {
  std::vector<std::string> wanted = settings.records;
  if (wanted.empty())
    for (const ScalarVariable& each : model_.variables)
      if (each.declared->causality == Causality::output && each.name.find('.') == std::string::npos)
        wanted.push_back(each.name);
  if (wanted.empty())
    for (const SymbolId symbol : reduced_.states) wanted.push_back(name_of(symbol));
  if (wanted.empty())
    for (const Named& each : reduced_.named) wanted.push_back(name_of(each.symbol));
  std::vector<std::string> paths;
  for (const std::string& name : wanted) {
    if (!map_.knows(name)) {
      diagnostics.error("D003", model_.flat->where,
                        "'" + name + "' is to be recorded and is no variable of the model",
                        did_you_mean(name, map_.names()));
      continue;
    }
    const auto path = map_.signal(name);
    if (path && std::find(paths.begin(), paths.end(), *path) == paths.end()) paths.push_back(*path);
  }
  if (paths.empty()) return "";
  std::string made = fmt::format("\n[record]\n{} = [\n", toml_text(settings.every));
  for (const std::string& path : paths) made += "  " + toml_text(path) + ",\n";
  return made + "]\n";
}

}  // namespace takt::codegen::modelica
