#include "codegen/reference/switching.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>

namespace takt::codegen {
namespace {

constexpr std::size_t flips_of_all = 4;  // rounds, before least-index

}  // namespace

std::vector<SymbolId> Switching::held_symbols(const Network& network, const FlatSystem& flat) {
  std::vector<SymbolId> held;
  for (const PwmLeg& leg : network.legs) held.insert(held.end(), {leg.high, leg.low});
  for (const TimedGate& gate : network.timed_gates) held.push_back(gate.symbol);
  for (const Gate& gate : network.gates) held.push_back(gate.symbol);
  for (const Mode& mode : network.modes) held.push_back(mode.symbol);
  for (const EdgeEnergy& edge : network.edge_energies) held.push_back(edge.total);
  for (const auto& [path, pulse] : flat.pulses) held.push_back(pulse);
  return held;
}

Switching::Switching(const Network& network, const FlatSystem& flat, NumericSystem& system,
                     GateSignals::ValueOf value_of, double look_s)
    : network_(network),
      flat_(flat),
      system_(system),
      value_of_(value_of),
      gates_(network, std::move(value_of), look_s) {}

void Switching::start() {
  gates_.start(0.0);
  take_levels();
  for (const Mode& mode : network_.modes)
    system_.hold(mode.symbol, network_.graph().evaluate(mode.start, value_of_));
}

bool Switching::take_levels() {
  bool changed = false;
  for (const auto& [symbol, level] : gates_.levels()) {
    changed = changed || system_.held(symbol) != level;
    system_.hold(symbol, level);
  }
  return changed;
}

Values Switching::conditions() const {
  Values values;
  for (std::size_t k = 0; k < network_.modes.size(); ++k) values.push_back(condition(k));
  return values;
}

void Switching::flip(std::size_t mode) {
  const SymbolId symbol = network_.modes[mode].symbol;
  system_.hold(symbol, 1.0 - system_.held(symbol));
}

void Switching::settle(double time, const std::function<void()>& solve) {
  const std::size_t bound = 2 * flips_of_all + 8 * network_.modes.size();
  for (std::size_t round = 0; round < bound; ++round) {
    solve();
    bool agree = true;
    for (std::size_t k = 0; k < network_.modes.size(); ++k) {
      if (!(condition(k) > threshold)) continue;
      agree = false;
      flip(k);
      if (round >= flips_of_all) break;
    }
    if (agree) return;
  }
  for (std::size_t k = 0; k < network_.modes.size(); ++k)
    if (condition(k) > threshold)
      throw std::runtime_error(fmt::format("no state of {} agrees with the circuit at {:.9g} s",
                                           network_.graph().symbol(network_.modes[k].symbol).path,
                                           time));
}

bool Switching::cross(double time, Values& y, const std::vector<std::size_t>& due,
                      const EventSink& sink) {
  std::unordered_map<SymbolId, double> before;
  const auto remember = [&](SymbolId symbol) { before[symbol] = value_of_(symbol); };
  system_.observe(time, y);
  for (const Gate& gate : network_.gates) remember(gate.symbol);
  for (const Mode& mode : network_.modes) remember(mode.symbol);
  const Values conditions_before = conditions();
  for (const EdgeEnergy& edge : network_.edge_energies)
    for (const EdgeEnergy::Before& value : edge.before) before[value.symbol] = value_of_(value.of);
  if (!take_levels() && due.empty()) return false;
  for (const std::size_t mode : due) flip(mode);
  try {
    settle(time, [&] {
      system_.solve_algebra(time, y);
      system_.observe(time, y);
    });
  } catch (const std::runtime_error& cause) {
    throw std::runtime_error(fmt::format("{}; there {}", cause.what(), changes_since(before)));
  }
  for (const Gate& gate : network_.gates)
    if (system_.held(gate.symbol) != before.at(gate.symbol))
      sink({time, gate.symbol, system_.held(gate.symbol), 0.0});
  for (std::size_t k = 0; k < network_.modes.size(); ++k) {
    const SymbolId symbol = network_.modes[k].symbol;
    const bool itself = std::find(due.begin(), due.end(), k) != due.end();
    if (system_.held(symbol) != before.at(symbol))
      sink({time, symbol, system_.held(symbol), itself ? conditions_before[k] : 0.0});
  }
  lose_energy(time, y, before);
  return true;
}

void Switching::refuse_impulses(double time, const Values& before, const Values& after) const {
  constexpr double rounding = 1e-9, of_usual = 1e-12;
  for (const Impulse& impulse : flat_.impulses) {
    double sum = 0.0, size = 0.0;
    for (const auto& [stored, share] : impulse.shares) {
      const std::size_t k = system_.place_of(stored);
      sum += share * (after[k] - before[k]);
      size += std::abs(share) * (rounding * (std::abs(after[k]) + std::abs(before[k])) +
                                 of_usual * system_.nominal()[k]);
    }
    if (std::abs(sum) > size)
      throw std::runtime_error(fmt::format("{} at {:.9g} s; give the connection a resistance",
                                           impulse.text(network_.graph()), time));
  }
}

/// "electric.s.gate turned off, electric.d.on turned on"
std::string Switching::changes_since(const std::unordered_map<SymbolId, double>& before) const {
  std::string text;
  const auto name = [&](SymbolId symbol) {
    if (system_.held(symbol) == before.at(symbol)) return;
    text += fmt::format("{}{} turned {}", text.empty() ? "" : ", ",
                        network_.graph().symbol(symbol).path,
                        system_.held(symbol) > 0.5 ? "on" : "off");
  };
  for (const Gate& gate : network_.gates) name(gate.symbol);
  for (const Mode& mode : network_.modes) name(mode.symbol);
  return text.empty() ? "nothing had changed" : text;
}

void Switching::lose_energy(double time, Values& y,
                            const std::unordered_map<SymbolId, double>& before) {
  std::unordered_map<SymbolId, double> into_heat;
  for (const EdgeEnergy& edge : network_.edge_energies) {
    const double now = system_.held(edge.of), was = before.at(edge.of);
    if (now == was) continue;
    const double lost =
        network_.graph().evaluate(now > was ? edge.rise : edge.fall, [&](SymbolId symbol) {
          const auto remembered = symbol == edge.of ? before.end() : before.find(symbol);
          const bool is_before =
              remembered != before.end() &&
              std::any_of(edge.before.begin(), edge.before.end(),
                          [&](const auto& value) { return value.symbol == symbol; });
          return is_before ? remembered->second : value_of_(symbol);
        });
    system_.hold(edge.total, system_.held(edge.total) + lost);
    if (const auto pulse = flat_.pulses.find(edge.heat); pulse != flat_.pulses.end())
      into_heat[pulse->second] += lost;
  }
  if (!into_heat.empty()) heat(time, y, into_heat);
}

/// A pulse of power moves what is integrated by its energy times the share of power that arrives
/// there: the rates with the energies as powers, less those without. Exact where heat is stored at
/// its port, or only linear laws lie between.
void Switching::heat(double time, Values& y, const std::unordered_map<SymbolId, double>& energies) {
  Values without(y.size()), with(y.size()), pulsed(y);
  system_.rates(time, y.data(), without.data());
  for (const auto& [pulse, energy] : energies) system_.hold(pulse, energy);
  system_.solve_algebra(time, pulsed);
  system_.rates(time, pulsed.data(), with.data());
  for (const auto& [pulse, energy] : energies) system_.hold(pulse, 0.0);
  for (std::size_t k = 0; k < y.size(); ++k) y[k] += with[k] - without[k];
  system_.solve_algebra(time, y);
  system_.observe(time, y);
}

}  // namespace takt::codegen
