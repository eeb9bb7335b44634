// A hunt for networks that are refused or solved badly: random meshes of resistors, coils, capacitors, pipes, heat
// conductances, masses with springs and dampers, of a few to a thousand loops, their parameters up to 1e12 apart. Every
// law, every balance of a node and the sum of powers must hold at random states.
//
//   hunt_networks LIBRARY COUNT SEED [LOOPS [ONLY]]     LOOPS: at most (1000); ONLY: this number, and its text

#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <map>
#include <random>

#include "tests/codegen/dae/solved_circuit.hpp"

namespace {

using namespace takt::codegen::testing;

constexpr double close_law = 1e-6, close_power = 1e-9;  // of the largest in the network

struct Kind {
  const char* name;
  bool pure;  ///< of R, L or C alone: never refused
};
constexpr Kind kinds[] = {{"R", true},         {"L", true},           {"C", true},
                          {"R and L", false},  {"R, L and C", false}, {"pipes", false},
                          {"friction", false}, {"heat", false},       {"masses", false}};

class RandomNetwork {
 public:
  RandomNetwork(const char* kind, std::size_t loops, double spread, std::mt19937_64& random)
      : kind_(kind), spread_(spread), random_(random) {
    const std::size_t nodes = std::max<std::size_t>(3, loops + random_() % (loops + 1));
    text_ = "[plant]\ntitle = \"" + kind_ + "\"\n";
    begin();
    for (std::size_t node = 1; node < nodes; ++node) branch(near(node), node);
    for (std::size_t loop = 0; loop < loops; ++loop) {
      const std::size_t a = random_() % nodes, b = near(a + 1 < nodes ? a + 1 : a);
      if (a != b) branch(a, b);
    }
    for (std::size_t node = 1; node < nodes; ++node) at_node(node);
  }
  [[nodiscard]] const std::string& text() const { return text_; }

 private:
  double uniform() { return std::uniform_real_distribution<double>(0.0, 1.0)(random_); }
  /// A node before this one, mostly a close one, as in nets that are drawn on paper.
  std::size_t near(std::size_t node) {
    const std::size_t reach = uniform() < 0.9 ? std::min<std::size_t>(node, 30) : node;
    return node - 1 - random_() % reach;
  }
  std::string value(const char* unit) {
    char number[64];
    std::snprintf(number, sizeof number, "\"%.17g %s\"", std::pow(spread_, uniform()), unit);
    return number;
  }
  std::string node(std::size_t index) const {
    if (index == 0 && kind_ != "pipes" && kind_ != "friction" && kind_ != "heat" && kind_ != "masses") return "gnd";
    if (index == 0 && kind_ == "masses") return "m0";
    return "n" + std::to_string(index);
  }

  void begin() {
    if (kind_ == "pipes" || kind_ == "friction")
      text_ +=
          "[medium.m]\ndoc = \"c\"\ncp = \"4000 J/kg/K\"\nrho = \"1000 kg/m^3\"\n[element.fluid.friction]\n"
          "doc = \"r*|q|*q\"\nsource = \"test\"\nterminals = [\"a\", \"b\"]\nparam = { r = \"1/kg/m > 0\" }\n"
          "branch = { kind = \"R\", law = \"p = r*abs(q)*q\" }\nstream = { q = \"q\" }\n[fluid]\nmedium = \"m\"\n"
          "n0 = { is = \"reservoir\", p = \"5 bar\" }\n";
    else if (kind_ == "heat")
      text_ += "[solid]\nn0 = { is = \"temperature_boundary\", t = \"300 K\" }\n";
    else if (kind_ == "masses")
      text_ += "[translational]\nmass = { is = \"mass\", at = [\"m0\"], m = \"1 kg\" }\n";
    else
      text_ += "[electric]\nsource = { is = \"current_source\", at = [\"gnd\", \"n1\"], i = \"1 A\" }\n";
  }

  void add(const std::string& element, const std::string& a, const std::string& b, const std::string& parameters) {
    text_ += "b" + std::to_string(count_++) + " = { is = \"" + element + "\", at = [\"" + a + "\", \"" + b + "\"], " +
             parameters + " }\n";
  }

  void branch(std::size_t from, std::size_t to) {
    if (!pairs_.emplace(std::pair(std::min(from, to), std::max(from, to)), true).second) return;
    const std::string a = node(from), b = node(to), middle = "x" + std::to_string(count_);
    const double choice = uniform();
    if (kind_ == "pipes") {
      add("pipe_law", a, b, "c1 = " + value("1/m") + ", c2 = " + value("1/kg/m"));
    } else if (kind_ == "friction") {
      add("friction", a, b, "r = " + value("1/kg/m"));
    } else if (kind_ == "heat") {
      add("heat_transfer", a, b, "c = " + value("W/K"));
    } else if (kind_ == "masses") {
      choice < 0.5 ? add("damper", a, b, "d = " + value("N*s/m")) : add("spring", a, b, "c = " + value("N/m"));
    } else if (kind_ == "R" || (kind_ != "L" && kind_ != "C" && choice < 0.4)) {
      add("resistor", a, b, "r = " + value("Ohm"));
    } else if (kind_ == "C" || (kind_ == "R, L and C" && choice < 0.7)) {
      add("capacitor", a, b, "c = " + value("mF"));
    } else if (kind_ == "L") {
      add("inductor", a, b, "l = " + value("mH"));
    } else {
      add("inductor", a, middle, "l = " + value("mH"));
      add("resistor", middle, b, "r = " + value("Ohm"));
    }
  }

  /// Loads; what a kind needs at its nodes.
  void at_node(std::size_t index) {
    const std::string name = node(index), number = std::to_string(index);
    const bool often = uniform() < 0.3;
    if (kind_ == "heat")
      text_ += name + (often ? " = { is = \"wall\", m = " + value("kg") + ", cp = \"500 J/kg/K\" }\n"
                             : " = { is = \"lumped_wall\" }\n");
    else if (kind_ == "masses" && often)
      text_ += "w" + number + " = { is = \"mass\", at = [\"" + name + "\"], m = " + value("kg") + " }\n";
    else if ((kind_ == "pipes" || kind_ == "friction") && often)
      text_ += "d" + number + " = { is = \"demand\", at = [\"" + name + "\"], flow = " + "\"" +
               std::to_string(uniform()) + " kg/s\" }\n";
    else if (often && (kind_ == "R" || kind_ == "R and L" || kind_ == "R, L and C"))
      text_ += "g" + number + " = { is = \"resistor\", at = [\"" + name + "\", \"gnd\"], r = " + value("Ohm") + " }\n";
  }

  std::string kind_, text_;
  double spread_;
  std::mt19937_64& random_;
  std::size_t count_ = 0;
  std::map<std::pair<std::size_t, std::size_t>, bool> pairs_;
};

struct Tally {
  int tried = 0, refused = 0, bad = 0, tabled = 0;
  double worst = 0.0, open = 0.0, growth = 1.0, longest_s = 0.0;
};

double growth_of(const takt::codegen::Surrogate& surrogate) {
  double growth = 1.0;
  for (const auto& step : surrogate.algebra)
    if (step.newton.linear) growth = std::max(growth, step.newton.linear->tables.growth);
  return growth;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 4) return std::fprintf(stderr, "usage: hunt_networks LIBRARY COUNT SEED [LOOPS [ONLY]]\n"), 2;
  const int count = std::atoi(argv[2]);
  const double most_loops = argc > 4 ? std::atof(argv[4]) : 1000.0;
  const int only = argc > 5 ? std::atoi(argv[5]) : -1;
  std::map<std::string, Tally> tallies;
  for (int number = std::max(only, 0); number < (only < 0 ? count : only + 1); ++number) {
    std::mt19937_64 random(static_cast<std::uint64_t>(std::atoll(argv[3])) * 1000003u + static_cast<unsigned>(number));
    std::uniform_real_distribution<double> uniform(0.0, 1.0);
    const Kind& kind = kinds[static_cast<std::size_t>(number) % std::size(kinds)];
    // Newton's method over tables serves from 100 unknowns on.
    const double least_loops = kind.name == std::string("friction") ? 40.0 : 2.0;
    const auto loops =
        static_cast<std::size_t>(least_loops * std::pow(std::max(most_loops / least_loops, 1.0), uniform(random)));
    // 1, 1e3 ... 1e12; of capacitors alone 1e6: sums of cutsets lose what is small beside the rest of their cutset.
    const double decades = std::floor(5.0 * uniform(random)) * 3.0;
    const double spread = std::pow(10.0, kind.name == std::string("C") ? std::min(decades, 6.0) : decades);
    Tally& tally = tallies[kind.name];
    ++tally.tried;
    const RandomNetwork network(kind.name, loops, spread, random);
    if (only >= 0) std::puts(network.text().c_str());
    const auto begin = std::chrono::steady_clock::now();
    try {
      SolvedCircuit circuit(network.text(), argv[1]);
      std::vector<double> states, rates;
      for (const auto& state : circuit.surrogate().states) {
        const std::string& unit = circuit.network().graph().symbol(state.symbol).unit;
        states.push_back(unit == "J" ? 1e5 * (1.0 + uniform(random)) : 1e-3 * (uniform(random) - 0.5));
      }
      const auto values = circuit.at(states, rates);
      const double law = worst_law(circuit.network(), values, Beside::largest);
      const bool convective = kind.name == std::string("pipes") || kind.name == std::string("friction");
      const double open = convective ? 0.0 : open_power(circuit.network(), values);
      tally.worst = std::max(tally.worst, law), tally.open = std::max(tally.open, open);
      tally.growth = std::max(tally.growth, growth_of(circuit.surrogate()));
      tally.tabled += has_tables(circuit.surrogate()) ? 1 : 0;
      if (!(law <= close_law) || !(open <= close_power)) {
        ++tally.bad;
        std::printf("%d: %s, %zu loops, ratio %.0e: laws off by %.1e, powers by %.1e\n", number, kind.name, loops,
                    spread, law, open);
      }
    } catch (const std::exception& refused) {
      ++tally.refused;
      const std::string text = refused.what();
      std::printf("%d: %s, %zu loops, ratio %.0e: refused, %s\n", number, kind.name, loops, spread,
                  text.substr(0, text.find('\n')).c_str());
    }
    const double s = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    tally.longest_s = std::max(tally.longest_s, s);
  }
  int failed = 0, refused = 0;
  for (const auto& [name, tally] : tallies) {
    std::printf(
        "%-12s %4d networks, %3d over tables, %3d refused, %3d bad; laws %.1e, powers %.1e, growth %.1e; longest %.1f "
        "s\n",
        name.c_str(), tally.tried, tally.tabled, tally.refused, tally.bad, tally.worst, tally.open, tally.growth,
        tally.longest_s);
    failed += tally.bad;
    refused += tally.refused;
    for (const Kind& kind : kinds)
      if (kind.name == name && kind.pure) failed += tally.refused;
  }
  return failed > 0 || 50 * refused > count ? 1 : 0;
}
