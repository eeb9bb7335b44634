#include "tests/codegen/random/random_plants.hpp"

#include "tests/codegen/random/mistakes.hpp"
#include "tests/codegen/random/plant_grower.hpp"

namespace takt::codegen::testing {
namespace {

constexpr int index_1 = 1;
constexpr int index_2 = 2;

struct Stratum {
  const char* name;
  int count;
  std::optional<int> index;
  bool may_be_singular;
  void (*grow)(PlantGrower&);
};

template <void (PlantGrower::*plant)()>
void in_electric(PlantGrower& g) {
  g.electric_host(1 + g.dice.below(6));
  (g.*plant)();
}

template <void (PlantGrower::*plant)()>
void in_mechanical(PlantGrower& g) {
  g.mechanical_host(1 + g.dice.below(6));
  (g.*plant)();
}

template <bool with_magnetising>
void transformer(PlantGrower& g) {
  g.electric_host(2 + g.dice.below(5));
  g.electric_transformer(with_magnetising);
}

void fluid_plain(PlantGrower& g) { g.flow_host("fluid", 2 + g.dice.below(6), false); }
void gas_plain(PlantGrower& g) { g.flow_host("gas", 2 + g.dice.below(6), false); }
void fluid_wild(PlantGrower& g) { g.flow_host("fluid", 3 + g.dice.below(6), true); }
void gas_wild(PlantGrower& g) { g.flow_host("gas", 3 + g.dice.below(6), true); }
void fluid_cutset(PlantGrower& g) { g.inertial_cutset(g.flow_host("fluid", 2 + g.dice.below(5), false)); }
void gas_cutset(PlantGrower& g) { g.inertial_cutset(g.flow_host("gas", 2 + g.dice.below(5), false)); }

/// Now and then what makes a circuit of the host index 2.
void maybe_cutset(PlantGrower& g, FlowCircuit& circuit) {
  if (g.dice.once_in(3)) g.inertial_cutset(circuit);
}

void walls_and(PlantGrower& g, const std::string& section) {
  g.solid_host(2 + g.dice.below(4));
  if (g.dice.once_in(3)) g.solid_host(2);
  FlowCircuit& circuit = g.flow_host(section, 2 + g.dice.below(4), g.dice.coin());
  maybe_cutset(g, circuit);
  for (int k = 1 + g.dice.below(4); k > 0; --k) g.couple_heat(circuit);
}
void solid_fluid(PlantGrower& g) { walls_and(g, "fluid"); }
void solid_gas(PlantGrower& g) { walls_and(g, "gas"); }

/// The two circuits become one.
void lumped_ends(PlantGrower& g) {
  const std::string section = g.dice.one_of({"fluid", "gas"});
  const auto [wall, node] = g.lumped_ends(section);
  g.text.add("solid", "heat_transfer", {wall, section + "." + node}, value("c", g.dice.around(1, "W/K")));
}

void electric_solid(PlantGrower& g) {
  g.solid_host(2 + g.dice.below(4));
  g.electric_host(3 + g.dice.below(5));
  if (g.dice.once_in(3)) g.electric_inductor_cutset();
}

void electric_fluid(PlantGrower& g) {
  g.flow_host("fluid", 2 + g.dice.below(4), false);
  g.electric_host(3 + g.dice.below(5));
}

void mechanical_solid(PlantGrower& g) {
  g.solid_host(2 + g.dice.below(4));
  g.mechanical_host(3 + g.dice.below(4));
  if (g.dice.once_in(3)) g.spring_cutset();
}

void electric_mechanical(PlantGrower& g) {
  if (g.dice.coin()) g.solid_host(2);
  g.mechanical_host(2 + g.dice.below(4));
  if (g.dice.once_in(3)) g.geared_inertias();
  g.electric_host(2 + g.dice.below(4));
  g.machine();
  if (g.dice.once_in(3)) g.machine();
}

void mechanical_fluid(PlantGrower& g) {
  g.mechanical_host(2 + g.dice.below(3));
  g.flow_host("fluid", 3 + g.dice.below(4), true);
}

void mechanical_gas(PlantGrower& g) {
  g.mechanical_host(2 + g.dice.below(3));
  g.flow_host("gas", 3 + g.dice.below(4), true);
}

void everything(PlantGrower& g) {
  g.solid_host(2 + g.dice.below(3));
  g.mechanical_host(2 + g.dice.below(3));
  g.wheel_and_mass();
  g.flow_host("fluid", 2 + g.dice.below(3), g.dice.coin());
  maybe_cutset(g, g.flows.back());
  g.flow_host("gas", 2 + g.dice.below(3), g.dice.coin());
  g.electric_host(2 + g.dice.below(4));
  g.machine();
  if (g.dice.once_in(3)) g.electric_source_loop();
  for (FlowCircuit& circuit : g.flows)
    for (int k = 1 + g.dice.below(3); k > 0; --k) g.couple_heat(circuit);
}

void electric_wild(PlantGrower& g) { g.electric_wild(2 + g.dice.below(6)); }
void mechanical_wild(PlantGrower& g) { g.mechanical_wild(2 + g.dice.below(6)); }
void electric_plain(PlantGrower& g) { g.electric_host(2 + g.dice.below(7)); }
void mechanical_plain(PlantGrower& g) { g.mechanical_host(2 + g.dice.below(7)); }
void solid_plain(PlantGrower& g) { g.solid_host(2 + g.dice.below(7)); }

const Stratum strata[] = {
    {"electric: plain", 20, index_1, false, electric_plain},
    {"electric: cutset of inductors", 20, index_2, false, in_electric<&PlantGrower::electric_inductor_cutset>},
    {"electric: loop of capacitors and a source", 20, index_2, false, in_electric<&PlantGrower::electric_source_loop>},
    {"electric: loop of capacitors", 15, index_1, false, in_electric<&PlantGrower::electric_capacitor_loop>},
    {"electric: ideal transformer", 12, std::nullopt, false, transformer<false>},
    {"electric: magnetised transformer", 12, std::nullopt, false, transformer<true>},
    {"electric: wild", 40, std::nullopt, true, electric_wild},
    {"electric: controlled sources", 30, std::nullopt, true, in_electric<&PlantGrower::controlled_source>},
    {"mechanical: plain", 20, index_1, false, mechanical_plain},
    {"mechanical: inertias joined by gears", 20, index_2, false, in_mechanical<&PlantGrower::geared_inertias>},
    {"mechanical: cutset of springs", 20, index_2, false, in_mechanical<&PlantGrower::spring_cutset>},
    {"mechanical: speed given to an inertia", 10, index_2, false,
     in_mechanical<&PlantGrower::given_speed_of_an_inertia>},
    {"mechanical: wheel and mass", 20, std::nullopt, false, in_mechanical<&PlantGrower::wheel_and_mass>},
    {"mechanical: planetary gear", 20, std::nullopt, false, in_mechanical<&PlantGrower::planetary>},
    {"mechanical: wild", 40, std::nullopt, true, mechanical_wild},
    {"solid: walls, lumped walls, boundaries", 30, index_1, false, solid_plain},
    {"fluid: plain", 30, index_1, false, fluid_plain},
    {"fluid: cutset of pipes", 25, index_2, false, fluid_cutset},
    {"fluid: wild", 40, std::nullopt, false, fluid_wild},
    {"gas: plain", 30, index_1, false, gas_plain},
    {"gas: cutset of ducts", 25, index_2, false, gas_cutset},
    {"gas: wild", 40, std::nullopt, false, gas_wild},
    {"coupled: solid, fluid", 60, std::nullopt, false, solid_fluid},
    {"coupled: solid, gas", 50, std::nullopt, false, solid_gas},
    {"coupled: lumped wall, lumped junction", 12, std::nullopt, false, lumped_ends},
    {"coupled: electric, solid", 40, std::nullopt, false, electric_solid},
    {"coupled: electric, fluid", 20, std::nullopt, false, electric_fluid},
    {"coupled: mechanical, solid", 25, std::nullopt, false, mechanical_solid},
    {"coupled: electric, mechanical", 35, std::nullopt, false, electric_mechanical},
    {"coupled: mechanical, fluid", 20, std::nullopt, false, mechanical_fluid},
    {"coupled: mechanical, gas", 15, std::nullopt, false, mechanical_gas},
    {"coupled: all domains", 56, std::nullopt, false, everything},
};

}  // namespace

std::vector<RandomPlant> random_plants(std::uint64_t seed) {
  std::mt19937_64 random(seed);
  std::vector<RandomPlant> plants;
  for (const Stratum& stratum : strata) {
    for (int k = 0; k < stratum.count; ++k) {
      PlantGrower grower(random);
      stratum.grow(grower);
      const std::string name = stratum.name;
      plants.push_back(
          {name, grower.text.text(), stratum.index, stratum.may_be_singular, name.ends_with("controlled sources"), ""});
    }
  }
  for (const Mistake& mistake : mistakes) {
    for (int k = 0; k < mistake.count; ++k) {
      PlantGrower grower(random);
      mistake.grow(grower);
      plants.push_back(
          {"wrong: " + std::string(mistake.name), grower.text.text(), std::nullopt, false, false, mistake.code});
    }
  }
  return plants;
}

}  // namespace takt::codegen::testing
