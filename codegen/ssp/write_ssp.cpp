#include "codegen/ssp/write_ssp.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "codegen/fmu/calls/call_table.hpp"
#include "codegen/fmu/type_names.hpp"
#include "codegen/model/fmu_units.hpp"
#include "codegen/ssp/ssp_names.hpp"
#include "codegen/text/quantity.hpp"

namespace takt::codegen {
namespace {

/// Where a symbol of the plant comes from, in words of SSP.
struct Origin {
  std::string element, connector;  ///< element empty: an input of the system
};

class Writer {
 public:
  Writer(const Network& plant, Diagnostics& diagnostics)
      : plant_(plant), diagnostics_(diagnostics) {}

  std::optional<SspText> write() {
    const std::size_t before = diagnostics_.error_count();
    refuse_others();
    for (const Parameter& each : plant_.parameters)
      values_[each.symbol] = plant_.graph().constant(each.value);
    for (const ForeignModel& each : plant_.foreign)
      for (const ForeignModel::Port& port : each.outputs)
        origins_[port.symbol] = {component_name(each), name_of(each, port)};
    for (const PlantInput& each : plant_.inputs)
      origins_[each.symbol] = {"", plant_.graph().symbol(each.symbol).path};
    std::string components;
    for (const ForeignModel& each : plant_.foreign) components += component(each);
    const std::string outputs = system_outputs(), inputs = system_inputs();
    if (diagnostics_.error_count() != before) return std::nullopt;
    const std::string connectors = inputs + outputs;
    text_.structure =
        ssd_head(plant_.title.empty() ? plant_.name : plant_.title) + "  <ssd:System name=\"" +
        plant_.name + "\">\n" +
        (connectors.empty() ? ""
                            : "    <ssd:Connectors>\n" + connectors + "    </ssd:Connectors>\n") +
        system_values() + "    <ssd:Elements>\n" + components + "    </ssd:Elements>\n" +
        (connections_.empty()
             ? ""
             : "    <ssd:Connections>\n" + connections_ + "    </ssd:Connections>\n") +
        "  </ssd:System>\n" + units_.text() + experiment() + "</ssd:SystemStructureDescription>\n";
    return std::move(text_);
  }

 private:
  void error(const Location& where, const std::string& message, const std::string& hint) {
    diagnostics_.error("Y215", where, message, hint);
  }

  void refuse_others() {
    const Location file{plant_.files.empty() ? "" : plant_.files.front()};
    if (plant_.foreign.empty())
      error(file, "the plant has no FMU", "a system structure package holds FMUs");
    for (const Element& each : plant_.elements) {
      error(each.where, fmt::format("'{}' is no FMU", each.path),
            "a system structure package holds FMUs only: make one of this part (takt fmu export)");
      break;
    }
    for (const ControlBlock& each : plant_.blocks) {
      error(each.where, fmt::format("'{}' is no FMU", each.path),
            "a system structure package holds FMUs only");
      break;
    }
  }

  static std::string component_name(const ForeignModel& model) {
    return model.path.substr(std::string_view("fmu.").size());
  }

  static std::string name_of(const ForeignModel& model, const ForeignModel::Port& port) {
    const FmuVariable& variable = model.fmu->variables[port.variable];
    return variable.size == 1 && variable.dimensions.empty()
               ? variable.name
               : element_names(*model.fmu, variable)[port.element];
  }

  [[nodiscard]] const FmuVariable& variable_of(const ForeignModel& model,
                                               const ForeignModel::Port& port) const {
    return model.fmu->variables[port.variable];
  }

  std::string component(const ForeignModel& model) {
    const std::string name = component_name(model), resource = resource_of(model.fmu->file);
    std::string connectors, values;
    for (const ForeignModel::Fed& each : model.inputs) {
      connectors += connector(model, each.port, "input");
      values += feed(model, each);
    }
    for (const ForeignModel::Port& each : model.outputs)
      connectors += connector(model, each, "output");
    for (const ForeignModel::Fed& each : model.parameters) {
      connectors += connector(model, each.port, "parameter");
      values += feed(model, each);
    }
    std::string made = fmt::format(
        "      <ssd:Component name=\"{}\" type=\"application/x-fmu-sharedlibrary\" source=\"{}\" "
        "implementation=\"{}\">\n",
        name, escaped(resource), model.model_exchange ? "ModelExchange" : "CoSimulation");
    made += "        <ssd:Connectors>\n" + connectors + "        </ssd:Connectors>\n";
    if (!values.empty()) made += bindings_text(values, "        ");
    return made + call(model) + "      </ssd:Component>\n";
  }

  /// One for each file, by its name; files of one name in different folders get numbers.
  std::string resource_of(const std::filesystem::path& file) {
    for (const SspResource& each : text_.resources)
      if (each.from == file.string()) return each.name;
    std::string name = "resources/" + file.filename().string();
    const auto taken = [&](const SspResource& each) { return each.name == name; };
    for (int k = 2; std::any_of(text_.resources.begin(), text_.resources.end(), taken); ++k)
      name = fmt::format("resources/{}_{}.fmu", file.stem().string(), k);
    text_.resources.push_back({name, file.string()});
    return name;
  }

  static std::string call(const ForeignModel& model) {
    std::string made = fmt::format("step=\"{}\"", duration_text(model.step_ns));
    if (!model.method.empty()) made += fmt::format(" method=\"{}\"", model.method);
    if (!model.stops) made += " on_error=\"hold\"";
    return fmt::format(
        "        <ssd:Annotations>\n          <ssc:Annotation type=\"takt.call\"><Call "
        "{}/></ssc:Annotation>\n        "
        "</ssd:Annotations>\n",
        made);
  }

  std::string connector(const ForeignModel& model, const ForeignModel::Port& port,
                        std::string_view kind) {
    const FmuVariable& variable = variable_of(model, port);
    return connector_text("          ", name_of(model, port), kind,
                          type_text(variable, units_.name_of(*model.fmu, variable)));
  }

  /// A connection, or where nothing of the plant is in it, a value.  @return the parameter of a
  /// set; empty: connected
  std::string feed(const ForeignModel& model, const ForeignModel::Fed& fed) {
    Graph& graph = plant_.graph();
    const Expr value = graph.substitute(fed.value, values_);
    const std::vector<SymbolId> symbols = graph.symbols_of(value);
    const std::string name = name_of(model, fed.port);
    if (symbols.empty()) {
      const double si = graph.evaluate(value, [](SymbolId) { return 0.0; });
      return parameter_text(name, variable_of(model, fed.port), own_number(model, fed.port, si));
    }
    Expr factor{}, rest{};
    const auto origin = origins_.find(symbols.front());
    if (symbols.size() != 1 || origin == origins_.end() ||
        !graph.split_linear(value, symbols.front(), factor, rest) || !graph.is_constant(factor) ||
        !graph.is_constant(rest)) {
      error(model.where,
            fmt::format("'{}' of {} is fed with {}", name, model.path, graph.text(value)),
            "a connection is an output of an FMU or an input of the plant, times a number, plus a "
            "number");
      return {};
    }
    const double f = graph.node(factor).value, b = graph.node(rest).value, u = fed.port.factor,
                 w = fed.port.offset;
    const double o = ((f - 1.0) * w + b) / u;  // on numbers in the unit of the target
    if (origin->second.element.empty())
      used_inputs_.emplace(symbols.front(), std::pair(&model, fed.port));
    connections_ += connection_text(
        {origin->second.element, origin->second.connector, component_name(model), name}, {f, o});
    return {};
  }

  /// In the unit of the FMU; by the table of units where that is exact.
  static double own_number(const ForeignModel& model, const ForeignModel::Port& port, double si) {
    const auto known = parse_unit(model.fmu->variables[port.variable].unit);
    if (known && known->factor == port.factor && known->offset * known->factor == port.offset)
      return from_si(si, *known);
    return (si - port.offset) / port.factor;
  }

  std::string system_inputs() {
    std::string made;
    for (const PlantInput& each : plant_.inputs) {
      const std::string& name = plant_.graph().symbol(each.symbol).path;
      const auto used = used_inputs_.find(each.symbol);
      if (used == used_inputs_.end()) {
        diagnostics_.warning("Y215", each.where,
                             fmt::format("the input '{}' feeds no FMU: it is left out", name),
                             "connect it");
        continue;
      }
      const auto& [model, port] = used->second;
      const FmuVariable& variable = variable_of(*model, port);
      made += connector_text("      ", name, "input",
                             type_text(variable, units_.name_of(*model->fmu, variable)));
      if (each.start != 0.0)
        starts_ += parameter_text(name, variable, own_number(*model, port, each.start));
    }
    return made;
  }

  std::string system_values() const {
    return starts_.empty() ? "" : bindings_text(starts_, "    ");
  }

  /// What is recorded by name leaves the system.
  std::string system_outputs() {
    std::string made;
    for (const RecordSetting& record : plant_.record)
      for (const std::string& pattern : record.patterns)
        for (const ForeignModel& model : plant_.foreign)
          for (const ForeignModel::Port& port : model.outputs) {
            if (plant_.graph().symbol(port.symbol).path != pattern) continue;
            const FmuVariable& variable = variable_of(model, port);
            std::string name = pattern.substr(std::string_view("fmu.").size());
            std::replace(name.begin(), name.end(), '.', '_');
            made += connector_text("      ", name, "output",
                                   type_text(variable, units_.name_of(*model.fmu, variable)));
            connections_ +=
                connection_text({component_name(model), name_of(model, port), "", name}, {});
          }
    return made;
  }

  std::string experiment() const {
    if (!plant_.default_duration_ns) return {};
    return fmt::format("  <ssd:DefaultExperiment startTime=\"0\" stopTime=\"{}\"/>\n",
                       static_cast<double>(*plant_.default_duration_ns) * 1e-9);
  }

  const Network& plant_;
  Diagnostics& diagnostics_;
  SspText text_;
  SspUnitNames units_;
  std::string connections_, starts_;
  std::unordered_map<SymbolId, Expr> values_;
  std::map<SymbolId, Origin> origins_;
  std::map<SymbolId, std::pair<const ForeignModel*, ForeignModel::Port>> used_inputs_;
};

}  // namespace

std::optional<SspText> write_ssp(const Network& plant, Diagnostics& diagnostics) {
  return Writer(plant, diagnostics).write();
}

}  // namespace takt::codegen
