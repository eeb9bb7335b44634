#include "tools/fmu_host/simulation.hpp"

#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>

#include "tools/fmu_host/step_judge.hpp"

namespace takt::fmu_host {

bool RowFile::add(std::span<const double> row) noexcept {
  const std::span<const std::byte> bytes = std::as_bytes(row);
  return ::write(file_, bytes.data(), bytes.size()) == static_cast<ssize_t>(bytes.size());
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

Simulation::Watch::Watch(fmu::Version version, const Observed& observed, RowFile& to)
    : rows(version, observed.rows), values(observed.names.size() + 1), file(to) {}

fmu::Result Simulation::Watch::record(fmu::Instance& instance, double t) noexcept {
  const std::span<double> columns = std::span(values).subspan(1);
  const fmu::Result got = instance.get(rows, columns);
  if (!got.done()) return got;
  values[0] = t;
  if (!file.add(values)) return {fmu::Status::refused, "Get", "there is no room for what is recorded"};
  const auto bad = std::find_if_not(columns.begin(), columns.end(), [](double value) { return std::isfinite(value); });
  if (bad != columns.end()) not_finite = static_cast<std::size_t>(bad - columns.begin());
  if (!growth) growth.emplace(columns.size()).begin(columns, {});
  if (const std::size_t grown = growth->beyond(columns); grown != fmu::Growth::none && !not_finite) not_finite = grown;
  return got;
}

Simulation::Simulation(fmu::Instance& instance, const TrialPlan& plan, TableInputs& inputs, RowFile& rows)
    : instance_(instance),
      settings_(plan.settings),
      inputs_(inputs),
      driver_(instance, *plan.settings.method, inputs),
      watch_(instance.table().version, plan.observed, rows) {
  if (settings_.record_events) driver_.watch(&watch_);
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

namespace {

std::string at_text(double t) {
  char text[40];
  std::snprintf(text, sizeof text, "at %.9g s ", t);
  return text;
}

}  // namespace

bool Simulation::is_judged(std::uint64_t steps_done) const {
  constexpr std::uint64_t looks = 50;
  const std::uint64_t part = settings_.grid.steps() / looks + 1;
  return (steps_done & (steps_done - 1)) == 0 || steps_done % part == 0;
}

void Simulation::judge(double t, SimulationEnd& end) {
  fmu::ModelExchange* model = driver_.model();
  if (model == nullptr) return;
  const Judged judged = judge_step(*model, instance_, settings_.grid.step, settings_.chooses);
  if (judged.text.empty()) return;
  (judged.refused ? end.unstable : end.chosen) = at_text(t) + judged.text;
}

SimulationEnd Simulation::run(TrialProgress& progress) {
  progress.begin("stepping");
  const Grid& grid = settings_.grid;
  SimulationEnd end;
  const auto begin = std::chrono::steady_clock::now();
  std::uint64_t messages_before = instance_.message().count();
  fmu::Advanced last = driver_.start(grid.start);
  if (last.result.done() && !last.terminate) last.result = watch_.record(instance_, grid.start);
  const std::uint64_t steps = grid.steps();
  const auto goes_on = [&] {
    return last.result.done() && !last.terminate && !watch_.not_finite && end.unstable.empty();
  };
  if (fmu::ModelExchange* model = driver_.model()) model->set_choosing(settings_.chooses);
  if (goes_on()) judge(grid.start, end);
  for (std::uint64_t k = 0; k < steps && goes_on(); ++k) {
    progress.step.store(k, std::memory_order_relaxed);
    messages_before = instance_.message().count();
    last = step(grid.at(k), grid.at(k + 1));
    const bool row = (k + 1) % grid.every == 0 || k + 1 == steps || last.terminate;
    const bool readable = last.result.done() && instance_.mode() != fmu::Mode::event;
    if (row && readable) last.result = watch_.record(instance_, last.reached);
    if (goes_on() && is_judged(k + 1)) judge(last.reached, end);
  }
  end.wall_s = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  end.terminated = last.terminate;
  end.not_finite = watch_.not_finite;
  end.reached = last.reached;
  if (const fmu::ModelExchange* model = driver_.model(); model != nullptr && !last.result.done())
    end.unstable = text_of_refused_step(*model, grid.step);
  if (!end.unstable.empty() && !last.result.done()) end.unstable = at_text(last.reached) + end.unstable;
  if (last.terminate) end.said = describe_end(last.reached, instance_, messages_before);
  end.counts = driver_.counts();
  end.result = last.result;
  if (last.result.status == fmu::Status::discard && last.terminate) end.result = {};  // FMI 2: ended by the FMU
  progress.begin("terminating");
  if (end.result.done())
    if (const fmu::Result ended = instance_.terminate(); !ended.done()) end.result = ended;
  return end;
}

}  // namespace takt::fmu_host
