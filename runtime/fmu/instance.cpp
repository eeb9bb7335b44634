#include "runtime/fmu/instance_call.hpp"

namespace takt::fmu {
namespace {

std::unique_ptr<Calls> make_calls(const Table& table, Message& message) {
  return table.version == Version::v2 ? make_calls2(table, message) : make_calls3(table, message);
}

}  // namespace

Instance::Instance(Table table) : table_(std::move(table)), calls_(make_calls(table_, message_)) {}

Instance::~Instance() {
  if (mode_ == Mode::dead) calls_->abandon();
  if (holds(modes_for(Call::free), mode_)) call("FreeInstance", [&] { return calls_->free(), Status::ok; });
}

Result Instance::refused(const char* function, const char* reason) const noexcept {
  return {Status::refused, function, reason};
}

Result Instance::instantiate(const InstanceOptions& options) {
  InstanceOptions own = options;
  event_mode_ = own.event_mode =
      options.event_mode && table_.can.has_event_mode && !model_exchange() && table_.version == Version::v3;
  own.early_return = options.early_return && table_.can.may_return_early;
  const Result result = call_in(Call::instantiate, "Instantiate", [&] { return calls_->instantiate(own); });
  if (result.status == Status::error) mode_ = Mode::none;  // there is no instance that could have failed
  if (result.done()) mode_ = Mode::instantiated;
  return result;
}

Result Instance::enter_initialization(const Experiment& experiment) noexcept {
  const Result result = call_in(Call::enter_initialization, "EnterInitializationMode",
                                [&] { return calls_->enter_initialization(experiment); });
  if (result.done()) mode_ = Mode::initialization;
  return result;
}

Result Instance::exit_initialization() noexcept {
  const Result result =
      call_in(Call::exit_initialization, "ExitInitializationMode", [&] { return calls_->exit_initialization(); });
  if (result.done()) mode_ = model_exchange() || event_mode_ ? Mode::event : Mode::step;
  set_since_step_ = false;
  return result;
}

Result Instance::terminate() noexcept {
  const Result result = call_in(Call::terminate, "Terminate", [&] { return calls_->terminate(); });
  if (result.done()) mode_ = Mode::terminated;
  return result;
}

Result Instance::reset() noexcept {
  const Result result = call_in(Call::reset, "Reset", [&] { return calls_->reset(); });
  if (result.done()) mode_ = Mode::instantiated;
  set_since_step_ = false;
  return result;
}

Result Instance::get(RowSet& rows, std::span<double> values) noexcept {
  if (values.size() < rows.values()) return refused("Get", "fewer places than values");
  if (mode_ == Mode::step && set_since_step_) return refused("Get", "inputs were set since the last step");
  for (RowGroup& group : rows.groups()) {
    const Result result = call_in(Call::get, "Get", [&] { return calls_->get(group); });
    if (!result.done()) return result;
  }
  return rows.to_values(values);
}

Result Instance::set(RowSet& rows, std::span<const double> values) noexcept {
  if (values.size() < rows.values()) return refused("Set", "fewer values than variables");
  for (std::size_t row = 0; row < rows.rows().size(); ++row)
    if (!holds(modes_for_setting(rows.rows()[row].use, event_mode_), mode_))
      return {Status::refused, "Set", not_now, row};
  if (const Result fits = rows.from_values(values); !fits.done()) return fits;
  for (RowGroup& group : rows.groups()) {
    set_since_step_ = set_since_step_ || mode_ == Mode::step;
    const Result result = call("Set", [&] { return calls_->set(group); });
    if (!result.done()) return result;
  }
  return {};
}

Result Instance::get_string(std::uint32_t reference, const char*& text) noexcept {
  if (mode_ == Mode::step && set_since_step_) return refused("GetString", "inputs were set since the last step");
  return call_in(Call::get, "GetString", [&] { return calls_->get_string(reference, text); });
}

Result Instance::set_string(std::uint32_t reference, const char* text, Use use) noexcept {
  if (!holds(modes_for_setting(use, event_mode_), mode_)) return refused("SetString", not_now);
  set_since_step_ = set_since_step_ || mode_ == Mode::step;
  return call("SetString", [&] { return calls_->set_string(reference, text); });
}

Result Instance::do_step(double t, double h, StepEnd& end) noexcept {
  if (model_exchange()) return refused("DoStep", "this is a model exchange");
  if (!(h > 0.0)) return refused("DoStep", "a step must be longer than nothing");
  const Result result = call_in(Call::do_step, "DoStep", [&] { return calls_->do_step(t, h, end); });
  if (result.status == Status::discard) mode_ = Mode::discarded;
  if (result.status != Status::refused) set_since_step_ = false;
  return result;
}

Result Instance::set_input_derivatives(const TimeDerivatives& derivatives) noexcept {
  if (model_exchange() || table_.version == Version::v3 || !table_.can.interpolates_inputs)
    return refused("SetRealInputDerivatives", "the FMU does not interpolate inputs");
  set_since_step_ = true;
  return call_in(Call::do_step, "SetRealInputDerivatives", [&] { return calls_->set_input_derivatives(derivatives); });
}

Result Instance::get_output_derivatives(const TimeDerivatives& derivatives) noexcept {
  if (model_exchange() || table_.can.output_derivative_order == 0)
    return refused("GetOutputDerivatives", "the FMU has no derivatives of outputs");
  if (set_since_step_) return refused("GetOutputDerivatives", "inputs were set since the last step");
  return call_in(Call::do_step, "GetOutputDerivatives", [&] { return calls_->get_output_derivatives(derivatives); });
}

Result Instance::enter_event_mode() noexcept {
  if (!model_exchange() && !event_mode_) return refused("EnterEventMode", "its event mode is not used");
  const Result result = call_in(Call::enter_event, "EnterEventMode", [&] { return calls_->enter_event_mode(); });
  if (result.done()) mode_ = Mode::event;
  return result;
}

Result Instance::leave_event_mode() noexcept {
  const char* function = model_exchange() ? "EnterContinuousTimeMode" : "EnterStepMode";
  const Result result = call_in(Call::leave_event, function, [&] { return calls_->leave_event_mode(); });
  if (result.done()) mode_ = model_exchange() ? Mode::continuous_time : Mode::step;
  set_since_step_ = false;
  return result;
}

Result Instance::update_discrete_states(EventInfo& info) noexcept {
  return call_in(Call::update_discrete_states,
                 table_.version == Version::v2 ? "NewDiscreteStates" : "UpdateDiscreteStates",
                 [&] { return calls_->update_discrete_states(info); });
}

Result Instance::settle(EventInfo& info, int most) noexcept {
  EventInfo all;
  for (int round = 0; round < most; ++round) {
    EventInfo one;
    const Result result = update_discrete_states(one);
    if (!result.done()) return result;
    info = one;
    info.nominals_changed = all.nominals_changed = all.nominals_changed || one.nominals_changed;
    info.states_changed = all.states_changed = all.states_changed || one.states_changed;
    if (!one.again || one.terminate) return result;
  }
  return refused("UpdateDiscreteStates", "its events do not settle");
}

Result Instance::set_time(double t) noexcept {
  return call_in(Call::continuous_set, "SetTime", [&] { return calls_->set_time(t); });
}
Result Instance::set_states(std::span<const double> x) noexcept {
  return call_in(Call::continuous_set, "SetContinuousStates", [&] { return calls_->set_states(x); });
}
Result Instance::get_states(std::span<double> x) noexcept {
  if (!model_exchange()) return refused("GetContinuousStates", "this is a co-simulation");
  return call_in(Call::continuous_get, "GetContinuousStates", [&] { return calls_->get_states(x); });
}
Result Instance::get_derivatives(std::span<double> dx) noexcept {
  if (!model_exchange()) return refused("GetDerivatives", "this is a co-simulation");
  return call_in(Call::continuous_get, "GetDerivatives", [&] { return calls_->get_derivatives(dx); });
}
Result Instance::get_indicators(std::span<double> z) noexcept {
  if (!model_exchange()) return refused("GetEventIndicators", "this is a co-simulation");
  return call_in(Call::continuous_get, "GetEventIndicators", [&] { return calls_->get_indicators(z); });
}
Result Instance::get_nominals(std::span<double> nominals) noexcept {
  if (!model_exchange()) return refused("GetNominalsOfContinuousStates", "this is a co-simulation");
  return call_in(Call::continuous_get, "GetNominalsOfContinuousStates", [&] { return calls_->get_nominals(nominals); });
}
Result Instance::completed_step(StepCompletion& completion) noexcept {
  return call_in(Call::continuous_set, "CompletedIntegratorStep", [&] { return calls_->completed_step(completion); });
}

Result Instance::directional(const Partials& partials) noexcept {
  if (!table_.can.directional_derivatives) return refused("GetDirectionalDerivative", "the FMU does not offer it");
  return call_in(Call::partials, "GetDirectionalDerivative", [&] { return calls_->directional(partials); });
}
Result Instance::adjoint(const Partials& partials) noexcept {
  if (table_.version == Version::v2 || !table_.can.adjoint_derivatives)
    return refused("GetAdjointDerivative", "the FMU does not offer it");
  return call_in(Call::partials, "GetAdjointDerivative", [&] { return calls_->adjoint(partials); });
}

}  // namespace takt::fmu
