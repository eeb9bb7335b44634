// takt ssp: system structure packages (SSP 1.0 and 2.0). A package becomes a plant folder, a plant of FMUs a package.

#include <cmath>
#include <cstdio>
#include <fstream>
#include <iterator>
#include <numeric>
#include <set>

#include "codegen/fmu/findings.hpp"
#include "codegen/fmu/read_fmu.hpp"
#include "codegen/model/load_plant.hpp"
#include "codegen/ssp/read_ssp.hpp"
#include "codegen/ssp/ssp_plant.hpp"
#include "codegen/ssp/write_ssp.hpp"
#include "codegen/text/quantity.hpp"
#include "runtime/command_line/command_line.hpp"
#include "tools/takt/arguments.hpp"
#include "tools/takt/command.hpp"
#include "tools/takt/home.hpp"
#include "tools/takt/new_folder.hpp"
#include "tools/takt/ssp_archive.hpp"

namespace takt::tools {
namespace {

namespace fs = std::filesystem;
using namespace takt::codegen;

struct ImportArguments {
  std::string file, folder, step;
};

struct ExportArguments {
  std::string plant, file;
  std::vector<std::string> set;
};

/// The FMUs of a package, read and named for the plant folder.
struct Contents {
  SspFmus fmus;
  std::map<std::string, std::string> bytes, names;  ///< by source
};

void collect(const SspElement& element, const FmuArchive& archive, std::pair<Contents*, Diagnostics*> to) {
  auto& [contents, diagnostics] = to;
  for (const SspElement& each : element.elements) {
    if (each.is_system) {
      collect(each, archive, to);
      continue;
    }
    if (contents->fmus.contains(each.source)) continue;
    const FmuEntry* entry = archive.find(each.source);
    if (entry == nullptr || entry->is_folder()) {
      diagnostics->error("Y202", each.where,
                         "there is no '" + each.source + "' in the package: without it the plant is incomplete",
                         "sources are relative to SystemStructure.ssd; addresses in a network are not looked up");
      continue;
    }
    const auto bytes = archive.read(*entry, *diagnostics);
    if (!bytes) continue;
    Diagnostics findings;
    auto fmu = read_fmu_bytes(*bytes, each.source, findings);
    diagnostics->append(told_once(findings));
    if (!fmu) {
      diagnostics->error("Y203", each.where, "the FMU of '" + each.name + "' cannot be used",
                         "takt fmu check tells what is wrong with it");
      continue;
    }
    contents->fmus[each.source] = std::make_shared<const FmuDescription>(std::move(*fmu));
    contents->bytes[each.source] = *bytes;
  }
}

/// Files in the plant folder: the name of the source, made different where two are alike.
void name_files(Contents& contents) {
  std::set<std::string> taken;
  for (const auto& [source, bytes] : contents.bytes) {
    const std::string stem = plant_key(fs::path(source).stem().string());
    std::string name = stem + ".fmu";
    for (int k = 2; !taken.insert(name).second; ++k) name = stem + "_" + std::to_string(k) + ".fmu";
    contents.names[source] = name;
  }
}

/// The smallest that an FMU recommends; 1 ms where none does.
std::string usual_step(const Contents& contents) {
  std::int64_t step = 0;
  for (const auto& [source, fmu] : contents.fmus) {
    const double own = fmu->experiment.step.value_or(0.0) * 1e9;
    if (own >= 1.0 && own < 1e15 && (step == 0 || own < static_cast<double>(step))) step = std::llround(own);
  }
  return duration_text(step == 0 ? 1'000'000 : step);
}

/// Of which all steps are divisors; of steps that do not fit within a day, the first.
std::string common_period(const SspPlant& plant, const std::string& usual) {
  std::int64_t period = 1;
  for (const SspPart& part : plant.parts) {
    const auto step = parse_duration_ns(part.component->call.step.empty() ? usual : part.component->call.step);
    if (!step || *step <= 0) return usual;
    if (*step > 86'400'000'000'000) return usual;
    period = std::lcm(period, *step);
    if (period > 86'400'000'000'000) return usual;
  }
  return duration_text(period);
}

int import_package(const ImportArguments& arguments) {
  const fs::path file = existing_file(arguments.file, "SSP"), folder = arguments.folder;
  if (!arguments.step.empty() && !parse_duration_ns(arguments.step))
    throw UsageError("--step takes a duration, not '" + arguments.step + "'");
  Diagnostics diagnostics;
  if (!is_free_for_folder(folder))
    diagnostics.error("Y216", {folder.string()}, "is there already", "name a folder that is not there, or is empty");
  if (is_bare_structure(file, diagnostics)) return std::fputs(diagnostics.render().c_str(), stderr), exit_failed;
  const auto archive = FmuArchive::open(file, diagnostics);
  std::optional<SspStructure> structure;
  if (archive) structure = read_ssp(*archive, file, diagnostics);
  Contents contents;
  std::optional<SspPlant> plant;
  if (structure) collect(structure->system, *archive, {&contents, &diagnostics});
  if (structure && !diagnostics.has_errors() && contents.fmus.empty())
    diagnostics.error("Y217", structure->system.where, "the package has no FMU: the plant is incomplete and cannot run",
                      "a plant of a package is its FMUs; put components into it");
  if (structure && !diagnostics.has_errors()) plant = flatten(*structure, contents.fmus, diagnostics);
  std::fputs(diagnostics.render().c_str(), stderr);
  if (!plant || diagnostics.has_errors()) return exit_failed;
  name_files(contents);
  SspPlantText text{.title = structure->name,
                    .origin = file.filename().string(),
                    .step = !arguments.step.empty() ? arguments.step
                            : structure->base_step  ? duration_text(std::llround(*structure->base_step * 1e9))
                                                    : usual_step(contents),
                    .period = {},
                    .files = {}};
  text.period = common_period(*plant, text.step);
  for (const SspPart& part : plant->parts) text.files.push_back(contents.names.at(part.component->source));
  const std::string made = plant_text(*structure, *plant, text);
  NewFiles files{{"plant.toml", made}};
  for (const auto& [source, name] : contents.names) files.emplace_back(name, contents.bytes.at(source));
  write_new_folder(folder, files);
  std::puts((folder / "plant.toml").c_str());
  return exit_ok;
}

int export_package(const ExportArguments& arguments) {
  const fs::path plant = plant_file(arguments.plant);
  Diagnostics diagnostics;
  const auto network =
      load_plant(plant, {.library = {find_home().library}, .overrides = overrides(arguments.set)}, diagnostics);
  std::optional<SspText> text;
  if (network && !diagnostics.has_errors()) text = write_ssp(*network, diagnostics);
  std::fputs(diagnostics.render().c_str(), stderr);
  if (!text) return exit_failed;
  const fs::path file = arguments.file.empty() ? fs::path(network->name + ".ssp") : fs::path(arguments.file);
  write_package(file, *text);
  std::puts(file.c_str());
  return exit_ok;
}

}  // namespace

int ssp_command(int argc, char** argv) {
  command_line::App app{"System structure packages (SSP 1.0 and 2.0).", "takt ssp"};
  app.require_subcommand(1);
  app.example(
      "takt ssp import vehicle.ssp --out plants/vehicle\n"
      "takt ssp export plants/vehicle --out vehicle.ssp");
  ImportArguments taken;
  command_line::App* in =
      app.add_subcommand("import", "a plant folder of a package: its FMUs, connections and values of parameters");
  in->add_option("file", taken.file, "package (.ssp)")->required();
  in->add_option("--out", taken.folder, "plant folder to make")->required();
  in->add_option(
      "--step", taken.step,
      "communication step (default: that of the package, if Open Simulation Platform has given one; else the smallest "
      "that an FMU recommends, or 1 ms)");
  ExportArguments given;
  command_line::App* out = app.add_subcommand("export", "a package of a plant that consists of FMUs");
  out->add_option("plant", given.plant, "plant folder or file")->required();
  out->add_option("--set", given.set, "name=value: replaces a value of the plant")->allow_extra_args(false);
  out->add_option("--out", given.file, "the file to write (default: PLANT.ssp)");
  if (const std::optional<int> code = app.parse(argc, argv)) return *code;
  return in->parsed() ? import_package(taken) : export_package(given);
}

}  // namespace takt::tools
