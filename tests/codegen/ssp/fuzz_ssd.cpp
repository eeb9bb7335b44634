// libFuzzer entry of the reader of system structures, and of what is made of them: every finding has a code, what is
// taken becomes a plant file that is TOML.

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "codegen/fmu/read_fmu.hpp"
#include "codegen/library/toml_tree.hpp"
#include "codegen/ssp/read_ssp.hpp"
#include "codegen/ssp/ssp_plant.hpp"

namespace {

using namespace takt::codegen;

constexpr std::string_view model = R"(<?xml version="1.0"?>
<fmiModelDescription fmiVersion="2.0" modelName="lag" guid="{lag}">
  <CoSimulation modelIdentifier="lag"/>
  <UnitDefinitions><Unit name="degC"><BaseUnit K="1" offset="273.15"/></Unit><Unit name="s"><BaseUnit s="1"/></Unit></UnitDefinitions>
  <ModelVariables>
    <ScalarVariable name="u" valueReference="0" causality="input" variability="continuous"><Real unit="degC" start="20"/></ScalarVariable>
    <ScalarVariable name="heat.Y" valueReference="1" causality="output" variability="continuous"><Real unit="degC"/></ScalarVariable>
    <ScalarVariable name="T" valueReference="4" causality="output" variability="continuous"><Real/></ScalarVariable>
    <ScalarVariable name="tau" valueReference="2" causality="parameter" variability="fixed"><Real unit="s" start="0.02"/></ScalarVariable>
    <ScalarVariable name="y0" valueReference="3" causality="parameter" variability="fixed"><Real unit="degC" start="20"/></ScalarVariable>
    <ScalarVariable name="fault" valueReference="2" causality="parameter" variability="fixed"><Integer start="0"/></ScalarVariable>
  </ModelVariables>
  <ModelStructure><Outputs><Unknown index="2"/><Unknown index="3"/></Outputs></ModelStructure>
</fmiModelDescription>)";

/// Every component of the structure is this FMU.
void collect(const SspElement& element, const std::shared_ptr<const FmuDescription>& fmu, SspFmus& fmus) {
  for (const SspElement& each : element.elements) {
    if (!each.is_system) fmus[each.source] = fmu;
    collect(each, fmu, fmus);
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const auto fmu = [] {
    Diagnostics none;
    return std::make_shared<const FmuDescription>(*read_model_description(model, "lag.xml", none));
  }();
  Diagnostics diagnostics;
  const auto structure = read_ssd({reinterpret_cast<const char*>(data), size}, "fuzz.ssd", nullptr, diagnostics);
  if (!structure && !diagnostics.has_errors()) std::abort();
  for (const auto& finding : diagnostics.all())
    if (finding.code.empty() || finding.message.empty() || finding.hint.empty()) std::abort();
  if (!structure) return 0;
  SspFmus fmus;
  collect(structure->system, fmu, fmus);
  const auto plant = flatten(*structure, fmus, diagnostics);
  if (!plant && !diagnostics.has_errors()) std::abort();
  if (!plant) return 0;
  SspPlantText text{.title = structure->name, .origin = "fuzz.ssp", .step = "1 ms", .period = "1 ms", .files = {}};
  text.files.resize(plant->parts.size(), "lag.fmu");
  Diagnostics findings;
  const std::string made = plant_text(*structure, *plant, text);
  if (!parse_toml(made, "plant.toml", findings)) std::abort();
  return 0;
}
