#pragma once
// FMUs of kind co-simulation that save and restore their state, joined by constraints: way `implicit`.
//
// The force L of a step is held over it, and found so that v_a(t + h) = v_b(t + h): from the saved state one trial step
// with the last L, one for each constraint (differences), then `iterations` corrections L -= J^-1 g, each a step from
// the saved state; the last one counts. Exact after one where the FMUs are linear; order 1, because L is held. Steps of
// each FMU for one: 1 + constraints + iterations. FMI 3.0.2, 4.2.1: no value is read after a set before a step.
//
// The ledger takes the velocity between the ends of a step as their mean.

#include <vector>

#include "runtime/fmu/advance.hpp"
#include "runtime/fmu/join/dense.hpp"
#include "runtime/fmu/join/joint.hpp"
#include "runtime/fmu/join/model_body.hpp"

namespace takt::fmu::join {

struct Slave {
  Instance* instance = nullptr;
  Inputs* inputs = nullptr;
  ModelTerminals terminals;
};

class SlaveGroup final : public Joint {
 public:
  /// May allocate. Instances and inputs outlive this.
  SlaveGroup(std::vector<Slave> slaves, std::vector<Constraint> constraints, const Settings& settings);
  ~SlaveGroup() override;
  SlaveGroup(const SlaveGroup&) = delete;
  SlaveGroup& operator=(const SlaveGroup&) = delete;

  Fault start(double t) override;
  Fault advance(double t, double end, bool& terminate) noexcept override;
  /// Inputs are set before each step: nothing.
  Fault input_event(double, bool&) noexcept override { return {}; }
  [[nodiscard]] std::vector<double> kept() const override;
  Fault resume(double t, std::span<const double> values) override;
  [[nodiscard]] const Ledger& ledger(std::size_t constraint) const noexcept override { return ledgers_[constraint]; }
  [[nodiscard]] std::span<const Constraint> constraints() const noexcept override { return constraints_; }
  [[nodiscard]] const Found& found() const noexcept override { return found_; }
  [[nodiscard]] const Settings& settings() const noexcept override { return settings_; }
  [[nodiscard]] std::vector<std::size_t> undetermined() const override { return solver_.undetermined(); }
  [[nodiscard]] std::uint64_t steps() const noexcept { return steps_; }  ///< of FMUs, trials too

 private:
  struct Of {
    Slave slave;
    RowSet through_rows, across_rows;
    std::vector<double> u, y;
    SavedState saved;
  };
  Fault save() noexcept;
  Fault restore() noexcept;
  Fault step(double t, double h, bool& terminate) noexcept;  // with l_
  Fault read() noexcept;
  [[nodiscard]] Fault check_signs(std::size_t c) const noexcept;
  Fault find_force(double t, double h, bool& terminate) noexcept;
  [[nodiscard]] double across(const Terminal& of) const noexcept { return of_[of.body].y[of.across]; }
  [[nodiscard]] double gap(std::size_t c) const noexcept {
    return across(constraints_[c].a) - across(constraints_[c].b);
  }
  Fault within(double limit, Fault::What what) noexcept;

  std::vector<Of> of_;
  std::vector<Constraint> constraints_;
  Settings settings_;
  Found found_;
  Dense solver_;
  std::vector<Ledger> ledgers_;
  std::vector<double> l_, g_, dl_, jacobian_, a0_, b0_, a1_, b1_;
  bool first_ = true;  // no step taken
  std::uint64_t steps_ = 0;
};

}  // namespace takt::fmu::join
