// takt import: models of other languages as plants. Modelica: classes, and flat models as front ends write them.

#include <cstdio>
#include <fstream>

#include "codegen/text/quantity.hpp"
#include "runtime/command_line/command_line.hpp"
#include "tools/takt/arguments.hpp"
#include "tools/takt/command.hpp"
#include "tools/takt/import_command.hpp"
#include "tools/takt/modelica_plant.hpp"
#include "tools/takt/new_folder.hpp"

namespace takt::tools {
namespace {

namespace fs = std::filesystem;
using namespace takt::codegen;

struct ModelicaArguments {
  std::string file, folder, flat;
  ModelicaSource source;
  modelica::PlantSettings settings;
};

/// Nothing is made, nor a front end started, for a place that is taken.
bool is_free(const fs::path& folder, Diagnostics& diagnostics) {
  if (is_free_for_folder(folder)) return true;
  diagnostics.error("D040", {folder.string()}, "is there already", "name a folder that is not there, or is empty");
  return false;
}

void write_flat(const std::string& file, const std::string& text) {
  std::ofstream out(file, std::ios::binary);
  out << text;
  if (!out.flush()) throw UsageError("cannot write '" + file + "'");
}

int import_modelica(const ModelicaArguments& arguments) {
  for (const std::string* duration : {&arguments.settings.duration, &arguments.settings.every})
    if (!duration->empty() && !parse_duration_ns(*duration))
      throw UsageError("a duration is needed, not '" + *duration + "'");
  if (!arguments.source.name.empty() && !is_class_name(arguments.source.name))
    throw UsageError("--class takes a name of Modelica such as Modelica.Blocks.Examples.PID_Controller, not '" +
                     arguments.source.name + "'");
  Diagnostics diagnostics;
  if (!arguments.flat.empty() && arguments.folder.empty()) {  // a plant's [model] takes what is no plant by itself
    const auto flat = flat_text(arguments.file, arguments.source, diagnostics);
    std::fputs(diagnostics.render().c_str(), stderr);
    if (!flat) return exit_failed;
    write_flat(arguments.flat, flat->text);
    return exit_ok;
  }
  std::optional<ModelicaPlant> made;
  if (arguments.folder.empty() || is_free(arguments.folder, diagnostics))
    made = modelica_plant(arguments.file, arguments.source, arguments.settings, diagnostics);
  const fs::path folder = arguments.folder.empty() && made ? made->name : arguments.folder;
  if (made && !is_free(folder, diagnostics)) made.reset();
  std::fputs(diagnostics.render().c_str(), stderr);
  if (!made) return exit_failed;
  if (!arguments.flat.empty()) write_flat(arguments.flat, made->flat);
  write_new_folder(folder, {{"plant.toml", made->text.plant}, {"import.json", made->text.map}});
  std::puts((folder / "plant.toml").c_str());
  return exit_ok;
}

}  // namespace

int import_command(int argc, char** argv) {
  command_line::App app{"Plants of models in other languages.", "takt import"};
  app.require_subcommand(1);
  app.example(
      "takt import modelica DoublePendulum.flat.json --out plants/pendulum && takt run plants/pendulum\n"
      "takt import modelica Modelica.Blocks.Examples.PID_Controller --path ~/ModelicaStandardLibrary");
  ModelicaArguments taken;
  command_line::App* in = app.add_subcommand("modelica", "a plant folder of a model in Modelica");
  in->add_option("source", taken.file,
                 "a .mo file or the name of a class, for the front end rumoca; flat JSON of rumoca; Base Modelica text")
      ->required();
  in->add_option("--class", taken.source.name, "which class of a .mo file (default: its only one)");
  in->add_option(
        "--path", taken.source.path,
        "folder of a library, or one that holds libraries; may be given again (then come those of MODELICAPATH)")
      ->allow_extra_args(false);
  in->add_option("--at-most", taken.source.at_most_s, "time for the front end, s")->positive()->capture_default_str();
  in->add_option("--out", taken.folder, "plant folder to make (default: the name of the model)");
  in->add_option("--flat", taken.flat,
                 "write the flat model, as the front end has made it, into this file; without --out nothing else");
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
