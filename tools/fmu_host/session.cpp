#include "tools/fmu_host/session.hpp"

#include <bit>
#include <cmath>

#include "tools/fmu_host/step_judge.hpp"

namespace takt::fmu_host {

ConstantInputs::ConstantInputs(fmu::Version version, const HeldInputs& held)
    : rows_(version, held.continuous),
      discrete_(version, held.discrete),
      values_(held.values, held.value.value_or(0.0)),
      active_(held.value.has_value() && held.values > 0) {}

fmu::Result ConstantInputs::continuous(fmu::Instance& instance, double) noexcept {
  return active_ ? instance.set(rows_, values_) : fmu::Result{};
}

fmu::Result ConstantInputs::all(fmu::Instance& instance, double t) noexcept {
  if (const fmu::Result set = continuous(instance, t); !set.done() || !active_) return set;
  return instance.set(discrete_, values_);
}

FmuSession::FmuSession(const TrialPlan& plan, TrialProgress& progress)
    : plan_(plan),
      progress_(progress),
      instance_(plan.table),
      inputs_(plan.table.version, plan.held),
      rows_(plan.table.version, plan.observed.rows),
      values_(plan.observed.names.size()) {}

void FmuSession::require(const fmu::Result& result, const char* when) {
  if (!result.done()) throw std::runtime_error(std::string(when) + ": " + fmu::describe(result, instance_));
}

void FmuSession::begin() {
  if (instance_.mode() == fmu::Mode::none) {
    progress_.begin("instantiating");
    require(instance_.instantiate({"fitness", false, true, true}), "at its start");
  }
  progress_.begin("initialising");
  require(initialise(instance_, plan_.start, plan_.settings, inputs_), "in initialisation");
  driver_.emplace(instance_, *plan_.settings.method, inputs_);
  require(driver_->start(time(0)).result, "in initialisation");
  fmu::ModelExchange* model = driver_->model();
  if (model != nullptr) model->set_choosing(plan_.settings.chooses);
  if (model != nullptr && instance_.mode() == fmu::Mode::continuous_time)  // it has not ended the simulation already
    if (const Judged judged = judge_step(*model, instance_, plan_.settings.grid.step, plan_.settings.chooses);
        judged.refused)
      throw std::runtime_error(judged.text);
  clear_digest();
  ended = false;
}

void FmuSession::step(std::uint64_t k) {
  progress_.step.store(k, std::memory_order_relaxed);
  const fmu::Advanced done = driver_->advance(time(k), time(k + 1));
  if (!done.result.done()) {
    const std::string when = "at step " + std::to_string(k);
    require(done.result, when.c_str());
  }
  ended = done.terminate;
}

void FmuSession::add(std::span<const double> values) {
  for (const double value : values) {
    digest_ = (digest_ ^ std::bit_cast<std::uint64_t>(value)) * 0x100000001b3U;
    subnormal += std::fpclassify(value) == FP_SUBNORMAL;
    not_finite += !std::isfinite(value);
  }
}

void FmuSession::look() {
  if (ended && instance_.mode() == fmu::Mode::event) return;
  require(instance_.get(rows_, values_), "reading outputs");
  add(values_);
  add(driver_->states());
}

std::uint64_t FmuSession::run(std::uint64_t count) {
  begin();
  progress_.begin("stepping");
  for (std::uint64_t k = 0; k < count && !ended; ++k) step(k), look();
  return digest_;
}

void FmuSession::reset() {
  progress_.begin("resetting");
  require(instance_.reset(), "in reset");
}

}  // namespace takt::fmu_host
