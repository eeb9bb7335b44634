// A run on several hosts: what this one computes, and what has to be the same on all.

#include <cstdio>
#include <stdexcept>

#include "runtime/plant/memory_table.hpp"
#include "runtime/program/run.hpp"
#include "runtime/program/stop_signals.hpp"

namespace takt {
namespace {

/// FNV-1a, 64 bits.
std::string hash_of(std::span<const std::byte> bytes) {
  std::uint64_t hash = 0xcbf29ce484222325;
  for (const std::byte byte : bytes) hash = (hash ^ static_cast<std::uint64_t>(byte)) * 0x100000001b3;
  char text[17];
  std::snprintf(text, sizeof text, "%016llx", static_cast<unsigned long long>(hash));
  return text;
}

}  // namespace

void Run::plan_hosts() {
  if (options_.rig.hosts.list.empty()) {
    if (!options_.host.empty()) throw std::runtime_error("--host " + options_.host + ": the rig names no hosts");
    return;
  }
  if (options_.one_host || !options_.trials.empty()) return;
  host_plan_ = hosts::plan_hosts(plant_, options_.rig.hosts, options_.host);
  refuse_with_hosts();
}

void Run::refuse_with_hosts() const {
  const auto refuse = [](const std::string& what) {
    throw std::runtime_error(what + "; --one-host computes everything here");
  };
  if (options_.paced)
    refuse("the hosts of the rig compute in lock-step, as fast as they can, not in real time: give --pace free");
  if (options_.cpus.size() > 1) refuse("each host of the rig computes on one core: leave --cores away");
  if (!options_.resume.empty()) refuse("several hosts cannot go on from a checkpoint");
  if (options_.hold) refuse("several hosts do not wait at time 0: leave --hold away");
}

hosts::Agreement Run::agreement() const {
  std::string text;
  for (std::size_t host = 0; host < host_plan_->names.size(); ++host) {
    text += "host " + host_plan_->names[host] + " computes";
    for (std::size_t s = 0; s < host_plan_->placement.size(); ++s)
      if (host_plan_->placement[s] == host) text += std::string(" ") + plant_.subsystems[s].name;
    text += "\n";
  }
  text += "macro-steps: " + std::to_string(macro_steps_) + "\n";
  for (const auto& [name, value] : results_.parameters_set) text += "--set " + name + "=" + value + "\n";
  if (options_.sample_fluxes) text += "--sample-fluxes\n";
  char alarm[40];
  std::snprintf(alarm, sizeof alarm, "--ledger-alarm %.17g\n", options_.ledger_alarm);
  text += alarm;
  text += "memory at the start: " + hash_of({plant_.memory, plant_.memory_size}) + "\n";
  return {.generator = plant_.generator, .plant = plant_.input_hash, .conditions = std::move(text)};
}

void Run::meet_hosts(Executive& executive) {
  const HostsSettings& settings = options_.rig.hosts;
  link_process_ = std::make_unique<hosts::LinkProcess>(
      hosts::LinkProcess::Settings{.session = std::string(plant_.name) + "/" + options_.rig.name,
                                   .interface = settings.list[host_plan_->own].interface,
                                   .domain = settings.domain});
  link_ = std::make_unique<hosts::HostLink>(executive, *host_plan_, *link_process_,
                                            hosts::HostLink::Settings{.wait_ns = settings.wait_ns,
                                                                      .silence_ns = settings.silence_ns,
                                                                      .goes_on = +[] { return stop_signal() == 0; }});
  link_->meet(agreement());
}

void Run::execute_elsewhere() {
  choose();
  const auto executive = make_executive();
  (void)executive->prepare();
  catch_stop_signals();
  threads_.emplace(*executive, cores_,
                   PlantThreads::Settings{.priority = options_.rig.priority, .only = static_cast<int>(host_plan_->own)});
  meet_hosts(*executive);
  executive->begin_without_lead();
  executive->start_steering();
  link_->start();
  threads_->run(results_);
  const std::string problem = link_->finish();
  (void)executive->finish_steering();
  results_.failed = results_.failed || !problem.empty();
  if (!problem.empty())
    std::fprintf(stderr, "%s: %s\n", plant_.name, problem.c_str());
  else if (!options_.quiet)
    std::printf("host %s has computed its part\n", host_plan_->names[host_plan_->own].c_str());
}

}  // namespace takt
