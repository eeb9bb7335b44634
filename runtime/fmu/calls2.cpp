// FMI 2.0.x: C functions of an FMU, called. Source: FMI 2.0.4, chapters 2.1, 3.2, 4.2.

#include <cstdlib>
#include <string_view>

#include "runtime/fmu/calls.hpp"
#include "runtime/fmu/functions2.hpp"

namespace takt::fmu {
namespace {

Status status_of(fmi2Status status) noexcept {
  switch (status) {
    case fmi2OK:
      return Status::ok;
    case fmi2Warning:
      return Status::warning;
    case fmi2Discard:
      return Status::discard;
    case fmi2Fatal:
      return Status::fatal;
    case fmi2Error:
    case fmi2Pending:
      break;  // nobody waits for an FMU that computes by itself
  }
  return Status::error;
}

void logger(fmi2ComponentEnvironment owner, fmi2String, fmi2Status status, fmi2String category, fmi2String text, ...) {
  std::va_list values;
  va_start(values, text);
  if (Message* own = Message::of(owner)) own->format(status_of(status), category, text, values);
  va_end(values);
}

/// RFC 3986: what a path may hold stays, all else is written as the bytes of its UTF-8.
std::string file_uri(const std::string& path) {
  constexpr std::string_view plain = "/-._~!$&'()*+,;=:@";
  constexpr char digits[] = "0123456789ABCDEF";
  std::string uri = "file://";
  for (const char c : path) {
    const auto byte = static_cast<unsigned char>(c);
    const bool stays = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
                       plain.find(c) != std::string_view::npos;
    if (stays)
      uri += c;
    else
      uri += {'%', digits[byte >> 4U], digits[byte & 15U]};
  }
  return uri;
}

class Calls2 final : public Calls {
 public:
  Calls2(const Table& table, Message& message)
      : table_(table),
        library_(table.library, table.can.only_once_per_process),
        f_(resolve2(library_, table)),
        callbacks_{logger, std::calloc, std::free, nullptr, &message} {}

  Status instantiate(const InstanceOptions& options) override {
    const auto kind = table_.kind == Kind::model_exchange ? fmi2ModelExchange : fmi2CoSimulation;
    c_ = f_.instantiate(options.name.c_str(), kind, table_.token.c_str(), file_uri(table_.resources).c_str(),
                        &callbacks_, fmi2False, options.logging ? fmi2True : fmi2False);
    return c_ == nullptr ? Status::error : Status::ok;
  }
  Status enter_initialization(const Experiment& e) noexcept override {
    const Status setup = status_of(f_.setup_experiment(c_, e.has_tolerance ? fmi2True : fmi2False, e.tolerance, e.start,
                                                       e.has_stop ? fmi2True : fmi2False, e.stop));
    return setup > Status::warning ? setup : status_of(f_.enter_initialization(c_));
  }
  Status exit_initialization() noexcept override { return status_of(f_.exit_initialization(c_)); }

  Status get(RowGroup& group) noexcept override {
    const auto* refs = group.references.data();
    const std::size_t count = group.references.size();
    void* raw = group.raw.data();
    if (group.type == Type::float64) return status_of(f_.get_real(c_, refs, count, static_cast<double*>(raw)));
    if (group.type == Type::boolean) return status_of(f_.get_boolean(c_, refs, count, static_cast<int*>(raw)));
    return status_of(f_.get_integer(c_, refs, count, static_cast<int*>(raw)));
  }
  Status set(RowGroup& group) noexcept override {
    const auto* refs = group.references.data();
    const std::size_t count = group.references.size();
    const void* raw = group.raw.data();
    if (group.type == Type::float64) return status_of(f_.set_real(c_, refs, count, static_cast<const double*>(raw)));
    if (group.type == Type::boolean) return status_of(f_.set_boolean(c_, refs, count, static_cast<const int*>(raw)));
    return status_of(f_.set_integer(c_, refs, count, static_cast<const int*>(raw)));
  }
  Status get_string(std::uint32_t reference, const char*& text) noexcept override {
    return status_of(f_.get_string(c_, &reference, 1, &text));
  }
  Status set_string(std::uint32_t reference, const char* text) noexcept override {
    return status_of(f_.set_string(c_, &reference, 1, &text));
  }

  Status do_step(double t, double h, StepEnd& end) noexcept override {
    end = {t + h};
    const fmi2Status status = f_.do_step(c_, t, h, fmi2True);
    if (status == fmi2Discard) {
      fmi2Boolean terminated = fmi2False;
      end.reached = t;
      if (f_.get_real_status != nullptr) f_.get_real_status(c_, fmi2LastSuccessfulTime, &end.reached);
      if (f_.get_boolean_status != nullptr) f_.get_boolean_status(c_, fmi2Terminated, &terminated);
      end.terminate = terminated != fmi2False;
    }
    if (status == fmi2Pending && f_.cancel_step != nullptr) f_.cancel_step(c_);
    return status_of(status);
  }
  Status set_input_derivatives(const TimeDerivatives& d) noexcept override {
    return status_of(
        f_.set_input_derivatives(c_, d.references.data(), d.references.size(), d.orders.data(), d.values.data()));
  }
  Status get_output_derivatives(const TimeDerivatives& d) noexcept override {
    return status_of(
        f_.get_output_derivatives(c_, d.references.data(), d.references.size(), d.orders.data(), d.values.data()));
  }

  Status enter_event_mode() noexcept override { return status_of(f_.enter_event(c_)); }
  Status leave_event_mode() noexcept override { return status_of(f_.enter_continuous(c_)); }
  Status update_discrete_states(EventInfo& info) noexcept override {
    fmi2EventInfo own{};
    const Status status = status_of(f_.new_discrete_states(c_, &own));
    info = {own.newDiscreteStatesNeeded != fmi2False,
            own.terminateSimulation != fmi2False,
            own.nominalsOfContinuousStatesChanged != fmi2False,
            own.valuesOfContinuousStatesChanged != fmi2False,
            own.nextEventTimeDefined != fmi2False,
            own.nextEventTime};
    return status;
  }
  Status set_time(double t) noexcept override { return status_of(f_.set_time(c_, t)); }
  Status set_states(std::span<const double> x) noexcept override {
    return status_of(f_.set_states(c_, x.data(), x.size()));
  }
  Status get_states(std::span<double> x) noexcept override { return status_of(f_.get_states(c_, x.data(), x.size())); }
  Status get_derivatives(std::span<double> dx) noexcept override {
    return status_of(f_.get_derivatives(c_, dx.data(), dx.size()));
  }
  Status get_indicators(std::span<double> z) noexcept override {
    return status_of(f_.get_indicators(c_, z.data(), z.size()));
  }
  Status get_nominals(std::span<double> nominals) noexcept override {
    return status_of(f_.get_nominals(c_, nominals.data(), nominals.size()));
  }
  Status completed_step(StepCompletion& completion) noexcept override {
    fmi2Boolean event = fmi2False, terminate = fmi2False;
    const Status status = status_of(f_.completed_step(c_, fmi2True, &event, &terminate));
    completion = {event != fmi2False, terminate != fmi2False};
    return status;
  }

  Status directional(const Partials& p) noexcept override {
    return status_of(f_.directional(c_, p.unknowns.data(), p.unknowns.size(), p.knowns.data(), p.knowns.size(),
                                    p.seed.data(), p.sensitivity.data()));
  }
  Status adjoint(const Partials&) noexcept override { return Status::refused; }

  Status get_state(void*& state) noexcept override { return status_of(f_.get_state(c_, &state)); }
  Status set_state(void* state) noexcept override { return status_of(f_.set_state(c_, state)); }
  Status free_state(void*& state) noexcept override { return status_of(f_.free_state(c_, &state)); }
  Status serialized_size(void* state, std::size_t& size) noexcept override {
    return status_of(f_.serialized_size(c_, state, &size));
  }
  Status serialize(void* state, std::span<std::byte> bytes) noexcept override {
    return status_of(f_.serialize(c_, state, reinterpret_cast<fmi2Byte*>(bytes.data()), bytes.size()));
  }
  Status deserialize(std::span<const std::byte> bytes, void*& state) noexcept override {
    return status_of(f_.deserialize(c_, reinterpret_cast<const fmi2Byte*>(bytes.data()), bytes.size(), &state));
  }
  Status terminate() noexcept override { return status_of(f_.terminate(c_)); }
  Status reset() noexcept override { return status_of(f_.reset(c_)); }
  void free() noexcept override { f_.free_instance(c_), c_ = nullptr; }
  void abandon() noexcept override { c_ = nullptr, library_.abandon(); }

 private:
  Table table_;
  Library library_;
  Functions2 f_;
  fmi2CallbackFunctions callbacks_;
  fmi2Component c_ = nullptr;
};

}  // namespace

std::unique_ptr<Calls> make_calls2(const Table& table, Message& message) {
  return std::make_unique<Calls2>(table, message);
}

}  // namespace takt::fmu
