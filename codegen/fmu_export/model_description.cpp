// modelDescription.xml of FMI 2.0.4 (chapter 2.2) and FMI 3.0.2 (chapter 2.4).

#include <algorithm>
#include <pugixml.hpp>
#include <set>
#include <sstream>

#include "codegen/fmu_export/exported_fmu.hpp"
#include "codegen/text/quantity.hpp"
#include "runtime/units/units.hpp"

namespace takt::codegen {
namespace {

using Use = ExportedVariable::Use;

/// Without what XML 1.0 cannot say.
std::string printable(std::string text) {
  std::erase_if(
      text, [](char c) { return static_cast<unsigned char>(c) < 0x20 && c != '\n' && c != '\t'; });
  return text;
}

void set(pugi::xml_node node, const char* name, const std::string& value) {
  node.append_attribute(name).set_value(printable(value).c_str());
}

std::string seconds_text(std::int64_t ns) { return number_text(static_cast<double>(ns) / 1e9); }

class Writer {
 public:
  explicit Writer(const ExportedFmu& fmu) : fmu_(fmu), is_2_(fmu.how.version == 2) {}

  std::string text() {
    pugi::xml_document document;
    pugi::xml_node head = document.append_child(pugi::node_declaration);
    set(head, "version", "1.0");
    set(head, "encoding", "UTF-8");
    root_ = document.append_child("fmiModelDescription");
    attributes();
    interface();
    units();
    log_categories();
    experiment();
    variables();
    structure();
    std::ostringstream out;
    document.save(out, "  ");
    return out.str();
  }

 private:
  void attributes() {
    set(root_, "fmiVersion", is_2_ ? "2.0" : "3.0");
    set(root_, "modelName", fmu_.identifier);
    set(root_, is_2_ ? "guid" : "instantiationToken", fmu_.token);
    set(root_, "description", fmu_.title);
    set(root_, "generationTool", "takt " + fmu_.how.generator);
    set(root_, "variableNamingConvention", "flat");
  }

  void interface() {
    const bool steps = fmu_.how.kind == FmuKind::co_simulation;
    pugi::xml_node node = root_.append_child(steps ? "CoSimulation" : "ModelExchange");
    set(node, "modelIdentifier", fmu_.identifier);
    if (steps)
      set(node, "canHandleVariableCommunicationStepSize", "true");  // multiples of the macro-step
    set(node, is_2_ ? "canGetAndSetFMUstate" : "canGetAndSetFMUState", "true");
    set(node, is_2_ ? "canSerializeFMUstate" : "canSerializeFMUState", "true");
    if (is_2_) set(node, "canNotUseMemoryManagementFunctions", "true");
    if (steps && !is_2_) set(node, "fixedInternalStepSize", seconds_text(fmu_.step_ns));
    if (is_2_) source_files(node);
    if (steps) return;
    set(node, is_2_ ? "providesDirectionalDerivative" : "providesDirectionalDerivatives", "true");
    if (!is_2_) set(node, "providesAdjointDerivatives", "true");
    if (is_2_) set(node, "completedIntegratorStepNotNeeded", "true");
    if (is_2_)
      set(root_, "numberOfEventIndicators", std::to_string(fmu_.structure.indicators.size()));
  }

  /// Of FMI 2; FMI 3 has sources/buildDescription.xml.
  void source_files(pugi::xml_node interface) const {
    if (fmu_.packed.empty()) return;
    pugi::xml_node list = interface.append_child("SourceFiles");
    for (const SourceFile& file : fmu_.packed)
      if (file.name.ends_with(".cpp")) set(list.append_child("File"), "name", file.name);
  }

  /// All values are SI: exponents only.
  void units() {
    std::set<std::string> names{"s"};
    for (const ExportedVariable& variable : fmu_.variables)
      if (variable.use != Use::hidden) names.insert(variable.unit);
    pugi::xml_node list = root_.append_child("UnitDefinitions");
    for (const std::string& name : names) {
      pugi::xml_node node = list.append_child("Unit");
      set(node, "name", name);
      const std::optional<Unit> unit = parse_unit(name);
      if (!unit) continue;
      pugi::xml_node base = node.append_child("BaseUnit");
      constexpr const char* exponents[] = {"m", "kg", "s", "A", "K", "mol", "cd"};
      for (std::size_t i = 0; i < 7; ++i)
        if (unit->dimension.exponent[i] != 0)
          set(base, exponents[i], std::to_string(unit->dimension.exponent[i]));
      if (unit->factor != 1.0) set(base, "factor", number_text(unit->factor));
      if (unit->offset != 0.0) set(base, "offset", number_text(unit->offset * unit->factor));
    }
  }

  void log_categories() {
    pugi::xml_node list = root_.append_child("LogCategories");
    for (const char* name :
         {"logEvents", "logStatusWarning", "logStatusDiscard", "logStatusError", "logStatusFatal"})
      set(list.append_child("Category"), "name", name);
  }

  void experiment() {
    pugi::xml_node node = root_.append_child("DefaultExperiment");
    set(node, "startTime", "0");
    if (fmu_.duration_ns) set(node, "stopTime", seconds_text(*fmu_.duration_ns));
    if (fmu_.how.kind == FmuKind::model_exchange) set(node, "tolerance", "1e-6");
    set(node, "stepSize", seconds_text(fmu_.step_ns));
  }

  void variables() {
    pugi::xml_node list = root_.append_child("ModelVariables");
    number_.resize(fmu_.variables.size());
    std::size_t count = 0;
    for (std::size_t reference = 0; reference < fmu_.variables.size(); ++reference)
      if (fmu_.variables[reference].use != Use::hidden) number_[reference] = ++count;
    for (std::size_t reference = 0; reference < fmu_.variables.size(); ++reference)
      if (fmu_.variables[reference].use != Use::hidden)
        add_variable(list, reference, fmu_.variables[reference]);
    if (!is_2_) add_time(list);
  }

  void add_variable(pugi::xml_node list, std::size_t reference,
                    const ExportedVariable& variable) const {
    pugi::xml_node node = list.append_child(is_2_ ? "ScalarVariable" : "Float64");
    set(node, "name", variable.name);
    set(node, "valueReference", std::to_string(reference));
    set(node, "description", variable.description);
    const Use use = variable.use;
    const bool is_parameter = use == Use::fixed || use == Use::tunable;
    set(node, "causality",
        is_parameter         ? "parameter"
        : use == Use::input  ? "input"
        : use == Use::output ? "output"
                             : "local");
    set(node, "variability",
        use == Use::constant  ? "constant"
        : use == Use::fixed   ? "fixed"
        : use == Use::tunable ? "tunable"
        : variable.discrete   ? "discrete"
                              : "continuous");
    pugi::xml_node typed = is_2_ ? node.append_child("Real") : node;
    set(typed, "unit", variable.unit);
    if (variable.nominal) set(typed, "nominal", number_text(*variable.nominal));
    if (variable.start) set(typed, "start", number_text(*variable.start));
    if (variable.derivative_of)
      set(typed, "derivative", name_in_structure(*variable.derivative_of));
  }

  void add_time(pugi::xml_node list) const {
    pugi::xml_node node = list.append_child("Float64");
    set(node, "name", "time");
    set(node, "valueReference", std::to_string(fmu_.time));
    set(node, "description", "simulated time");
    set(node, "causality", "independent");
    set(node, "variability", "continuous");
    set(node, "unit", "s");
  }

  void structure() {
    pugi::xml_node node = root_.append_child("ModelStructure");
    const ExportedStructure& structure = fmu_.structure;
    unknowns(node, "Outputs", "Output", structure.outputs);
    unknowns(node, "Derivatives", "ContinuousStateDerivative", structure.derivatives);
    pugi::xml_node initial =
        is_2_ && !structure.initial.empty() ? node.append_child("InitialUnknowns") : node;
    for (const std::size_t variable : structure.initial)
      add_unknown(initial, is_2_ ? "Unknown" : "InitialUnknown", variable);
    for (std::size_t k = 0; !is_2_ && k < structure.indicators.size(); ++k)
      add_unknown(node, "EventIndicator", structure.indicators[k]);
  }

  /// @param list  the element around them in FMI 2  @param element  each one in FMI 3
  void unknowns(pugi::xml_node node, const char* list, const char* element,
                const std::vector<ExportedStructure::Unknown>& of) const {
    if (of.empty()) return;
    if (is_2_) node = node.append_child(list);
    for (const ExportedStructure::Unknown& unknown : of) {
      std::string dependencies;
      for (const std::size_t on : unknown.depends_on)
        dependencies += (dependencies.empty() ? "" : " ") + name_in_structure(on);
      set(add_unknown(node, is_2_ ? "Unknown" : element, unknown.variable), "dependencies",
          dependencies);
    }
  }

  /// FMI 2 counts variables as they stand in the file, FMI 3 takes value references.
  [[nodiscard]] std::string name_in_structure(std::size_t variable) const {
    return std::to_string(is_2_ ? number_[variable] : variable);
  }

  pugi::xml_node add_unknown(pugi::xml_node list, const char* element, std::size_t variable) const {
    pugi::xml_node node = list.append_child(element);
    set(node, is_2_ ? "index" : "valueReference", name_in_structure(variable));
    return node;
  }

  const ExportedFmu& fmu_;
  const bool is_2_;
  pugi::xml_node root_;
  std::vector<std::size_t>
      number_;  // of variables that are told, from 1, as they stand in the file
};

}  // namespace

std::string model_description(const ExportedFmu& fmu) { return Writer(fmu).text(); }

}  // namespace takt::codegen
