#pragma once
// One instance of a plant of model exchange: what FMI 2 and FMI 3 have in common. Which call is allowed when follows
// FMI 2.0.4, figure 6, and FMI 3.0.2, figure 6.

#include "runtime/flat/flat_plant.hpp"
#include "runtime/fmu_export/unit.hpp"

namespace takt::fmu_export {

/// Defined by the emitted fmu.cpp.
[[nodiscard]] const flat::Description& exported_flat();

/// Phases: construct, then what the standard allows; `running` is Continuous-Time Mode, `events` is Event Mode.
/// Value references are places of the flat plant.
class FlatInstance final : public Unit {
 public:
  FlatInstance(const flat::Description& exported, Log log);

  Status enter_initialization(double start_time) override;
  Status exit_initialization() override;
  Status terminate() override;
  Status reset() override;
  Status get(std::span<const std::uint32_t> references, double* values) override;
  Status set(std::span<const std::uint32_t> references, const double* values) override;
  Status get_state(std::unique_ptr<InstanceState>& state) override;
  Status set_state(const InstanceState& state) override;

  Status enter_events();
  Status enter_continuous_time();
  Status set_time(double time);
  [[nodiscard]] std::size_t states() const noexcept { return exported_.states.size(); }
  [[nodiscard]] std::size_t indicators() const noexcept { return exported_.modes.size(); }
  /// @param values  [states()]
  Status set_states(const double* values);
  Status get_states(double* values);
  Status get_rates(double* values);
  /// Sizes that errors of the states are judged by. @param values  [states()]
  void get_nominals(double* values) const noexcept;
  /// @param values  [indicators()]
  Status get_indicators(double* values);
  /// Discrete states at this time: once is enough.
  Status update(flat::FlatPlant::Event& event);

  struct Derivatives {
    std::span<const std::uint32_t> unknowns, knowns;
  };
  /// @param seed  [knowns]  @param result  [unknowns]
  Status directional(const Derivatives& of, const double* seed, double* result);
  /// @param seed  [unknowns]  @param result  [knowns]
  Status adjoint(const Derivatives& of, const double* seed, double* result);

 private:
  [[nodiscard]] std::string name_of(std::uint32_t reference) const;
  [[nodiscard]] std::string not_settable(std::uint32_t reference) const;
  [[nodiscard]] bool is_known(std::uint32_t reference) const;
  Status check(const Derivatives& of);
  Status start();
  Status fail(const std::string& why);
  template <class Call>
  Status evaluate(const Call& call);

  const flat::Description& exported_;
  Phase phase_ = Phase::instantiated;
  std::vector<double> given_;               // by place
  std::unique_ptr<flat::FlatPlant> plant_;  // from the first value that is asked for in initialisation
  std::vector<double> moves_;
};

}  // namespace takt::fmu_export
