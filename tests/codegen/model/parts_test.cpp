// Parts, arrays, tables and patterns.

#include <catch2/catch.hpp>
#include <filesystem>
#include <fstream>

#include "codegen/model/csv.hpp"
#include "codegen/model/pattern.hpp"
#include "tests/codegen/model/network_of.hpp"
#include "tests/runtime/support/places.hpp"

namespace takt::codegen::test {
namespace {

std::string path_of(const Network& network, NodeId node) { return network.nodes[static_cast<std::size_t>(node)].path; }

const std::string pack = R"toml(
[parameters]
cells = 3
[part.cell]
param    = { capacity = "A*h > 0", r = "Ohm > 0 = 2 mOhm" }
terminal = ["p", "n", "plate:solid"]
[part.cell.electric]
store = { is = "capacitor", at = ["p", "mid"], c = "capacity/(4 V)" }
r0    = { is = "resistor", at = ["mid", "n"], r = "r", heat = "solid.core" }
[part.cell.solid]
core  = { is = "wall", m = "1 kg", cp = "900 J/kg/K" }
skin  = { is = "heat_transfer", at = ["core", "plate"], c = "3 W/K" }

[part.string]
param    = { size = "A*h > 0" }
terminal = ["p", "n", "plate:solid"]
[part.string.parts]
cell = { of = "cell", at = ["tap[i]", "tap[i+1]", "plate"], capacity = "size*(1 + 0.1*i)", n = "cells" }
[part.string.electric]
top    = { is = "resistor", at = ["p", "tap[0]"], r = "1 mOhm" }
bottom = { is = "resistor", at = ["tap[3]", "n"], r = "1 mOhm" }
[part.string.control]
hottest = { is = "expression", of = "max(solid.cell[0].core.t, solid.cell[2].core.t)", every = "1 ms" }

[parts]
pack = { of = "string", at = { p = "plus", n = "gnd", plate = "solid.plate" }, size = "50 A*h" }
[electric]
load = { is = "resistor", at = ["plus", "gnd"], r = "1 Ohm" }
[solid]
plate = { is = "wall", m = "1 kg", cp = "900 J/kg/K" }
[control]
hot = { is = "expression", of = "pack.hottest - solid.pack.cell[1].core.t", every = "1 ms" }
)toml";

}  // namespace

TEST_CASE("nested_parts_become_dotted_paths") {
  const Network network = network_of(pack);
  CHECK(network.elements.size() == 3 * 4 + 2 + 2);
  const Branch& r0 = branch_of(network, "electric.pack.cell[1].r0");
  CHECK(path_of(network, r0.from) == "electric.pack.cell[1].mid");
  CHECK(path_of(network, r0.to) == "electric.pack.tap[2]");
  CHECK(path_of(network, branch_of(network, "electric.pack.top").from) == "electric.plus");
  CHECK(path_of(network, branch_of(network, "electric.pack.bottom").to) == "electric.gnd");
  CHECK(path_of(network, branch_of(network, "solid.pack.cell[2].skin").to) == "solid.plate");
  CHECK(path_of(network, branch_of(network, "electric.pack.cell[0].r0.heat").to) == "solid.pack.cell[0].core");
}

TEST_CASE("part_parameters_pass_down_with_the_index") {
  const Network network = network_of(pack);
  const double ampere_seconds = 50.0 * 3600.0;
  for (const int cell : {0, 1, 2}) {
    const std::string path = "electric.pack.cell[" + std::to_string(cell) + "].store";
    CHECK(value_of(network, branch_of(network, path).law, {{path + ".v", 1.0}}) ==
          Approx(ampere_seconds * (1.0 + 0.1 * cell) / 4.0));
  }
  CHECK(parameter_of(network, "parts.pack.size")->value == Approx(ampere_seconds));
  CHECK(parameter_of(network, "cells")->structural);
}

TEST_CASE("names_in_a_part_start_at_the_part") {
  const Network network = network_of(pack);
  REQUIRE(network.blocks.size() == 2);
  const std::vector<std::pair<std::string, double>> at{{"solid.pack.cell[0].core.t", 300.0},
                                                       {"solid.pack.cell[1].core.t", 290.0},
                                                       {"solid.pack.cell[2].core.t", 310.0},
                                                       {"control.pack.hottest.out", 310.0}};
  for (const ControlBlock& block : network.blocks) {
    CHECK(value_of(network, block.outputs[0].value, at) == (block.path == "control.hot" ? 20.0 : 310.0));
  }
}

TEST_CASE("what_a_part_has_itself_comes_before_what_the_plant_has") {
  const std::string plant = R"toml(
[parameters]
gain = 2
[input]
load = { unit = "1", start = 5 }
[part.stage]
terminal = ["p"]
[part.stage.electric]
r = { is = "resistor", at = ["p", "gnd"], r = "1 Ohm" }
[part.stage.control]
gain = { is = "expression", of = "7", every = "1 ms" }
load = { is = "expression", of = "11", every = "1 ms" }
inner = { is = "expression", of = "gain*load", every = "1 ms" }
[electric]
source = { is = "voltage_source", at = ["a", "gnd"], v = "1 V" }
[parts]
stage = { of = "stage", at = ["a"] }
[control]
outer = { is = "expression", of = "gain*load", every = "1 ms" }
)toml";
  const Network network = network_of(plant);
  const std::vector<std::pair<std::string, double>> at{
      {"control.stage.gain.out", 7.0}, {"control.stage.load.out", 11.0}, {"load", 5.0}};
  for (const ControlBlock& block : network.blocks) {
    const double value = value_of(network, block.outputs[0].value, at);
    if (block.path == "control.stage.inner") CHECK(value == 77.0);
    if (block.path == "control.outer") CHECK(value == 10.0);
  }
}

TEST_CASE("array_of_elements_makes_a_ladder") {
  const Network network = network_of(R"toml(
[electric]
source = { is = "voltage_source", at = ["tap[0]", "gnd"], v = "1 V" }
series = { is = "resistor", at = ["tap[i]", "tap[i+1]"], r = "1 Ohm*(1 + i)", n = 100 }
shunt  = { is = "capacitor", at = ["tap[i+1]", "gnd"], c = "1 uF", n = 100 }
)toml");
  CHECK(network.branches.size() == 201);
  CHECK(network.nodes.size() == 102);
  CHECK(parameter_of(network, "electric.series[99].r")->value == 100.0);
}

TEST_CASE("tables_come_inline_and_from_files_in_any_unit") {
  const auto folder = std::filesystem::temp_directory_path() / "takt_model_tables";
  std::filesystem::create_directories(folder);
  std::ofstream(folder / "cycle.csv") << "\xEF\xBB\xBFtime [s];speed [km/h];grade\r\n# comment\r\n0;0;0\r\n10;36;1\r\n";
  const std::string text = R"toml(
[control]
cycle = { is = "drive_cycle", every = "10 ms", cycle = { csv = "cycle.csv", x = "time", y = "speed" } }
[electric]
source = { is = "voltage_source", at = ["in", "gnd"], v = { x = [0, 2], y = [0, 500], x_unit = "ms", y_unit = "mV" } }
load   = { is = "resistor", at = ["in", "gnd"], r = { points = [["0 V", "1 Ohm"], ["10 V", "3 Ohm"]], of = "electric.source.v" } }
again  = { is = "resistor", at = ["in", "gnd"], r = { csv = "cycle.csv", x = "time", y = "grade", y_unit = "Ohm" } }
)toml";
  Diagnostics diagnostics;
  const auto network = load_plant_text({text, folder / "plant.toml"}, real_library(), {}, diagnostics);
  INFO(diagnostics.render());
  REQUIRE(network.has_value());
  CHECK(value_of(*network, branch_of(*network, "electric.source").law, {{"time", 1e-3}}) == Approx(0.25));
  CHECK(value_of(*network, branch_of(*network, "electric.load").law,
                 {{"electric.source.v", 5.0}, {"electric.load.i", 1.0}}) == Approx(2.0));
  CHECK(value_of(*network, network->blocks[0].outputs[0].value, {{"time", 5.0}}) == Approx(5.0));
  // Everything that was read, for the hash of the input: plant, library, tables.
  const auto times_listed = [&](const std::string& file) {
    return std::count(network->files.begin(), network->files.end(), file);
  };
  CHECK(times_listed((folder / "cycle.csv").string()) == 1);
  CHECK(times_listed((folder / "plant.toml").string()) == 1);
  CHECK(times_listed(takt::test::library_folder() + "/switches.toml") == 1);
  std::filesystem::remove_all(folder);
}

TEST_CASE("csv_finds_columns_by_head_or_name") {
  const CsvTable table = parse_csv("time [s],\"speed [km/h]\",\"y[1,2] [V]\"\n1,2,0\n\n3 , 4, 5\n", "t.csv").value();
  REQUIRE(table.rows.size() == 2);
  CHECK(find_column(table, "speed") == 1);
  CHECK(find_column(table, "time [s]") == 0);
  CHECK_FALSE(find_column(table, "spee").has_value());
  CHECK(find_column(table, "y[1,2]") == 2);
  CHECK(table.rows[1][1].text == "4");
  CHECK(table.rows[1][1].where.line == 4);
  const auto broken = parse_csv("a,b\n1,\"2\n", "t.csv");
  REQUIRE_FALSE(broken);
  CHECK(broken.error().where.line == 2);
}

TEST_CASE("patterns_cross_dots") {
  CHECK(matches_pattern("solid.*.t", "solid.pack[3].core.t"));
  CHECK(matches_pattern("*", "anything.at.all"));
  CHECK(matches_pattern("electric.smooth.v", "electric.smooth.v"));
  CHECK_FALSE(matches_pattern("electric.smooth", "electric.smooth.v"));
  CHECK_FALSE(matches_pattern("solid.*.t", "solid.pack.core.h"));
  CHECK(matches_pattern("*a*b*c", "xxaxxbxxbxc"));
  CHECK_FALSE(matches_pattern("*a*b*c", "xxaxxbxxbx"));
}

TEST_CASE("what_follows_from_one_mistake_is_not_reported") {
  // The element is refused; what reads it is not judged.
  CHECK(codes_of(R"toml(
[electric]
source = { is = "voltage_source", at = ["in", "gnd"], v = "2*electric.load.i*1 Ohm" }
load   = { is = "resistr", at = ["in", "gnd"], r = "1 Ohm" }
[record]
"1 ms" = ["electric.load.v"]
)toml") == std::vector<std::string>{"M010"});
  // Members of an array repeat their line: one finding.
  CHECK(codes_of(R"toml(
[electric]
source = { is = "voltage_source", at = ["tap[0]", "gnd"], v = "1 V" }
series = { is = "resistor", at = ["tap[i]", "tap[i+1]"], r = "1 V", n = 50 }
)toml") == std::vector<std::string>{"U004"});
}

}  // namespace takt::codegen::test
