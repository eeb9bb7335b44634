// Fluid and gas circuits of random plants, and what couples circuits.

#include <algorithm>

#include "tests/codegen/random/plant_grower.hpp"

namespace takt::codegen::testing {

namespace {

std::pair<std::string, std::string> ordered(const std::string& a, const std::string& b) {
  return a < b ? std::pair{a, b} : std::pair{b, a};
}

}  // namespace

/// A new node; the root has a pressure of its own.
FlowPoint PlantGrower::flow_point(FlowCircuit& circuit, bool root) {
  const std::string start_t = "t = \"" + std::to_string(290 + dice.below(50)) + " K\"";
  const bool fluid = circuit.section == "fluid";
  FlowPoint point{text.fresh("j"), true, false, true};
  const auto element = [&](const std::string& type, const std::string& rest) {
    text.add_named(circuit.section, point.name, type, {}, rest);
  };
  const int kind = root ? dice.one_of({0, 0, 1, 2}) : dice.one_of({1, 2, 3, 3, 4, 4, 4});
  const std::string p = dice.coin() ? "1.1 bar" : "1.6 bar";
  if (kind == 0) {
    element(fluid ? "reservoir" : "boundary", value("p", p) + ", " + start_t);
    point.given = true;
    point.energy = false;
  } else if (kind == 4) {
    point.energy = point.mass = false;  // a plain junction
  } else if (!fluid) {
    element("plenum", value("v", dice.around(0.01, "m^3")) + ", start = { p = \"" + p + "\", " + start_t + " }");
  } else if (kind == 1) {
    element("tank", value("area", dice.around(0.01, "m^2")) + ", start = { " + start_t + " }");
  } else if (kind == 2 && dice.coin()) {
    element("expansion_tank", "v = \"2 l\", v_gas = \"1 l\", start = { " + start_t + " }");
  } else if (kind == 2) {
    element("elastic_volume",
            value("v", dice.around(1e-3, "m^3")) + ", bulk = \"2e7 Pa\", start = { " + start_t + " }");
  } else {
    point.mass = false;
    element("volume", value("v", dice.around(1e-3, "m^3")) + ", start = { " + start_t + " }");
  }
  return point;
}

std::string PlantGrower::shaft_speed() {
  if (shafts.size() < 2 || !dice.coin()) return "";
  return "speed = \"0.8 + rotational." +
         shafts.at(1 + static_cast<std::size_t>(dice.below(static_cast<int>(shafts.size()) - 1))) + ".w/(1000 rad/s)\"";
}

/// A branch where there is none yet. Nonlinear ones without inertia stand between nodes that store mass, as the library
/// asks for.
void PlantGrower::join(FlowCircuit& circuit, const std::string& a, const std::string& b, const std::string& wished) {
  if (a == b || !circuit.joined.insert(ordered(a, b)).second) return;
  const bool fluid = circuit.section == "fluid";
  const auto lumped = [&](const FlowPoint& point) { return !point.mass && (point.name == a || point.name == b); };
  const bool nonlinear = wished == "orifice" || wished == "valve" || wished == "pump";
  const std::string kind =
      nonlinear && std::any_of(circuit.points.begin(), circuit.points.end(), lumped) ? "resistance" : wished;
  const auto add = [&](const std::string& type, const std::string& rest, const std::string& flow) {
    circuit.flows.push_back(circuit.section + "." + text.add(circuit.section, type, {a, b}, rest) + "." + flow);
  };
  if (kind == "resistance")
    add("resistance", value("r", dice.around(fluid ? 1e5 : 1e6, "Pa*s/kg")), "q");
  else if (kind == "orifice")
    add("orifice", value("area", dice.around(fluid ? 3e-5 : 1e-5, "m^2")), "q");
  else if (kind == "valve" && fluid)
    add("valve", value("area", dice.around(3e-5, "m^2")), "q");
  else if (kind == "valve")
    add("restriction", value("c", dice.around(1e-8, "m^3/s/Pa")), "q");
  else if (kind == "inertia" && fluid && dice.coin())
    add("pipe", value("length", dice.around(1, "m")) + ", " + value("diameter", dice.around(0.01, "m")), "inertia.q");
  else if (kind == "inertia" && fluid)
    add("pipe_law", value("c1", dice.around(1e4, "1/m")) + ", " + value("c2", dice.around(1e5, "1/kg/m")), "inertia.q");
  else if (kind == "inertia")
    add("duct",
        value("length", dice.around(0.3, "m")) + ", " + value("area", dice.around(1e-3, "m^2")) +
            ", diameter = \"3 cm\", k = 1",
        "inertia.q");
  else if (kind == "pump") {
    const std::string speed = shaft_speed();
    add(fluid ? "pump" : "fan",
        value("dp_0", dice.around(fluid ? 2e4 : 200, "Pa")) + ", " +
            value("q_0", dice.around(fluid ? 0.3 : 0.02, "kg/s")) + (speed.empty() ? "" : ", " + speed),
        "q");
  } else if (fluid) {
    add("flow_pump", value("flow", dice.around(0.01, "kg/s")), "q");
  }
}

FlowCircuit& PlantGrower::flow_host(const std::string& section, int size, bool wild) {
  if (flows.empty() || flows.back().section != section)
    text.head(section, section == "fluid" ? "medium = \"water_glycol_50\"" : "medium = \"air\"");
  FlowCircuit circuit{section, {}, {}, {}, {}};
  circuit.points.push_back(flow_point(circuit, true));
  for (int k = 1; k < size; ++k) {
    const FlowPoint point = flow_point(circuit, false);
    const std::string above = dice.one_of(circuit.points).name;
    const std::string kind = wild ? dice.one_of({"resistance", "orifice", "valve", "inertia", "inertia", "pump"})
                                  : dice.one_of({"resistance", "orifice", "valve"});
    circuit.points.push_back(point);
    join(circuit, above, point.name, kind);
  }
  flows.push_back(std::move(circuit));
  for (int k = dice.below(size); k > 0; --k) flow_chord(flows.back(), wild);
  open_dead_ends(flows.back());
  return flows.back();
}

void PlantGrower::flow_chord(FlowCircuit& circuit, bool wild) {
  const FlowPoint a = dice.one_of(circuit.points), b = dice.one_of(circuit.points);
  const int kind = dice.below(5);
  if (kind == 0 && !a.given) {
    if (!circuit.drawn.insert(a.name).second) return;
    return draw(circuit, a.name);
  }
  if (a.given && b.given) return;
  join(circuit, a.name, b.name,
       dice.one_of({"resistance", "orifice", "inertia", "inertia", wild ? "pump" : "inertia"}));
}

/// Where nothing is stored something flows.
void PlantGrower::open_dead_ends(FlowCircuit& circuit) {
  for (const FlowPoint& point : circuit.points) {
    std::size_t branches = 0;
    for (const auto& [a, b] : circuit.joined) branches += a == point.name || b == point.name ? 1u : 0u;
    if (branches == 1 && !point.mass && circuit.drawn.insert(point.name).second) draw(circuit, point.name);
  }
}

void PlantGrower::draw(FlowCircuit& circuit, const std::string& point) {
  if (circuit.section == "fluid")
    text.add("fluid", "demand", {point}, value("flow", dice.around(1e-3, "kg/s")));
  else
    text.add("gas", "mass_flow_source", {point}, value("flow", dice.around(1e-4, "kg/s")));
}

void PlantGrower::inertial_cutset(FlowCircuit& circuit) {
  const std::vector<FlowPoint> host = circuit.points;
  const FlowPoint junction{text.fresh("j"), false, false, false};
  circuit.points.push_back(junction);
  join(circuit, dice.one_of(host).name, junction.name, "inertia");
  if (host.size() > 1 && dice.coin()) join(circuit, junction.name, dice.one_of(host).name, "inertia");
  draw(circuit, junction.name);
}

/// A heat transfer between a wall and a node of which one stores.
void PlantGrower::couple_heat(FlowCircuit& circuit) {
  const FlowPoint point = dice.one_of(circuit.points);
  const bool stores = point.energy || point.given;
  const bool lumped = stores && !lumped_walls.empty() && dice.once_in(3);
  if (!lumped && walls.empty()) return;
  const std::string wall = lumped ? dice.one_of(lumped_walls) : dice.one_of(walls);
  if (!circuit.joined.insert({"wall " + wall, point.name}).second) return;
  std::string c = dice.around(2, "W/K");
  if (!circuit.flows.empty() && dice.once_in(3)) c += "*(1 + abs(" + dice.one_of(circuit.flows) + ")/(0.1 kg/s))";
  std::string rest = value("c", c);
  if (stores && !lumped && dice.coin()) rest += ", paradigm = " + std::to_string(1 + dice.below(3));
  text.add("solid", "heat_transfer", {wall, circuit.section + "." + point.name}, rest);
}

/// Host with a lumped wall and a junction without volume. @return the names
std::pair<std::string, std::string> PlantGrower::lumped_ends(const std::string& section) {
  solid_host(2 + dice.below(3));
  FlowCircuit& circuit = flow_host(section, 2 + dice.below(3), false);
  const std::string wall = text.fresh("lump"), node = text.fresh("j");
  text.add_named("solid", wall, "lumped_wall", {}, "");
  std::vector<std::string> others;  // of a bath only one heat transfer may leave
  for (const auto& list : {walls, lumped_walls}) others.insert(others.end(), list.begin(), list.end());
  heat_transfer(wall, dice.one_of(others));
  text.add(section, "resistance", {circuit.points.front().name, node}, "r = \"1e6 Pa*s/kg\"");
  text.add(section, section == "fluid" ? "demand" : "mass_flow_source", {node}, "flow = \"1 g/s\"");
  return {wall, node};
}

void PlantGrower::machine() {
  const auto [a, b] = two_of(electric);
  const std::string shaft =
      dice.coin() ? soft_shaft()
                  : shafts.at(1 + static_cast<std::size_t>(dice.below(static_cast<int>(shafts.size()) - 1)));
  std::string rest = value("r", dice.around(1, "Ohm")) + ", " + value("l", dice.around(1e-3, "H")) + ", " +
                     value("k", dice.around(0.05, "N*m/A"));
  if (dice.coin())
    if (const std::string heat = heat_port(true); !heat.empty()) rest += ", alpha = \"0.004 1/K\", " + heat;
  text.add("electric", "dc_machine", {a, b, "rotational." + shaft}, rest);
}

}  // namespace takt::codegen::testing
