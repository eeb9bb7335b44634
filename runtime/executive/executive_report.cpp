// What the executive leaves behind after run().

#include <algorithm>
#include <bit>
#include <cstdio>
#include <string_view>

#include "runtime/executive/executive.hpp"
#include "runtime/stats/format.hpp"
#include "runtime/stats/histogram_bars.hpp"

namespace takt {
namespace {

const double* energies(const PlantDescription& plant, const SubsystemDescription& s) {
  return reinterpret_cast<const double*>(plant.memory + s.energy_offset);
}

/// Of a flux into an FMU, the power through a port "fmu.engine.shaft.power": the FMU's own account of it in plant
/// memory, "fmu.engine.shaft.taken". Of others nullptr.
const double* account_of_port(const PlantDescription& plant, const ExchangePlan& flux) {
  if (!plant.subsystems[flux.consumer].foreign) return nullptr;
  const std::string_view power = flux.to;
  const std::string path = std::string(power.substr(0, power.rfind('.'))) + ".taken";
  const std::span<const MemoryEntry> rows = plant.all_rows();
  const auto entry = std::lower_bound(
      rows.begin(), rows.end(), path,
      [](const MemoryEntry& one, const std::string& wanted) { return std::string_view(one.path) < wanted; });
  if (entry == rows.end() || entry->path != path) return nullptr;
  return reinterpret_cast<const double*>(plant.memory + entry->offset);
}

}  // namespace

void Executive::report_subsystems(RunResults& results) const {
  const double ns = clock_.ns_per_tick();
  for (std::size_t i = 0; i < stats_.size(); ++i) {
    const SubsystemDescription& s = plant_.subsystems[i];
    const WindowStats& stats = stats_[i];
    SubsystemResult r{.name = s.name, .domain = s.domain, .method = s.method};
    r.step_s = static_cast<double>(s.step_ns) * 1e-9;
    r.sync_s = static_cast<double>(s.period_ns) * 1e-9;
    r.equations = s.equations;
    r.states = s.states;
    r.windows = histograms_[i].count();
    r.overruns = stats.overruns;
    r.rtf = percentiles(histograms_[i], ns / static_cast<double>(s.period_ns));
    r.compute_s = static_cast<double>(stats.total) * ns * 1e-9;
    const double* energy = energies(plant_, s);
    r.energy = {energy[0], energy[1], energy[2], stored_start_[i], energy[3], energy[4]};
    r.energy_left_out = s.energy_left_out;
    r.newton = s.newton_blocks > 0;
    if (r.newton) {
      const auto* newton = reinterpret_cast<const double*>(plant_.memory + s.newton_offset);
      r.newton_last = newton[0], r.newton_largest = newton[1];
    }
    r.events = owner_of(i).watch().events(i);
    results.solver_s += r.compute_s;
    results.energy.supplied += energy[0];
    results.energy.dissipated += energy[1];
    results.energy.exchanged += energy[2];
    results.energy.stored_start += stored_start_[i];
    results.energy.stored_end += energy[3];
    results.energy.throughput += energy[4];
    results.subsystems.push_back(std::move(r));
  }
  std::uint64_t windows = 0;
  for (const auto& r : results.subsystems) windows += r.windows;
  double busy_s = 0.0;
  for (const Worker& worker : workers_)
    busy_s += static_cast<double>(worker.busy_total()) * clock_.ns_per_tick() * 1e-9;
  if (windows > 0) results.executive_ns_per_window = (busy_s - results.solver_s) * 1e9 / static_cast<double>(windows);
}

void Executive::report_couplings(RunResults& results) const {
  for (std::size_t i = 0; i < plant_.exchanges.size(); ++i) {
    const ExchangePlan& exchange = plant_.exchanges[i];
    CouplingResult r{.from = exchange.from, .to = exchange.to, .kind = "potential", .quantity = exchange.quantity};
    r.lag = exchange.lag, r.order = exchange.order;
    if (const TravelLine::Account* travel = exchanges_.travel(i); travel != nullptr) {
      const LedgerEntry ledger = exchanges_.ledger(i);
      r.kind = "delay", r.quantity = "J", r.line = r.flux = true, r.interpolated = exchanges_.interpolates(i);
      r.sent = ledger.sent, r.received = ledger.received, r.in_transit = ledger.in_transit;
      r.throughput = ledger.throughput, r.residual = ledger.residual;
      r.closes = r.interpolated || ledger.closes();
      results.ledger_closes = results.ledger_closes && r.closes;
      // The plant as a whole has stored what is under way.
      results.energy.stored_start += travel->begun, results.energy.stored_end += ledger.in_transit;
      results.energy.exchanged += ledger.sent - travel->begun - ledger.received;
    }
    if (exchange.kind == CouplingKind::flux) {
      const LedgerEntry ledger = exchanges_.ledger(i);
      r.kind = "flux", r.flux = true;
      r.sent = ledger.sent, r.received = ledger.received, r.in_transit = ledger.in_transit;
      r.throughput = ledger.throughput, r.residual = ledger.residual, r.closes = ledger.closes();
      r.alarms = owner_of(exchange.consumer).ledgers().alarm(i).macro_steps;
      r.first_alarm_s = owner_of(exchange.consumer).ledgers().alarm(i).first.seconds();
      results.ledger_closes = results.ledger_closes && r.closes;
      const double* taken = account_of_port(plant_, exchange);
      r.port = taken != nullptr;
      if (r.port) r.taken = *taken;
    }
    results.couplings.push_back(std::move(r));
  }
}

/// As on one core: what comes first in the order of the schedule.
const Worker& Executive::first_to_fail() const noexcept {
  const Worker* first = nullptr;
  for (const Worker& worker : workers_)
    if (worker.finding() != ResultWatch::Finding::none && (first == nullptr || worker.found_at() < first->found_at()))
      first = &worker;
  return first == nullptr ? leader() : *first;
}

std::string Executive::why_ended_early() const {
  if (end_ == End::overrun) return "it was stopped by the overrun policy";
  if (end_ == End::bad_values) return first_to_fail().watch().cause();
  return {};
}

void Executive::report_end(RunResults& results) const {
  const std::string when = " at " + formatted("%.6g s", results.simulated_s);
  if (end_ == End::asked) {
    const char* because = stop_.load(std::memory_order_relaxed);
    results.stopped_because = (because != nullptr ? because : "stopped") + when;
    results.interrupted = true;
  } else if (end_ == End::overrun) {
    results.stopped_because = "stopped by the overrun policy" + when;
    results.failed = true;
  } else if (end_ == End::worker_lost) {
    results.stopped_because = "stopped" + when + ": " + lost_.load(std::memory_order_relaxed);
    results.failed = true;
  } else if (end_ == End::bad_values) {
    results.stopped_because = "stopped" + when + ": " + first_to_fail().watch().cause();
    results.failed = true;
  }
}

void Executive::report(RunResults& results) {
  const double ns = clock_.ns_per_tick(), period = static_cast<double>(plant_.macro_step_ns);
  results.model = plant_.name, results.title = plant_.title;
  results.generator = plant_.generator, results.input_hash = plant_.input_hash;
  results.equations = plant_.equations;
  results.paced = options_.paced;
  results.macro_step_s = period * 1e-9;
  results.macro_steps = steps_done_;
  results.jumped_periods = jumped_;
  results.simulated_s = static_cast<double>(steps_done_ + jumped_) * period * 1e-9;
  results.wall_s = (finish_ - origin_).seconds();
  results.rtf = percentiles(busy_ticks_, ns / period);
  results.rtf_bars = make_bars(busy_ticks_, ns / period);
  results.rtf_series = std::move(rtf_series_);
  results.busy_s = static_cast<double>(busy_total_) * ns * 1e-9;
  results.wakeup_us = percentiles(wakeup_ns_, 1e-3);
  results.wakeup_bars = make_bars(wakeup_ns_, 1e-3);
  results.release_us = percentiles(release_ns_, 1e-3);
  results.sleeps = wakeup_ns_.count();
  results.blocked_s = blocked_.seconds();
  if (workers_.size() > 1) {
    for (const Worker& worker : workers_)
      results.cores.push_back({.subsystems = worker.part().subsystems.size(),
                               .rtf = percentiles(worker.busy_ticks(), ns / period),
                               .busy_s = static_cast<double>(worker.busy_total()) * ns * 1e-9,
                               .waited_s = static_cast<double>(worker.waited_total()) * ns * 1e-9,
                               .wakeup_us = percentiles(worker.wakeup_ns(), 1e-3)});
    results.cores[part_].wakeup_us = results.wakeup_us;
  }
  for (std::size_t i = 0; options_.paced && i < workers_.size(); ++i)
    for (const RateStats& rate : workers_[i].rates())
      results.rates.push_back({.worker = i,
                               .period_s = rate.period.seconds(),
                               .releases = rate.compute_ticks.count(),
                               .compute_us = percentiles(rate.compute_ticks, ns * 1e-3),
                               .response_us = percentiles(rate.response_ns, 1e-3)});
  results.overruns = judge_.take();
  results.digest_void = is_digest_void();
  char digest[17];
  std::snprintf(digest, sizeof digest, "%016llx", static_cast<unsigned long long>(digest_.value()));
  results.digest = digest;
  results.start = start_;
  if (steering_) steering_->report(results);
  report_subsystems(results);
  report_couplings(results);
  report_end(results);
}

}  // namespace takt
