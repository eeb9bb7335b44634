#pragma once
// Inputs of an FMU over time, from a table: the first column "time [s]", the others named as inputs or their elements
// ("u", "u[2]"). Continuous inputs are interpolated linearly, two rows of one time are a jump; all others hold their
// value. Before the first row and after the last its values hold.

#include <filesystem>
#include <limits>
#include <string>
#include <vector>

#include "codegen/fmu/fmu_description.hpp"
#include "runtime/fmu/advance.hpp"

namespace takt::tools {

class CsvInputs final : public fmu::Inputs {
 public:
  /// No inputs.
  explicit CsvInputs(fmu::Version version) : continuous_rows_(version, {}), discrete_rows_(version, {}) {}
  /// @param slopes  also hand over derivatives of continuous inputs (FMI 2, canInterpolateInputs)
  /// @throw std::runtime_error  file, line, what is wrong
  CsvInputs(const codegen::FmuDescription& fmu, const std::filesystem::path& file, bool slopes);

  fmu::Result continuous(fmu::Instance& instance, double t) noexcept override;
  fmu::Result all(fmu::Instance& instance, double t) noexcept override;

  /// The first jump after t, s; infinite where there is none.
  [[nodiscard]] double next_event(double t) const noexcept;
  [[nodiscard]] bool empty() const noexcept { return columns_.empty(); }
  /// Inputs that the table does not have: they keep their start values.
  [[nodiscard]] const std::vector<std::string>& missing() const noexcept { return missing_; }

 private:
  struct Column {
    std::size_t value = 0;  ///< index into values_
    bool continuous = false;
    std::vector<double> samples;
  };
  struct Point {
    double value = 0.0, slope = 0.0;
  };
  [[nodiscard]] Point at(const Column& column, double t, bool after) const noexcept;
  fmu::Result set(fmu::Instance& instance, double t, bool after) noexcept;
  void find_events();

  std::vector<double> time_;
  std::vector<Column> columns_;
  std::vector<double> events_;
  double last_jump_ = std::numeric_limits<double>::quiet_NaN();  ///< s, where all() was last asked
  std::vector<double> values_, slopes_;
  std::vector<std::uint32_t> slope_references_;
  std::vector<int> slope_orders_;
  fmu::RowSet continuous_rows_, discrete_rows_;
  std::vector<std::string> missing_;
};

/// Times that differ by less than rounding makes of them.
[[nodiscard]] bool same_time(double a, double b) noexcept;

}  // namespace takt::tools
