#include "codegen/reference/reference_run.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>
#include <unordered_set>

#include "codegen/reference/passage.hpp"
#include "codegen/reference/steady_start.hpp"
#include "codegen/reference/time_stops.hpp"
#include "codegen/stability/time_functions.hpp"

namespace takt::codegen {
namespace {

constexpr int most_settling_rounds = 100;

double seconds(std::int64_t ns) {
  return static_cast<double>(ns) / 1e9;
}  // as a run does: the double nearest to what a plant file says

std::unique_ptr<Integrator> make_integrator(NumericSystem& system,
                                            const ReferenceOptions& options) {
  switch (options.method) {
    case ReferenceMethod::cvode:
      return make_cvode(system, options.integration);
    case ReferenceMethod::ark:
      return make_ark(system, options.integration);
    case ReferenceMethod::fixed:
      return make_fixed(system, options.integration);
    default:
      return make_ida(system, options.integration);
  }
}

std::vector<Expr> values_of(const FlatSystem& flat) {
  std::vector<Expr> values;
  for (const FlatRow& row : flat.rows) values.push_back(row.value);
  for (const FlatVariable& variable : flat.variables) values.push_back(variable.value);
  return values;
}

double longest_step(const Network& network, const FlatSystem& flat, double duration_s,
                    double shortest_period_s) {
  const TimeFunctions functions = time_functions(network, {}, values_of(flat), duration_s);
  constexpr double looks_in_period = 4.0;
  if (!functions.fastest) return shortest_period_s;
  return std::min(shortest_period_s, functions.fastest->period_s / looks_in_period);
}

std::int64_t next_multiple(std::int64_t time_ns, std::int64_t period_ns) {
  return (time_ns / period_ns + 1) * period_ns;
}

}  // namespace

ReferenceRun::ReferenceRun(const Network& network, Diagnostics& diagnostics,
                           const TopologyResult* topology,
                           const std::map<std::string, double>* states)
    : network_(network), flat_(flatten(network, diagnostics, topology)) {
  for (const Parameter& parameter : network.parameters)
    parameters_.emplace(parameter.symbol, parameter.value);
  outputs_ = block_outputs(network);
  if (diagnostics.has_errors()) return;
  if (states != nullptr) block_starts_ = begin_with(network_, *topology, *states, flat_);
  system_.emplace(network_, flat_, held_symbols());
}

std::vector<SymbolId> ReferenceRun::held_symbols() const {
  std::vector<SymbolId> held;
  for (const PlantInput& input : network_.inputs) held.push_back(input.symbol);
  for (const ControlBlock& block : network_.blocks) {
    for (const ControlBlock::Output& output : block.outputs) held.push_back(output.symbol);
    for (const ControlBlock::State& state : block.states) held.push_back(state.symbol);
  }
  const std::vector<SymbolId> switching = Switching::held_symbols(network_, flat_);
  held.insert(held.end(), switching.begin(), switching.end());
  return held;
}

bool ReferenceRun::has_symbol(SymbolId symbol) const { return system_ && system_->knows(symbol); }

/// @pre what is not held has been observed
double ReferenceRun::value(SymbolId symbol) const {
  if (system_->holds(symbol)) return system_->held(symbol);
  if (system_->knows(symbol)) return system_->observed(symbol);
  return parameters_.at(symbol);
}

/// @return whether one has changed
bool ReferenceRun::take_inputs(std::int64_t time_ns, const std::vector<InputChange>& inputs) {
  bool changed = false;
  for (; next_input_ < inputs.size() && inputs[next_input_].time_ns <= time_ns; ++next_input_) {
    const InputChange& input = inputs[next_input_];
    changed = changed || system_->held(input.symbol) != input.value;
    system_->hold(input.symbol, input.value);
  }
  return changed;
}

/// @param within  changes of this part of a value are rounding
/// @return whether one has changed
bool ReferenceRun::take_outputs(std::int64_t time_ns, double within) {
  bool changed = false;
  for (const BlockOutput& output : outputs_) {
    if (time_ns % network_.blocks[output.block].period_ns != 0) continue;
    const double next =
        network_.graph().evaluate(output.value, [&](SymbolId symbol) { return value(symbol); });
    const double held = system_->held(output.symbol);
    changed =
        changed || !(std::abs(next - held) <= within * std::max(std::abs(next), std::abs(held)));
    system_->hold(output.symbol, next);
  }
  return changed;
}

/// All states move at once: their next values are of this instant.
void ReferenceRun::update_states(std::int64_t time_ns) {
  std::vector<std::pair<SymbolId, double>> next;
  for (const ControlBlock& block : network_.blocks) {
    if (time_ns % block.period_ns != 0) continue;
    for (const ControlBlock::State& state : block.states)
      next.emplace_back(state.symbol, network_.graph().evaluate(state.next, [&](SymbolId symbol) {
        return value(symbol);
      }));
  }
  for (const auto& [symbol, moved] : next) system_->hold(symbol, moved);
}

/// Start values, then outputs of blocks and the plant until they agree.
void ReferenceRun::begin(const std::vector<InputChange>& inputs) {
  for (const PlantInput& input : network_.inputs) system_->hold(input.symbol, input.start);
  take_inputs(0, inputs);
  y_ = system_->guess(network_, flat_);
  for (const ControlBlock& block : network_.blocks)
    for (const ControlBlock::State& state : block.states) {
      const auto given = block_starts_.find(state.symbol);
      const double own =
          network_.graph().evaluate(state.start, [&](SymbolId symbol) { return value(symbol); });
      system_->hold(state.symbol, given == block_starts_.end() ? own : given->second);
    }
  const auto settle = [&] {
    switching_->start();
    switching_->settle(0.0, [&] {
      system_->solve_start(y_);
      system_->observe(0.0, y_);
    });
  };
  settle();
  int round = 0;
  constexpr double rounding = 1e-10;  // each solve ends somewhere within its own tolerance
  for (; take_outputs(0, rounding) && round < most_settling_rounds; ++round) settle();
  if (round == most_settling_rounds)
    throw std::runtime_error(
        "at the start, control blocks and plant answer each other without end");
}

ReferenceResult ReferenceRun::run(const ReferenceOptions& options,
                                  const std::vector<ReferenceRecord>& records, const RowSink& sink,
                                  const EventSink& events) {
  switching_.emplace(
      network_, flat_, *system_, [this](SymbolId symbol) { return value(symbol); }, options.look_s);
  begin(options.inputs);
  std::int64_t shortest_period_ns = options.duration_ns;
  for (const ReferenceRecord& record : records)
    shortest_period_ns = std::min(shortest_period_ns, record.period_ns);
  ReferenceOptions with_step = options;
  if (options.integration.largest_step == 0)
    with_step.integration.largest_step =
        longest_step(network_, flat_, seconds(options.duration_ns), seconds(shortest_period_ns));
  TimeStops stops(network_, flat_, parameters_,
                  {seconds(options.duration_ns), with_step.integration.largest_step});
  const auto integrator = make_integrator(*system_, with_step);
  std::size_t gate_edges = 0, mode_changes = 0;
  std::unordered_set<SymbolId> modes;
  for (const Mode& mode : network_.modes) modes.insert(mode.symbol);
  for (const StateEvent& event : network_.events)
    for (const StateEvent::Set& set : event.sets) modes.insert(set.symbol);
  StateEvents of_elements(network_, flat_, *system_);
  system_->observe(0.0, y_);
  of_elements.start();
  Passage passage(*system_, {*switching_, of_elements}, *integrator, [&](const SwitchEvent& event) {
    ++(modes.contains(event.symbol) ? mode_changes : gate_edges);
    events(event);
  });
  if (!of_elements.empty()) passage.take_inputs(y_);
  std::vector<std::size_t> first;
  std::size_t columns = 0;
  for (const ReferenceRecord& record : records)
    first.push_back(columns), columns += record.symbols.size();
  const auto record_at = [&](std::int64_t now) {
    std::vector<std::pair<std::size_t, double>> row;
    for (std::size_t k = 0; k < records.size(); ++k)
      for (std::size_t column = 0;
           now % records[k].period_ns == 0 && column < records[k].symbols.size(); ++column)
        row.emplace_back(first[k] + column, value(records[k].symbols[column]));
    if (!row.empty()) sink(now, row);
  };
  record_at(0);
  update_states(0);
  constexpr std::int64_t never = std::numeric_limits<std::int64_t>::max();
  std::int64_t now = 0;
  while (now < options.duration_ns && !(now > 0 && options.enough && options.enough())) {
    std::int64_t sample = options.duration_ns, next = never;
    for (const ControlBlock& block : network_.blocks)
      sample = std::min(sample, next_multiple(now, block.period_ns));
    if (next_input_ < options.inputs.size())
      sample = std::min(sample, options.inputs[next_input_].time_ns);
    sample = stops.next(now, sample);
    for (const ReferenceRecord& record : records)
      next = std::min(next, next_multiple(now, record.period_ns));
    now = std::min(sample, next);
    passage.advance(seconds(now), seconds(sample), y_);
    record_at(now);
    if (now != sample || now == options.duration_ns) continue;
    const bool inputs_changed = take_inputs(now, options.inputs), changed = take_outputs(now);
    update_states(now);
    if (inputs_changed || changed || stops.has_turned(now)) passage.take_inputs(y_);
  }
  return {system_->size(),
          static_cast<std::size_t>(
              std::count(system_->differential().begin(), system_->differential().end(), true)),
          flat_.dependent.size(),
          integrator->counts(),
          gate_edges,
          mode_changes,
          now};
}

}  // namespace takt::codegen
