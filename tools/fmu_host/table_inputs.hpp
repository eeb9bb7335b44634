#pragma once
// Inputs of an FMU over time, from a table. Continuous inputs are interpolated linearly, two rows of one time are a
// jump; all others hold their value. Before the first row and after the last its values hold.

#include <limits>
#include <vector>

#include "runtime/fmu/advance.hpp"
#include "tools/fmu_host/trial_plan.hpp"

namespace takt::fmu_host {

class TableInputs final : public fmu::Inputs {
 public:
  TableInputs(fmu::Version version, InputTable table);

  fmu::Result continuous(fmu::Instance& instance, double t) noexcept override;
  fmu::Result all(fmu::Instance& instance, double t) noexcept override;

  /// The first jump after t, s; infinite where there is none.
  [[nodiscard]] double next_event(double t) const noexcept;

 private:
  struct Point {
    double value = 0.0, slope = 0.0;
  };
  [[nodiscard]] Point at(const InputTable::Column& column, double t, bool after) const noexcept;
  fmu::Result set(fmu::Instance& instance, double t, bool after) noexcept;
  void find_events();

  InputTable table_;
  std::vector<double> events_;
  double last_jump_ = std::numeric_limits<double>::quiet_NaN();  ///< s, where all() was last asked
  std::vector<double> values_, slopes_;
  std::vector<int> slope_orders_;
  fmu::RowSet continuous_rows_, discrete_rows_;
};

}  // namespace takt::fmu_host
