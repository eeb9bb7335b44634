// FMI 3.0.x: C functions of an FMU, called. Source: FMI 3.0.2, chapters 2.2, 2.3, 3.2, 4.2.

#include "runtime/fmu/calls.hpp"
#include "runtime/fmu/functions3.hpp"

namespace takt::fmu {
namespace {

Status status_of(fmi3Status status) noexcept {
  switch (status) {
    case fmi3OK:
      return Status::ok;
    case fmi3Warning:
      return Status::warning;
    case fmi3Discard:
      return Status::discard;
    case fmi3Fatal:
      return Status::fatal;
    case fmi3Error:
      break;
  }
  return Status::error;
}

void logger(fmi3InstanceEnvironment owner, fmi3Status status, fmi3String category, fmi3String text) {
  if (Message* own = Message::of(owner)) own->keep(status_of(status), category, text);
}

/// Calls a getter or setter of T with the raw memory of a group.
template <class T, class Function, class Group>
Status pass(Function* function, fmi3Instance c, Group& group) noexcept {
  using Raw = std::conditional_t<std::is_const_v<Group>, const T, T>;
  return status_of(function(c, group.references.data(), group.references.size(),
                            reinterpret_cast<Raw*>(group.raw.data()), group.elements.size()));
}

class Calls3 final : public Calls {
 public:
  Calls3(const Table& table, Message& message)
      : table_(table),
        library_(table.library, table.can.only_once_per_process),
        f_(resolve3(library_, table)),
        message_(message) {}

  Status instantiate(const InstanceOptions& o) override {
    const std::string folder = table_.resources.empty() ? "" : table_.resources + "/";
    const char* resources = folder.empty() ? nullptr : folder.c_str();
    if (table_.kind == Kind::model_exchange)
      c_ = f_.instantiate_model_exchange(o.name.c_str(), table_.token.c_str(), resources, fmi3False, o.logging,
                                         &message_, logger);
    else
      c_ = f_.instantiate_co_simulation(o.name.c_str(), table_.token.c_str(), resources, fmi3False, o.logging,
                                        o.event_mode, o.early_return, nullptr, 0, &message_, logger, nullptr);
    return c_ == nullptr ? Status::error : Status::ok;
  }
  Status enter_initialization(const Experiment& e) noexcept override {
    return status_of(f_.enter_initialization(c_, e.has_tolerance, e.tolerance, e.start, e.has_stop, e.stop));
  }
  Status exit_initialization() noexcept override { return status_of(f_.exit_initialization(c_)); }

  Status get(RowGroup& group) noexcept override {
    switch (group.type) {
      case Type::float64:
        return pass<fmi3Float64>(f_.get_float64, c_, group);
      case Type::float32:
        return pass<fmi3Float32>(f_.get_float32, c_, group);
      case Type::int8:
        return pass<fmi3Int8>(f_.get_int8, c_, group);
      case Type::uint8:
        return pass<fmi3UInt8>(f_.get_uint8, c_, group);
      case Type::int16:
        return pass<fmi3Int16>(f_.get_int16, c_, group);
      case Type::uint16:
        return pass<fmi3UInt16>(f_.get_uint16, c_, group);
      case Type::int32:
        return pass<fmi3Int32>(f_.get_int32, c_, group);
      case Type::uint32:
        return pass<fmi3UInt32>(f_.get_uint32, c_, group);
      case Type::int64:
      case Type::enumeration:
        return pass<fmi3Int64>(f_.get_int64, c_, group);
      case Type::uint64:
        return pass<fmi3UInt64>(f_.get_uint64, c_, group);
      case Type::boolean:
        break;
    }
    return pass<fmi3Boolean>(f_.get_boolean, c_, group);
  }
  Status set(RowGroup& given) noexcept override {
    const RowGroup& group = given;
    switch (group.type) {
      case Type::float64:
        return pass<fmi3Float64>(f_.set_float64, c_, group);
      case Type::float32:
        return pass<fmi3Float32>(f_.set_float32, c_, group);
      case Type::int8:
        return pass<fmi3Int8>(f_.set_int8, c_, group);
      case Type::uint8:
        return pass<fmi3UInt8>(f_.set_uint8, c_, group);
      case Type::int16:
        return pass<fmi3Int16>(f_.set_int16, c_, group);
      case Type::uint16:
        return pass<fmi3UInt16>(f_.set_uint16, c_, group);
      case Type::int32:
        return pass<fmi3Int32>(f_.set_int32, c_, group);
      case Type::uint32:
        return pass<fmi3UInt32>(f_.set_uint32, c_, group);
      case Type::int64:
      case Type::enumeration:
        return pass<fmi3Int64>(f_.set_int64, c_, group);
      case Type::uint64:
        return pass<fmi3UInt64>(f_.set_uint64, c_, group);
      case Type::boolean:
        break;
    }
    return pass<fmi3Boolean>(f_.set_boolean, c_, group);
  }
  Status get_string(std::uint32_t reference, const char*& text) noexcept override {
    return status_of(f_.get_string(c_, &reference, 1, &text, 1));
  }
  Status set_string(std::uint32_t reference, const char* text) noexcept override {
    return status_of(f_.set_string(c_, &reference, 1, &text, 1));
  }

  Status do_step(double t, double h, StepEnd& end) noexcept override {
    end = {t + h};
    double last = t;
    const fmi3Status status = f_.do_step(c_, t, h, fmi3True, &end.event, &end.terminate, &end.early_return, &last);
    if (status == fmi3Discard || end.early_return || end.terminate) end.reached = last;
    return status_of(status);
  }
  Status set_input_derivatives(const TimeDerivatives&) noexcept override { return Status::refused; }
  Status get_output_derivatives(const TimeDerivatives& d) noexcept override {
    return status_of(f_.get_output_derivatives(c_, d.references.data(), d.references.size(), d.orders.data(),
                                               d.values.data(), d.values.size()));
  }

  Status enter_event_mode() noexcept override { return status_of(f_.enter_event(c_)); }
  Status leave_event_mode() noexcept override {
    return status_of(table_.kind == Kind::model_exchange ? f_.enter_continuous(c_) : f_.enter_step(c_));
  }
  Status update_discrete_states(EventInfo& info) noexcept override {
    info = {};
    return status_of(f_.update_discrete_states(c_, &info.again, &info.terminate, &info.nominals_changed,
                                               &info.states_changed, &info.has_next_time, &info.next_time));
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
    completion = {};
    return status_of(f_.completed_step(c_, fmi3True, &completion.event, &completion.terminate));
  }

  Status directional(const Partials& p) noexcept override {
    return status_of(f_.directional(c_, p.unknowns.data(), p.unknowns.size(), p.knowns.data(), p.knowns.size(),
                                    p.seed.data(), p.seed.size(), p.sensitivity.data(), p.sensitivity.size()));
  }
  Status adjoint(const Partials& p) noexcept override {
    return status_of(f_.adjoint(c_, p.unknowns.data(), p.unknowns.size(), p.knowns.data(), p.knowns.size(),
                                p.seed.data(), p.seed.size(), p.sensitivity.data(), p.sensitivity.size()));
  }

  Status get_state(void*& state) noexcept override { return status_of(f_.get_state(c_, &state)); }
  Status set_state(void* state) noexcept override { return status_of(f_.set_state(c_, state)); }
  Status free_state(void*& state) noexcept override { return status_of(f_.free_state(c_, &state)); }
  Status serialized_size(void* state, std::size_t& size) noexcept override {
    return status_of(f_.serialized_size(c_, state, &size));
  }
  Status serialize(void* state, std::span<std::byte> bytes) noexcept override {
    return status_of(f_.serialize(c_, state, reinterpret_cast<fmi3Byte*>(bytes.data()), bytes.size()));
  }
  Status deserialize(std::span<const std::byte> bytes, void*& state) noexcept override {
    return status_of(f_.deserialize(c_, reinterpret_cast<const fmi3Byte*>(bytes.data()), bytes.size(), &state));
  }
  Status terminate() noexcept override { return status_of(f_.terminate(c_)); }
  Status reset() noexcept override { return status_of(f_.reset(c_)); }
  void free() noexcept override { f_.free_instance(c_), c_ = nullptr; }
  void abandon() noexcept override { c_ = nullptr, library_.abandon(); }

 private:
  Table table_;
  Library library_;
  Functions3 f_;
  Message& message_;
  fmi3Instance c_ = nullptr;
};

}  // namespace

std::unique_ptr<Calls> make_calls3(const Table& table, Message& message) {
  return std::make_unique<Calls3>(table, message);
}

}  // namespace takt::fmu
