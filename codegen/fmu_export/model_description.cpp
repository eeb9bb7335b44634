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
  std::erase_if(text, [](char c) { return static_cast<unsigned char>(c) < 0x20 && c != '\n' && c != '\t'; });
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
    pugi::xml_node node = root_.append_child("CoSimulation");
    set(node, "modelIdentifier", fmu_.identifier);
    set(node, "canHandleVariableCommunicationStepSize", "true");  // multiples of the macro-step
    set(node, is_2_ ? "canGetAndSetFMUstate" : "canGetAndSetFMUState", "true");
    set(node, is_2_ ? "canSerializeFMUstate" : "canSerializeFMUState", "true");
    if (is_2_)
      set(node, "canNotUseMemoryManagementFunctions", "true");
    else
      set(node, "fixedInternalStepSize", seconds_text(fmu_.macro_step_ns));
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
        if (unit->dimension.exponent[i] != 0) set(base, exponents[i], std::to_string(unit->dimension.exponent[i]));
      if (unit->factor != 1.0) set(base, "factor", number_text(unit->factor));
      if (unit->offset != 0.0) set(base, "offset", number_text(unit->offset * unit->factor));
    }
  }

  void log_categories() {
    pugi::xml_node list = root_.append_child("LogCategories");
    for (const char* name : {"logEvents", "logStatusWarning", "logStatusDiscard", "logStatusError", "logStatusFatal"})
      set(list.append_child("Category"), "name", name);
  }

  void experiment() {
    pugi::xml_node node = root_.append_child("DefaultExperiment");
    set(node, "startTime", "0");
    if (fmu_.duration_ns) set(node, "stopTime", seconds_text(*fmu_.duration_ns));
    set(node, "stepSize", seconds_text(fmu_.macro_step_ns));
  }

  void variables() {
    pugi::xml_node list = root_.append_child("ModelVariables");
    for (std::size_t reference = 0; reference < fmu_.variables.size(); ++reference) {
      const ExportedVariable& variable = fmu_.variables[reference];
      if (variable.use == Use::hidden) continue;
      indices_.push_back(reference);
      add_variable(list, reference, variable);
    }
    if (!is_2_) add_time(list);
  }

  void add_variable(pugi::xml_node list, std::size_t reference, const ExportedVariable& variable) const {
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
                              : "continuous");
    pugi::xml_node typed = is_2_ ? node.append_child("Real") : node;
    set(typed, "unit", variable.unit);
    if (variable.start) set(typed, "start", number_text(*variable.start));
  }

  void add_time(pugi::xml_node list) const {
    pugi::xml_node node = list.append_child("Float64");
    set(node, "name", "time");
    set(node, "valueReference", std::to_string(fmu_.variables.size()));
    set(node, "description", "simulated time");
    set(node, "causality", "independent");
    set(node, "variability", "continuous");
    set(node, "unit", "s");
  }

  /// At a communication point no output follows an input: what is set takes effect with the next step.
  void structure() {
    pugi::xml_node node = root_.append_child("ModelStructure");
    pugi::xml_node outputs = is_2_ ? node.append_child("Outputs") : node;
    const auto each_output = [&](const auto& call) {
      for (std::size_t place = 0; place < indices_.size(); ++place)
        if (fmu_.variables[indices_[place]].use == Use::output) call(place);
    };
    each_output([&](std::size_t place) {
      pugi::xml_node output = add_unknown(outputs, is_2_ ? "Unknown" : "Output", place);
      set(output, "dependencies", "");
    });
    pugi::xml_node initial = is_2_ ? node.append_child("InitialUnknowns") : node;
    each_output([&](std::size_t place) { add_unknown(initial, is_2_ ? "Unknown" : "InitialUnknown", place); });
    if (is_2_ && outputs.first_child().empty()) {
      node.remove_child(outputs);
      node.remove_child(initial);
    }
  }

  pugi::xml_node add_unknown(pugi::xml_node list, const char* element, std::size_t place) const {
    pugi::xml_node node = list.append_child(element);
    if (is_2_)
      set(node, "index", std::to_string(place + 1));
    else
      set(node, "valueReference", std::to_string(indices_[place]));
    return node;
  }

  const ExportedFmu& fmu_;
  const bool is_2_;
  pugi::xml_node root_;
  std::vector<std::size_t> indices_;  // of variables that are told
};

}  // namespace

std::string model_description(const ExportedFmu& fmu) { return Writer(fmu).text(); }

}  // namespace takt::codegen
