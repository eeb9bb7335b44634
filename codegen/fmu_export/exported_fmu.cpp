#include "codegen/fmu_export/exported_fmu.hpp"

#include <algorithm>
#include <cctype>
#include <map>

#include "codegen/emit/build/build.hpp"
#include "codegen/fmu_export/library_source.hpp"
#include "codegen/source/template.hpp"
#include "fmu_templates.hpp"

namespace takt::codegen {
namespace {

using Use = ExportedVariable::Use;

Use use_of(const TableRow& row) {
  if (row.role == "structural") return Use::constant;
  if (row.role == "parameter") return row.start_only ? Use::fixed : Use::tunable;
  if (row.role == "plant_input") return Use::input;
  // What a circuit receives has a name of its own where it is a signal that can be recorded, as the
  // flow of a driven pump.
  if (row.role == "input")
    return row.path.find('@') == std::string::npos ? Use::local : Use::hidden;
  return row.path.find(".energy.") != std::string::npos ? Use::local : Use::output;
}

std::string description_of(const TableRow& row) {
  if (row.role == "structural") return "parameter that is compiled in";
  if (row.role == "parameter") return row.start_only ? "parameter, read at the start" : "parameter";
  if (row.role == "plant_input") return "held over a communication step";
  if (row.role == "input") return "received from another circuit";
  return row.role;
}

std::map<std::string, double> start_values(const Network& network) {
  std::map<std::string, double> values;
  for (const Parameter& parameter : network.parameters)
    values.emplace(network.graph().symbol(parameter.symbol).path, parameter.value);
  for (const PlantInput& input : network.inputs)
    values.emplace(network.graph().symbol(input.symbol).path, input.start);
  return values;
}

std::vector<ExportedVariable> variables_of(const Network& network,
                                           const std::vector<TableRow>& table) {
  const std::map<std::string, double> values = start_values(network);
  std::vector<ExportedVariable> variables;
  for (const TableRow& row : table) {
    ExportedVariable variable{.name = row.path,
                              .unit = row.unit,
                              .use = use_of(row),
                              .start = std::nullopt,
                              .description = description_of(row)};
    if (variable.use <= Use::input) variable.start = values.at(row.path);
    variables.push_back(std::move(variable));
  }
  return variables;
}

/// At a communication point no output follows an input: what is set takes effect with the next
/// step.
ExportedStructure structure_of(const std::vector<ExportedVariable>& variables) {
  ExportedStructure structure;
  for (std::size_t k = 0; k < variables.size(); ++k) {
    if (variables[k].use != Use::output) continue;
    structure.outputs.push_back({k, {}});
    structure.initial.push_back(k);
  }
  return structure;
}

}  // namespace

std::string fmu_identifier(const std::string& name) {
  return !name.empty() && std::isdigit(static_cast<unsigned char>(name.front())) != 0
             ? "plant_" + name
             : name;
}

std::string not_exportable(const Plan& plan) {
  for (const PlanSubsystem& subsystem : plan.subsystems)
    if (subsystem.method->kind == Method::Kind::foreign)
      return subsystem.name +
             " is an FMU itself, and an FMU cannot carry others: export a plant without it";
  for (const PlanSubsystem& subsystem : plan.subsystems)
    if (subsystem.method->is_offline())
      return subsystem.name + " is solved by " + std::string(subsystem.method->name) +
             ", which chooses its steps with SUNDIALS; give it a method of fixed steps in [solve]";
  return {};
}

ExportedFmu export_fmu(const Network& network, const DaeResult& dae, const Plan& plan,
                       const FmuExport& how) {
  EmittedPlant emitted = emit_plant(network, dae, plan, {.generator = how.generator});
  std::string all = "cs" + std::to_string(how.version);
  for (const SourceFile& file : emitted.sources) all += file.text.bytes();
  const std::string hash = hash_text(all);
  set_input_hash(emitted.sources, hash);
  std::erase_if(emitted.sources, [](const SourceFile& file) { return file.name == "main.cpp"; });
  ExportedFmu fmu{.how = how,
                  .identifier = fmu_identifier(network.name),
                  .title = network.title,
                  .token = "{takt-" + hash + "}",
                  .step_ns = plan.macro_step_ns,
                  .duration_ns = network.default_duration_ns,
                  .variables = variables_of(network, emitted.table),
                  .structure = {},
                  .sources = std::move(emitted.sources)};
  fmu.time = fmu.variables.size();
  fmu.structure = structure_of(fmu.variables);
  fmu.sources.push_back(library_source(
      fmu,
      {.includes = "#include \"plant.hpp\"\n#include \"runtime/fmu_export/exported_plant.hpp\"\n"
                   "#include \"runtime/fmu_export/identity.hpp\"",
       .definition =
           "const PlantDescription& exported_plant() { return takt_plant::describe(); }"}));
  fmu.sources.push_back(version_script(fmu));
  return fmu;
}

std::string fmu_cmake(const ExportedFmu& fmu) {
  return filled(library_cmake_in, {{"head", cmake_head("the library of the FMU " + fmu.identifier)},
                                   {"sources", cmake_sources(fmu.sources)},
                                   {"identifier", fmu.identifier},
                                   {"version", std::to_string(fmu.how.version)},
                                   {"kind", fmu.how.kind == FmuKind::co_simulation ? "_cs" : "_me"},
                                   {"links", library_link_options()},
                                   {"tail", cmake_tail()}}) +
         "\n";
}

SourceFile version_script(const ExportedFmu& fmu) {
  return {"fmu.map",
          SourceText("{ global: fmi" + std::to_string(fmu.how.version) + "*; local: *; };\n")};
}

std::string library_link_options() { return std::string(links_cmake_in); }

std::string platform_folder(int version, const std::string& machine) {
  if (version >= 3) return machine + "-linux";
  return machine == "x86_64" ? "linux64" : machine + "-linux";
}

}  // namespace takt::codegen
