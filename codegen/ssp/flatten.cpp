#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "codegen/fmu/archive_rules.hpp"
#include "codegen/fmu/calls/call_table.hpp"
#include "codegen/fmu/type_names.hpp"
#include "codegen/fmu/xml_values.hpp"
#include "codegen/ssp/ssp_parameters.hpp"
#include "codegen/ssp/ssp_plant.hpp"
#include "codegen/ssp/ssp_values.hpp"

namespace takt::codegen {
namespace {

bool is_number(FmuType type) {
  return type != FmuType::string && type != FmuType::binary && type != FmuType::clock;
}

const FmuVariable* variable_of(const FmuDescription& fmu, const std::string& name) {
  for (const FmuVariable& each : fmu.variables) {
    if (each.name == name) return &each;
    if (each.size == 1 || !name.starts_with(each.name)) continue;
    const std::vector<std::string> elements = element_names(fmu, each);
    if (std::find(elements.begin(), elements.end(), name) != elements.end()) return &each;
  }
  return nullptr;
}

class Flattener {
 public:
  Flattener(const SspStructure& structure, const SspFmus& fmus, Diagnostics& diagnostics)
      : structure_(structure), fmus_(fmus), diagnostics_(diagnostics) {}

  std::optional<SspPlant> flatten() {
    const std::size_t before = diagnostics_.error_count();
    const SspKinds kinds = [this](const SspPin& pin) { return kind_of(pin); };
    place(structure_.system, "", "");
    feeds_ = connect(structure_.system, kinds, diagnostics_);
    settings_ = settle(structure_.system, feeds_, kinds, diagnostics_);
    if (diagnostics_.error_count() != before) return std::nullopt;
    for (SspPart& part : plant_.parts) name_outputs(part);
    for (SspPart& part : plant_.parts) feed(part);
    for (SspPart& part : plant_.parts) set_parameters(part);
    record();
    if (diagnostics_.error_count() != before) return std::nullopt;
    return std::move(plant_);
  }

 private:
  struct Traced {
    SspPin source;  ///< output of a component, or input of the root; null: nothing
    SspMap map;     ///< SI to SI
  };

  [[nodiscard]] const FmuDescription& fmu_of(const SspElement& component) const {
    return *fmus_.at(component.source);
  }

  [[nodiscard]] std::string kind_of(const SspPin& pin) const {
    if (const SspConnector* found = pin.element->connector(pin.connector)) return found->kind;
    if (pin.element->is_system) return {};
    const FmuVariable* variable = variable_of(fmu_of(*pin.element), pin.connector);
    return variable != nullptr ? std::string(text(variable->causality)) : std::string();
  }

  void place(const SspElement& system, const std::string& path, const std::string& key) {
    for (const SspElement& each : system.elements) {
      parents_[&each] = &system;
      const std::string its_path = path + (path.empty() ? "" : ".") + each.name;
      const std::string its_key = key + (key.empty() ? "" : "_") + plant_key(each.name);
      if (each.is_system) {
        place(each, its_path, its_key);
        continue;
      }
      SspPart part{.key = its_key,
                   .path = its_path,
                   .component = &each,
                   .fmu = fmus_.at(each.source),
                   .inputs = {},
                   .outputs = {},
                   .parameters = {}};
      for (int k = 2; !keys_.insert(part.key).second; ++k)
        part.key = fmt::format("{}_{}", its_key, k);
      check_connectors(each);
      keys_of_[&each] = part.key;
      plant_.parts.push_back(std::move(part));
    }
  }

  void check_connectors(const SspElement& component) {
    for (const SspConnector& each : component.connectors) {
      const FmuVariable* variable = variable_of(fmu_of(component), each.name);
      if (variable == nullptr)
        diagnostics_.error("Y205", each.where,
                           fmt::format("the FMU of '{}' has no variable '{}'",
                                       printable(component.name), printable(each.name)),
                           "connectors of a component are variables of its FMU");
      else if (text(variable->causality) != each.kind &&
               !(each.kind == "output" && variable->causality == FmuCausality::local))
        diagnostics_.error("Y206", each.where,
                           fmt::format("connector '{}' is of kind {}, in the FMU it is {}",
                                       printable(each.name), each.kind, text(variable->causality)),
                           "the kind is the causality of the variable");
    }
  }

  /// Outputs that something may read: numbers. Their names in the plant differ.
  void name_outputs(SspPart& part) {
    std::set<std::string> names;
    const auto add = [&](const std::string& variable) {
      const FmuVariable* found = variable_of(*part.fmu, variable);
      if (found == nullptr || !is_number(found->type) ||
          (found->size > 1 && found->name == variable))
        return;
      std::string name = plant_key(variable);
      for (int k = 2; !names.insert(name).second; ++k)
        name = fmt::format("{}_{}", plant_key(variable), k);
      part.outputs.push_back({name, variable});
      outputs_[{part.component, variable}] = "fmu." + part.key + "." + name;
    };
    if (part.component->lists_connectors) {
      for (const SspConnector& each : part.component->connectors)
        if (each.kind == "output" || each.kind == "calculatedParameter") add(each.name);
    } else {
      for (const FmuVariable& each : part.fmu->variables)
        if (each.causality == FmuCausality::output) add(each.name);
    }
  }

  [[nodiscard]] FmuQuantity quantity(const SspPin& pin) const {
    const FmuVariable* variable = variable_of(fmu_of(*pin.element), pin.connector);
    return variable != nullptr ? quantity_of(fmu_of(*pin.element), *variable) : FmuQuantity{};
  }

  /// Unit of a pin: of a component that of its FMU, of a system what it says.
  [[nodiscard]] std::optional<SspUnit> unit(const SspPin& pin) const {
    if (!pin.element->is_system) return unit_of(quantity(pin));
    const SspConnector* found = pin.element->connector(pin.connector);
    const auto known =
        found != nullptr ? structure_.units.find(found->unit) : structure_.units.end();
    return known != structure_.units.end() ? std::optional(known->second) : std::nullopt;
  }

  /// What a sink gets, through all systems on the way.
  Traced trace(SspPin sink, const SspElement* within) {
    const Location where = sink.element->where;
    std::vector<std::pair<SspPin, const SspConnection*>> way;  // from the sink
    for (std::size_t hops = 0; hops < 10'000; ++hops) {
      const auto& inside = feeds_.at(within);
      const auto found = inside.find(sink);
      if (found == inside.end()) return {};
      way.emplace_back(sink, found->second.connection);
      const SspPin source = found->second.source;
      if (source.element == within) {
        if (within == &structure_.system) return {source, map_of(source, way)};
        sink = source, within = parents_.at(within);
      } else if (source.element->is_system) {
        sink = source, within = source.element;
      } else {
        return {source, map_of(source, way)};
      }
    }
    diagnostics_.error("Y214", where, "its connectors feed one another in a ring",
                       "connect one of them with an output");
    return {};
  }

  SspMap map_of(const SspPin& source,
                const std::vector<std::pair<SspPin, const SspConnection*>>& way) {
    SspMap map;
    std::optional<SspUnit> last = unit(source);
    for (auto hop = way.rbegin(); hop != way.rend(); ++hop) {
      const auto& [sink, connection] = *hop;
      const std::optional<SspUnit> own = unit(sink), next = own ? own : last;
      if (connection->transformation || connection->keeps_units)
        map = after(hop_map(*connection, last, next), map);
      last = next;
    }
    return map;
  }

  SspMap hop_map(const SspConnection& connection, const std::optional<SspUnit>& from,
                 const std::optional<SspUnit>& to) {
    const SspTransformation change = connection.transformation.value_or(SspTransformation{});
    const SspUnit none;
    if (from && to && from->dimension != to->dimension)
      diagnostics_.error(
          "Y213", connection.where,
          "its ends have units of different dimensions, and a number becomes the other",
          "leave one of the units out, or convert in an FMU");
    return connection.keeps_units
               ? in_si_unconverted(change, from.value_or(none), to.value_or(none))
               : in_si(change, to.value_or(none));
  }

  std::vector<std::string> connectors_of(const SspPart& part, FmuCausality causality) const {
    std::vector<std::string> names;
    if (part.component->lists_connectors)
      for (const SspConnector& each : part.component->connectors) {
        if (each.kind == text(causality)) names.push_back(each.name);
      }
    for (const auto& [pin, setting] : settings_)
      if (pin.element == part.component && kind_of(pin) == text(causality) &&
          std::find(names.begin(), names.end(), pin.connector) == names.end())
        names.push_back(pin.connector);
    if (!part.component->lists_connectors)
      for (const FmuVariable& each : part.fmu->variables)
        if (each.causality == causality &&
            std::find(names.begin(), names.end(), each.name) == names.end())
          names.push_back(each.name);
    return names;
  }

  void feed(SspPart& part) {
    for (const std::string& name : connectors_of(part, FmuCausality::input)) {
      const SspPin pin{part.component, name};
      const Traced traced = trace(pin, parents_.at(part.component));
      if (traced.source.element == nullptr) {
        if (const auto value = set_value(pin)) part.inputs.push_back({name, *value});
        continue;
      }
      const FmuVariable* variable = variable_of(*part.fmu, name);
      if (variable != nullptr && !is_number(variable->type)) {
        diagnostics_.error(
            "Y206", part.component->where,
            fmt::format("'{}' of '{}' is no number", printable(name), printable(part.path)),
            "texts, binaries and clocks have no place in a plant");
        continue;
      }
      part.inputs.push_back(
          {name, fed_text(signal_of(traced.source, pin), traced.map, quantity(pin).dimension)});
    }
  }

  /// The output of a component, or an input of the plant, which is declared when it is met first.
  std::string signal_of(const SspPin& source, const SspPin& sink) {
    if (source.element != &structure_.system) {
      const auto found = outputs_.find(source);
      if (found != outputs_.end()) return found->second;
      diagnostics_.error("Y206", source.element->where,
                         fmt::format("'{}' of '{}' is no number", printable(source.connector),
                                     printable(source.element->name)),
                         "texts, binaries, clocks and whole arrays have no place in a plant");
      return {};
    }
    const auto known = inputs_.find(source.connector);
    if (known != inputs_.end()) return known->second;
    std::string name = plant_key(source.connector);
    for (int k = 2; !input_names_.insert(name).second; ++k)
      name = fmt::format("{}_{}", plant_key(source.connector), k);
    inputs_[source.connector] = name;
    const std::optional<Dimension> dimension = quantity(sink).dimension;
    double start = 0.0;
    if (const auto setting = settings_.find(source); setting != settings_.end())
      start = number_of_setting(setting->second, sink).value_or(0.0);
    plant_.inputs.push_back(
        {name, dimension ? dimension_text(*dimension) : "", si_text(start, dimension)});
    return name;
  }

  void set_parameters(SspPart& part) {
    for (const auto& [pin, setting] : settings_) {
      if (pin.element != part.component) continue;
      const FmuVariable* variable = variable_of(*part.fmu, pin.connector);
      if (variable == nullptr || variable->causality == FmuCausality::input) continue;  // told, fed
      if (variable->causality != FmuCausality::parameter) {
        diagnostics_.error(
            "Y208", setting.parameter->where,
            fmt::format("'{}' of '{}' is {}: it cannot be set", printable(pin.connector),
                        printable(part.path), text(variable->causality)),
            "plants set parameters and inputs of FMUs");
        continue;
      }
      if (const auto value = set_value(pin)) part.parameters.push_back({pin.connector, *value});
    }
  }

  std::optional<std::string> set_value(const SspPin& pin) {
    const auto found = settings_.find(pin);
    if (found == settings_.end()) return std::nullopt;
    const SspParameter& parameter = *found->second.parameter;
    const FmuQuantity own = quantity(pin);
    const bool as_it_stands = found->second.transformations.empty() &&
                              (!parameter.unit || parameter.unit == unit_of(own));
    const std::optional<double> number =
        as_it_stands ? plain_number(parameter, pin) : number_of_setting(found->second, pin);
    if (!number) return std::nullopt;
    return as_it_stands ? value_text(*number, own) : si_text(*number, own.dimension);
  }

  /// In the unit that the parameter has.
  std::optional<double> plain_number(const SspParameter& parameter, const SspPin& pin) {
    const auto fault = [&](const std::string& message, const std::string& hint) {
      diagnostics_.error("Y209", parameter.where,
                         fmt::format("'{}' {}", printable(parameter.name), message), hint);
      return std::nullopt;
    };
    const QuantityKind own = pin.element->is_system ? QuantityKind{} : quantity(pin).kind();
    if (const auto conflict = wrong_kind(kind_of_unit(parameter.unit_name), own)) {
      diagnostics_.error(
          "Y213", parameter.where,
          fmt::format("'{}' has another kind than '{}': {}", printable(parameter.name),
                      printable(pin.connector), conflict->cause),
          conflict->remedy);
      return std::nullopt;
    }
    if (!parameter.unit_name.empty() && !parameter.unit)
      return fault(
          fmt::format("has the unit '{}', which is not defined", printable(parameter.unit_name)),
          "define it under Units");
    if (parameter.type == "Boolean")
      return xml::boolean(parameter.value).value_or(false) ? 1.0 : 0.0;
    if (parameter.type == "Enumeration") return item_value(parameter, pin);
    const auto number = xml::number(parameter.value);
    if (!number || !(*number - *number == 0.0))
      return fault("is no finite number", "texts and binaries have no place in a plant");
    return number;
  }

  std::optional<double> item_value(const SspParameter& parameter, const SspPin& pin) {
    if (const FmuVariable* variable =
            pin.element->is_system ? nullptr : variable_of(fmu_of(*pin.element), pin.connector))
      for (const FmuEnumerationItem& item : variable->items)
        if (item.name == parameter.value) return static_cast<double>(item.value);
    if (const auto all = structure_.enumerations.find(parameter.enumeration);
        all != structure_.enumerations.end())
      if (const auto item = all->second.find(parameter.value); item != all->second.end())
        return static_cast<double>(item->second);
    diagnostics_.error(
        "Y209", parameter.where,
        fmt::format("'{}' is no item of its enumeration", printable(parameter.value)),
        "the items are those of the FMU");
    return std::nullopt;
  }

  /// In SI, through all transformations.
  std::optional<double> number_of_setting(const SspSetting& setting, const SspPin& pin) {
    const auto plain = plain_number(*setting.parameter, pin);
    if (!plain) return std::nullopt;
    const SspUnit own = unit_of(quantity(pin)).value_or(SspUnit{});
    const SspUnit given = setting.parameter->unit.value_or(own);
    if (given.dimension != own.dimension && unit_of(quantity(pin)))
      diagnostics_.error("Y213", setting.parameter->where,
                         fmt::format("'{}' has a unit of another dimension than '{}'",
                                     printable(setting.parameter->name), printable(pin.connector)),
                         "give it in a unit of " + dimension_text(own.dimension));
    double si = *plain * given.factor + given.offset;
    for (const SspTransformation& each : setting.transformations) {
      const SspMap map = in_si(each, own);
      si = map.factor * si + map.offset;
    }
    return si;
  }

  /// What leaves the system is recorded.
  void record() {
    for (const SspConnector& each : structure_.system.connectors) {
      if (each.kind != "output") continue;
      const Traced traced = trace({&structure_.system, each.name}, &structure_.system);
      if (traced.source.element == nullptr || traced.source.element == &structure_.system) continue;
      const auto found = outputs_.find(traced.source);
      if (found == outputs_.end()) continue;
      if (!traced.map.is_identity())
        diagnostics_.warning(
            "Y212", each.where,
            fmt::format("the transformation before '{}' is not taken over", printable(each.name)),
            found->second + " is recorded as it is");
      if (std::find(plant_.records.begin(), plant_.records.end(), found->second) ==
          plant_.records.end())
        plant_.records.push_back(found->second);
    }
  }

  const SspStructure& structure_;
  const SspFmus& fmus_;
  Diagnostics& diagnostics_;
  SspPlant plant_;
  SspFeeds feeds_;
  SspSettings settings_;
  std::map<const SspElement*, const SspElement*> parents_;
  std::map<const SspElement*, std::string> keys_of_;
  std::map<SspPin, std::string> outputs_;
  std::map<std::string, std::string> inputs_;
  std::set<std::string> keys_, input_names_;
};

}  // namespace

std::string plant_key(std::string_view name) {
  std::string key;
  for (char c : name) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
    key += (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') ? c : '_';
  }
  while (key.ends_with('_')) key.pop_back();
  if (key.empty() || key.front() < 'a' || key.front() > 'z') key.insert(0, "v_");
  return key;
}

std::optional<SspPlant> flatten(const SspStructure& structure, const SspFmus& fmus,
                                Diagnostics& diagnostics) {
  return Flattener(structure, fmus, diagnostics).flatten();
}

}  // namespace takt::codegen
