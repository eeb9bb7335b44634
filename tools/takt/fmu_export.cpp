// takt fmu export PLANT: a plant as a functional mock-up unit.

#include <cstdio>
#include <fstream>
#include <iterator>
#include <set>

#include "codegen/emit/build/build.hpp"
#include "codegen/emit/build/target.hpp"
#include "codegen/emit/build/toolchain.hpp"
#include "codegen/fmu_export/archive.hpp"
#include "codegen/fmu_export/exported_fmu.hpp"
#include "codegen/fmu_export/packed_sources.hpp"
#include "runtime/command_line/command_line.hpp"
#include "tools/takt/command.hpp"
#include "tools/takt/exported_plant.hpp"
#include "tools/takt/fmu_command.hpp"
#include "tools/takt/fmu_documentation.hpp"
#include "tools/takt/home.hpp"
#include "tools/takt/plan_for_error.hpp"
#include "tools/takt/plant_arguments.hpp"
#include "tools/takt/wait_line.hpp"

namespace takt::tools {
namespace {

namespace fs = std::filesystem;
using namespace takt::codegen;

struct Arguments {
  PlantArguments plant;
  int version = 3;
  std::string kind = "cs", file, start, part;
  bool sources = false;
  std::vector<std::string> targets;
};

/// One for each machine: what is compiled for a machine is for all of its processors.
std::vector<std::string> machine_targets() {
  std::vector<std::string> names;
  for (const Target& target : all_targets())
    if (!target.level) names.emplace_back(target.name);
  return names;
}

void declare(command_line::App& app, Arguments& arguments) {
  declare_plant(app, arguments.plant);
  declare_build(app, arguments.plant);
  declare_error(app, arguments.plant);
  app.add_option("--fmi", arguments.version, "version of FMI: 2 or 3 (default)")->one_of({2, 3});
  app.add_option("--kind", arguments.kind, "cs: co-simulation (default); me: model exchange")->one_of({"cs", "me"});
  app.add_option("--out", arguments.file, "the file to write (default: PLANT.fmu)");
  app.add_option("--part", arguments.part,
                 "one instance of a part by itself, such as \"pack[3]\": at each node that it shares with the rest, "
                 "one of across\n"
                 "and through variable is an input, the other an output");
  app.add_flag("--sources", arguments.sources,
               "the file also has the C++ sources of its library, which compile without Takt (sources/README.txt)");
  app.add_option(
         "--target", arguments.targets,
         "also a library for this platform, by a cross compiler: linux-aarch64, linux-x86_64; may be repeated.\n"
         "--march is for this machine")
      ->one_of(machine_targets())
      ->allow_extra_args(false);
  app.add_option("--start", arguments.start,
                 "with --kind me: begin with the steady state that this run of the plant (a run directory) began with");
  app.example("takt fmu export config/plants/rc --fmi 2 --out rc.fmu");
  app.footer(
      "cs: the FMU computes the bits of `takt run`, in communication steps that are multiples of the plant's "
      "macro-step. me: the FMU gives the rates of all states of the whole plant, its event indicators (diodes, modes), "
      "its time events (control blocks, edges of gates) and its directional derivatives to an integrator of the "
      "importer, as `takt reference` solves it. Plants with FMUs inside, and plants that cannot be one system of index "
      "1, are refused with the reason. It holds start values, names and units of the plant; parameters that the plant "
      "can tune are tunable.");
}

std::string whole(const fs::path& file) {
  std::ifstream in(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
}

BuildOptions library_options(const ExportedFmu& fmu, const PlantBuild& request) {
  const std::string variant =
      "-fmi" + std::to_string(fmu.how.version) + (fmu.how.kind == FmuKind::co_simulation ? "cs" : "me");
  return {.name = fmu.identifier,
          .directory = build_directory(request, fmu.identifier).string() + variant,
          .cmake_package = find_home().cmake_package,
          .identity = build_identity(),
          .march = request.march,
          .cmake = fmu_cmake(fmu),
          .progress = [](const std::string& line) { WaitLine::say("takt: " + line + "\n"); }};
}

/// For this machine the plant's own sources are compiled, for others all. Nothing after errors.
std::optional<std::string> library_of(const ExportedFmu& fmu, const PlantBuild& request, const std::string& machine) {
  BuildOptions options = library_options(fmu, request);
  Sources sources = fmu.sources;
  if (machine != this_machine()) {
    std::fprintf(stderr, "takt: for %s\n", machine.c_str());
    ExportedFmu packed = fmu;
    packed.packed = packed_sources(fmu, find_home().runtime);
    sources = packed.packed;
    sources.push_back(version_script(fmu));
    options.directory += "-" + machine;
    options.machine = machine;
    options.march.clear();
    options.cmake = packed_cmake(packed);
    options.arguments = {"-DTAKT_FMI_HEADERS=" + find_home().fmi_headers.string()};
  }
  const std::optional<BuildResult> built = built_or_told(sources, options);
  if (!built) return std::nullopt;
  return whole(built->executable);
}

/// The libraries of all platforms; false after errors.
bool add_libraries(const ExportedFmu& fmu, const PlantBuild& request, const std::vector<std::string>& targets,
                   std::vector<ArchiveEntry>& entries) {
  std::set<std::string> machines{this_machine()};
  for (const std::string& target : targets) machines.emplace(find_target(target)->machine);
  for (const std::string& machine : machines) {
    std::optional<std::string> library = library_of(fmu, request, machine);
    if (!library) return false;
    entries.push_back(
        {"binaries/" + platform_folder(fmu.how.version, machine) + "/" + fmu.identifier + ".so", std::move(*library)});
  }
  return true;
}

void add_sources(const ExportedFmu& fmu, std::vector<ArchiveEntry>& entries) {
  if (fmu.packed.empty()) return;
  for (const SourceFile& file : fmu.packed) entries.push_back({"sources/" + file.name, file.text.bytes()});
  entries.push_back({"sources/README.txt", sources_read_me(fmu)});
  if (fmu.how.version >= 3) entries.push_back({"sources/buildDescription.xml", build_description(fmu)});
}

}  // namespace

int fmu_export_command(int argc, char** argv) {
  command_line::App app{"A plant as a functional mock-up unit.", "takt fmu export"};
  Arguments arguments;
  declare(app, arguments);
  if (const std::optional<int> code = app.parse(argc, argv)) return *code;
  PlantBuild request = plant_build(arguments.plant, false);
  const FmuExport how{.version = arguments.version,
                      .kind = arguments.kind == "cs" ? FmuKind::co_simulation : FmuKind::model_exchange,
                      .generator = TAKT_VERSION};
  const bool steps = how.kind == FmuKind::co_simulation;
  if (steps && !arguments.start.empty()) throw UsageError("--start goes with --kind me");
  if (!arguments.part.empty()) request.part = arguments.part;
  if (steps && !request.part && !plan_for_error(request)) return exit_failed;  // of a part nothing is recorded
  const std::optional<Checked> checked = checked_for_build(request);
  if (!checked) return exit_failed;
  std::optional<ExportedFmu> exported = exported_plant(*checked, how, arguments.start);
  if (!exported) return exit_failed;
  ExportedFmu& fmu = *exported;
  if (arguments.sources) fmu.packed = packed_sources(fmu, find_home().runtime);
  std::vector<ArchiveEntry> entries{{"modelDescription.xml", model_description(fmu)}};
  if (!add_libraries(fmu, request, arguments.targets, entries)) return exit_failed;
  entries.push_back({"documentation/index.html", fmu_documentation(*checked, fmu)});
  add_sources(fmu, entries);
  const fs::path file = arguments.file.empty() ? fs::path(fmu.identifier + ".fmu") : fs::path(arguments.file);
  write_archive(file, entries);
  std::puts(file.c_str());
  return exit_ok;
}

}  // namespace takt::tools
