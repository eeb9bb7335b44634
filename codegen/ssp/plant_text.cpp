// The plant file of a system structure.

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "codegen/fmu/archive_rules.hpp"
#include "codegen/ssp/ssp_plant.hpp"
#include "codegen/text/quantity.hpp"

namespace takt::codegen {
namespace {

/// A basic string of TOML.
std::string toml_text(std::string_view text) {
  std::string made = "\"";
  for (char c : text) {
    if (c == '"' || c == '\\')
      (made += '\\') += c;
    else if (static_cast<unsigned char>(c) < 0x20 || c == 0x7F)
      made += fmt::format("\\u{:04X}", static_cast<unsigned>(static_cast<unsigned char>(c)));
    else
      made += c;
  }
  return made + '"';
}

std::string lines(std::string_view key, const std::vector<SspLine>& all) {
  if (all.empty()) return {};
  std::string made = fmt::format("{} = {{ ", key);
  for (const SspLine& each : all)
    made += fmt::format("{}{} = {}", &each == all.data() ? "" : ", ", toml_text(each.name),
                        toml_text(each.text));
  return made + " }\n";
}

std::string part_text(const SspPart& part, const std::string& file, const std::string& usual_step) {
  const SspCall& call = part.component->call;
  std::string made = fmt::format("\n[fmu.{}]\nfile = {}\n", part.key, toml_text(file));
  if (part.component->implementation == "CoSimulation") made += "kind = \"cs\"\n";
  if (part.component->implementation == "ModelExchange") made += "kind = \"me\"\n";
  made += fmt::format("step = {}\n", toml_text(call.step.empty() ? usual_step : call.step));
  if (!call.method.empty()) made += fmt::format("method = {}\n", toml_text(call.method));
  if (!call.on_error.empty()) made += fmt::format("on_error = {}\n", toml_text(call.on_error));
  return made + lines("inputs", part.inputs) + lines("outputs", part.outputs) +
         lines("parameters", part.parameters);
}

}  // namespace

std::string plant_text(const SspStructure& structure, const SspPlant& plant,
                       const SspPlantText& text) {
  std::string made = fmt::format("# Made by `takt ssp import` of {}.\n\n[plant]\ntitle = {}\n",
                                 printable(text.origin), toml_text(text.title));
  const double duration = structure.stop.value_or(1.0) - structure.start.value_or(0.0);
  if (duration >= 1e-9 && duration < 1e9)
    made += fmt::format("duration = {}\n", toml_text(duration_text(std::llround(duration * 1e9))));
  if (!plant.inputs.empty()) made += "\n[input]\n";
  for (const SspPlantInput& each : plant.inputs)
    made += fmt::format(
        "{} = {{ {}start = {} }}\n", each.name,
        each.unit.empty() ? "unit = \"1\", " : fmt::format("unit = {}, ", toml_text(each.unit)),
        toml_text(each.start));
  for (std::size_t k = 0; k < plant.parts.size(); ++k)
    made += part_text(plant.parts[k], text.files[k], text.step);
  made += fmt::format("\n[sync]\nplant = {{ members = [\"fmu\"], every = {} }}\n\n[record]\n{} = [",
                      toml_text(text.period), toml_text(text.period));
  if (plant.records.empty()) made += "\"fmu.*\"";
  for (const std::string& each : plant.records)
    made += (&each == plant.records.data() ? "" : ", ") + toml_text(each);
  return made + "]\n";
}

}  // namespace takt::codegen
