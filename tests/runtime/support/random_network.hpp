#pragma once
// Plants without physics: subsystems in nested groups that exchange whatever, to be computed by any number of workers.

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <deque>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "runtime/plant/description.hpp"

namespace takt::test {

/// Every subsystem has eight inputs and outputs; of these the last four are fluxes. What it computes hangs on every
/// coefficient it gets, and is bounded. Flux inputs are integrated exactly, so all ledgers close.
class RandomNetwork {
 public:
  static constexpr std::uint32_t ports = 8, fluxes = 4;
  struct Own {
    double x[2];
    InputPolynomial inputs[ports];
    double outputs[ports], sent[fluxes], received[fluxes], energy[5], newton[2];
    double work;        ///< so many turns of a loop that computes nothing
    double poisoned_s;  ///< above 0: from then on its state is no number
    double stalls_s;    ///< above 0: the window that begins then takes longer
    int stall_ms;       ///< so much
  };
  struct Options {
    std::uint32_t seed = 1, subsystems = 12, groups = 4, exchanges = 40;
    double share_decoupled = 0.2;  ///< of the exchanges that have lag 1 though the producer runs first
    int most_work = 0;
    bool has_input = true;
    std::int64_t macro_step_ns = 1'200'000;
  };

  explicit RandomNetwork(const Options& options) : random_(options.seed), memory_(options.subsystems + 1) {
    make_groups(options);
    make_subsystems(options);
    make_exchanges(options);
  }
  RandomNetwork(const RandomNetwork&) = delete;
  RandomNetwork& operator=(const RandomNetwork&) = delete;

  [[nodiscard]] PlantDescription description() {
    return {.name = "random",
            .title = "Random network",
            .generator = "test",
            .input_hash = "0",
            .equations = 1,
            .macro_step_ns = groups_[0].period_ns,
            .default_duration_ns = 1'000'000'000,
            .memory = reinterpret_cast<std::byte*>(memory_.data()),
            .memory_size = memory_.size() * sizeof(Line),
            .inputs_offset = subsystems_.size() * sizeof(Line),
            .table = table_,
            .plant_inputs = inputs_,
            .subsystems = subsystems_,
            .groups = groups_,
            .windows = windows_,
            .exchanges = exchanges_,
            .input_routes = routes_,
            .records = records_};
  }
  /// From then on what this subsystem computes is no number.
  void poison(std::size_t subsystem, double from_s) { poisoned_ = {{subsystem, from_s}}; }
  void poison_too(std::size_t subsystem, double from_s) { poisoned_.emplace_back(subsystem, from_s); }
  /// The window of this subsystem that begins then takes so much more.
  void stall(std::size_t subsystem, double at_s, int stall_ms = 300) {
    stalled_.push_back({subsystem, at_s, stall_ms});
  }
  /// Once more from the start.
  void reset() {
    for (Line& line : memory_) line = {};
    for (std::size_t i = 0; i < subsystems_.size(); ++i) memory_[i].own.work = work_[i];
    for (const auto& [subsystem, from_s] : poisoned_) memory_[subsystem].own.poisoned_s = from_s;
    for (const Stall& stall : stalled_)
      memory_[stall.subsystem].own.stalls_s = stall.at_s, memory_[stall.subsystem].own.stall_ms = stall.ms;
  }

 private:
  struct alignas(64) Line {
    Own own;
  };

  struct Stall {
    std::size_t subsystem;
    double at_s;
    int ms;
  };

  std::uint32_t below(std::uint32_t n) { return static_cast<std::uint32_t>(random_() % n); }
  const char* name(const char* kind, std::uint32_t number) {
    return names_.emplace_back(kind).append(std::to_string(number)).c_str();
  }

  void make_groups(const Options& options) {
    groups_.push_back({.name = "whole", .parent = 0, .period_ns = options.macro_step_ns});
    for (std::uint32_t i = 1; i < options.groups; ++i) {
      const auto parent = static_cast<std::uint16_t>(below(i));
      constexpr std::int64_t parts[] = {1, 2, 3, 4, 5};
      std::int64_t period = groups_[parent].period_ns / parts[below(5)];
      if (groups_[parent].period_ns % period != 0 || period < 20'000) period = groups_[parent].period_ns;
      groups_.push_back({.name = name("group", i), .parent = parent, .period_ns = period});
    }
  }

  void make_subsystems(const Options& options) {
    std::vector<std::vector<std::uint16_t>> members(groups_.size());
    for (std::uint16_t s = 0; s < options.subsystems; ++s) {
      const auto group = static_cast<std::uint16_t>(s == 0 ? 0 : below(static_cast<std::uint32_t>(groups_.size())));
      group_of_.push_back(group);
      members[group].push_back(s);
      work_.push_back(options.most_work > 0 ? below(static_cast<std::uint32_t>(options.most_work)) : 0);
      memory_[s].own.work = work_.back();
      const std::size_t own = s * sizeof(Line);
      const std::int64_t period = groups_[group].period_ns;
      subsystems_.push_back({.name = name("s", s),
                             .domain = "none",
                             .method = "none",
                             .step_ns = period,
                             .period_ns = period,
                             .equations = 1,
                             .states = 2,
                             .inputs = ports,
                             .outputs = ports,
                             .fluxes_out = fluxes,
                             .fluxes_in = fluxes,
                             .newton_blocks = 0,
                             .states_offset = own + offsetof(Own, x),
                             .inputs_offset = own + offsetof(Own, inputs),
                             .outputs_offset = own + offsetof(Own, outputs),
                             .sent_offset = own + offsetof(Own, sent),
                             .received_offset = own + offsetof(Own, received),
                             .energy_offset = own + offsetof(Own, energy),
                             .newton_offset = own + offsetof(Own, newton),
                             .offset = own,
                             .touched = sizeof(Own),
                             .prepare = [](std::byte*, const double*) noexcept {},
                             .initialize = initialize,
                             .run = run});
      table_.push_back({name("x", s), "1", Role::state, s, own + offsetof(Own, x)});
    }
    if (options.has_input) {
      inputs_.push_back({.path = "u", .unit = "1", .start = 0.25, .safe = 0.0});
      for (std::uint16_t s = 0; s < options.subsystems; s += 3) routes_.push_back({0, s, 0});
    }
    put_windows(0, members);
    std::sort(table_.begin(), table_.end(),
              [](const auto& a, const auto& b) { return std::string(a.path) < std::string(b.path); });
    for (std::uint32_t i = 0; i < table_.size(); ++i) recorded_.push_back(i);
    records_.push_back({.period_ns = 7 * groups_[0].period_ns, .entries = recorded_});
  }

  void put_windows(std::uint16_t group, std::vector<std::vector<std::uint16_t>>& members) {
    std::vector<std::int32_t> order;  // members, and groups inside as -1 - index
    for (const std::uint16_t s : members[group]) order.push_back(s);
    for (std::uint16_t g = 1; g < groups_.size(); ++g)
      if (groups_[g].parent == group) order.push_back(-1 - g);
    std::shuffle(order.begin(), order.end(), random_);
    for (const std::int32_t item : order) {
      if (item < 0) {
        put_windows(static_cast<std::uint16_t>(-1 - item), members);
        continue;
      }
      windows_.push_back({.subsystem = static_cast<std::uint16_t>(item),
                          .core = 0,
                          .period_ns = groups_[group].period_ns,
                          .group = group});
    }
  }

  std::uint16_t common(std::uint16_t a, std::uint16_t b) const {
    while (a != b) (a > b ? a : b) = groups_[a > b ? a : b].parent;
    return a;
  }

  void make_exchanges(const Options& options) {
    std::vector<std::size_t> turn(subsystems_.size());
    for (std::size_t i = 0; i < windows_.size(); ++i) turn[windows_[i].subsystem] = i;
    std::vector<std::uint32_t> taken(subsystems_.size(), 0), taken_fluxes(subsystems_.size(), 0);
    for (std::uint32_t i = 0; i < options.exchanges; ++i) {
      const auto producer = static_cast<std::uint16_t>(below(static_cast<std::uint32_t>(subsystems_.size())));
      const auto consumer = static_cast<std::uint16_t>(below(static_cast<std::uint32_t>(subsystems_.size())));
      const bool flux = below(2) == 0;
      std::uint32_t& next = (flux ? taken_fluxes : taken)[consumer];
      if (producer == consumer || next + 1 >= fluxes) continue;
      ++next;  // the first input may be a plant input
      const bool decoupled = below(100) < 100.0 * options.share_decoupled;
      const auto output = static_cast<std::uint16_t>(below(fluxes));
      exchanges_.push_back({.from = name("e", i),
                            .to = "",
                            .quantity = "J",
                            .kind = flux ? CouplingKind::flux : CouplingKind::potential,
                            .producer = producer,
                            .output = output,
                            .consumer = consumer,
                            .input = static_cast<std::uint16_t>(flux ? fluxes + next : next),
                            .received = static_cast<std::uint16_t>(flux ? next : 0),
                            .flux_value = static_cast<std::uint16_t>(fluxes + output),
                            .lag = static_cast<std::uint8_t>(turn[producer] > turn[consumer] || decoupled ? 1 : 0),
                            .order = static_cast<std::uint8_t>(below(4)),
                            .smooth = !flux && below(3) == 0,
                            .period_ns = groups_[common(group_of_[producer], group_of_[consumer])].period_ns});
    }
  }

  static Own& own_of(std::byte* memory) noexcept { return *reinterpret_cast<Own*>(memory); }
  static void show(Own& own) noexcept {
    for (std::uint32_t i = 0; i < ports; ++i) own.outputs[i] = std::sin((i + 1) * own.x[0] + own.x[1]);
  }
  static void initialize(std::byte* memory) noexcept {
    Own& own = own_of(memory);
    own.x[0] = 0.1 + own.work * 1e-6, own.x[1] = 0.7;
    for (double& energy : own.energy) energy = 0.0;
    show(own);
  }
  static void run(std::byte* memory, const Window& window) noexcept {
    Own& own = own_of(memory);
    const double h = static_cast<double>(window.step_ns) * 1e-9;
    double sum = 0.0;
    for (std::uint32_t i = 0; i < ports; ++i) {
      const InputPolynomial& u = own.inputs[i];
      sum += (i + 1) * (u.at(0.0) + u.at(h / 3) + u.at(h));
      if (i >= fluxes) own.received[i - fluxes] = h * (u.c0 + h * (u.c1 / 2 + h * (u.c2 / 3 + h * u.c3 / 4)));
    }
    const double start_s = static_cast<double>(window.start_ns) * 1e-9;
    if (own.stalls_s > 0.0 && std::abs(start_s - own.stalls_s) < 1e-9)
      for (const auto end = std::chrono::steady_clock::now() + std::chrono::milliseconds(own.stall_ms);
           std::chrono::steady_clock::now() < end;) {
      }
    for (double i = 0; i < own.work; i += 1.0) asm volatile("" ::: "memory");
    own.x[0] = std::sin(own.x[0] + 0.3 * sum);
    own.x[1] = std::cos(own.x[1] + 0.1 * sum + start_s);
    if (own.poisoned_s > 0.0 && start_s >= own.poisoned_s) own.x[0] = std::nan("");
    show(own);
    for (std::uint32_t i = 0; i < fluxes; ++i) own.sent[i] = h * own.outputs[fluxes + i];
  }

  std::mt19937 random_;
  std::vector<Line> memory_;  // subsystems, then plant inputs
  std::deque<std::string> names_;
  std::vector<double> work_;
  std::vector<std::pair<std::size_t, double>> poisoned_;
  std::vector<Stall> stalled_;
  std::vector<GroupPlan> groups_;
  std::vector<std::uint16_t> group_of_;
  std::vector<SubsystemDescription> subsystems_;
  std::vector<WindowPlan> windows_;
  std::vector<ExchangePlan> exchanges_;
  std::vector<InputRoute> routes_;
  std::vector<PlantInputDescription> inputs_;
  std::vector<MemoryEntry> table_;
  std::vector<std::uint32_t> recorded_;
  std::vector<RecordPlan> records_;
};

}  // namespace takt::test
