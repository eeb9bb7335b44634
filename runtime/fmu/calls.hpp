#pragma once
// The functions of both versions under one name each. No checks and no state: Instance keeps the order of calls.

#include <memory>
#include <span>
#include <string>

#include "runtime/fmu/message.hpp"
#include "runtime/fmu/row_set.hpp"

namespace takt::fmu {

struct Experiment {
  double start = 0.0;  ///< s
  bool has_stop = false;
  double stop = 0.0;  ///< s
  bool has_tolerance = false;
  double tolerance = 0.0;  ///< relative
};

struct InstanceOptions {
  std::string name = "instance";
  bool logging = false;
  bool event_mode = false;    ///< FMI 3 co-simulation: its events are handled by the caller
  bool early_return = false;  ///< FMI 3 co-simulation
};

/// What a step of a co-simulation came to.
struct StepEnd {
  double reached = 0.0;    ///< s; the end of the step, earlier where it returned early or was discarded
  bool event = false;      ///< enter_event_mode() is needed
  bool terminate = false;  ///< the FMU wants the simulation to end
  bool early_return = false;
};

/// What an update of discrete states came to.
struct EventInfo {
  bool again = false;  ///< not settled yet
  bool terminate = false;
  bool nominals_changed = false, states_changed = false;
  bool has_next_time = false;
  double next_time = 0.0;  ///< s, of the next time event
};

struct StepCompletion {
  bool event = false, terminate = false;
};

/// Directional: sensitivity[unknowns] = (d unknown / d known) seed[knowns]; adjoint: the transposed product,
/// seed[unknowns], sensitivity[knowns]. Elements of arrays lie one after the other.
struct Partials {
  std::span<const std::uint32_t> unknowns, knowns;  ///< value references
  std::span<const double> seed;
  std::span<double> sensitivity;
};

/// Derivatives of inputs or outputs by time, of one order.
struct TimeDerivatives {
  std::span<const std::uint32_t> references;
  std::span<const int> orders;  ///< as many as references
  std::span<double> values;
};

class Calls {
 public:
  virtual ~Calls() = default;
  virtual Status instantiate(const InstanceOptions& options) = 0;
  virtual Status enter_initialization(const Experiment& experiment) noexcept = 0;
  virtual Status exit_initialization() noexcept = 0;
  virtual Status get(RowGroup& group) noexcept = 0;
  virtual Status set(RowGroup& group) noexcept = 0;
  virtual Status get_string(std::uint32_t reference, const char*& text) noexcept = 0;
  virtual Status set_string(std::uint32_t reference, const char* text) noexcept = 0;
  virtual Status do_step(double t, double h, StepEnd& end) noexcept = 0;
  virtual Status set_input_derivatives(const TimeDerivatives& derivatives) noexcept = 0;
  virtual Status get_output_derivatives(const TimeDerivatives& derivatives) noexcept = 0;
  virtual Status enter_event_mode() noexcept = 0;
  virtual Status leave_event_mode() noexcept = 0;
  virtual Status update_discrete_states(EventInfo& info) noexcept = 0;
  virtual Status set_time(double t) noexcept = 0;
  virtual Status set_states(std::span<const double> x) noexcept = 0;
  virtual Status get_states(std::span<double> x) noexcept = 0;
  virtual Status get_derivatives(std::span<double> dx) noexcept = 0;
  virtual Status get_indicators(std::span<double> z) noexcept = 0;
  virtual Status get_nominals(std::span<double> nominals) noexcept = 0;
  virtual Status completed_step(StepCompletion& completion) noexcept = 0;
  virtual Status directional(const Partials& partials) noexcept = 0;
  virtual Status adjoint(const Partials& partials) noexcept = 0;
  virtual Status get_state(void*& state) noexcept = 0;
  virtual Status set_state(void* state) noexcept = 0;
  virtual Status free_state(void*& state) noexcept = 0;
  virtual Status serialized_size(void* state, std::size_t& size) noexcept = 0;
  virtual Status serialize(void* state, std::span<std::byte> bytes) noexcept = 0;
  virtual Status deserialize(std::span<const std::byte> bytes, void*& state) noexcept = 0;
  virtual Status terminate() noexcept = 0;
  virtual Status reset() noexcept = 0;
  virtual void free() noexcept = 0;
  /// Nothing of the library runs any more.
  virtual void abandon() noexcept = 0;
};

/// @throw LoadError
[[nodiscard]] std::unique_ptr<Calls> make_calls2(const Table& table, Message& message);
[[nodiscard]] std::unique_ptr<Calls> make_calls3(const Table& table, Message& message);

}  // namespace takt::fmu
