#include "tools/takt/fmu_simulation.hpp"

#include <chrono>
#include <cmath>

namespace takt::tools {

std::uint64_t Grid::steps() const {
  const double exact = (stop - start) / step;
  const double near = std::round(exact);
  return static_cast<std::uint64_t>(std::abs(exact - near) <= 1e-9 * std::max(1.0, exact) ? near : std::ceil(exact));
}

double Grid::at(std::uint64_t k) const {
  const double t = start + static_cast<double>(k) * step;
  return k >= steps() && !same_time(t, stop) ? stop : t;
}

fmu::Result initialise(fmu::Instance& instance, const StartValues& start, const SimulationSettings& settings,
                       fmu::Inputs& inputs) {
  fmu::RowSet rows(instance.table().version, start.rows);
  if (const fmu::Result set = instance.set(rows, start.values); !set.done()) return set;
  for (const StartValues::Text& text : start.texts)
    if (const fmu::Result set = instance.set_string(text.reference, text.value.c_str(), text.use); !set.done())
      return set;
  const fmu::Experiment experiment{settings.grid.start, true, settings.grid.stop, settings.tolerance.has_value(),
                                   settings.tolerance.value_or(0.0)};
  if (const fmu::Result entered = instance.enter_initialization(experiment); !entered.done()) return entered;
  if (const fmu::Result given = inputs.all(instance, settings.grid.start); !given.done()) return given;
  return instance.exit_initialization();
}

Simulation::Watch::Watch(fmu::Version version, const Observed& observed)
    : rows(version, observed.rows), values(observed.names.size()) {
  samples.values.resize(observed.names.size());
}

fmu::Result Simulation::Watch::record(fmu::Instance& instance, double t) noexcept {
  const fmu::Result got = instance.get(rows, values);
  if (!got.done()) return got;
  samples.time.push_back(t);
  for (std::size_t column = 0; column < values.size(); ++column) samples.values[column].push_back(values[column]);
  return got;
}

Simulation::Simulation(fmu::Instance& instance, const SimulationSettings& settings, CsvInputs& inputs,
                       const Observed& observed)
    : instance_(instance),
      settings_(settings),
      inputs_(inputs),
      driver_(instance, *settings.method, inputs),
      watch_(instance.table().version, observed) {
  if (settings.record_events) driver_.watch(&watch_);
}

/// One step of the grid, cut at jumps of inputs.
fmu::Advanced Simulation::step(double from, double to) {
  const bool may_cut = settings_.variable_step;
  while (true) {
    const double event = inputs_.next_event(from);
    const bool jump = event < to || same_time(event, to);
    const double end = jump && may_cut && !same_time(event, to) ? event : to;
    fmu::Advanced done = driver_.advance(from, end);
    if (!done.result.done() || done.terminate) return done;
    if (jump && (may_cut || same_time(event, to))) done = driver_.input_event(end);
    if (!done.result.done() || done.terminate || end == to) return done;
    from = end;
  }
}

SimulationEnd Simulation::run() {
  const Grid& grid = settings_.grid;
  SimulationEnd end;
  const auto begin = std::chrono::steady_clock::now();
  fmu::Advanced last = driver_.start(grid.start);
  if (last.result.done() && !last.terminate) last.result = watch_.record(instance_, grid.start);
  const std::uint64_t steps = grid.steps();
  for (std::uint64_t k = 0; k < steps && last.result.done() && !last.terminate; ++k) {
    last = step(grid.at(k), grid.at(k + 1));
    const bool row = (k + 1) % grid.every == 0 || k + 1 == steps || last.terminate;
    const bool readable = last.result.done() && instance_.mode() != fmu::Mode::event;
    if (row && readable) last.result = watch_.record(instance_, last.reached);
  }
  end.wall_s = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  end.terminated = last.terminate;
  end.reached = last.reached;
  end.counts = driver_.counts();
  end.result = last.result;
  if (last.result.status == fmu::Status::discard && last.terminate) end.result = {};  // FMI 2: ended by the FMU
  if (end.result.done())
    if (const fmu::Result ended = instance_.terminate(); !ended.done()) end.result = ended;
  return end;
}

}  // namespace takt::tools
