#pragma once
// An FMU that is advanced by a fixed step, whichever its kind.

#include <optional>

#include "runtime/fmu/co_simulation.hpp"
#include "runtime/fmu/model_exchange.hpp"

namespace takt::fmu {

class Driver {
 public:
  /// May allocate. Lifetimes of the references exceed that of this.
  /// @param method  of a model exchange
  Driver(Instance& instance, const Tableau& method, Inputs& inputs) {
    if (instance.table().kind == Kind::model_exchange)
      model_.emplace(instance, method, inputs);
    else
      slave_.emplace(instance, inputs);
  }
  void watch(EventWatch* watch) noexcept { model_ ? model_->watch(watch) : slave_->watch(watch); }
  Advanced start(double t) noexcept { return model_ ? model_->start(t) : slave_->start(t); }
  Advanced advance(double t, double end) noexcept { return model_ ? model_->advance(t, end) : slave_->advance(t, end); }
  Advanced input_event(double t) noexcept { return model_ ? model_->input_event(t) : slave_->input_event(t); }
  /// After Instance::set_state(): states and indicators are read again. `next` is of when the state was taken.
  Advanced resume(double t, const EventInfo& next) noexcept {
    return model_ ? model_->resume(t, next) : Advanced{{}, t};
  }
  [[nodiscard]] EventInfo next_event() const noexcept { return model_ ? model_->next_event() : EventInfo{}; }
  [[nodiscard]] std::span<const double> states() const noexcept {
    return model_ ? model_->states() : std::span<const double>{};
  }
  /// Of a model exchange, else null.
  [[nodiscard]] ModelExchange* model() noexcept { return model_ ? &*model_ : nullptr; }
  [[nodiscard]] const AdvanceCounts& counts() const noexcept { return model_ ? model_->counts() : slave_->counts(); }

 private:
  std::optional<ModelExchange> model_;
  std::optional<CoSimulation> slave_;
};

}  // namespace takt::fmu
