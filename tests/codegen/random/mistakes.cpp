#include "tests/codegen/random/mistakes.hpp"

namespace takt::codegen::testing {
namespace {

void electric(PlantGrower& g) {
  if (g.dice.coin()) g.solid_host(2 + g.dice.below(3));
  g.electric_host(2 + g.dice.below(5));
}

void mechanical(PlantGrower& g) {
  if (g.dice.coin()) g.solid_host(2 + g.dice.below(3));
  g.mechanical_host(2 + g.dice.below(5));
}

void loop_of_voltages(PlantGrower& g) {
  electric(g);
  const std::string a = g.electric_soft_node(), b = g.dice.coin() ? g.electric_soft_node() : "gnd";
  g.voltage(a, b);
  g.voltage(a, b);
}

void contradictory_speeds(PlantGrower& g) {
  mechanical(g);
  const std::string a = g.soft_shaft(), b = g.soft_shaft();
  for (const std::string& shaft : {a, b})
    g.text.add("rotational", "speed_source", {shaft}, value("speed", g.dice.around(1, "rad/s")));
  g.text.add("rotational", "gear", {a, b}, "ratio = 2");
}

void cutset_of_currents(PlantGrower& g) {
  electric(g);
  const std::vector<std::string> host = g.electric;
  const std::string node = g.text.fresh("n");
  g.current(node, g.dice.one_of(host));
  g.current(g.dice.one_of(host), node);
}

void undetermined_speed(PlantGrower& g) {
  mechanical(g);
  const std::string shaft = g.text.fresh("x");
  g.torque(shaft);
  g.text.add("rotational", "torque_between", {g.dice.one_of(g.shafts), shaft},
             value("torque", g.dice.around(1, "N*m")));
}

void cutset_of_flows(PlantGrower& g) {
  const std::string host = g.flow_host("fluid", 2 + g.dice.below(4), false).points.back().name,
                    node = g.text.fresh("j");
  g.text.add("fluid", "flow_pump", {host, node}, value("flow", g.dice.around(0.01, "kg/s")));
  g.text.add("fluid", "demand", {node}, value("flow", g.dice.around(0.01, "kg/s")));
}

void heat_into_nothing(PlantGrower& g) {
  g.solid_host(2 + g.dice.below(4));
  const std::string wall = g.text.fresh("lump");
  g.text.add_named("solid", wall, "lumped_wall", {}, "");
  g.text.add("solid", "heat_source", {wall}, value("power", g.dice.around(1, "W")));
}

void floating_circuit(PlantGrower& g) {
  electric(g);
  const std::string a = g.text.fresh("n"), b = g.text.fresh("n");
  g.resistor(a, b);
  if (g.dice.coin())
    g.capacitor(a, b);
  else
    g.inductor(a, b);
}

void open_secondary(PlantGrower& g) {
  electric(g);
  const auto [p1, p2] = g.two_of(g.electric);
  const std::string s1 = g.text.fresh("n"), s2 = g.text.fresh("n");
  g.text.add("electric", "ideal_transformer", {p1, p2, s1, s2}, "ratio = 2");
  g.resistor(s1, s2);
}

void floating_shafts(PlantGrower& g) {
  mechanical(g);
  const std::string a = g.text.fresh("x"), b = g.text.fresh("x");
  g.damper(a, b, false);
  g.spring(a, b);
}

void walls_without_reference(PlantGrower& g) {
  if (g.dice.coin()) g.electric_host(3);
  std::string last;
  for (int k = 2 + g.dice.below(3); k > 0; --k) {
    const std::string wall = g.text.fresh("lump");
    g.text.add_named("solid", wall, "lumped_wall", {}, "");
    if (!last.empty()) g.heat_transfer(last, wall);
    last = wall;
  }
}

/// Volumes of an incompressible liquid give no pressure.
void loop_without_tank(PlantGrower& g) {
  const int size = 3 + g.dice.below(3);
  g.text.head("fluid", "medium = \"water\"");
  std::vector<std::string> nodes;
  for (int k = 0; k < size; ++k) {
    nodes.push_back(g.text.fresh("j"));
    g.text.add_named("fluid", nodes.back(), "volume", {}, value("v", g.dice.around(1e-3, "m^3")));
  }
  for (int k = 0; k < size; ++k) {
    const std::string& next = nodes[static_cast<std::size_t>((k + 1) % size)];
    g.text.add("fluid", "pipe_law", {nodes[static_cast<std::size_t>(k)], next},
               "c1 = \"1e4 1/m\", c2 = \"1e5 1/kg/m\"");
  }
}

void gas_without_boundary(PlantGrower& g) {
  g.flow_host("gas", 2 + g.dice.below(3), false);
  const std::string a = g.text.fresh("j"), b = g.text.fresh("j");
  g.text.add("gas", "resistance", {a, b}, "r = \"1e6 Pa*s/kg\"");
}

void locked_gears(PlantGrower& g) {
  mechanical(g);
  const std::string a = g.soft_shaft(), b = g.soft_shaft();
  const std::string ratio = value("ratio", g.dice.one_of({"2", "3", "-0.5"}));
  g.text.add("rotational", "gear", {a, b}, ratio);
  g.text.add("rotational", "gear", {a, b}, ratio);
}

void paradigm_1_at_a_junction(PlantGrower& g) {
  const auto [wall, node] = g.lumped_ends("fluid");
  const std::string solid = g.text.fresh("wall");
  g.text.add_named("solid", solid, "wall", {}, "m = \"1 kg\", cp = \"900 J/kg/K\"");
  g.text.add("solid", "heat_transfer", {solid, "fluid." + node},
             value("c", g.dice.around(1, "W/K")) + ", paradigm = " + g.dice.one_of({"1", "3"}));
}

/// Would also take away the only temperature that the solid part has.
void paradigm_2_at_a_lumped_wall(PlantGrower& g) {
  const FlowCircuit& circuit = g.flow_host("gas", 2 + g.dice.below(3), false);
  const std::string wall = g.text.fresh("lump"), other = g.text.fresh("lump"), node = circuit.points.front().name;
  for (const std::string& name : {wall, other}) g.text.add_named("solid", name, "lumped_wall", {}, "");
  g.heat_transfer(wall, other);
  g.text.add("solid", "heat_source", {other}, value("power", g.dice.around(1, "W")));
  g.text.add("solid", "heat_transfer", {wall, "gas." + node}, value("c", g.dice.around(1, "W/K")) + ", paradigm = 2");
}

void loss_into_a_lumped_wall(PlantGrower& g) {
  electric(g);
  const std::string wall = g.text.fresh("lump"), bath = g.text.fresh("bath");
  g.text.add_named("solid", wall, "lumped_wall", {}, "");
  g.text.add_named("solid", bath, "temperature_boundary", {}, "t = \"300 K\"");
  g.heat_transfer(wall, bath);
  const auto [a, b] = g.two_of(g.electric);
  g.text.add("electric", "resistor", {a, b},
             value("r", g.dice.around(1, "Ohm")) + ", alpha = \"0.004 1/K\", heat = \"solid." + wall + "\"");
}

/// The torque on each of two shafts without inertia follows the speed of the other one.
void torques_follow_each_other(PlantGrower& g) {
  const std::string shafts[] = {g.text.fresh("x"), g.text.fresh("x")};
  std::string dampers[2];
  for (int k = 0; k < 2; ++k)
    dampers[k] = g.text.add("rotational", "damper", {shafts[k], "frame"}, value("d", g.dice.around(1, "N*m*s/rad")));
  for (int k = 0; k < 2; ++k)
    g.text.add("rotational", "torque_source", {shafts[k]},
               "torque = \"1 N*m + 0.5 N*m*s/rad*rotational." + dampers[1 - k] + ".w\"");
}

void fluid_without_medium(PlantGrower& g) {
  if (g.dice.coin()) g.electric_host(3);
  const std::string a = g.text.fresh("j"), b = g.text.fresh("j");
  for (const std::string& name : {a, b})
    g.text.add_named("fluid", name, "tank", {}, value("area", g.dice.around(0.1, "m^2")));
  g.text.add("fluid", "resistance", {a, b}, "r = \"1e5 Pa*s/kg\"");
}

void two_media(PlantGrower& g) {
  g.flow_host("fluid", 2 + g.dice.below(3), false);
  const std::string node = g.text.fresh("j");
  g.text.add_named("fluid", node, "tank", {}, "area = \"0.1 m^2\", medium = \"gear_oil\"");
  g.text.add("fluid", "resistance", {g.flows.back().points.front().name, node},
             "r = \"1e5 Pa*s/kg\", medium = \"water\"");
}

void heat_to_no_mass(PlantGrower& g) {
  g.solid_host(2 + g.dice.below(3));
  g.flow_host("gas", 2 + g.dice.below(3), false);
  const std::string wall = g.text.fresh("wall");
  g.text.add_named("solid", wall, "wall", {}, "m = \"1 kg\", cp = \"900 J/kg/K\"");
  g.text.add("solid", "heat_transfer", {wall, "gas.nowhere"}, value("c", g.dice.around(1, "W/K")));
}

void control_loop(PlantGrower& g) {
  electric(g);
  const auto [a, b] = g.two_of(g.electric);
  g.text.head("control",
              "every = \"1 ms\"\none = { is = \"expression\", of = \"0.5*control.two\" }\ntwo = { is = \"expression\", "
              "of = \"control.one + 1\" }");
  g.text.add("electric", "current_source", {a, b}, "i = \"0.01 A*control.one\"");
}

void dependent_start(PlantGrower& g) {
  electric(g);
  const std::string a = g.electric_soft_node();
  for (const char* start : {"5 V", "4 V"})
    g.text.add("electric", "capacitor", {a, "gnd"}, "c = \"1 uF\", start = { v = \"" + std::string(start) + "\" }");
}

void source_equals_its_load(PlantGrower& g) {
  electric(g);
  const std::string a = g.text.fresh("n");
  const std::string load = g.text.add("electric", "resistor", {a, "gnd"}, value("r", g.dice.around(1, "Ohm")));
  g.text.add("electric", "voltage_source", {a, "gnd"}, "v = \"electric." + load + ".v\"");
}

}  // namespace

const std::vector<Mistake> mistakes{
    {"loop of voltage sources", "T001", 7, loop_of_voltages},
    {"speeds that contradict each other across a gear", "T001", 7, contradictory_speeds},
    {"cutset of current sources", "T002", 6, cutset_of_currents},
    {"shaft driven by torques alone", "T002", 6, undetermined_speed},
    {"junction with given flows alone", "T002", 6, cutset_of_flows},
    {"lumped wall with a heat source alone", "T002", 6, heat_into_nothing},
    {"circuit without ground", "T003", 7, floating_circuit},
    {"secondary without ground", "T003", 6, open_secondary},
    {"shafts without frame", "T003", 6, floating_shafts},
    {"walls without reference temperature", "R010", 6, walls_without_reference},
    {"liquid without reference pressure", "R011", 6, loop_without_tank},
    {"gas without reference pressure", "R011", 6, gas_without_boundary},
    {"equal gears in parallel", "T004", 7, locked_gears},
    {"paradigm 1 or 3 at a lumped junction", "M044", 6, paradigm_1_at_a_junction},
    {"paradigm 2 at a lumped wall", "R012", 6, paradigm_2_at_a_lumped_wall},
    {"loss and resistance answer each other", "S011", 7, loss_into_a_lumped_wall},
    {"torques follow each other", "S011", 6, torques_follow_each_other},
    {"fluid without medium", "M038", 3, fluid_without_medium},
    {"two media in one circuit", "M037", 3, two_media},
    {"heat to where no mass is", "M040", 3, heat_to_no_mass},
    {"loop of control blocks", "C010", 4, control_loop},
    {"starts of dependent capacitors differ", "T011", 4, dependent_start},
    {"source that equals its own load", "T010", 4, source_equals_its_load},
};

}  // namespace takt::codegen::testing
