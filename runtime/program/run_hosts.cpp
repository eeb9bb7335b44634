// A run on several hosts: what this one computes, and that all compute the same run.

#include <algorithm>
#include <cstdio>
#include <stdexcept>

#include "runtime/executive/digest.hpp"
#include "runtime/hosts/propose.hpp"
#include "runtime/io/record/standard_streams.hpp"
#include "runtime/program/run.hpp"
#include "runtime/program/stop_signals.hpp"

namespace takt {
namespace {

/// Of what carries between hosts in real time: below buses, above the ordinary.
int carrying_priority(const RigSettings& rig) { return std::max(1, rig.priority - 20); }

/// Of all that is in plant memory.
std::string start_of(const PlantDescription& plant) {
  char text[17];
  std::snprintf(
      text, sizeof text, "%016llx",
      static_cast<unsigned long long>(Digest::key({reinterpret_cast<const char*>(plant.memory), plant.memory_size})));
  return text;
}

void refuse_with_hosts(const CommandLine& options) {
  const auto refuse = [](const std::string& what) {
    throw std::runtime_error(what + "; --one-host computes everything here");
  };
  if (options.cpus.size() > 1) refuse("each host of the rig computes on one core: leave --cores away");
  if (!options.resume.empty()) refuse("several hosts cannot go on from a checkpoint");
  if (options.hold) refuse("several hosts do not wait at time 0: leave --hold away");
  if (!options.paced) {
    if (options.trace_last > SimDuration{}) refuse("a trace would show this host alone: leave --trace away");
    return;
  }
  if (options.sheet) refuse("a schedule sheet foretells what one machine computes: leave --sheet away");
  const RigSettings& rig = options.rig;
  const auto skips = [](const GroupPolicy& group) { return group.policy == OverrunPolicy::skip; };
  if (rig.policy == OverrunPolicy::skip || std::any_of(rig.group_policies.begin(), rig.group_policies.end(), skips) ||
      rig.regain)
    refuse("hosts in real time keep to one grid: policy \"skip\" and 'regain' of the rig would leave it");
  if (!options.replay.empty()) refuse("several hosts replay in lock-step: give --pace free");
}

/// In real time nobody waits for another host within a window.
void refuse_lag_0(const PlantDescription& plant, const hosts::HostPlan& plan) {
  std::string first;
  std::size_t count = 0;
  for (const ExchangePlan& exchange : plant.exchanges) {
    const std::uint16_t from = plan.placement[exchange.producer], to = plan.placement[exchange.consumer];
    if (from == to || exchange.lag > 0) continue;
    if (++count == 1)
      first = std::string(exchange.from) + " -> " + exchange.to + ", from host " + plan.names[from] + " to host " +
              plan.names[to];
  }
  if (count == 0) return;
  throw std::runtime_error(
      first + (count > 1 ? " (and " + std::to_string(count - 1) + " more)" : "") +
      ": this is exchanged within a window (lag 0), for which there is no time between hosts in real time. Decouple "
      "what crosses (a group in [sync] for what each host computes, around them one with scheme = \"jacobi\"), let one "
      "host compute both, or compute in lock-step (--pace free)");
}

}  // namespace

void Run::plan_hosts() {
  try {
    if (options_.rig.hosts.list.empty()) {
      if (!options_.host.empty()) throw std::runtime_error("--host " + options_.host + ": the rig names no hosts");
      return;
    }
    if (options_.one_host || options_.propose_hosts > 0 || !options_.trials.empty()) return;
    host_plan_ = hosts::plan_hosts(plant_, options_.rig.hosts, options_.host);
    if (host_plan_->leads()) refuse_with_hosts(options_);  // another one hears from it at which pace
    if (is_apart() && host_plan_->leads()) refuse_lag_0(plant_, *host_plan_);
  } catch (const std::exception& error) {
    throw UsageError(error.what());
  }
}

int Run::propose_hosts() const {
  try {
    const std::vector<double> costs = window_costs(plant_, bundled(), script_, options_.cpus.front());
    std::fputs(hosts::proposed_hosts(plant_, costs,
                                     {.hosts = options_.propose_hosts,
                                      .round_trip_s = static_cast<double>(options_.round_trip.ns()) * 1e-9})
                   .c_str(),
               stdout);
  } catch (const std::exception& error) {
    throw UsageError(error.what());
  }
  const std::string problem = finish_standard_output();
  if (!problem.empty()) throw std::runtime_error("cannot write to standard output: " + problem);
  return 0;
}

void Run::meet_hosts() {
  const HostsSettings& settings = options_.rig.hosts;
  catch_stop_signals();
  link_process_ = std::make_unique<hosts::LinkProcess>(
      hosts::LinkProcess::Settings{.session = std::string(plant_.name) + "/" + options_.rig.name,
                                   .interface = settings.list[host_plan_->own].interface,
                                   .domain = settings.domain,
                                   .priority = options_.paced ? carrying_priority(options_.rig) : 0});
  meeting_.emplace(*host_plan_, *link_process_, hosts::Meeting::Settings{.wait_ns = settings.wait_ns, .goes_on = +[] {
                                                                           return stop_signal() == 0;
                                                                         }});
  meeting_->meet({.generator = plant_.generator, .plant = plant_.input_hash});
}

/// The plant is prepared; what was set at its start is in its inputs.
void Run::tell_hosts(Executive& executive) {
  if (follows()) {
    meeting_->agree(start_of(plant_));
  } else {
    meeting_->tell(conditions());
    meeting_->expect(start_of(plant_));
  }
  if (is_apart())
    make_real_time_link(executive);
  else
    make_link(executive);
}

void Run::make_link(Executive& executive) {
  hosts::HostLink::Settings settings{.silence_ns = options_.rig.hosts.silence_ns, .said = {}};
  settings.goes_on = +[] { return stop_signal() == 0; };
  settings.said = [this] { return hosts_ ? hosts_->problems() : std::vector<std::string>{}; };
  link_ = std::make_unique<hosts::HostLink>(
      hosts::HostLink::Of{.executive = executive, .plan = *host_plan_, .identities = meeting_->identities()},
      *link_process_, settings);
}

hosts::Conditions Run::conditions() const {
  const auto* inputs = reinterpret_cast<const double*>(plant_.memory + plant_.inputs_offset);
  return {.steady = begins_steady(),
          .sample_fluxes = options_.sample_fluxes,
          .ledger_alarm = options_.ledger_alarm,
          .parameters = results_.parameters_set,
          .inputs = {inputs, inputs + plant_.plant_inputs.size()},
          .real_time = is_apart(),
          .accepts_late = options_.accept_late,
          .macro_steps = macro_steps_,
          .changes = script_changes_};
}

/// In place of what a command line would say.
void Run::take_over(const hosts::Conditions& conditions) {
  try {
    CommandLine own;
    if (conditions.real_time) {  // where its results go is its own
      own = options_;
      own.paced = true, own.accept_late = conditions.accepts_late;
    } else {
      own.rig = options_.rig, own.cpus = options_.cpus, own.quiet = options_.quiet, own.origin = options_.origin;
      own.host = options_.host, own.fmu_cpus = options_.fmu_cpus;
      own.results = own.report = own.tap = false;
    }
    own.audit = false;
    own.steady = conditions.steady, own.sample_fluxes = conditions.sample_fluxes;
    own.ledger_alarm = conditions.ledger_alarm;
    own.duration = SimDuration{plant_.macro_step_ns};  // the leader knows how long it goes on
    for (const auto& [name, value] : conditions.parameters) own.set.push_back(name + "=" + value);
    options_ = std::move(own);
    refuse_with_hosts(options_);
    if (is_apart()) narrow();
    prepare();
    if (conditions.inputs.size() != plant_.plant_inputs.size())
      throw std::runtime_error("the leading host has other plant inputs");
    std::vector<ScriptedInput> changes;
    for (std::uint32_t i = 0; i < conditions.inputs.size(); ++i)
      changes.push_back({.time = SimTime{}, .input = i, .value = conditions.inputs[i]});
    if (conditions.real_time) {
      macro_steps_ = conditions.macro_steps;
      changes.insert(changes.end(), conditions.changes.begin(), conditions.changes.end());
    }
    script_ = InputScript(std::move(changes), conditions.inputs.size());
  } catch (const std::exception& error) {
    meeting_->leave(error.what());
    throw;
  }
}

void Run::execute_elsewhere(const hosts::Conditions& conditions) {
  take_over(conditions);
  const auto executive = [&] {
    try {
      auto made = make_executive();
      (void)made->prepare();
      return made;
    } catch (const std::exception& error) {
      meeting_->leave(error.what());
      throw;
    }
  }();
  threads_.emplace(
      *executive, cores_,
      PlantThreads::Settings{.priority = options_.rig.priority, .only = static_cast<int>(host_plan_->own)});
  meeting_->agree(start_of(plant_));
  executive->begin_without_lead();
  make_link(*executive);
  executive->start_steering();
  link_->start();
  threads_->run(results_);
  const std::string problem = link_->finish();
  (void)executive->finish_steering();
  results_.failed = results_.failed || !problem.empty();
  if (!problem.empty())
    std::fprintf(stderr, "%s: host %s: %s\n", plant_.name, host_plan_->names[host_plan_->own].c_str(), problem.c_str());
  else if (!options_.quiet)
    std::printf("host %s has computed its part\n", host_plan_->names[host_plan_->own].c_str());
}

}  // namespace takt
