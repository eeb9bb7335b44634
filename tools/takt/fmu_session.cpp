#include "tools/takt/fmu_session.hpp"

#include <bit>
#include <cmath>

#include "codegen/fmu/calls/call_table.hpp"

namespace takt::tools {

ConstantInputs::ConstantInputs(const OpenFmu& fmu, std::optional<double> value) {
  std::vector<fmu::Row> continuous, discrete;
  for (const codegen::FmuVariable& variable : fmu.description.variables) {
    if (variable.causality != codegen::FmuCausality::input) continue;
    const auto row = codegen::call_row(variable, static_cast<std::uint32_t>(values_.size()));
    if (!row) continue;
    const bool is_float = row->type == fmu::Type::float64 || row->type == fmu::Type::float32;
    if (!is_float) continue;  // whole numbers cannot be NaN, and beyond their range they are refused here already
    (row->use == fmu::Use::input_continuous ? continuous : discrete).push_back(*row);
    values_.resize(values_.size() + row->count, value.value_or(0.0));
  }
  rows_ = fmu::RowSet(fmu.table.version, continuous);
  discrete_ = fmu::RowSet(fmu.table.version, discrete);
  active_ = value.has_value() && !values_.empty();
}

fmu::Result ConstantInputs::continuous(fmu::Instance& instance, double) noexcept {
  return active_ ? instance.set(rows_, values_) : fmu::Result{};
}

fmu::Result ConstantInputs::all(fmu::Instance& instance, double t) noexcept {
  if (const fmu::Result set = continuous(instance, t); !set.done() || !active_) return set;
  return instance.set(discrete_, values_);
}

FmuSession::FmuSession(const FitnessPlan& plan, ProbeProgress& progress, std::optional<double> input)
    : plan_(plan),
      progress_(progress),
      instance_(plan.fmu->table),
      inputs_(*plan.fmu, input),
      rows_(plan.fmu->table.version, plan.outputs.rows),
      values_(plan.outputs.names.size()) {}

void FmuSession::require(const fmu::Result& result, const char* when) {
  if (!result.done()) throw std::runtime_error(std::string(when) + ": " + fmu::describe(result, instance_));
}

void FmuSession::begin() {
  if (instance_.mode() == fmu::Mode::none) {
    progress_.doing = "instantiating";
    require(instance_.instantiate({"fitness", false, true, true}), "at its start");
  }
  progress_.doing = "initialising";
  require(initialise(instance_, plan_.start, plan_.settings, inputs_), "in initialisation");
  driver_.emplace(instance_, *plan_.settings.method, inputs_);
  require(driver_->start(time(0)).result, "in initialisation");
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
  progress_.doing = "stepping";
  for (std::uint64_t k = 0; k < count && !ended; ++k) step(k), look();
  return digest_;
}

void FmuSession::reset() {
  progress_.doing = "resetting";
  require(instance_.reset(), "in reset");
}

}  // namespace takt::tools
