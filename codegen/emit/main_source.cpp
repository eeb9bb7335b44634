// main.cpp, and what it hands over beside the description: copies that are computed side by side.
#include <algorithm>
#include <set>

#include "codegen/emit/banner.hpp"
#include "codegen/emit/lane_source.hpp"
#include "codegen/emit/plant_parts.hpp"
#include "codegen/emit/plant_source.hpp"

namespace takt::codegen {

bool has_lanes(const PlantView& plant) {
  return std::any_of(plant.subsystems.begin(), plant.subsystems.end(),
                     [](const SubsystemView& view) { return view.in_lanes; });
}

void write_lane_heads(Writer& text, const PlantView& plant) {
  text.blank();
  text.comment("Copies side by side.");
  std::set<std::string> heads;
  for (const SubsystemView& view : plant.subsystems)
    if (view.in_lanes && heads.insert(together_head(view)).second)
      text.line(together_head(view) + ";");
  text.blank();
}

/// What derives from another one has functions of its own to enter by, and runs by the same code.
void write_bundled(Writer& text, const PlantView& plant) {
  std::set<std::string> types;
  text.open("std::span<const takt::BundledRun> bundled()");
  text.open("static constexpr takt::BundledRun rows[] =");
  for (const SubsystemView& view : plant.subsystems)
    if (view.in_lanes && types.insert(view.type).second)
      text.line("{.run = run_" + view.type + ", .together = together_" + view.code +
                ", .copies = takt::math::lanes},");
  text.close("};");
  text.line("return rows;");
  text.close();
}

SourceFile main_source(const PlantView& plant) {
  Writer text;
  write_banner(text, plant.network, plant.options, "Entry");
  const bool rig = plant.options.rig, lanes = has_lanes(plant);
  if (lanes) {
    text.line("#include <span>");
    text.blank();
  }
  if (rig) text.line("#include \"rig.hpp\"");
  if (lanes) text.line("#include \"runtime/plant/bundled_run.hpp\"");
  text.line(rig || lanes ? "#include \"runtime/program/plant_main.hpp\""
                         : "#include \"runtime/program/plant_alone.hpp\"");
  text.blank();
  text.line("namespace takt_plant {");
  text.line("const takt::PlantDescription& describe();");
  if (lanes) text.line("std::span<const takt::BundledRun> bundled();");
  text.line("}");
  text.blank();
  text.open("int main(int argc, char** argv)");
  const std::string bundled = lanes ? ", .bundled = takt_plant::bundled()" : "";
  const std::string outside =
      rig ? ", .rig = takt::rig::rig_settings(), .make_io = takt::rig::make_io" : "";
  text.line(rig || lanes ? "return takt::plant_main({.plant = takt_plant::describe()" + bundled +
                               outside + "}, argc, argv);"
                         : "return takt::plant_main(takt_plant::describe(), argc, argv);");
  text.close();
  return {"main.cpp", text.page()};
}

}  // namespace takt::codegen
