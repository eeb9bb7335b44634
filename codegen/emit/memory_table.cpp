#include <algorithm>
#include <map>

#include "codegen/emit/line_functions.hpp"
#include "codegen/emit/plant_source.hpp"

namespace takt::codegen {
namespace {

class TableBuilder {
 public:
  explicit TableBuilder(const Network& network) : network_(network), graph_(network.graph()) {}

  /// Where a value stands: an array of a subsystem, or of the plant.
  struct Place {
    std::optional<std::size_t> subsystem;
    std::string array;
    std::size_t index;
    std::string element = "double";
  };

  void add(SymbolId symbol, const char* role, const Place& place) {
    add(graph_.symbol(symbol).path, shown_unit(symbol), role, place);
  }

  void add_parameter(const Parameter& parameter, const Place& place, bool start_only) {
    add(parameter.symbol, parameter.structural ? "structural" : "parameter", place);
    rows_.at(graph_.symbol(parameter.symbol).path).start_only = start_only;
  }

  void add(const std::string& path, const std::string& unit, const char* role, const Place& place) {
    rows_.emplace(
        path, TableRow{path, unit, role, place.subsystem, place.array, place.index, place.element});
  }

  [[nodiscard]] const std::string& shown_unit(SymbolId symbol) const {
    return network_.shown_unit(symbol);
  }

  [[nodiscard]] std::vector<TableRow> rows() const {
    std::vector<TableRow> sorted;
    for (const auto& [path, row] : rows_) sorted.push_back(row);
    return sorted;
  }

 private:
  const Network& network_;
  const Graph& graph_;
  std::map<std::string, TableRow> rows_;
};

void add_subsystem(TableBuilder& table, const SubsystemView& view, std::size_t number) {
  const auto array = [&](const char* name) { return view.member + "." + name; };
  for (std::size_t index = 0; index < view.surrogate.states.size(); ++index) {
    table.add(view.surrogate.states[index].symbol, "state", {number, array("x"), index});
  }
  for (std::size_t index = 0; index < view.plan.outputs.size(); ++index) {
    table.add(view.plan.outputs[index], "output", {number, array("outputs"), index});
  }
  for (std::size_t index = 0; index < view.signals.size(); ++index) {
    table.add(view.signals[index], "signal", {number, array("signals"), index});
  }
  for (std::size_t index = 0; index < view.plan.inputs.size(); ++index) {
    // A flux has a name of its own here; a potential has the producer's, so the reader's name tells
    // them apart.
    const SymbolId symbol = view.plan.inputs[index];
    const Symbol& named = view.graph().symbol(symbol);
    const bool flux =
        std::binary_search(view.plan.received.begin(), view.plan.received.end(), symbol);
    const std::string path = flux ? named.path : named.path + "@" + view.surrogate.name;
    table.add(path, table.shown_unit(symbol), "input",
              {number, array("inputs"), index, "takt::InputPolynomial"});
  }
  for (std::size_t k = 0; k < view.arriving.size(); ++k)
    table.add(view.network.delays[view.arriving[k].delay].under_way, "signal",
              {number, view.member + "." + under_way_member(k), 0});
  constexpr const char* energies[4] = {"supplied", "dissipated", "exchanged", "stored"};
  for (std::size_t index = 0; index < 4 && is_circuit(view.surrogate.kind); ++index) {
    table.add(view.surrogate.name + ".energy." + energies[index], "J", "signal",
              {number, array("energy"), index});
  }
}

}  // namespace

std::vector<TableRow> memory_table(const PlantView& plant) {
  TableBuilder table(plant.network);
  for (std::size_t index = 0; index < plant.network.parameters.size(); ++index) {
    const Parameter& parameter = plant.network.parameters[index];
    const bool runs = std::any_of(
        plant.subsystems.begin(), plant.subsystems.end(),
        [&](const SubsystemView& view) { return view.running_parameters.contains(index); });
    table.add_parameter(parameter, {{}, "parameters", index}, !runs && !parameter.structural);
  }
  for (std::size_t index = 0; index < plant.network.inputs.size(); ++index) {
    table.add(plant.network.inputs[index].symbol, "plant_input", {{}, "inputs", index});
  }
  for (std::size_t index = 0; index < plant.subsystems.size(); ++index) {
    add_subsystem(table, plant.subsystems[index], index);
  }
  return table.rows();
}

}  // namespace takt::codegen
