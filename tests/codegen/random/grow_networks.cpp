// Electric, mechanical and solid circuits of random plants.

#include "tests/codegen/random/plant_grower.hpp"

namespace takt::codegen::testing {

/// Into a wall that stores, whose temperature may be read; else into any wall.
std::string PlantGrower::heat_port(bool reads_temperature) {
  if (!reads_temperature && !lumped_walls.empty() && dice.once_in(3))
    return value("heat", "solid." + dice.one_of(lumped_walls));
  std::vector<std::string> takers;
  for (const std::string& wall : walls) takers.push_back("solid." + wall);
  for (const FlowCircuit& circuit : flows)
    for (const FlowPoint& point : circuit.points)
      if (point.energy) takers.push_back(circuit.section + "." + point.name);
  return takers.empty() ? "" : value("heat", dice.one_of(takers));
}

// --- electric

void PlantGrower::resistor(const std::string& a, const std::string& b) {
  std::string rest = value("r", dice.around(10, "Ohm"));
  if (dice.once_in(3))
    if (const std::string heat = heat_port(true); !heat.empty()) rest += ", alpha = \"0.004 1/K\", " + heat;
  text.add("electric", "resistor", {a, b}, rest);
}

void PlantGrower::electric_host(int size) {
  for (int k = 0; k < size; ++k) {
    const std::string above = dice.one_of(electric);
    const std::string node = text.fresh("n");
    if (dice.below(5) < 2)
      capacitor(node, above);
    else
      resistor(node, above);
    electric.push_back(node);
  }
  if (dice.coin()) {
    const std::string at = dice.one_of(electric), node = text.fresh("s");
    voltage(node, at);
    resistor(node, dice.one_of(electric));
    electric.push_back(node);
  }
  for (int k = dice.below(size + 1); k > 0; --k) electric_chord();
}

void PlantGrower::electric_chord() {
  const auto [a, b] = two_of(electric);
  switch (dice.below(4)) {
    case 0:
      return inductor(a, b);
    case 1:
      return current(a, b);
    default:
      return resistor(a, b);
  }
}

std::string PlantGrower::electric_soft_node() {
  const std::string at = dice.one_of(electric), node = text.fresh("n");
  resistor(node, at);
  electric.push_back(node);
  return node;
}

void PlantGrower::electric_inductor_cutset() {
  const std::vector<std::string> host = electric;
  std::string node = text.fresh("n");
  for (int k = dice.below(3); k >= 0; --k) {
    if (k == 0 || dice.coin())
      inductor(node, dice.one_of(host));
    else
      current(node, dice.one_of(host));
    if (dice.coin()) {
      const std::string next = text.fresh("n");
      if (dice.coin())
        resistor(node, next);
      else
        capacitor(node, next);
      electric.push_back(next);
    }
  }
  electric.push_back(node);
}

void PlantGrower::electric_source_loop() {
  const std::string node = electric_soft_node();
  std::string at = node;
  while (at == node) at = dice.one_of(electric);
  voltage(node, at);
  if (dice.coin()) {
    const std::string between = electric_soft_node();
    capacitor(node, between);
    capacitor(between, at);
  } else {
    capacitor(node, at);
  }
}

void PlantGrower::electric_capacitor_loop() {
  const std::string first = electric_soft_node();
  const std::string second = dice.coin() ? electric_soft_node() : "gnd";
  capacitor(first, second);
  capacitor(first, second);
  if (dice.coin()) {
    const std::string third = electric_soft_node();
    capacitor(second, third);
    capacitor(third, first);
  }
}

void PlantGrower::electric_transformer(bool with_magnetising) {
  const auto [p1, p2] = two_of(electric);
  const std::string s1 = text.fresh("n");
  const std::string ratio = value("ratio", dice.one_of({"2", "-0.5", "3", "0.25"}));
  if (with_magnetising)
    text.add("electric", "transformer", {p1, p2, s1, "gnd"}, ratio + ", " + value("l_m", dice.around(1e-2, "H")));
  else
    text.add("electric", "ideal_transformer", {p1, p2, s1, "gnd"}, ratio);
  resistor(s1, "gnd");
  electric.push_back(s1);
}

void PlantGrower::electric_wild_branch(const std::string& a, const std::string& b) {
  switch (dice.below(9)) {
    case 0:
      return voltage(a, b);
    case 1:
      return current(a, b);
    case 2:
    case 3:
      return capacitor(a, b);
    case 4:
    case 5:
      return inductor(a, b);
    default:
      return resistor(a, b);
  }
}

void PlantGrower::electric_wild(int size) {
  for (int k = 0; k < size; ++k) {
    const std::string node = text.fresh("n"), above = dice.one_of(electric);
    electric_wild_branch(node, above);
    electric.push_back(node);
  }
  for (int k = dice.below(size + 3); k > 0; --k) {
    const auto [a, b] = two_of(electric);
    electric_wild_branch(a, b);
  }
}

/// A source that follows a voltage or current of the same circuit.
void PlantGrower::controlled_source() {
  const std::string sensor_a = electric_soft_node();
  const std::string sensor = text.add("electric", "resistor", {sensor_a, "gnd"}, value("r", dice.around(10, "Ohm")));
  if (dice.coin()) {
    const auto [a, b] = two_of(electric);
    text.add("electric", "current_source", {a, b},
             value("i", dice.coin() ? "0.02 S*electric." + sensor + ".v" : "0.3*electric." + sensor + ".i"));
    return;
  }
  const std::string node = text.fresh("n");
  text.add("electric", "voltage_source", {node, dice.one_of(electric)},
           value("v", dice.coin() ? "0.4*electric." + sensor + ".v" : "3 Ohm*electric." + sensor + ".i"));
  if (dice.coin())
    inductor(node, dice.one_of(electric));
  else
    resistor(node, dice.one_of(electric));
  electric.push_back(node);
}

// --- mechanical

void PlantGrower::damper(const std::string& a, const std::string& b, bool may_heat) {
  std::string rest = value("d", dice.around(0.5, "N*m*s/rad"));
  if (may_heat && dice.once_in(3))
    if (const std::string heat = heat_port(false); !heat.empty()) rest += ", " + heat;
  text.add("rotational", "damper", {a, b}, rest);
}

void PlantGrower::mechanical_host(int size) {
  for (int k = 0; k < size; ++k) {
    const std::string shaft = text.fresh("x"), above = dice.one_of(shafts);
    if (dice.below(5) < 2)
      inertia(shaft);
    else
      damper(shaft, above);
    shafts.push_back(shaft);
  }
  for (int k = dice.below(size + 1); k > 0; --k) mechanical_chord();
}

void PlantGrower::mechanical_chord() {
  const auto [a, b] = two_of(shafts);
  switch (dice.below(7)) {
    case 0:
      return spring(a, b);
    case 1:
      return torque(a);
    case 2:
      text.add("rotational", "clutch", {a, b}, value("capacity", dice.around(2, "N*m")));
      return;
    case 3:
      text.add("rotational", "spring_damper", {a, b},
               value("c", dice.around(10, "N*m/rad")) + ", " + value("d", dice.around(0.1, "N*m*s/rad")));
      return;
    case 4:
      text.add("rotational", "torque_between", {a, b}, value("torque", dice.around(0.5, "N*m")));
      return;
    default:
      return damper(a, b);
  }
}

std::string PlantGrower::soft_shaft() {
  const std::string at = dice.one_of(shafts), shaft = text.fresh("x");
  damper(shaft, at);
  shafts.push_back(shaft);
  return shaft;
}

void PlantGrower::geared_inertias() {
  const std::string first = soft_shaft();
  std::string last = soft_shaft();
  inertia(first);
  inertia(last);
  if (dice.coin()) {
    const std::string between = text.fresh("x");
    text.add("rotational", "gear", {between, last}, value("ratio", dice.one_of({"2", "-3", "0.5"})));
    shafts.push_back(between);
    last = between;
  }
  text.add("rotational", "gear", {first, last}, value("ratio", dice.one_of({"2", "-3", "0.5", "4"})));
}

void PlantGrower::spring_cutset() {
  const std::vector<std::string> host = shafts;
  const std::string shaft = text.fresh("x");
  spring(shaft, dice.one_of(host));
  if (dice.coin()) spring(shaft, dice.one_of(host));
  if (dice.coin()) torque(shaft);
  if (dice.coin()) {
    const std::string next = text.fresh("x");
    damper(shaft, next);
    shafts.push_back(next);
  }
  shafts.push_back(shaft);
}

void PlantGrower::given_speed_of_an_inertia() {
  const std::string shaft = soft_shaft();
  inertia(shaft);
  text.add("rotational", "speed_source", {shaft}, value("speed", dice.around(1, "rad/s") + "*sin(3 rad/s*time)"));
}

void PlantGrower::wheel_and_mass() {
  const std::string shaft = soft_shaft(), road = text.fresh("v");
  text.add("rotational", "wheel", {shaft, road}, value("radius", dice.around(0.1, "m")));
  text.add("translational", "mass", {road}, value("m", dice.around(10, "kg")));
  text.add("translational", "damper", {road, "frame"}, value("d", dice.around(5, "N*s/m")));
  if (dice.coin()) inertia(shaft);
  if (dice.coin()) text.add("translational", "spring", {road, "frame"}, value("c", dice.around(10, "N/m")));
}

void PlantGrower::planetary() {
  const std::string sun = text.fresh("x");
  std::string ring = text.fresh("x");
  const std::string carrier = soft_shaft();
  text.add("rotational", "planetary", {sun, ring, carrier}, value("z", dice.one_of({"2", "1.5", "3"})));
  damper(sun, "frame");
  if (dice.coin())
    inertia(ring);
  else
    damper(ring, "frame");
  if (dice.coin()) inertia(sun);
  shafts.push_back(sun);
  shafts.push_back(ring);
}

void PlantGrower::mechanical_wild_branch(const std::string& a, const std::string& b) {
  switch (dice.below(9)) {
    case 0:
    case 1:
      return inertia(a);
    case 2:
    case 3:
      return spring(a, b);
    case 4:
      return torque(a);
    case 5:
      text.add("rotational", "speed_source", {a}, value("speed", dice.around(1, "rad/s")));
      return;
    default:
      return damper(a, b);
  }
}

void PlantGrower::mechanical_wild(int size) {
  for (int k = 0; k < size; ++k) {
    const std::string shaft = text.fresh("x"), above = dice.one_of(shafts);
    mechanical_wild_branch(shaft, above);
    shafts.push_back(shaft);
  }
  for (int k = dice.below(size + 2); k > 0; --k) {
    const auto [a, b] = two_of(shafts);
    mechanical_wild_branch(a, b);
  }
  for (int k = dice.below(3); k > 0; --k) {
    const auto [a, b] = two_of(shafts);
    if (a == "frame" || b == "frame") continue;
    text.add("rotational", "gear", {a, b}, value("ratio", dice.one_of({"2", "-3", "0.5"})));
  }
}

// --- solid

void PlantGrower::solid_host(int size) {
  std::vector<std::string> own;
  for (int k = 0; k < size; ++k) {
    const int kind = k == 0 ? dice.one_of({0, 0, 2}) : k == 1 ? dice.one_of({0, 1}) : dice.one_of({0, 0, 1, 1, 2});
    const std::string name = text.fresh(kind == 0 ? "wall" : kind == 1 ? "lump" : "bath");
    if (kind == 0) {
      text.add_named("solid", name, "wall", {},
                     value("m", dice.around(0.1, "kg")) + ", cp = \"900 J/kg/K\", start = { t = \"" +
                         std::to_string(290 + dice.below(60)) + " K\" }");
      walls.push_back(name);
    } else if (kind == 1) {
      text.add_named("solid", name, "lumped_wall", {}, "");
      lumped_walls.push_back(name);
    } else {
      text.add_named("solid", name, "temperature_boundary", {},
                     value("t", std::to_string(290 + dice.below(40)) + " K"));
      boundaries.push_back(name);
    }
    std::vector<std::string> above;  // a boundary takes part in one heat transfer
    for (const std::string& other : own)
      if (!other.starts_with("bath")) above.push_back(other);
    if (above.empty() && !own.empty()) above.push_back(own.front());
    if (k > 0) heat_transfer(name, k == 1 ? own.front() : dice.one_of(above));
    if (kind != 2 && dice.once_in(3)) text.add("solid", "heat_source", {name}, value("power", dice.around(1, "W")));
    own.push_back(name);
  }
}

}  // namespace takt::codegen::testing
