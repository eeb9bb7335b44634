#pragma once
// An FMU of kind model exchange as a body: FMI 2 or 3.

#include <vector>

#include "runtime/fmu/advance.hpp"
#include "runtime/fmu/join/body.hpp"

namespace takt::fmu::join {

/// A variable that is joined. SI = factor * own value + offset.
struct Joined {
  std::uint32_t reference = 0;  ///< valueReference, a scalar of type float64
  double factor = 1.0, offset = 0.0;
};

/// Scalars of type float64, one after the other. @throw std::invalid_argument
[[nodiscard]] RowSet joined_rows(Version version, const std::vector<Joined>& variables, Use use);

struct ModelTerminals {
  std::vector<Joined> throughs;  ///< continuous inputs; nobody else sets them
  std::vector<Joined> acrosses;
  /// valueReferences of the derivatives of the states and of the states, in order; empty: no partials are asked for.
  std::vector<std::uint32_t> derivatives, states;
};

class ModelBody final : public Body {
 public:
  /// @param instance  after initialisation when start() is called; @param inputs  all others than the throughs
  ModelBody(Instance& instance, Inputs& inputs, ModelTerminals terminals);

  [[nodiscard]] Sizes sizes() const noexcept override;
  [[nodiscard]] bool has_partials() const noexcept override;
  Result place(double t, std::span<const double> x, std::span<const double> u) noexcept override;
  Result rates(std::span<double> dx) noexcept override;
  Result across(std::span<double> y) noexcept override;
  Result indicators(std::span<double> z) noexcept override { return instance_.get_indicators(z); }
  Result by_through(std::size_t through, std::span<double> column) noexcept override;
  Result by_state(std::size_t state, std::span<double> column) noexcept override;
  Result across_along(std::span<const double> direction, std::span<double> dy) noexcept override;
  Result start(double t, EventInfo& next) noexcept override;
  Result states(std::span<double> x) noexcept override { return x.empty() ? Result{} : instance_.get_states(x); }
  Result complete(StepCompletion& completion) noexcept override;
  Result serve(double t, bool input, EventInfo& next) noexcept override;

 private:
  Result set_throughs(std::span<const double> u) noexcept;
  Instance& instance_;
  Inputs& inputs_;
  ModelTerminals terminals_;
  RowSet through_rows_, across_rows_;
  std::vector<double> u_, y_;
  std::vector<std::uint32_t> across_references_;
  std::vector<double> last_u_;
};

}  // namespace takt::fmu::join
