#include "tests/codegen/dae/random_switched.hpp"

#include <cmath>
#include <vector>

namespace takt::codegen::testing {

namespace {

class Writer {
 public:
  explicit Writer(std::mt19937_64& random) : random_(random) {}

  std::string run(bool transformers) {
    const int nodes = (transformers ? 4 : 2) + pick(6);
    for (int node = 0; node < nodes; ++node)
      two_terminals(name(node), node == 0 ? "gnd" : name(pick(node + 1) - 1), true);
    if (transformers)
      for (int windings = 1 + pick(2); windings > 0; --windings) four_terminals(nodes);
    for (int chord = 1 + pick(nodes + 2); chord > 0; --chord) {
      const int a = pick(nodes + 1) - 1, b = pick(nodes + 1) - 1;
      if (a != b) two_terminals(name(a), name(b), false);
    }
    add("switch", "\"n0\", \"gnd\"", "gate = \"time > 1 s\", " + resistances());
    return "[plant]\ntitle = \"random\"\n[electric]\n" + lines_;
  }

 private:
  int pick(int n) { return static_cast<int>(random_() % static_cast<std::uint64_t>(n)); }
  static std::string name(int node) { return node < 0 ? "gnd" : "n" + std::to_string(node); }
  /// A value over some decades, with its unit.
  std::string value(double lowest, int decades, const char* unit) {
    const double exponent = std::uniform_real_distribution<double>(0.0, decades)(random_);
    return "\"" + std::to_string(lowest * std::pow(10.0, exponent)) + " " + unit + "\"";
  }
  std::string resistances() { return "r_on = " + value(1.0, 2, "mOhm") + ", r_off = " + value(1.0, 3, "MOhm"); }

  void add(const std::string& element, const std::string& at, const std::string& parameters) {
    lines_ +=
        "e" + std::to_string(count_++) + " = { is = \"" + element + "\", at = [" + at + "], " + parameters + " }\n";
  }

  void two_terminals(const std::string& a, const std::string& b, bool tree) {
    const std::string at = pick(2) == 0 ? "\"" + a + "\", \"" + b + "\"" : "\"" + b + "\", \"" + a + "\"";
    switch (pick(tree ? 10 : 11)) {
      case 0:
        return add("resistor", at, "r = " + value(0.1, 3, "Ohm"));
      case 1:
        return add("capacitor", at, "c = " + value(1.0, 3, "uF"));
      case 2:
        return add("inductor", at, "l = " + value(1.0, 3, "uH"));
      case 3:
        return add("switch", at, "gate = \"time > 1 s\", " + resistances());
      case 4:
        return add("diode", at, "v_f = \"0.7 V\", " + resistances());
      case 5:
        return add("mosfet", at, "gate = \"time > 1 s\", " + resistances());
      case 6:
        return add("igbt", at, "gate = \"time > 1 s\", r_off = " + value(1.0, 3, "MOhm"));
      case 7:
        return add("thyristor", at, "gate = \"time > 1 s\", v_f = \"1 V\", " + resistances());
      case 8:
        return add("diode_exponential", at, "r_s = \"10 mOhm\"");
      case 9:
        return add("voltage_source", at, "v = \"100 V*sin(314 rad/s*time + 1)\"");
      default:
        return add("current_source", at, "i = \"3 A*cos(314 rad/s*time)\"");
    }
  }

  void four_terminals(int nodes) {
    const auto node = [&] { return "\"" + name(pick(nodes + 1) - 1) + "\""; };
    std::string at = node();
    for (int terminal = 1; terminal < 4; ++terminal) at += ", " + node();
    switch (pick(3)) {
      case 0:
        return add("ideal_transformer", at, pick(2) == 0 ? "ratio = 2.5" : "ratio = 0.07");
      case 1:
        return add("transformer", at, "ratio = 0.4, l_m = " + value(100.0, 2, "uH"));
      default:
        return add("coupled_inductors", at, "l_1 = " + value(10.0, 2, "uH") + ", l_2 = " + value(10.0, 2, "uH"));
    }
  }

  std::mt19937_64& random_;
  std::string lines_;
  int count_ = 0;
};

}  // namespace

std::string random_switched(std::mt19937_64& random, bool transformers) { return Writer(random).run(transformers); }

}  // namespace takt::codegen::testing
