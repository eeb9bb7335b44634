// The plant config/plants/inverter_power as a good programmer writes it by hand for this one circuit: the yardstick for
// the generated code. The same work: edges in their exact places, losses of every switch, energies of edges, a map for
// each switch state that is computed again with the chips' temperatures every millisecond, diodes watched, chips, cases
// and heat sink, the source's energy. The same accuracy: beside_plant.py compares both with a run of ever smaller
// steps. What is left out: everything that makes a plant of it (inputs, faults, tuning, checkpoints, events, audit).
// usage: same_work STEPS [FILE]   steps of 1 us, whole milliseconds; prints what one took, writes signals to FILE, CSV
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <vector>

#include "hand_inverter.hpp"

namespace {

using namespace by_hand;

/// Six chips on their cases on one heat sink in air; classical Runge-Kutta at 1 ms.
struct Cooler {
  static constexpr std::size_t chips = Inverter::chips, size = 2 * chips + 1;
  static constexpr double window_s = 1e-3, air = 298.15;
  std::array<double, size> t = [] {
    std::array<double, size> start{};
    start.fill(air);
    return start;
  }();

  using Rates = std::array<double, size>;
  static Rates rates(const Rates& t, const std::array<double, chips>& power) {
    Rates r{};
    double into_sink = 0.0;
    for (std::size_t k = 0; k < chips; ++k) {
      const double die = 2.0 * (t[k] - t[chips + k]), pad = 4.0 * (t[chips + k] - t[2 * chips]);
      r[k] = (power[k] - die) / (0.1e-3 * 700.0);
      r[chips + k] = (die - pad) / (20e-3 * 385.0);
      into_sink += pad;
    }
    r[2 * chips] = (into_sink - 10.0 * (t[2 * chips] - air)) / (0.6 * 900.0);
    return r;
  }
  static Rates along(const Rates& t, const Rates& r, double length) {
    Rates to{};
    for (std::size_t k = 0; k < size; ++k) to[k] = t[k] + length * r[k];
    return to;
  }
  void advance(const std::array<double, chips>& power) {
    const Rates a = rates(t, power), b = rates(along(t, a, 0.5 * window_s), power),
                c = rates(along(t, b, 0.5 * window_s), power), d = rates(along(t, c, window_s), power);
    for (std::size_t k = 0; k < size; ++k) t[k] += window_s / 6.0 * (a[k] + 2.0 * b[k] + 2.0 * c[k] + d[k]);
  }
};

struct Row {
  State x;
  std::array<double, 6> switching, recovery, heat;
  std::array<double, Cooler::size> t;
  double supplied;
};

void write(const char* path, const std::vector<Row>& rows) {
  std::FILE* file = std::fopen(path, "w");
  if (file == nullptr) std::perror(path), std::exit(1);
  std::fputs("time", file);
  for (const char* name : {"l_source.i", "link.v", "c_a.v", "c_b.v", "c_c.v"}) std::fprintf(file, ",electric.%s", name);
  constexpr const char* leg[] = {"a", "b", "c"};
  constexpr const char* side[] = {"high", "low"};
  for (const char* of : {"switching", "recovery"})
    for (int k = 0; k < 6; ++k) std::fprintf(file, ",electric.leg_%s.%s.%s", leg[k / 2], side[k % 2], of);
  for (int k = 0; k < 6; ++k) std::fprintf(file, ",heat.leg_%s.%s", leg[k / 2], side[k % 2]);
  for (int k = 0; k < 6; ++k) std::fprintf(file, ",solid.leg_%s.chip_%s.t", leg[k / 2], side[k % 2]);
  std::fputs(",solid.sink.t,electric.energy.supplied\n", file);
  for (std::size_t row = 0; row < rows.size(); ++row) {
    std::fprintf(file, "%.17g", 1e-3 * static_cast<double>(row + 1));
    for (std::size_t k = 0; k < states; ++k) std::fprintf(file, ",%.17g", rows[row].x[k]);
    for (const auto& of : {rows[row].switching, rows[row].recovery, rows[row].heat})
      for (const double value : of) std::fprintf(file, ",%.17g", value);
    for (std::size_t k = 0; k < 6; ++k) std::fprintf(file, ",%.17g", rows[row].t[k]);
    std::fprintf(file, ",%.17g,%.17g\n", rows[row].t.back(), rows[row].supplied);
  }
  std::fclose(file);
}

}  // namespace

int main(int argc, char** argv) {
  const long windows = (argc > 1 ? std::atol(argv[1]) : 1000000) / Inverter::window_steps;
  static Inverter inverter;
  static Cooler cooler;
  std::vector<Row> rows;
  rows.reserve(argc > 2 ? static_cast<std::size_t>(windows) : 0);
  std::array<double, 6> before{}, heat{}, power{};
  const double at_start = stored_energy(inverter.x);
  std::copy_n(cooler.t.begin(), 6, before.begin());
  const auto begin = std::chrono::steady_clock::now();
  for (long window = 0; window < windows; ++window) {
    for (std::size_t k = 0; k < 6; ++k) {  // in the middle of the window, as it goes on from the last one
      inverter.temperature[k] = cooler.t[k] + 0.5 * (cooler.t[k] - before[k]);
      before[k] = cooler.t[k];
    }
    inverter.window(window * Inverter::window_steps);
    for (std::size_t k = 0; k < 6; ++k) heat[k] += inverter.heat[k], power[k] = inverter.heat[k] / Cooler::window_s;
    cooler.advance(power);
    if (argc > 2)
      rows.push_back({inverter.x, inverter.switching, inverter.recovery, heat, cooler.t, inverter.supplied});
  }
  const std::chrono::duration<double, std::nano> took = std::chrono::steady_clock::now() - begin;
  const auto& [whole, cut, edges, maps] = inverter.counted;
  double lost = inverter.dissipated, at_edges = 0.0;
  for (std::size_t k = 0; k < 6; ++k) lost += heat[k], at_edges += inverter.switching[k] + inverter.recovery[k];
  const double residual =
      inverter.supplied + at_edges - lost - (stored_energy(inverter.x) - at_start);  // edges' energy comes from outside
  std::printf("supplied %.9g J, heat and resistors %.9g J, residual %.3g of the throughput\n", inverter.supplied, lost,
              residual / inverter.supplied);
  std::printf("whole steps %ld, cut %ld, edges %ld, maps %ld, phase a %.9g V, sink %.9g K\n%.4f ns a step\n", whole,
              cut, edges, maps, inverter.x[2], cooler.t.back(),
              took.count() / static_cast<double>(windows * Inverter::window_steps));
  if (argc > 2) write(argv[2], rows);
  return 0;
}
