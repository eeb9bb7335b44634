#include "tools/takt/modelica_plant.hpp"

#include <cstdio>
#include <fstream>
#include <iterator>
#include <stdexcept>

#include "codegen/modelica/import_model.hpp"
#include "codegen/text/hash.hpp"
#include "tools/takt/arguments.hpp"

namespace takt::tools {
namespace {

namespace fs = std::filesystem;
using namespace takt::codegen;

std::string bytes_of(const fs::path& file) {
  std::ifstream input(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(input), {}};
}

/// "Modelica.Blocks.Examples.PID_Controller.flat.json" is PID_Controller.
std::string last_of_name(std::string name) {
  for (const std::string_view end : {".json", ".flat", ".bmo", ".mo"})
    if (name.ends_with(end)) name.resize(name.size() - end.size());
  return name.substr(name.rfind('.') + 1);
}

/// Base Modelica may come in a file of any name: its first line says what it is.
bool is_flat(const fs::path& file, const std::string& bytes) {
  return file.extension() != ".mo" || bytes.starts_with("//! base");
}

bool is_modelica_file(const fs::path& file) {
  const std::string name = file.filename().string();
  return name.ends_with(".mo") || name.ends_with(".bmo") || name.ends_with(".flat.json");
}

void write_where_other(const fs::path& file, const std::string& text) {
  if (bytes_of(file) == text) return;
  std::ofstream out(file, std::ios::binary);
  out << text;
  if (!out.flush()) throw std::runtime_error("cannot write '" + file.string() + "'");
}

}  // namespace

std::optional<FlatText> flat_text(const std::string& argument, ModelicaSource source, Diagnostics& diagnostics) {
  FlatText made;
  const bool is_class = is_class_name(argument) && !fs::exists(argument) && !is_modelica_file(argument);
  if (!is_class) made.text = bytes_of(existing_file(argument, "Modelica"));
  if (is_class || !is_flat(argument, made.text)) {
    (is_class ? source.name : source.file) = argument;
    std::optional<ModelicaFlat> flat = flatten(source, diagnostics);
    if (!flat) return std::nullopt;
    made.text = std::move(flat->json);
    made.name = last_of_name(flat->name);
    made.origin = is_class ? argument : fs::path(argument).filename().string() + ", class " + flat->name;
  } else {
    if (!source.name.empty())
      throw UsageError("'" + argument + "' is a flat model, of one class: --class has no meaning");
    made.origin = fs::path(argument).filename().string();
    made.name = last_of_name(made.origin);
  }
  return made;
}

std::optional<ModelicaPlant> modelica_plant(const std::string& argument, ModelicaSource source,
                                            modelica::PlantSettings settings, Diagnostics& diagnostics) {
  auto flat = flat_text(argument, std::move(source), diagnostics);
  if (!flat) return std::nullopt;
  settings.origin = flat->origin;
  settings.title = flat->name;
  auto made = modelica::import_model(flat->text, FileName(argument), settings, diagnostics);
  if (!made) return std::nullopt;
  return ModelicaPlant{std::move(flat->name), std::move(*made), std::move(flat->text)};
}

fs::path plant_or_model(const std::string& argument) {
  if (!is_modelica_file(argument)) return plant_file(argument);
  const fs::path file = existing_file(argument, "Modelica");
  Diagnostics diagnostics;
  const auto made = modelica_plant(file.string(), {}, {}, diagnostics);
  std::fputs(diagnostics.render().c_str(), stderr);
  if (!made)
    throw std::runtime_error("'" + file.string() + "' gives no plant; takt import modelica takes --class and --path");
  const fs::path folder =
      fs::path(".takt/modelica") / (made->name + "-" + hash_text(fs::weakly_canonical(file).string()).substr(0, 8));
  fs::create_directories(folder);
  write_where_other(folder / "plant.toml", made->text.plant);
  write_where_other(folder / "import.json", made->text.map);
  return folder / "plant.toml";
}

}  // namespace takt::tools
