// A run on several hosts in real time: what this one shows, sends and reports is what it computes.

#include <algorithm>
#include <stdexcept>

#include "runtime/program/run.hpp"
#include "runtime/program/stop_signals.hpp"

namespace takt {
namespace {

/// The table has one row for each place.
bool is_shown(const PlantDescription& plant, const MemoryEntry& entry) {
  return std::any_of(plant.table.begin(), plant.table.end(),
                     [&](const MemoryEntry& shown) { return shown.offset == entry.offset; });
}

/// Of a parameter, another host that uses it.
std::size_t where_it_is(const PlantDescription& plant, const hosts::HostPlan& plan, const MemoryEntry& entry) {
  if (entry.subsystem < plan.placement.size()) return plan.placement[entry.subsystem];
  const auto index = static_cast<std::uint32_t>((entry.offset - plant.parameters_offset) / sizeof(double));
  for (std::size_t s = 0; s < plant.subsystems.size(); ++s) {
    const auto& used = plant.subsystems[s].parameters;
    if (plan.placement[s] != plan.own && std::find(used.begin(), used.end(), index) != used.end())
      return plan.placement[s];
  }
  return plan.own;
}

}  // namespace

void Run::narrow() {
  own_view_.emplace(plant_, *host_plan_);
  own_view_->narrow(plant_);
}

/// Parameters are set on all hosts.
PlantDescription Run::whole_plant() const noexcept {
  PlantDescription whole = plant_;
  whole.table = plant_.all_rows();
  return whole;
}

std::string Run::why_not_here(const std::string& message) const {
  if (!own_view_) return {};
  for (const MemoryEntry& entry : plant_.all_rows()) {
    if (message.find("\"" + std::string(entry.path) + "\"") == std::string::npos || is_shown(plant_, entry)) continue;
    if (entry.role == Role::plant_input)
      return "; in real time plant inputs are set on host " + host_plan_->names.front() + ", which leads";
    return "; host " + host_plan_->names[where_it_is(plant_, *host_plan_, entry)] +
           " computes it: in real time each host shows and steers what it computes itself";
  }
  return {};
}

void Run::refuse_what_is_sent_elsewhere(const IoPort& io) const {
  for (std::size_t s = 0; s < plant_.subsystems.size(); ++s)
    if (host_plan_->placement[s] != host_plan_->own && io.sends_from(s))
      throw std::runtime_error(std::string("a bus of the rig sends values of ") + plant_.subsystems[s].name +
                               ", which host " + host_plan_->names[host_plan_->placement[s]] +
                               " computes: in real time the leading host drives the buses, with what it computes "
                               "itself");
}

void Run::make_real_time_link(Executive& executive) {
  hosts::RealTimeLink::Settings settings{.silence_ns = options_.rig.hosts.silence_ns,
                                         .wait_ns = options_.rig.hosts.wait_ns,
                                         .when_lost = {},
                                         .accepts_late = options_.accept_late};
  for (const HostSettings& host : options_.rig.hosts.list) settings.when_lost.push_back(host.when_lost);
  settings.goes_on = +[] { return stop_signal() == 0; };
  settings.said = [this] { return hosts_ ? hosts_->problems() : std::vector<std::string>{}; };
  settings.priority = std::max(1, options_.rig.priority - 20);
  real_time_link_ = std::make_unique<hosts::RealTimeLink>(
      hosts::RealTimeLink::Of{.executive = executive, .plan = *host_plan_, .identities = meeting_->identities()},
      *link_process_, settings);
}

/// On the plant's thread.
bool Run::begins_apart() {
  try {
    real_time_link_->begin();
    return true;
  } catch (const std::exception& error) {
    why_not_begun_ = error.what();
    return false;
  }
}

void Run::finish_link(const Executive& executive) {
  if (link_) {
    note_problem(link_->finish());
    results_.warnings.insert(results_.warnings.end(), link_->said().begin(), link_->said().end());
  }
  if (!real_time_link_) return;
  note_problem(real_time_link_->finish(executive.why_ended_early()));
  results_.warnings.insert(results_.warnings.end(), real_time_link_->said().begin(), real_time_link_->said().end());
  results_.hosts = real_time_link_->results();
}

/// On the clock of the leader.
void Run::place_trace() {
  if (!trace_ || !real_time_link_) return;
  const HostResult& own = real_time_link_->results()[host_plan_->own];
  trace_->host = {.name = own.name,
                  .number = host_plan_->own,
                  .to_leader = WallDuration{static_cast<std::int64_t>(-own.offset_us * 1e3)},
                  .drift_ppm = own.drift_ppm};
}

/// What others have computed is in the report of the leading host.
void Run::keep_own_results() {
  const auto is_own = [&](std::uint16_t subsystem) { return host_plan_->placement[subsystem] == host_plan_->own; };
  std::vector<SubsystemResult> subsystems;
  std::vector<std::uint16_t> place(results_.subsystems.size(), 0xffff);
  EnergyAccount energy{};
  for (std::uint16_t s = 0; s < results_.subsystems.size(); ++s) {
    if (!is_own(s)) continue;
    const EnergyAccount& one = results_.subsystems[s].energy;
    energy.supplied += one.supplied, energy.dissipated += one.dissipated, energy.exchanged += one.exchanged;
    energy.stored_start += one.stored_start, energy.stored_end += one.stored_end, energy.throughput += one.throughput;
    place[s] = static_cast<std::uint16_t>(subsystems.size());
    subsystems.push_back(std::move(results_.subsystems[s]));
  }
  std::vector<CouplingResult> couplings;
  for (std::size_t i = 0; i < results_.couplings.size(); ++i)
    if (is_own(plant_.exchanges[i].consumer)) couplings.push_back(std::move(results_.couplings[i]));
  results_.subsystems = std::move(subsystems), results_.couplings = std::move(couplings), results_.energy = energy;
  results_.cores = {std::move(results_.cores[host_plan_->own])};
  const auto moved = [&](std::uint16_t& subsystem) {
    if (subsystem < place.size()) subsystem = place[subsystem];
  };
  for (OverrunIncident& incident : results_.overruns.incidents) moved(incident.subsystem), moved(incident.before);
  if (trace_)
    for (std::uint16_t& subsystem : trace_->tracks[host_plan_->own].subsystems) moved(subsystem);
  results_.digest.clear();
  std::erase_if(results_.hosts,
                [&](const HostResult& host) { return host.name != host_plan_->names[host_plan_->own]; });
}

}  // namespace takt
