#pragma once
// Grows one plant: hosts, causes of index 2, couplings. Hosts are of index 1: every node hangs on a tree of storages
// and dissipators.

#include <set>
#include <string>
#include <utility>
#include <vector>

#include "tests/codegen/random/plant_text.hpp"

namespace takt::codegen::testing {

/// A node of a fluid or gas circuit.
struct FlowPoint {
  std::string name;
  bool energy = false;  ///< stores energy
  bool given = false;   ///< reservoir or boundary
  bool mass = false;    ///< stores mass, or has a given pressure
};

struct FlowCircuit {
  std::string section;  ///< fluid or gas
  std::vector<FlowPoint> points;
  std::vector<std::string> flows;                        ///< paths of mass flows
  std::set<std::pair<std::string, std::string>> joined;  ///< pairs of points with a branch
  std::set<std::string> drawn;                           ///< points with a demand
};

class PlantGrower {
 public:
  explicit PlantGrower(std::mt19937_64& random) : dice(random) {}

  Dice dice;
  PlantText text;
  std::vector<std::string> electric{"gnd"}, shafts{"frame"}, roads;  ///< nodes
  std::vector<std::string> walls, lumped_walls, boundaries;
  std::vector<FlowCircuit> flows;

  // --- electric
  void electric_host(int size);
  void electric_chord();
  std::string electric_soft_node();  ///< hangs on the host by a resistor
  void resistor(const std::string& a, const std::string& b);
  void capacitor(const std::string& a, const std::string& b) {
    text.add("electric", "capacitor", {a, b}, value("c", dice.around(1e-5, "F")));
  }
  void inductor(const std::string& a, const std::string& b) {
    text.add("electric", "inductor", {a, b}, value("l", dice.around(1e-3, "H")));
  }
  void voltage(const std::string& a, const std::string& b) {
    text.add("electric", "voltage_source", {a, b},
             value("v", dice.around(2, "V") + "*sin(2*pi*50 Hz*time + " + dice.around(0.1, "rad") + ")"));
  }
  void current(const std::string& a, const std::string& b) {
    text.add("electric", "current_source", {a, b}, value("i", dice.around(0.01, "A")));
  }
  void electric_inductor_cutset();
  void electric_source_loop();
  void electric_capacitor_loop();
  void electric_transformer(bool with_magnetising);
  void electric_wild(int size);
  void controlled_source();

  // --- mechanical
  void mechanical_host(int size);
  void mechanical_chord();
  std::string soft_shaft();
  void damper(const std::string& a, const std::string& b, bool may_heat = true);
  void inertia(const std::string& shaft) {
    text.add("rotational", "inertia", {shaft}, value("j", dice.around(0.1, "kg*m^2")));
  }
  void spring(const std::string& a, const std::string& b) {
    text.add("rotational", "spring", {a, b}, value("c", dice.around(10, "N*m/rad")));
  }
  void torque(const std::string& shaft) {
    text.add("rotational", "torque_source", {shaft}, value("torque", dice.around(1, "N*m")));
  }
  void geared_inertias();
  void spring_cutset();
  void given_speed_of_an_inertia();
  void wheel_and_mass();
  void planetary();
  void mechanical_wild(int size);

  // --- solid
  void solid_host(int size);
  void heat_transfer(const std::string& a, const std::string& b) {
    text.add("solid", "heat_transfer", {a, b}, value("c", dice.around(1, "W/K")));
  }

  // --- fluid and gas
  FlowCircuit& flow_host(const std::string& section, int size, bool wild);
  void flow_chord(FlowCircuit& circuit, bool wild);
  void inertial_cutset(FlowCircuit& circuit);  ///< a junction without volume that only pipes or ducts join

  // --- couplings
  void couple_heat(FlowCircuit& circuit);  ///< wall - node of a medium
  /// A host with a lumped wall and a junction without volume. @return the names
  [[nodiscard]] std::pair<std::string, std::string> lumped_ends(const std::string& section);
  void machine();  ///< electric - rotational

  template <class List>
  [[nodiscard]] std::pair<std::string, std::string> two_of(const List& list) {
    const std::string first = list.at(1 + static_cast<std::size_t>(dice.below(static_cast<int>(list.size()) - 1)));
    std::string second = first;
    while (second == first) second = dice.one_of(list);
    return {first, second};
  }

 private:
  void electric_wild_branch(const std::string& a, const std::string& b);
  void mechanical_wild_branch(const std::string& a, const std::string& b);
  std::string heat_port(bool reads_temperature);
  FlowPoint flow_point(FlowCircuit& circuit, bool root);
  void join(FlowCircuit& circuit, const std::string& a, const std::string& b, const std::string& wished);
  std::string shaft_speed();
  void open_dead_ends(FlowCircuit& circuit);
  void draw(FlowCircuit& circuit, const std::string& point);
};

}  // namespace takt::codegen::testing
