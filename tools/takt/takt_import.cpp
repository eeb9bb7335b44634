// takt import: models of other languages as plants. Modelica: flat models, as front ends write them.

#include <cstdio>
#include <fstream>
#include <iterator>

#include "codegen/modelica/import_model.hpp"
#include "codegen/text/quantity.hpp"
#include "runtime/command_line/command_line.hpp"
#include "tools/takt/arguments.hpp"
#include "tools/takt/command.hpp"
#include "tools/takt/import_command.hpp"
#include "tools/takt/new_folder.hpp"

namespace takt::tools {
namespace {

namespace fs = std::filesystem;
using namespace takt::codegen;

struct ModelicaArguments {
  std::string file, folder;
  modelica::PlantSettings settings;
};

/// "Modelica.Blocks.Examples.PID_Controller.flat.json" is PID_Controller.
std::string model_name(const fs::path& file) {
  std::string name = file.filename().string();
  for (const std::string_view end : {".json", ".flat", ".bmo", ".mo"})
    if (name.ends_with(end)) name.resize(name.size() - end.size());
  return name.substr(name.rfind('.') + 1);
}

int import_modelica(ModelicaArguments& arguments) {
  const fs::path file = existing_file(arguments.file, "Modelica");
  for (const std::string* duration : {&arguments.settings.duration, &arguments.settings.every})
    if (!duration->empty() && !parse_duration_ns(*duration))
      throw UsageError("a duration is needed, not '" + *duration + "'");
  const std::string name = model_name(file);
  const fs::path folder = arguments.folder.empty() ? fs::path(name) : fs::path(arguments.folder);
  arguments.settings.title = name;
  arguments.settings.origin = file.filename().string();
  Diagnostics diagnostics;
  if (!is_free_for_folder(folder))
    diagnostics.error("D040", {folder.string()}, "is there already", "name a folder that is not there, or is empty");
  std::optional<modelica::PlantText> text;
  if (!diagnostics.has_errors()) {
    std::ifstream input(file, std::ios::binary);
    const std::string bytes(std::istreambuf_iterator<char>(input), {});
    text = modelica::import_model(bytes, FileName(file.string()), arguments.settings, diagnostics);
  }
  std::fputs(diagnostics.render().c_str(), stderr);
  if (!text) return exit_failed;
  write_new_folder(folder, {{"plant.toml", text->plant}, {"import.json", text->map}});
  std::puts((folder / "plant.toml").c_str());
  return exit_ok;
}

}  // namespace

int import_command(int argc, char** argv) {
  command_line::App app{"Plants of models in other languages.", "takt import"};
  app.require_subcommand(1);
  app.example("takt import modelica DoublePendulum.flat.json --out plants/pendulum && takt run plants/pendulum");
  ModelicaArguments taken;
  command_line::App* in = app.add_subcommand("modelica", "a plant folder of a flat Modelica model");
  in->add_option("file", taken.file, "flat JSON of the front end rumoca, or Base Modelica text of OpenModelica")
      ->required();
  in->add_option("--out", taken.folder, "plant folder to make (default: the name of the model)");
  in->add_option("--duration", taken.settings.duration, "of a run (default: that of the model's experiment, or 1 s)");
  in->add_option("--every", taken.settings.every, "period of the record (default: 10 ms)");
  in->add_option(
        "--record", taken.settings.records,
        "a variable to record, by its name in Modelica; may be given again (default: the outputs, or the states)")
      ->allow_extra_args(false);
  if (const std::optional<int> code = app.parse(argc, argv)) return *code;
  return import_modelica(taken);
}

}  // namespace takt::tools
