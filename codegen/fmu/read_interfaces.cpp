#include <fmt/format.h>

#include <algorithm>

#include "codegen/fmu/archive_rules.hpp"
#include "codegen/fmu/fmu_reading.hpp"

namespace takt::codegen {
namespace {

bool is_name_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
bool is_decimal(char c) { return c >= '0' && c <= '9'; }

bool is_identifier(std::string_view text) {
  return !text.empty() && text.size() <= 200 && is_name_letter(text[0]) &&
         std::all_of(text.begin(), text.end(),
                     [](char c) { return is_name_letter(c) || is_decimal(c); });
}

/// No name of C, but one of a file in the folder of libraries, and nothing else.
bool is_file_name(std::string_view text) {
  return !text.empty() && text.size() <= 200 && (is_name_letter(text[0]) || is_decimal(text[0])) &&
         std::all_of(text.begin(), text.end(), [](char c) {
           return is_name_letter(c) || is_decimal(c) || c == '-' || c == '.' || c == '+';
         });
}

void check_interface(const FmuReading& reading, pugi::xml_node node, const FmuInterface& read) {
  if (!is_identifier(read.model_identifier)) {
    const Location where = reading.xml.at(node.attribute("modelIdentifier"));
    const std::string text =
        fmt::format("modelIdentifier '{}' is no name of C", printable(read.model_identifier));
    if (is_file_name(read.model_identifier))
      reading.diagnostics.warning(
          "Y022", where, text,
          "letters, digits and '_', not beginning with a digit; it names the library, too, "
          "which is looked for by it");
    else
      reading.diagnostics.error(
          "Y022", where, text,
          "letters, digits and '_', not beginning with a digit: it names the library and its "
          "functions");
  }
  if (read.serialize_state && !read.get_and_set_state)
    reading.diagnostics.warning(
        "Y025", reading.xml.at(node),
        fmt::format("{} can serialise its state, but not get and set it", node.name()),
        "canSerializeFMUstate needs canGetAndSetFMUstate: neither is used");
  if (read.fixed_internal_step && !(*read.fixed_internal_step > 0.0))
    reading.diagnostics.error("Y025", reading.xml.at(node.attribute("fixedInternalStepSize")),
                              "fixedInternalStepSize is not above 0",
                              "give the step in seconds, or leave it out");
}

FmuInterface common_of(pugi::xml_node node, bool is_2) {
  FmuInterface read;
  read.model_identifier = text_of(node, "modelIdentifier");
  read.needs_execution_tool = flag_of(node, "needsExecutionTool");
  read.only_once_per_process = flag_of(node, "canBeInstantiatedOnlyOncePerProcess");
  read.no_memory_management = flag_of(node, "canNotUseMemoryManagementFunctions");
  read.get_and_set_state = flag_of(node, is_2 ? "canGetAndSetFMUstate" : "canGetAndSetFMUState");
  read.serialize_state = flag_of(node, is_2 ? "canSerializeFMUstate" : "canSerializeFMUState");
  read.directional_derivatives =
      flag_of(node, is_2 ? "providesDirectionalDerivative" : "providesDirectionalDerivatives");
  read.adjoint_derivatives = flag_of(node, "providesAdjointDerivatives");
  read.element_dependencies = flag_of(node, "providesPerElementDependencies");
  read.evaluates_discrete_states = flag_of(node, "providesEvaluateDiscreteStates");
  for (pugi::xml_node file : node.child("SourceFiles").children("File"))
    read.source_files.push_back(text_of(file, "name"));
  return read;
}

FmuInterface model_exchange_of(pugi::xml_node node, bool is_2) {
  FmuInterface read = common_of(node, is_2);
  read.completed_step_not_needed = is_2 ? flag_of(node, "completedIntegratorStepNotNeeded")
                                        : !flag_of(node, "needsCompletedIntegratorStep");
  return read;
}

FmuInterface co_simulation_of(pugi::xml_node node, bool is_2) {
  FmuInterface read = common_of(node, is_2);
  read.variable_step = flag_of(node, "canHandleVariableCommunicationStepSize");
  read.interpolates_inputs = flag_of(node, "canInterpolateInputs");
  read.runs_asynchronously = flag_of(node, "canRunAsynchronuously");
  read.output_derivative_order =
      integer_of<std::uint32_t>(node, "maxOutputDerivativeOrder").value_or(0);
  read.fixed_internal_step = number_of(node, "fixedInternalStepSize");
  if (const auto order = integer_of<std::int32_t>(node, "recommendedIntermediateInputSmoothness"))
    read.recommended_order = *order;
  read.intermediate_update = flag_of(node, "providesIntermediateUpdate");
  read.returns_early = flag_of(node, "mightReturnEarlyFromDoStep");
  read.early_return = flag_of(node, "canReturnEarlyAfterIntermediateUpdate");
  read.has_event_mode = flag_of(node, "hasEventMode");
  return read;
}

void read_experiment(FmuReading& reading) {
  const pugi::xml_node node = reading.root().child("DefaultExperiment");
  FmuExperiment& experiment = reading.fmu.experiment;
  experiment = {number_of(node, "startTime"), number_of(node, "stopTime"),
                number_of(node, "tolerance"), number_of(node, "stepSize")};
  const auto wrong = [&](const char* attribute, const std::string& what) {
    reading.diagnostics.warning("Y026", reading.xml.at(node.attribute(attribute)), what,
                                "the default experiment is only a proposal: give times yourself");
  };
  if (experiment.start && experiment.stop && !(*experiment.stop >= *experiment.start))
    wrong("stopTime", "stopTime is before startTime");
  if (experiment.step && !(*experiment.step > 0.0))
    wrong("stepSize", "stepSize is not above 0"), experiment.step.reset();
  if (experiment.tolerance && !(*experiment.tolerance > 0.0))
    wrong("tolerance", "tolerance is not above 0"), experiment.tolerance.reset();
}

void read_token(FmuReading& reading) {
  const char* name = reading.is_2() ? "guid" : "instantiationToken";
  reading.fmu.token = text_of(reading.root(), name);
  if (xml::trimmed(reading.fmu.token).empty())
    reading.diagnostics.warning("Y023", reading.xml.at(reading.root().attribute(name)),
                                fmt::format("{} is empty", name),
                                "given to the library as it is, which compares it with its own");
}

}  // namespace

std::optional<FmiVersion> read_version(const XmlText& xml, Diagnostics& diagnostics) {
  const pugi::xml_node root = xml.root();
  if (std::string_view(root.name()) != "fmiModelDescription") {
    diagnostics.error(
        "Y014", xml.at(root),
        fmt::format("the root element is '{}', not 'fmiModelDescription'", printable(root.name())),
        "modelDescription.xml of an FMU begins with <fmiModelDescription>");
    return std::nullopt;
  }
  const pugi::xml_attribute version = root.attribute("fmiVersion");
  const std::string_view written = xml::trimmed(version.value());
  if (written == "2.0") return FmiVersion::v2;
  if (written == "3.0" || written.starts_with("3.0.") || written.starts_with("3.0-"))
    return FmiVersion::v3;
  diagnostics.error("Y020", version ? xml.at(version) : xml.at(root),
                    version ? fmt::format("FMI {} is not read", printable(written))
                            : std::string("fmiVersion is missing"),
                    written == "1.0" ? "export it as FMI 2.0 or 3.0: FMI 1.0 has no initialisation "
                                       "mode and no states to get and set"
                                     : "FMI 2.0 and 3.0 are read: fmiVersion=\"2.0\"");
  return std::nullopt;
}

void read_interfaces(FmuReading& reading) {
  const pugi::xml_node root = reading.root();
  FmuDescription& fmu = reading.fmu;
  fmu.version_text = xml::trimmed(root.attribute("fmiVersion").value());
  fmu.model_name = text_of(root, "modelName");
  fmu.model_version = text_of(root, "version");
  fmu.description = text_of(root, "description");
  fmu.author = text_of(root, "author");
  fmu.generation_tool = text_of(root, "generationTool");
  fmu.generation_date = text_of(root, "generationDateAndTime");
  fmu.copyright = text_of(root, "copyright");
  fmu.license = text_of(root, "license");
  fmu.fixed_structure_naming = text_of(root, "variableNamingConvention") == "structured";
  fmu.event_indicators = integer_of<std::uint32_t>(root, "numberOfEventIndicators").value_or(0);
  read_token(reading);
  if (const pugi::xml_node node = root.child("ModelExchange"))
    check_interface(reading, node,
                    fmu.model_exchange.emplace(model_exchange_of(node, reading.is_2())));
  if (const pugi::xml_node node = root.child("CoSimulation"))
    check_interface(reading, node,
                    fmu.co_simulation.emplace(co_simulation_of(node, reading.is_2())));
  fmu.scheduled_execution = static_cast<bool>(root.child("ScheduledExecution"));
  if (!fmu.model_exchange && !fmu.co_simulation)
    reading.diagnostics.error(
        "Y021", reading.xml.at(root),
        fmu.scheduled_execution ? "offers scheduled execution only"
                                : "offers neither co-simulation nor model exchange",
        "export it with <CoSimulation> or <ModelExchange>; scheduled execution is not served");
  read_experiment(reading);
}

}  // namespace takt::codegen
