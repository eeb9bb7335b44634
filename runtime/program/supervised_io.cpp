#include "runtime/program/supervised_io.hpp"

#include <stdexcept>
#include <utility>

#include "runtime/program/stop_signals.hpp"

namespace takt {

SupervisedIo::SupervisedIo(std::unique_ptr<IoPort> io, const Supervisor::Settings& settings,
                           const std::byte* plant_memory)
    : io_(std::move(io)),
      around_{.plant_memory = plant_memory, .goes_on = [] { return stop_signal() == 0; }, .beat = [] {}} {
  if (!settings.supervisor.enabled) return;
  supervisor_.emplace(*io_, settings);
  around_.beat = [this] { supervisor_->beat(); };
}

SupervisedIo::~SupervisedIo() {
  if (!has_started_) return;
  try {
    publish_safe(SimTime{});
    stop();
  } catch (const std::exception&) {  // the error that has led here is told
  }
}

void SupervisedIo::start() {
  io_->start();
  if (supervisor_) supervisor_->rest();  // from here on the dead plant's buses are its own
  const std::string failed = io_->take_start_steps(around_);
  if (supervisor_) supervisor_->rest();  // until the first values leave
  has_started_ = failed.empty();
  if (has_started_) return;
  end();
  throw StartStepFailed(failed);
}

void SupervisedIo::publish_safe(SimTime now) noexcept {
  io_->publish_safe(now);
  if (supervisor_) supervisor_->leave();
}

void SupervisedIo::stop() {
  if (has_started_) problem_ = io_->take_stop_steps(around_);
  has_started_ = false;
  end();
}

void SupervisedIo::end() {
  if (supervisor_) supervisor_->leave();
  io_->stop();
  if (supervisor_) supervisor_->end();
}

std::vector<IoEvent> SupervisedIo::events() const {
  std::vector<IoEvent> all = io_->events();
  if (supervisor_)
    for (IoEvent& event : supervisor_->events()) all.push_back(std::move(event));
  return all;
}

std::vector<IoFinding> SupervisedIo::findings() const {
  std::vector<IoFinding> all = io_->findings();
  if (supervisor_)
    for (IoFinding& finding : supervisor_->findings()) all.push_back(std::move(finding));
  return all;
}

std::unique_ptr<IoPort> supervised(std::unique_ptr<IoPort> io, const PlantDescription& plant, const RigSettings& rig,
                                   const std::vector<int>& cpus) {
  if (!io) return nullptr;
  const Supervisor::Settings settings{.supervisor = rig.supervisor,
                                      .macro_step = SimDuration{plant.macro_step_ns},
                                      .plant = plant.name,
                                      .cpus = cpus,
                                      .priority = rig.priority};
  return std::make_unique<SupervisedIo>(std::move(io), settings, plant.memory);
}

}  // namespace takt
