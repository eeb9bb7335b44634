#pragma once
// One instance of an FMU: FMI 2 or 3, co-simulation or model exchange, by the same functions. It keeps the order of
// calls that the standard asks for (call_order.hpp): what is not allowed now is refused and not called.
//
//   Instance -> instantiate -> [set] -> enter_initialization -> [set, get] -> exit_initialization
//     co-simulation:  [get] -> do_step ...        (FMI 3 with event mode: update_discrete_states, leave_event_mode
//     first,
//                                                 and again where a step ends with an event)
//     model exchange: settle() -> leave_event_mode -> [set_time, set_states, set, get...] -> completed_step ...
//                     -> enter_event_mode at an event
//   -> terminate -> reset or the end
//
// Between a set() and the next do_step() of a co-simulation get() is refused (FMI 2.0.4, 4.2.4; FMI 3.0.2, 4.2.1).
// Around each call the FMU computes with plain floating-point control (subnormal numbers, nearest), afterwards the
// thread has its own again. Real-time: functions that are noexcept allocate nothing themselves; what the FMU does,
// nobody knows.

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "runtime/fmu/call_order.hpp"
#include "runtime/fmu/calls.hpp"
#include "runtime/fmu/library.hpp"

namespace takt::fmu {

/// A state that an instance has given; only for that instance, and freed by it.
struct SavedState {
  void* handle = nullptr;
  Mode mode = Mode::none;
  bool set_since_step = false;
};

class Instance {
 public:
  /// Loads the library.
  /// @throw LoadError
  explicit Instance(Table table);
  /// Frees the instance, where the standard still allows it.
  ~Instance();
  Instance(const Instance&) = delete;
  Instance& operator=(const Instance&) = delete;

  [[nodiscard]] const Table& table() const noexcept { return table_; }
  [[nodiscard]] Mode mode() const noexcept { return mode_; }
  /// Whether events of a co-simulation are the caller's (asked for, and offered).
  [[nodiscard]] bool event_mode_used() const noexcept { return event_mode_; }
  [[nodiscard]] Message& message() noexcept { return message_; }
  /// Calls after which the FMU had changed rounding, traps or subnormal numbers of the thread.
  [[nodiscard]] std::uint64_t float_control_changes() const noexcept { return control_changes_; }

  Result instantiate(const InstanceOptions& options);
  Result enter_initialization(const Experiment& experiment) noexcept;
  Result exit_initialization() noexcept;
  Result terminate() noexcept;
  Result reset() noexcept;  ///< back to instantiated

  /// @param values  at least rows.values() of them. @throw nothing
  Result get(RowSet& rows, std::span<double> values) noexcept;
  /// Refuses a row that may not be set now (its Use), and a value that its type cannot hold.
  Result set(RowSet& rows, std::span<const double> values) noexcept;
  /// @param text  the FMU's own memory, valid until its next call
  Result get_string(std::uint32_t reference, const char*& text) noexcept;
  /// @param use  of the variable
  Result set_string(std::uint32_t reference, const char* text, Use use) noexcept;

  /// From t to t + h, s; h > 0.
  Result do_step(double t, double h, StepEnd& end) noexcept;
  /// FMI 2 where the FMU interpolates inputs: slopes from here on, order 1.
  Result set_input_derivatives(const TimeDerivatives& derivatives) noexcept;
  Result get_output_derivatives(const TimeDerivatives& derivatives) noexcept;

  Result enter_event_mode() noexcept;
  Result leave_event_mode() noexcept;  ///< to continuous time, or to steps
  Result update_discrete_states(EventInfo& info) noexcept;
  /// Updates until nothing changes any more, at most `most` times: then refused, as events that never settle.
  /// @param info  what changed in any of them, the next event of the last
  Result settle(EventInfo& info, int most = 100) noexcept;

  Result set_time(double t) noexcept;
  Result set_states(std::span<const double> x) noexcept;
  Result get_states(std::span<double> x) noexcept;
  Result get_derivatives(std::span<double> dx) noexcept;
  Result get_indicators(std::span<double> z) noexcept;
  Result get_nominals(std::span<double> nominals) noexcept;
  Result completed_step(StepCompletion& completion) noexcept;

  Result directional(const Partials& partials) noexcept;
  Result adjoint(const Partials& partials) noexcept;  ///< FMI 3

  Result get_state(SavedState& state) noexcept;        ///< into a new one, or one that was given before
  Result set_state(const SavedState& state) noexcept;  ///< back to the mode it was taken in
  Result free_state(SavedState& state) noexcept;
  /// The state as bytes, with the mode it was taken in.
  Result serialize(const SavedState& state, std::vector<std::byte>& bytes);
  Result deserialize(std::span<const std::byte> bytes, SavedState& state);

 private:
  template <class Do>
  Result call(const char* function, Do&& act) noexcept;
  template <class Do>
  Result call_in(Call kind, const char* function, Do&& act) noexcept;
  [[nodiscard]] Result refused(const char* function, const char* reason) const noexcept;
  [[nodiscard]] bool model_exchange() const noexcept { return table_.kind == Kind::model_exchange; }

  Table table_;
  Message message_;
  std::unique_ptr<Calls> calls_;
  Mode mode_ = Mode::none;
  bool event_mode_ = false;
  bool set_since_step_ = false;  ///< co-simulation: inputs were set, outputs are unknown until a step
  std::uint64_t control_changes_ = 0;
};

/// "DoStep: Error: the FMU says ...". Not real-time.
[[nodiscard]] std::string describe(const Result& result, Instance& instance);

/// "the FMU ended the simulation at 10 s: ..." with what it has said of it. Not real-time.
/// @param messages_before  their number before the step that it ended
[[nodiscard]] std::string describe_end(double t, Instance& instance, std::uint64_t messages_before);

}  // namespace takt::fmu
