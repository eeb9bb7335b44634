#include <fmt/format.h>

#include "codegen/fmu/archive_rules.hpp"
#include "codegen/fmu/fmu_reading.hpp"
#include "codegen/fmu/start_values.hpp"
#include "codegen/fmu/type_names.hpp"

namespace takt::codegen {
namespace {

/// Where the file is silent. FMI 3.0.2, 2.4.7.4: fixed of parameters, continuous of floats, else
/// discrete. FMI 2 says continuous: where that is forbidden, what FMI 3 says is taken, with a
/// warning.
FmuVariability default_variability(const FmuVariable& variable) {
  const bool is_parameter = variable.causality == FmuCausality::parameter ||
                            variable.causality == FmuCausality::calculated_parameter ||
                            variable.causality == FmuCausality::structural_parameter;
  if (is_parameter) return FmuVariability::fixed;
  return is_float(variable.type) ? FmuVariability::continuous : FmuVariability::discrete;
}

/// What a variable does not say itself its declared type says.
void inherit(FmuVariable& variable, const FmuTypeDefinition& type) {
  const auto take = [](auto& own, const auto& other) {
    if (own == std::decay_t<decltype(own)>{}) own = other;
  };
  take(variable.quantity, type.quantity);
  take(variable.unit, type.unit);
  take(variable.display_unit, type.display_unit);
  take(variable.min, type.min);
  take(variable.max, type.max);
  take(variable.nominal, type.nominal);
  take(variable.relative_quantity, type.relative_quantity);
  take(variable.unbounded, type.unbounded);
  variable.items = type.items;
}

class VariableReader {
 public:
  /// @param outer  the element with the name  @param inner  that of the type: in FMI 3 the same
  VariableReader(FmuReading& reading, pugi::xml_node outer, pugi::xml_node inner)
      : reading_(reading), outer_(outer), inner_(inner) {}

  void read(FmuType type) {
    variable_.where = reading_.xml.at(outer_);
    variable_.type = type;
    variable_.name = text_of(outer_, "name");
    variable_.reference = integer_of<std::uint32_t>(outer_, "valueReference").value_or(0);
    variable_.description = text_of(outer_, "description");
    variable_.can_handle_multiple_set = flag_of(outer_, "canHandleMultipleSetPerTimeInstant");
    variable_.intermediate_update = flag_of(outer_, "intermediateUpdate");
    variable_.reinit = flag_of(inner_, "reinit");
    variable_.interval_variability = text_of(inner_, "intervalVariability");
    read_kind();
    read_properties();
    for (pugi::xml_node node : outer_.children("Dimension"))
      variable_.dimensions.push_back({integer_of<std::uint64_t>(node, "start"),
                                      integer_of<std::uint32_t>(node, "valueReference")});
    for (std::string_view word : xml::words(outer_.attribute("clocks").value()))
      if (const auto reference = xml::integer<std::uint32_t>(word))
        variable_.clocks.push_back(*reference);
    variable_.start = read_start(inner_, variable_.type);
    for (pugi::xml_node alias : outer_.children("Alias"))
      variable_.aliases.push_back(text_of(alias, "name"));
    add();
  }

 private:
  void read_kind() {
    const auto variability = variability_named(text_of(outer_, "variability"));
    variable_.causality =
        causality_named(text_of(outer_, "causality")).value_or(FmuCausality::local);
    variable_.variability = variability.value_or(default_variability(variable_));
    if (!variability && reading_.is_2() && variable_.variability != FmuVariability::continuous)
      reading_.diagnostics.warning(
          "Y039", variable_.where,
          fmt::format("'{}' does not say its variability: that is continuous, which {} of type {} "
                      "must not be",
                      printable(variable_.name), text(variable_.causality), inner_.name()),
          fmt::format("taken as variability=\"{}\"", text(variable_.variability)));
    const pugi::xml_attribute initial = outer_.attribute("initial");
    variable_.initial = initial ? initial_named(initial.value())
                                : default_initial(variable_.causality, variable_.variability);
  }

  void read_properties() {
    variable_.quantity = text_of(inner_, "quantity");
    variable_.unit = text_of(inner_, "unit");
    variable_.display_unit = text_of(inner_, "displayUnit");
    variable_.min = number_of(inner_, "min");
    variable_.max = number_of(inner_, "max");
    variable_.nominal = number_of(inner_, "nominal");
    variable_.relative_quantity = flag_of(inner_, "relativeQuantity");
    variable_.unbounded = flag_of(inner_, "unbounded");
    variable_.declared_type = text_of(inner_, "declaredType");
    if (inner_.attribute("declaredType")) read_declared_type();
  }

  void read_declared_type() {
    const Location where = reading_.xml.at(inner_.attribute("declaredType"));
    const auto found = reading_.types.find(variable_.declared_type);
    if (found == reading_.types.end())
      return reading_.diagnostics.warning(
          "Y032", where,
          fmt::format("'{}' is of type '{}', which is not defined", printable(variable_.name),
                      printable(variable_.declared_type)),
          "what the variable says itself counts");
    const FmuTypeDefinition& type = reading_.fmu.types[found->second];
    if (type.type != variable_.type)
      return reading_.diagnostics.warning(
          "Y032", where,
          fmt::format("'{}' is {}, its type '{}' is {}", printable(variable_.name),
                      text(variable_.type), printable(type.name), text(type.type)),
          "what the variable says itself counts");
    inherit(variable_, type);
  }

  void add() {
    FmuDescription& fmu = reading_.fmu;
    const std::size_t index = fmu.variables.size();
    add_name(variable_.name, outer_, index);
    for (pugi::xml_node alias : outer_.children("Alias"))
      add_name(text_of(alias, "name"), alias, index);
    const auto [other, is_new] = reading_.by_reference.try_emplace(variable_.reference, index);
    if (!is_new && !reading_.is_2())
      reading_.diagnostics.error(
          "Y031", reading_.xml.at(outer_.attribute("valueReference")),
          fmt::format("'{}' has valueReference {}, as '{}' has", printable(variable_.name),
                      variable_.reference, printable(fmu.variables[other->second].name)),
          "references differ in FMI 3; a second name of a variable is an <Alias>");
    fmu.variables.push_back(std::move(variable_));
  }

  void add_name(const std::string& name, pugi::xml_node node, std::size_t index) {
    const Location where = reading_.xml.at(node.attribute("name"));
    if (name.empty())
      return reading_.diagnostics.error("Y030", where, "a variable has an empty name", "name it");
    const auto [other, is_new] = reading_.by_name.try_emplace(name, index);
    if (is_new) return;
    const auto& all = reading_.fmu.variables;
    const Location first = other->second < all.size() ? all[other->second].where : variable_.where;
    reading_.diagnostics.error(
        "Y030", where,
        fmt::format("the name '{}' is there twice, first in line {}", printable(name), first.line),
        "names of variables and aliases differ");
  }

  FmuReading& reading_;
  pugi::xml_node outer_, inner_;
  FmuVariable variable_;
};

}  // namespace

void read_variables(FmuReading& reading) {
  for (pugi::xml_node outer : reading.root().child("ModelVariables").children()) {
    pugi::xml_node inner = outer;
    if (reading.is_2())
      for (pugi::xml_node child : outer.children())
        if (type_named(child.name(), FmiVersion::v2)) inner = child;
    if (const auto type = type_named(inner.name(), reading.fmu.version))
      VariableReader(reading, outer, inner).read(*type);
  }
}

}  // namespace takt::codegen
